import { randomUUIDv7 } from "node:crypto";
import { systemClock } from "#base/clock";
import type { Engine } from "#service/store/engine";
import { KnownDamage } from "#service/store/known-damage";
import { Listeners } from "#service/store/listeners";
import type { Connections, Query } from "#service/store/postgres/connections";
import type { MonitorId } from "#service/store/ids";
import { OversizedSpans } from "#service/store/packing/oversized-spans";
import { emptyPackedDays, tidyPartitions } from "#service/store/postgres/partitions";
import { canBeDoneAgain, faultOf } from "#service/store/postgres/postgres-fault";
import { migrate } from "#service/store/postgres/postgres-schema";
import { checkCluster } from "#service/store/postgres/distribution";
import { hasEnded, newSession } from "#service/store/postgres/session-lock";
import { Workers } from "#service/store/postgres/workers";
import type { Share, ShareOutcome } from "#service/store/share";
import { type DialectWords, filterOf, type Sql, type SqlValue } from "#service/store/sql";
import { type Change, type ChangeListener, changes } from "#service/store/store";
import { authorshipOfWrite } from "#service/store/audit/actor";
import { doRecorded } from "#service/store/audit/recording";
import { StoreFault } from "#service/store/store-fault";
import * as storeLimits from "#limits/store-limits";
import type { Verb } from "#service/store/verb";

const words: DialectWords = {
  engine: "postgres",
  forUpdate: " FOR NO KEY UPDATE",
  forUpdateOf: (table) => ` FOR NO KEY UPDATE OF ${table}`,
  forShare: " FOR SHARE",
  forUpdateAlone: " FOR UPDATE",
  forUpdateIfFree: " FOR NO KEY UPDATE SKIP LOCKED",
  now: "(extract(epoch FROM clock_timestamp()) * 1000)::bigint",
  hasEnded,
  joinedBytes: (column) => `string_agg(${column}, ''::bytea)`,
  list: (column, condition) => `COALESCE(json_agg(${column})${filterOf(condition)}, '[]')::text`,
};
const channel = "picket_changes";

/** The verbs on a PostgreSQL, for one replica of several, or for a command. */
export async function openPostgres(
  connections: Connections,
  onProgress: (sentence: string) => void,
  damaged: Sql["damaged"],
  isService = true,
  signal: AbortSignal = new AbortController().signal,
): Promise<Engine> {
  try {
    await withFaults(async () => {
      await connections.useLong((query) => migrate(query, onProgress, isService), signal);
      await connections.use((query) => tidyAtStart(query, onProgress, signal));
    });
  } catch (error) {
    await connections[Symbol.asyncDispose]();
    throw error;
  }
  return new PostgresEngine(connections, damaged);
}

class PostgresEngine implements Engine {
  readonly name = "postgres";
  readonly #connections: Connections;
  readonly #workers: Workers;
  readonly #damaged: Sql["damaged"];
  readonly #oversized = new OversizedSpans();
  readonly #listeners = new Listeners();
  readonly #damage = new KnownDamage(storeLimits.damageKnownFor);
  /** Said next to what is said, so that a replica does not hear itself. */
  readonly #replica = randomUUIDv7();
  readonly #waitingChanges = new Set<Change>();
  readonly #closing = new AbortController();
  readonly #loops: readonly Promise<void>[];
  /** By which others see this replica, while it is held. */
  readonly #session = newSession();
  #isSeen = false;
  #waiting = 0;

  constructor(connections: Connections, damaged: Sql["damaged"]) {
    this.#damaged = damaged;
    this.#connections = connections;
    this.#workers = new Workers(connections);
    this.#loops = [this.#hear(), this.#notifyOthers()];
  }

  async execute<A extends readonly unknown[], R>(verb: Verb<A, R>, args: A): Promise<R> {
    const value = await this.#damage.noting(() => this.#counted(() => this.#attempts(verb, args)));
    for (const change of verb.changes(...args)) {
      this.#listeners.say(change);
      this.#waitingChanges.add(change);
    }
    return value;
  }

  eachShare<R>(
    monitors: readonly MonitorId[],
    work: (share: Share) => Promise<R>,
  ): Promise<readonly ShareOutcome<R>[]> {
    return this.#workers.eachShare(monitors, work);
  }

  get serversAway(): number {
    return this.#workers.away;
  }

  onChange(listener: ChangeListener): Disposable {
    return this.#listeners.add(listener);
  }

