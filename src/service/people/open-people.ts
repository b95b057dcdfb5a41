import type { Clock } from "#base/clock";
import { People } from "#service/people/people";
import { openStore } from "#service/store/open-store";

interface OpenPeople extends AsyncDisposable {
  readonly people: People;
}

/** The people of a service, for commands that manage them while the service may be running. */
export async function openPeople(database: string, clock: Clock): Promise<OpenPeople> {
  const store = await openStore({ database, use: "command", onProgress: () => {} });
  return {
    people: new People(store, clock),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
