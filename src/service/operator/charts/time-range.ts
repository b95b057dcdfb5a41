import { chartOfAllMin, chartRangeMin } from "#limits/chart-limits";
import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import type { TimeSpan } from "#web/page/chart/time-axis";
import { isoTime } from "#web/page/format";
import { after, between, epochMillis, type EpochMillis } from "#base/units";
import { hours, type Millis, millis, minutes } from "#base/units";

/** What of a monitor's past its charts show, and how finely. */
export interface TimeRange extends TimeSpan {
  readonly name: RangeName | "custom";
  /** What one point or column of a chart stands for. */
  readonly step: Millis;
  /** Whether results themselves are added up; else the rollups of hours or days are, which are kept for longer. */
  readonly source: "results" | "hours" | "days";
  /** What the two fields of a range of one's own have, in UTC without saying so. */
  readonly typed: { readonly from: string; readonly to: string };
  /** Why the range that was asked for is not shown; null if it is. */
  readonly fault: RangeFault | null;
}

interface RangeFault {
  /** The field that it is about. */
  readonly about: "from" | "to";
  /** With its times as ISO 8601 has them. */
  readonly words: string;
}

export const rangeNames = ["1h", "24h", "7d", "30d", "90d", "all"] as const;
type RangeName = (typeof rangeNames)[number];

type PresetName = Exclude<RangeName, "all">;

interface Preset extends Pick<TimeRange, "step" | "source"> {
  readonly length: Millis;
}

const presets: { readonly [N in PresetName]: Preset } = {
  "1h": { length: hours(1), step: minutes(1), source: "results" },
  "24h": { length: hours(24), step: minutes(15), source: "results" },
  "7d": { length: hours(7 * 24), step: hours(2), source: "results" },
  "30d": { length: hours(30 * 24), step: hours(8), source: "hours" },
  "90d": { length: hours(90 * 24), step: hours(24), source: "days" },
};

/**
 * The range of an address: one with `from` or `to` needs no name, and lasts up to now if it does not say. One that says
 * nothing is the last day, or all of a monitor that is younger than that; `born` is when its data may begin.
 */
export function rangeOf(query: URLSearchParams, now: EpochMillis, born: EpochMillis): TimeRange {
  const name = rangeNames.find((one) => one === query.get("range"));
  const isNamed = query.has("range");
  const isOwn =
    query.get("range") === "custom" || (!isNamed && (query.has("from") || query.has("to")));
  const until = isNamed || query.has("to") ? fieldText(query.get("to")) : typedAt(now);
  const typed = { from: fieldText(query.get("from")), to: until };
  const first = (): TimeRange => named(between(born, now) < hours(24) ? "all" : "24h", now, born);
  if (name !== undefined) return named(name, now, born);
  if (!isOwn) return first();
  const [from, to] = [instantIn(typed.from), instantIn(typed.to)];
  const fault = faultOf(from, to, now);
  if (from === null || to === null || fault !== null) return { ...first(), typed, fault };
  const end = epochMillis(Math.min(to, now));
  return { name: "custom", from, to: end, ...gradeOf(from, end, now), typed, fault: null };
}

const named = (name: RangeName, now: EpochMillis, born: EpochMillis): TimeRange =>
  name === "all" || between(born, now) < presets[name].length
    ? sinceBirth(name, now, born)
    : preset(name, now);

/** Nothing is shown before it was there, but a chart of seconds would say nothing, and what is kept has an end. */
function sinceBirth(name: RangeName, to: EpochMillis, born: EpochMillis): TimeRange {
  const earliest = to - presets["90d"].length;
  const latest = to - chartOfAllMin;
  const from = epochMillis(Math.max(earliest, Math.min(born, latest)));
  const typed = { from: typedAt(from), to: typedAt(to) };
  return { name, from, to, ...gradeOf(from, to, to), typed, fault: null };
}

function preset(name: PresetName, to: EpochMillis): TimeRange {
  const { length, step, source } = presets[name];
  const from = epochMillis(to - length);
  return {
    name,
    from,
    to,
    step,
    source,
    typed: { from: typedAt(from), to: typedAt(to) },
    fault: null,
  };
}

/** `2026-11-22T14:05`, as the browser's field for a time has it. */
const typedAt = (at: EpochMillis): string => isoTime(at).slice(0, 16);

