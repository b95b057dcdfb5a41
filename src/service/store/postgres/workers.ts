import { systemClock } from "#base/clock";
import { type Millis, type Nanos, nanos, nanosToMillis } from "#base/units";
import * as storeLimits from "#limits/store-limits";
import { askWorker } from "#service/store/postgres/worker-answer";
import { bigintHash } from "#service/store/postgres/bigint-hash";
import type { Connections } from "#service/store/postgres/connections";
import type { MonitorId } from "#service/store/ids";
import { onOneServer, type Share, type ShareOutcome } from "#service/store/share";
import { hasCitus } from "#service/store/postgres/distribution";
import { integer } from "#service/store/sql";
import { StoreFault } from "#service/store/store-fault";

/** The hashes of monitors, from the least on, whose rows are on one worker. */
interface HashRange {
  readonly from: number;
  readonly worker: number;
}

/** A worker that could not be reached, and when it was last looked for. */
interface Absence {
  readonly fault: StoreFault;
  lookedAt: Nanos;
  isLookedFor: boolean;
}

/**
 * The workers of a cluster of Citus, and which monitors each has. What is asked of the monitors of one worker is done in
 * a separate transaction, so a worker that is away costs its own monitors only. Where shards were moved meanwhile, a
 * transaction spans two workers for some seconds, and is as right as before.
 */
export class Workers {
  readonly #connections: Connections;
  readonly #absences = new Map<number, Absence>();
  #ranges: readonly HashRange[] = [];
  #readAt: Nanos | null = null;
  #reading: Promise<void> | null = null;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** How many workers could not be reached when they were last tried. */
  get away(): number {
    return this.#absences.size;
  }

  /** Does some work for the monitors of each worker apart. Rejects if all of it fails, unless each worker is only away. */
  async eachShare<R>(
    monitors: readonly MonitorId[],
    work: (share: Share) => Promise<R>,
  ): Promise<readonly ShareOutcome<R>[]> {
    await this.#read();
    if (this.#ranges.length === 0) return onOneServer(monitors, work);
    const placed = monitors.map((monitor) => ({ monitor, hash: bigintHash(monitor) }));
    const parts = [...Map.groupBy(placed, ({ hash }) => this.#workerOf(hash))];
    const outcomes = await Promise.all(
      parts.map(([worker, own]) => {
        const lanes = [...new Set(own.map(({ hash }) => laneOf(hash)))].toSorted((a, b) => a - b);
        const share: Share = { monitors: new Set(own.map(({ monitor }) => monitor)), lanes };
        return this.#attempt(worker, share, work);
      }),
    );
    if (outcomes.some(({ is }) => is === "done")) return outcomes;
    const faults = outcomes.flatMap((one) => (one.is === "failed" ? [one.fault] : []));
    const other = faults.find(({ code }) => code !== "store_part_away");
    if (other !== undefined) throw other;
    return outcomes;
  }

  #workerOf(hash: number): number {
    return this.#ranges.findLast(({ from }) => from <= hash)?.worker ?? 0;
  }

  /** No call waits for a worker that is known to be away: it is looked for meanwhile. */
  async #attempt<R>(
    worker: number,
    share: Share,
    work: (share: Share) => Promise<R>,
  ): Promise<ShareOutcome<R>> {
    const absence = this.#absences.get(worker);
    if (absence !== undefined) {
      void this.#lookFor(worker, absence);
      return { share, is: "failed", fault: absence.fault };
    }
    const began = systemClock.monotonic();
    try {
      return { share, is: "done", value: await work(share) };
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      const lookedAt = systemClock.monotonic();
      const took = nanosToMillis(nanos(lookedAt - began));
      const isAway =
        error.code === "store_part_away" || (await this.#isSilent(worker, error, took));
      if (!isAway) return { share, is: "failed", fault: error };
      const fault = new StoreFault("store_part_away", error.message, error);
      this.#absences.set(worker, { fault, lookedAt, isLookedFor: false });
      return { share, is: "failed", fault };
    }
  }

  /** Asks for it, not again at once, and by one question at a time. If the coordinator cannot say, the next call finds out. */
  async #lookFor(worker: number, absence: Absence): Promise<void> {
    if (absence.isLookedFor || isRecent(absence)) return;
    absence.isLookedFor = true;
    if ((await askWorker(this.#connections, worker)) !== "silent") this.#absences.delete(worker);
    absence.isLookedFor = false;
    absence.lookedAt = systemClock.monotonic();
  }

  /** A machine that is gone without a word refuses nothing. One that is busy answers. */
  async #isSilent(worker: number, { code }: StoreFault, took: Millis): Promise<boolean> {
    if (code === "store_locked" || took < storeLimits.workerSilentAfter) return false;
    return (await askWorker(this.#connections, worker)) === "silent";
  }

  /** No call may be left that finds out that a worker is back: its monitors are deleted, or are on another one. */
  async #forgetAbsences(): Promise<void> {
    const known = new Set(this.#ranges.map(({ worker }) => worker));
    for (const worker of this.#absences.keys())
      if (!known.has(worker) || (await askWorker(this.#connections, worker)) === "answers")
        this.#absences.delete(worker);
  }

  /** Where the coordinator cannot say, what it said before stands: the work itself finds out. */
  async #read(): Promise<void> {
    const now = systemClock.monotonic();
    const isDue =
      this.#readAt === null ||
      nanosToMillis(nanos(now - this.#readAt)) >= storeLimits.shardsReadEvery;
    if (!isDue) return;
    await (this.#reading ??= this.#readRanges().finally(() => (this.#reading = null)));
  }

  async #readRanges(): Promise<void> {
    const first = this.#readAt === null;
    this.#readAt = systemClock.monotonic();
    try {
      this.#ranges = await this.#connections.use(async (query) => {
        if (!(await hasCitus(query))) return [];
        const { rows } = await query(
          `SELECT shardminvalue::bigint AS least, groupid FROM pg_dist_shard JOIN pg_dist_placement USING (shardid)
           WHERE logicalrelid = 'results'::regclass ORDER BY shardminvalue::bigint`,
        );
        return rows.map((row) => ({
          from: integer(row, "least"),
          worker: integer(row, "groupid"),
        }));
      });
      void this.#forgetAbsences();
    } catch {
      if (first) this.#readAt = null;
    }
  }
}

const isRecent = ({ lookedAt }: Absence): boolean =>
  nanosToMillis(nanos(systemClock.monotonic() - lookedAt)) < storeLimits.absentWorkerTriedEvery;

/** No two shards share a lane, if their number is a power of two that is not larger. */
const laneOf = (hash: number): number =>
  Math.floor((hash + 2 ** 31) / (2 ** 32 / storeLimits.appendLanes));