  async health(): Promise<StoreFault | null> {
    try {
      await this.#counted(async () => {
        // A standby answers questions, so one that can only be read is recognised by a write.
        await this.#transaction((sql) =>
          sql.run("UPDATE settings SET value = value WHERE name = 'installation'"),
        );
        await this.#connections.use(checkCluster);
      });
      return this.#damage.fault;
    } catch (error) {
      return error instanceof StoreFault ? error : new StoreFault("store_broken", String(error));
    }
  }

  backup(): Promise<void> {
    const how = "PostgreSQL is backed up with its own tools, such as pg_dump";
    return Promise.reject(new StoreFault("unsupported", how));
  }

  tidy(resultsBefore: number): Promise<void> {
    return withFaults(() =>
      this.#connections.use(async (query) => {
        const today = await tidyPartitions(query, resultsBefore);
        await emptyPackedDays(query, today, resultsBefore);
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#loops);
    await this.#connections[Symbol.asyncDispose]();
  }

  async #counted<R>(work: () => Promise<R>): Promise<R> {
    if (this.#waiting >= storeLimits.storeCallsWaitingMax)
      throw new StoreFault("store_busy", `${this.#waiting} calls wait for the store already`);
    if (this.#closing.signal.aborted) throw new StoreFault("store_closed", "the store is closed");
    this.#waiting += 1;
    try {
      return await withFaults(work);
    } finally {
      this.#waiting -= 1;
    }
  }

  async #attempts<A extends readonly unknown[], R>(verb: Verb<A, R>, args: A): Promise<R> {
    if (verb.access === "read")
      return this.#connections.use((query) => verb.work(this.#sqlOn(query), ...args));
    const authorship = verb.audit.records === "nothing" ? null : authorshipOfWrite();
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.#transaction((sql) =>
          authorship === null ? verb.work(sql, ...args) : doRecorded(verb, sql, args, authorship),
        );
      } catch (error) {
        if (attempt >= storeLimits.postgresAttemptsMax || !canBeDoneAgain(error)) throw error;
      }
  }

  #transaction<R>(work: (sql: Sql) => Promise<R>): Promise<R> {
    return this.#connections.use(async (query) => {
      await query("BEGIN");
      try {
        const value = await work(this.#sqlOn(query));
        await query("COMMIT");
        return value;
      } catch (error) {
        await query("ROLLBACK").catch(() => {});
        throw error;
      }
    });
  }

  #sqlOn(query: Query): Sql {
    return {
      words,
      session: this.#isSeen ? this.#session : null,
      all: async (text, values = []) => (await query(numbered(text), values.map(sendable))).rows,
      run: async (text, values = []) => (await query(numbered(text), values.map(sendable))).changed,
      damaged: this.#damaged,
      oversized: this.#oversized,
    };
  }

  /** Listens to the other replicas. After a time in which it could not listen, everything may have changed. */
  async #hear(): Promise<void> {
    const { signal } = this.#closing;
    const began = (): void => changes.forEach((change) => this.#listeners.say(change, false));
    const onNotice = (payload: string): void => {
      const [replica, word] = payload.split(" ");
      const change = changes.find((one) => one === word);
      if (replica !== this.#replica && change !== undefined) this.#listeners.say(change);
    };
    const onSession = (isHeld: boolean): void => void (this.#isSeen = isHeld);
    const session = this.#session;
    while (!signal.aborted) {
      const heard = { name: channel, session, onSession, began, onNotice };
      await this.#connections.listen(heard, signal).catch(() => {});
      onSession(false);
      if (signal.aborted) return;
      began();
      await systemClock.sleep(storeLimits.changesLookEvery, signal);
    }
  }

  /** Notifies the other replicas, at its own pace: a NOTIFY in a transaction would have all commits wait in one row. */
  async #notifyOthers(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await systemClock.sleep(storeLimits.changesSentEvery, signal);
      const batch = [...this.#waitingChanges];
      this.#waitingChanges.clear();
      if (batch.length === 0) continue;
      const send = async (query: Query): Promise<void> => {
        for (const change of batch)
          await query("SELECT pg_notify($1, $2)", [channel, `${this.#replica} ${change}`]);
      };
      // Others look by themselves where they hear nothing.
      await this.#connections.use(send).catch(() => {});
    }
  }
}

/** A service starts while a worker of a cluster is away: days are made ahead, and tried again each round of forgetting. */
async function tidyAtStart(
  query: Query,
  say: (sentence: string) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    await tidyPartitions(query, 0, signal);
  } catch (error) {
    const fault = faultOf(error);
    if (fault?.code !== "store_part_away") throw error;
    say(`the days ahead are not made yet: ${fault.message}`);
  }
}

async function withFaults<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw faultOf(error) ?? error;
  }
}

/** `?` as `$1`, `$2`, …; no text of ours has one in quotes. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll("?", () => `$${(count += 1)}`);
}

/** PostgreSQL's texts hold every character but one. */
const sendable = (value: SqlValue): SqlValue =>
  typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value;
