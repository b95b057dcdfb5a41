import { systemClock } from "#base/clock";
import { type EpochMillis, millis } from "#base/units";
import type { CitusCluster } from "../../test/cluster/citus-cluster.ts";
import { quantileOf } from "../stored-results.ts";

/** How often incidents are looked for: what is measured is at most that much too long. */
const lookEvery = 250;

/** How soon a monitor has an incident, from the acknowledgement of the second of three locations that saw it fail. */
export class IncidentWatch {
  readonly #cluster: CitusCluster;
  readonly #database: string;
  readonly #failing = new Map<number, Set<number>>();
  readonly #secondAt = new Map<number, EpochMillis>();
  readonly #openedAt = new Map<number, EpochMillis>();

  constructor(cluster: CitusCluster, database: string) {
    this.#cluster = cluster;
    this.#database = database;
  }

  failed = (location: number, monitor: number): void => {
    const seen = this.#failing.get(monitor) ?? new Set();
    this.#failing.set(monitor, seen.add(location));
    if (seen.size === 2 && !this.#secondAt.has(monitor))
      this.#secondAt.set(monitor, systemClock.wall());
  };

  async run(signal: AbortSignal): Promise<void> {
    const statement = "SELECT subject FROM incidents WHERE kind = 'monitor'";
    while (!signal.aborted) {
      const subjects = await this.#cluster.ask(this.#database, statement).catch(() => "");
      const now = systemClock.wall();
      for (const subject of subjects.split("\n").filter(Boolean).map(Number))
        if (!this.#openedAt.has(subject)) this.#openedAt.set(subject, now);
      await systemClock.sleep(millis(lookEvery), signal);
    }
  }

  /** Of all monitors that two locations saw fail; those without an incident count as never. */
  words(): string {
    const waits = [...this.#secondAt].map(
      ([monitor, at]) => (this.#openedAt.get(monitor) ?? Infinity) - at,
    );
    if (waits.length === 0) return "no monitor failed";
    const seconds = [0.5, 0.99, 1].map((share) =>
      (Math.max(0, quantileOf(waits, share)) / 1_000).toFixed(1),
    );
    return `${waits.length} incidents, seconds after the second failing view: median ${seconds[0]}, p99 ${seconds[1]}, most ${seconds[2]}`;
  }
}
