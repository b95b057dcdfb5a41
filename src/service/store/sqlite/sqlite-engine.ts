import { authorshipOfWrite } from "#service/store/audit/actor";
import type { Engine } from "#service/store/engine";
import { KnownDamage } from "#service/store/known-damage";
import { Listeners } from "#service/store/listeners";
import { type StartOptions, StoreThread } from "#service/store/sqlite/store-thread";
import { backupVerb, probeVerb } from "#service/store/sqlite/thread-messages";
import { onOneServer } from "#service/store/share";
import { StoreFault } from "#service/store/store-fault";
import type { Verb } from "#service/store/verb";
import { settings } from "#service/store/verbs/work";

/** The verbs on one SQLite file, in a thread that writes and one that reads, so that no question stops an answer. */
export async function openSqlite(
  file: string,
  alone: boolean,
  beginning: StartOptions,
): Promise<Engine> {
  // The one that writes makes the file what it has to be.
  const writer = await StoreThread.start({ file, does: "writes", alone }, beginning);
  const reader = await startReader(file, writer, beginning);
  const listeners = new Listeners();
  const damage = new KnownDamage(null);
  return {
    name: "sqlite",
    execute: async <A extends readonly unknown[], R>(verb: Verb<A, R>, args: A) => {
      const { name, access, audit } = verb;
      const authorship = audit.records === "nothing" ? null : authorshipOfWrite();
      const thread = access === "write" ? writer : reader;
      const value = await damage.noting(() => thread.ask<R>(name, args, authorship));
      for (const change of verb.changes(...args)) listeners.say(change);
      return value;
    },
    eachShare: onOneServer,
    serversAway: 0,
    onChange: (listener) => listeners.add(listener),
    health: async () => {
      try {
        await Promise.all([writer.ask(probeVerb, []), reader.ask(settings.all.name, [])]);
        return damage.fault;
      } catch (error) {
        if (error instanceof StoreFault) return error;
        throw error;
      }
    },
    backup: async (target) => void (await reader.ask(backupVerb, [target])),
    tidy: async () => {},
    [Symbol.asyncDispose]: async () => {
      await reader.close();
      await writer.close();
    },
  };
}

async function startReader(
  file: string,
  writer: StoreThread,
  beginning: StartOptions,
): Promise<StoreThread> {
  try {
    return await StoreThread.start({ file, does: "reads", alone: false }, beginning);
  } catch (error) {
    await writer.close();
    throw error;
  }
}
