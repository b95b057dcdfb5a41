import { existsSync } from "node:fs";
import { isServer } from "#service/store/open-store";

/** Where the key of a file's secrets is, unless another place is named. */
export const keyBeside = (database: string): string => `${database}.key`;

/** The key is made after the database: where it is alone, the service would start again and say nothing of what it lost. */
export function refuseLost(database: string, secretFile: string): void {
  if (isServer(database) || secretFile !== keyBeside(database)) return;
  if (existsSync(database) || !existsSync(secretFile)) return;
  throw new Error(
    `the database ${database} is missing, but its key ${secretFile} exists: put the database back, or restore a backup to its place; to begin with an empty one, move the key away`,
  );
}
