import * as limits from "#limits/report-limits";
import { dayIn } from "#base/calendar-day";
import { daysKeptFor } from "#limits/service-limits";
import { toBeforeFrom } from "#service/operator/forms/from-to";
import { between, epochMillis, type EpochMillis, hours } from "#base/units";

/** Days (UTC) that a report is of: those of a month, a quarter or a year, or others. */
export interface ReportPeriod {
  readonly kind: "month" | "quarter" | "year" | "days";
  /** `2026-11`, or `2026-11-03/2026-11-15` with its last day. */
  readonly name: string;
  readonly from: EpochMillis;
  /** Its end, or now if it has not ended. */
  readonly to: EpochMillis;
  /** How many it has as a whole. */
  readonly days: number;
  readonly hasEnded: boolean;
}

const dayMs = 86_400_000;

/** The month that is named, else the current one. Null for what is no month, or has not begun. */
export function monthOf(name: string, now: EpochMillis): ReportPeriod | null {
  const wanted = name === "" ? new Date(now).toISOString().slice(0, 7) : name;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(wanted)) return null;
  const from = Date.parse(`${wanted}-01T00:00:00Z`);
  const [year = 0, month = 0] = wanted.split("-").map(Number);
  const end = Date.UTC(year, month, 1);
  return from > now ? null : periodFrom("month", [from, end], now);
}

/** Days from one to another as a person typed them, and why there is no report of them; null if there is one. */
export interface TypedDays {
  readonly from: string;
  readonly to: string;
  readonly fault: DaysFault | null;
}

interface DaysFault {
  /** The field that it is about. */
  readonly about: "from" | "to";
  readonly words: string;
}

/** The days from the first to the last one, or what is wrong with one of them. */
export function daysOf(first: string, last: string, now: EpochMillis): ReportPeriod | DaysFault {
  const [from, to] = [dayIn(first), dayIn(last)];
  if (from === null) return { about: "from", words: "From needs a day, for example 2026-11-03." };
  if (to === null) return { about: "to", words: "To needs a day, for example 2026-11-15." };
  if (from > now) {
    const today = new Date(now).toISOString().slice(0, 10);
    const words = `From was read as ${first} (UTC), which is in the future: it is ${today} now. Choose an earlier day.`;
    return { about: "from", words };
  }
  if (to < from) return { about: "to", words: toBeforeFrom };
  if (between(epochMillis(from), now) > daysKeptFor) {
    const words = `From is longer ago than days are kept: ${daysKeptFor / hours(24)} days.`;
    return { about: "from", words };
  }
  const days = (to - from) / dayMs + 1;
  if (days > limits.reportDaysMax) {
    const words = `${first} to ${last} is ${days} days. Choose ${limits.reportDaysMax} days at most.`;
    return { about: "to", words };
  }
  return periodFrom("days", [from, to + dayMs], now);
}

/** From the begin of its first day to the end of the last one. */
export const periodFrom = (
  kind: ReportPeriod["kind"],
  [from, end]: readonly [from: number, end: number],
  now: EpochMillis,
): ReportPeriod => ({
  kind,
  name: kind === "month" ? isoDay(from).slice(0, 7) : `${isoDay(from)}/${isoDay(end - dayMs)}`,
  from: epochMillis(from),
  to: epochMillis(Math.min(end, now)),
  days: Math.round((end - from) / dayMs),
  hasEnded: end <= now,
});

/** `the quarter`, or `these days`. */
export const periodNoun = ({ kind }: Pick<ReportPeriod, "kind">): string =>
  kind === "days" ? "these days" : `the ${kind}`;

/** What a period is compared with. */
interface PeriodBefore {
  readonly from: EpochMillis;
  /** `2026-10`, or `2026-10-21/2026-11-02`. */
  readonly name: string;
  /** `October`, or `the 13 days before`. */
  readonly words: string;
  /** The same in the head of a column: `Oct`, or `before`. */
  readonly short: string;
}

/** The month, the quarter or the year before, or as many days. */
export function periodBefore({
  kind,
  from,
  days,
}: Pick<ReportPeriod, "kind" | "from" | "days">): PeriodBefore {
  if (kind === "month") {
    const begin = monthsAfter(from, -1);
    const words = monthNames.format(begin);
    return { from: begin, name: isoDay(begin).slice(0, 7), words, short: words.slice(0, 3) };
  }
  if (kind !== "days") {
    const begin = monthsAfter(from, kind === "year" ? -12 : -3);
    const span = { kind, from: begin, days: Math.round((from - begin) / dayMs) };
    const words = reportedDaysWords(span);
    const name = `${isoDay(begin)}/${isoDay(from - dayMs)}`;
    return { from: begin, name, words, short: kind === "year" ? words : "before" };
  }
  const begin = epochMillis(from - days * dayMs);
  const words = days === 1 ? "the day before" : `the ${days} days before`;
  return { from: begin, name: `${isoDay(begin)}/${isoDay(from - dayMs)}`, words, short: "before" };
}

function monthsAfter(from: EpochMillis, count: number): EpochMillis {
  const at = new Date(from);
  return epochMillis(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + count, 1));
}

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

const monthNames = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

/** `November 2026`, `July to September 2026`, `2026`, or `3 to 15 November 2026`. */
export function reportedDaysWords({
  kind,
  from,
  days,
}: Pick<ReportPeriod, "kind" | "from" | "days">): string {
  if (kind === "month") return months.format(from);
  if (kind === "year") return isoDay(from).slice(0, 4);
  const last = from + (days - 1) * dayMs;
  if (kind === "quarter") return `${monthNames.format(from)} to ${months.format(last)}`;
  const end = wholeDays.format(last);
  if (days === 1) return end;
  const [day, month] = [dayNumbers.format(from), monthNames.format(from)];
  if (months.format(from) === months.format(last)) return `${day} to ${end}`;
  const isOneYear = isoDay(from).slice(0, 4) === isoDay(last).slice(0, 4);
  return `${isOneYear ? `${day} ${month}` : wholeDays.format(from)} to ${end}`;
}

/** `in November 2026`, `from July to September 2026`, `from 3 to 15 November 2026`, `on 3 November 2026`. */
export const periodWhen = (period: Pick<ReportPeriod, "kind" | "from" | "days">): string =>
  `${period.kind === "month" || period.kind === "year" ? "in" : period.days === 1 ? "on" : "from"} ${reportedDaysWords(period)}`;

const months = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const wholeDays = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const dayNumbers = new Intl.DateTimeFormat("en-GB", { day: "numeric", timeZone: "UTC" });
