import { existsSync, globSync } from "node:fs";
import path from "node:path";

/** Debian's places that are not in everybody's PATH: of its servers and of iptables, and of the newest PostgreSQL. */
const further = ["/usr/sbin", ...globSync("/usr/lib/postgresql/*/bin").toSorted().slice(-1)];

/** Where programs are looked for, also by the processes of a run, whose PATH has only what tests ask for. */
export const programPath: string = (process.env["WHOLE_PATH"] ??= [
  process.env["PATH"] ?? "",
  ...further,
].join(":"));

/** Where a program is, or null. */
export const programAt = (program: string): string | null =>
  programPath
    .split(":")
    .map((folder) => path.join(folder, program))
    .find((place) => existsSync(place)) ?? null;
