import { periodFrom, type ReportPeriod } from "#service/operator/reports/report-period";
import type { EpochMillis } from "#base/units";

/** A period that has a name instead of days: `7d`, `last-quarter`. Its days (UTC) are those of now. */
interface NamedPeriod {
  readonly name: string;
  readonly words: string;
  readonly of: (now: EpochMillis) => ReportPeriod;
}

const dayMs = 86_400_000;

/** So many days, of which today is the last. */
const lastDays = (count: number): NamedPeriod => ({
  name: `${count}d`,
  words: `Last ${count} days`,
  of: (now) => {
    const end = (Math.floor(now / dayMs) + 1) * dayMs;
    return periodFrom("days", [end - count * dayMs, end], now);
  },
});

/** The quarter of now, or so many after it. */
const quarter = (name: string, words: string, step: number): NamedPeriod => ({
  name,
  words,
  of: (now) => {
    const at = new Date(now);
    const first = Math.floor(at.getUTCMonth() / 3) * 3 + step * 3;
    const begin = (month: number): number => Date.UTC(at.getUTCFullYear(), month, 1);
    return periodFrom("quarter", [begin(first), begin(first + 3)], now);
  },
});

const year = (name: string, words: string, step: number): NamedPeriod => ({
  name,
  words,
  of: (now) => {
    const own = new Date(now).getUTCFullYear() + step;
    return periodFrom("year", [Date.UTC(own, 0, 1), Date.UTC(own + 1, 0, 1)], now);
  },
});

/** In the order in which they are offered. Two years are kept, so all of last year is. */
export const namedPeriods: readonly NamedPeriod[] = [
  ...[7, 30, 90].map(lastDays),
  quarter("this-quarter", "This quarter", 0),
  quarter("last-quarter", "Last quarter", -1),
  year("this-year", "This year", 0),
  year("last-year", "Last year", -1),
];

/** Those that are a link next to the form. */
export const linkedPeriods: readonly NamedPeriod[] = namedPeriods.slice(0, 3);
