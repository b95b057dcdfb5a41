import { type EpochMillis, epochMillis } from "#base/units";

/** A month (UTC) of a report. */
export interface ReportMonth {
  /** `2026-11`. */
  readonly name: string;
  readonly from: EpochMillis;
  /** Its end, or now if it has not ended. */
  readonly to: EpochMillis;
  readonly days: number;
  readonly hasEnded: boolean;
}

/** The month that is named, else the current one. Null for what is no month, or has not begun. */
export function monthOf(name: string, now: EpochMillis): ReportMonth | null {
  const wanted = name === "" ? new Date(now).toISOString().slice(0, 7) : name;
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(wanted)) return null;
  const from = Date.parse(`${wanted}-01T00:00:00Z`);
  const [year = 0, month = 0] = wanted.split("-").map(Number);
  const end = Date.UTC(year, month, 1);
  if (from > now) return null;
  const to = epochMillis(Math.min(end, now));
  const days = Math.round((end - from) / 86_400_000);
  return { name: wanted, from: epochMillis(from), to, days, hasEnded: end <= now };
}

/** The month before one: where it begins, and `October`. */
export function monthBefore({ from }: Pick<ReportMonth, "from">): {
  readonly from: EpochMillis;
  readonly name: string;
} {
  const at = new Date(from);
  const begin = epochMillis(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1));
  return { from: begin, name: monthNames.format(begin) };
}

const monthNames = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

/** `November 2026`. */
export const monthWords = ({ from }: Pick<ReportMonth, "from">): string => months.format(from);

const months = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
