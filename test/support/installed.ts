import { userInfo } from "node:os";
import { askFor } from "./asked-programs.ts";
import { programAt } from "./program-path.ts";
import table from "./programs.json" with { type: "json" };

/** A program that a test may start. The table has its Debian package, which `.ci/run` installs. */
export type Program = keyof typeof table.suite | keyof typeof table.stages;

const packages: Readonly<Record<Program, string | null>> = { ...table.suite, ...table.stages };

/** Null if Debian has none that is new enough. */
export const packageOf = (program: Program): string | null => packages[program];

/**
 * Whether all of these programs are installed. A file of tests asks by name for each program that its tests start: its
 * PATH has no other. Says which one is missing, since the tests that need it are skipped. In CI it has to be there: a
 * missing one is a failure, not a skipped test.
 */
export function isInstalled(...programs: readonly Program[]): boolean {
  const missing = programs.filter((program) => {
    const place = programAt(program);
    askFor(program, place);
    return place === null;
  });
  if (missing.length > 0)
    refuseInCi(`${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not installed`);
  const nameless = hasAccount() ? [] : programs.filter((program) => wantAccount.has(program));
  if (nameless.length > 0)
    refuseInCi(`this user has no account, without which ${nameless.join(", ")} does not work`);
  return missing.length === 0 && nameless.length === 0;
}

/** They ask the system for the name of whoever starts them. */
const wantAccount: ReadonlySet<Program> = new Set(["initdb", "ssh-keygen"]);

/** A container may run as a number that the system knows nobody by. */
function hasAccount(): boolean {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
}

/** Why tests are skipped; in CI that is a failure. */
export function refuseInCi(why: string): void {
  if (process.env["CI"] !== undefined) throw new Error(`${why}, and CI skips nothing`);
  process.stderr.write(`${why}: the tests that need it are skipped\n`);
}
