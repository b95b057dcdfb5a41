import { statSync } from "node:fs";
import path from "node:path";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { isSentence } from "#cli/service/sentence-error";
import { isServer } from "#service/store/open-store";
import { showText } from "#base/text";

/** Does something in the database of a service, and prints what came of it. */
export async function inDatabase(
  database: string,
  { stdout, stderr }: Io,
  act: () => Promise<string>,
): Promise<number> {
  try {
    // What is written into a file that was made for it would open nothing.
    refuseMissing(database);
    stdout.write(await act());
    return exitCodes.fine;
  } catch (error) {
    if (!isSentence(error)) throw error;
    stderr.write(`picket service: ${showText(error.message)}\n`);
    return exitCodes.failed;
  }
}

function refuseMissing(database: string): void {
  if (!isServer(database) && isMissing(database))
    throw new Error(
      `there is no database ${path.resolve(database)}: name the service's own with --database FILE or PICKET_SERVICE_DATABASE, or start picket service, which makes it`,
    );
}

/** Of a file in a folder that this user may not enter nothing is known: opening it says so. */
export function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}
