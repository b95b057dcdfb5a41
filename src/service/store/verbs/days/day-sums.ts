import type { DayDown, SumAndBefore } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import { integer, type Row } from "#service/store/sql";
import type { ListedDays } from "#service/store/verbs/days/listed-days";
import { type EpochMillis, epochMillis, millis } from "#base/units";

interface RunningSum {
  known: number;
  down: number;
  checks: number;
}

/** Of one monitor. */
interface RunningSums {
  readonly own: RunningSum;
  readonly before: RunningSum;
  readonly downDays: DayDown[];
}

/** Days of many monitors, added up, those before a day apart: of sixty thousand, no object is made for each. */
export class DaySums {
  readonly #from: EpochMillis;
  readonly #sums = new Map<number, RunningSums>();

  constructor(from: EpochMillis) {
    this.#from = from;
  }

  addListed({ lists, wanted, begin }: ListedDays): void {
    const { monitor: monitors, known, checks } = lists;
    const stretch = this.#stretchAt(begin);
    for (let index = 0; index < monitors.length; index += 1) {
      const monitor = monitors[index] ?? 0;
      if (!wanted.has(monitor)) continue;
      const sum = this.#of(monitor)[stretch];
      sum.known += known[index] ?? 0;
      sum.checks += checks[index] ?? 0;
    }
  }

  /** One day of one monitor. */
  addSeen(row: Row): void {
    const sum = this.#of(integer(row, "monitor"))[this.#stretchAt(integer(row, "begin"))];
    sum.known += integer(row, "known");
    sum.checks += integer(row, "checks");
  }

  /** How long the monitor was down on a day that was added, of which no more counts than how long the monitor was there. */
  addDown(row: Row, down: number, longest: number): void {
    const begin = epochMillis(integer(row, "begin"));
    const stretch = this.#stretchAt(begin);
    const { downDays, [stretch]: sum } = this.#of(integer(row, "monitor"));
    sum.known -= Math.max(0, integer(row, "known") - longest);
    const counted = millis(Math.min(down, longest));
    sum.down += counted;
    if (stretch === "own" && counted > 0) downDays.push({ begin, down: counted });
  }

  all(): ReadonlyMap<MonitorId, SumAndBefore> {
    return new Map(
      [...this.#sums].map(([monitor, { own, before, downDays }]) => [
        monitorId(monitor),
        { ...sumOf(own), before: sumOf(before), downDays },
      ]),
    );
  }

  #stretchAt(begin: number): "own" | "before" {
    return begin < this.#from ? "before" : "own";
  }

  #of(monitor: number): RunningSums {
    return this.#sums.getOrInsertComputed(monitor, () => ({
      own: { known: 0, down: 0, checks: 0 },
      before: { known: 0, down: 0, checks: 0 },
      downDays: [],
    }));
  }
}

const sumOf = ({ known, down, checks }: RunningSum): SumAndBefore["before"] => ({
  known: millis(known),
  down: millis(down),
  checks,
});
