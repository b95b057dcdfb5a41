import type { Clock } from "#base/clock";
import { Keys } from "#service/edge/keys";
import { OperatorsPassword } from "#service/edge/password";
import { actingAs } from "#service/store/audit/actor";
import { openStore } from "#service/store/open-store";

/** What opens the service, for commands that manage it while the service may be running. */
export interface Access extends AsyncDisposable {
  readonly keys: Keys;
  readonly password: OperatorsPassword;
}

export async function openAccess(database: string, clock: Clock): Promise<Access> {
  const store = await openStore({ database, use: "command", onProgress: () => {} });
  return {
    keys: new Keys(store, clock),
    password: new OperatorsPassword(store),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** What a command on the service's machine changes is the command's change. */
export const byCommand = <T>(name: string, work: () => T): T =>
  actingAs({ kind: "command", name, from: "", at: null }, work);

/** A whole copy of a service's SQLite file, made while the service may be running. */
export async function backUp(database: string, file: string): Promise<void> {
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  await store.backup(file);
}
