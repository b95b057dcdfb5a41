import { systemClock } from "#base/clock";
import type { Io } from "#cli/edge/io";
import { readSecretLines } from "#cli/edge/secret-lines";
import { inDatabase } from "#cli/service/service-database";
import { UsageError } from "#cli/edge/usage-error";
import * as limits from "#limits/pages-limits";
import { passwordFault } from "#service/edge/password";
import { byCommand, openAccess } from "#service/edge/access";

/** `picket service password`: sets the password of the operators' pages, or takes it away. It is never printed. */
export async function managePassword(
  words: readonly string[],
  remove: boolean,
  database: string,
  io: Io,
): Promise<number> {
  // A password among the words would be in the shell's history, so it is not repeated here either.
  if (words.length > 0)
    throw new UsageError("password takes no words: it asks for the password, or reads one line");
  return inDatabase(database, io, async () => {
    // Asked for first: a database is not kept open while a person thinks.
    const wanted = remove ? null : await readPassword(io);
    await using opened = await openAccess(database, systemClock);
    return await byCommand("picket service password", async () => {
      if (wanted === null) return (await opened.password.remove()) ? removed : noPassword;
      await opened.password.set(wanted);
      return set;
    });
  });
}

const set =
  "The password is set. Sessions that an earlier password opened have ended: sign in again.\n";
const removed =
  "The password is removed, and its sessions have ended. API keys still open the pages.\n";
const noPassword = "There was no password. API keys open the pages.\n";

/** Typed twice, since whoever types does not see it; a program sends it once. */
async function readPassword(io: Io): Promise<string> {
  using lines = readSecretLines(io, limits.passwordCharsMax);
  const password = came(await lines.next("New password: "));
  const fault = passwordFault(password);
  if (fault !== null) throw new Error(`the password ${fault}`);
  if (lines.isTyped && came(await lines.next("Repeat it: ")) !== password)
    throw new Error("the two passwords differ, so nothing was changed: try again");
  return password;
}

function came(line: string | null): string {
  if (line === null) throw new Error("no password was entered, so nothing was changed");
  return line;
}
