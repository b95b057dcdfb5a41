import { readerZone } from "#browser/reader-zone";
import { type Chart, instant, type PlotColumns } from "#browser/chart-columns";

/** What a chart says of one instant: when it was, each value by its name, and what was going on. */
export function wordsAt(chart: Chart, columns: PlotColumns, index: number): string {
  const at = columns.at[index];
  if (at === undefined) return "";
  const values = columns.lines.flatMap(({ words, values }) => {
    const value = values[index] ?? null;
    return value === null ? [] : [`${words} ${millis(value)}`];
  });
  const seen = [
    ...(values.length === 0 ? [columns.losses.has(at) ? "no answer" : "no data"] : values),
    columns.counts.get(at) ?? "",
    columns.losses.get(at) ?? "",
    ...phasesAt(chart, at),
    ...marksAt(chart, at),
  ].filter((one) => one !== "");
  return `${timeOf(at, chart.step_ms, columns.counts.has(at))}: ${[...new Set(seen)].join(" · ")}`;
}

const phasesAt = ({ phases }: Chart, at: number): readonly string[] => {
  const found = phases?.find((one) => instant(one.at) === at);
  const named = Object.entries(found?.mean_ms ?? {}).filter(([, mean]) => mean >= 0.05);
  return named.length === 0
    ? []
    : [named.map(([name, mean]) => `${name} ${millis(mean)}`).join(", ")];
};

const marksAt = ({ marks, step_ms: step }: Chart, at: number): readonly string[] =>
  marks
    .filter(({ from, to }) => instant(from) < at + step && instant(to) >= at)
    .map(({ words }) => words);

/** `212 ms`, `1.24 s`, `0.31 ms`: three figures are enough to compare. */
export const millis = (value: number): string => {
  const [number, unit] = value < 1_000 ? [value, "ms"] : [value / 1_000, "s"];
  return `${Number(number.toPrecision(3))}\u00a0${unit}`;
};

/** An instant of the axis, in the reader's zone: `14:00`, `14:00:30`, and the day wherever one begins. */
export function tick(at: number, step: number): string {
  if (step < minute) return seconds.format(at);
  const time = minutes.format(at);
  return step >= day || time === "00:00" ? days.format(at) : time;
}

const minute = 60_000;
const day = 1_440 * minute;
const hourAndMinute = { hour: "2-digit", minute: "2-digit", timeZone: readerZone } as const;
const days = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  timeZone: readerZone,
});
const minutes = new Intl.DateTimeFormat("en-GB", hourAndMinute);
const seconds = new Intl.DateTimeFormat("en-GB", { ...hourAndMinute, second: "2-digit" });

const dated = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
const universal = dated("UTC");
const own = dated(readerZone);

/** In the reader's zone as all of the page, and in UTC if that is another. */
function timeOf(at: number, step: number, isStep: boolean): string {
  const minutes = Math.round(step / 60_000);
  const length = minutes < 60 ? `${minutes} min` : `${minutes / 60} h`;
  const end = isStep && step < day ? `, ${length}` : "";
  const [there, here] = [universal.format(at), own.format(at)];
  return `${here}${there === here ? "" : ` (${there})`}${end}`;
}
