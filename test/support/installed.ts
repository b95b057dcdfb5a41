import { existsSync } from "node:fs";
import path from "node:path";

/** Where programs are looked for: the PATH, and the folder of Debian's servers and of iptables, which is not in everybody's. */
export const programPath: string = `${process.env["PATH"] ?? ""}:/usr/sbin`;

/**
 * Whether a program is installed, by name or path; says which one is missing, since a test that needs it is skipped.
 * In CI it has to be there: a missing one is a failure, not a skipped test.
 */
export function isInstalled(program: string): boolean {
  const places = path.isAbsolute(program)
    ? [program]
    : programPath.split(":").map((folder) => path.join(folder, program));
  if (places.some((place) => existsSync(place))) return true;
  if (process.env["CI"] !== undefined)
    throw new Error(`${program} is not installed, and CI skips nothing`);
  process.stderr.write(`${program} is not installed: the tests that need it are skipped\n`);
  return false;
}
