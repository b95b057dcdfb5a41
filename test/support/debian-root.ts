import path from "node:path";
import { succeed } from "./run-command.ts";

/** Where the root file system of a small Debian with these packages, beside what Node.js needs, is kept as an archive. */
export const debianRoot = (...packages: readonly string[]): Promise<string> =>
  succeed(path.join(import.meta.dirname, "debian-root.sh"), [packages.join(",")]);