/** An address may name another offset than that of the fields, which is UTC. */
function fieldText(asked: string | null): string {
  // A plus in an address that a person typed is read as a space.
  const text = (asked ?? "").replace(/(T.*) (\d\d:\d\d)$/i, "$1+$2");
  const at = /T.*(Z|[+-]\d\d:\d\d)$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : new Date(at).toISOString().slice(0, 19).replace(/:00$/, "");
}

/** A time without a zone is UTC, as the fields say. */
function instantIn(text: string): EpochMillis | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text)) return null;
  const at = Date.parse(`${text}Z`);
  return Number.isNaN(at) ? null : epochMillis(at);
}

function faultOf(
  from: EpochMillis | null,
  to: EpochMillis | null,
  now: EpochMillis,
): RangeFault | null {
  if (from === null) return ofFrom("From needs a day and a time, for example 2026-11-22 14:00.");
  if (to === null) return ofTo("To needs a day and a time, for example 2026-11-22 15:00.");
  if (from >= now)
    return ofFrom(
      `From was read as ${isoTime(from)}, which is in the future: it is ${isoTime(now)} now. Choose an earlier time.`,
    );
  if (between(from, to) < chartRangeMin)
    return ofTo(
      `To must be at least ${chartRangeMin / 1_000} seconds after From. From was read as ${isoTime(from)}, and To as ${isoTime(to)}.`,
    );
  if (between(from, now) > serviceLimits.daysKeptFor)
    return ofFrom(
      `From was read as ${isoTime(from)}, which is longer ago than results are kept: ${serviceLimits.daysKeptFor / hours(24)} days.`,
    );
  return null;
}

const ofFrom = (words: string): RangeFault => ({ about: "from", words });
const ofTo = (words: string): RangeFault => ({ about: "to", words });

/** The time of something that happened, with some before and after it, and nothing of before the monitor was there. */
export function rangeAround(
  time: TimeSpan,
  now: EpochMillis,
  { least, born }: { readonly least: Millis; readonly born: EpochMillis },
): TimeRange {
  const margin = Math.max(least, between(time.from, time.to) / 2);
  const to = epochMillis(Math.min(time.to + margin, now));
  const from = epochMillis(
    Math.max(time.from - margin, Math.min(born, time.from, to - chartOfAllMin)),
  );
  const typed = { from: typedAt(from), to: typedAt(to) };
  return { name: "custom", from, to, ...gradeOf(from, to, now), typed, fault: null };
}

/** As much earlier, in steps of the same length, from what is kept of it. */
export function timeBefore(range: TimeRange, by: Millis, now: EpochMillis): TimeRange {
  const [from, to] = [epochMillis(range.from - by), epochMillis(range.to - by)];
  return { ...range, from, to, source: gradeOf(from, to, now).source };
}

/** As fine as what is kept of that time, and as a chart has room for. */
function gradeOf(
  from: EpochMillis,
  to: EpochMillis,
  now: EpochMillis,
): Pick<TimeRange, "step" | "source"> {
  const length = between(from, to);
  const age = between(from, now);
  const source =
    age < serviceLimits.resultsKeptFor && length <= hours(7 * 24)
      ? "results"
      : age < serviceLimits.hoursKeptFor
        ? "hours"
        : "days";
  const step = steps.find((one) => one >= finest[source] && length / one <= limits.chartStepsMax);
  return { source, step: step ?? hours(7 * 24) };
}

const finest = { results: minutes(1), hours: hours(1), days: hours(24) } as const;
const steps: readonly Millis[] = [
  ...[1, 5, 15, 30].map(minutes),
  ...[1, 2, 4, 8, 24, 48, 7 * 24].map(hours),
];

/** Whether each result of it has room as a point. */
export const isOfSingles = ({ from, to }: TimeSpan): boolean => between(from, to) <= hours(1);

/** As a page's address names it, with what comes after. */
export const rangeQuery = (range: TimeRange, more: Readonly<Record<string, string>>): string =>
  new URLSearchParams({
    range: range.name,
    ...(range.name === "custom" ? inUtc(range.typed) : {}),
    ...more,
  }).toString();

/** An address means the same in every zone. */
const inUtc = ({ from, to }: TimeRange["typed"]): TimeRange["typed"] => ({
  from: `${from}Z`,
  to: `${to}Z`,
});

/** Of a day (UTC), as an address names it. */
export const dayQuery = (begin: EpochMillis): string =>
  new URLSearchParams({
    range: "custom",
    ...inUtc({ from: typedAt(begin), to: typedAt(after(begin, millis(hours(24)))) }),
  }).toString();
