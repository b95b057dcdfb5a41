import { latencyShown } from "#browser/latency-shown";
import { readerZone, withZoneName } from "#browser/reader-zone";
import { type Chart, instant, type PlotColumns } from "#browser/chart-columns";
import { marksAt } from "#browser/marked-instants";

/** What a chart says of one instant: when it was, each value by its name, and what was going on. */
export function wordsAt(chart: Chart, columns: PlotColumns, index: number): string {
  const at = columns.at[index];
  if (at === undefined) return "";
  const values = columns.lines.flatMap(({ words, values }) => {
    const value = values[index] ?? null;
    return value === null ? [] : [`${words} ${latencyShown(value)}`];
  });
  const seen = [
    ...(values.length === 0 && !columns.losses.has(at) ? ["no data"] : values),
    columns.counts.get(at) ?? "",
    columns.losses.get(at) ?? "",
    ...phasesAt(chart, at),
    ...locationsAt(chart, at),
    ...marksAt(chart, at, columns.length).map(({ words }) => words),
  ].filter((one) => one !== "");
  return `${timeOf(at, columns.length)}: ${[...new Set(seen)].join(" · ")}`;
}

const phasesAt = (chart: Chart, at: number): readonly string[] => {
  const found = phaseMeans(chart, at).filter(({ mean }) => mean >= 0.05);
  return found.length === 0
    ? []
    : [found.map(({ words, mean }) => `${words} ${latencyShown(mean)}`).join(", ")];
};

interface PhaseMean {
  readonly name: string;
  readonly words: string;
  readonly mean: number;
}

/** The phases of an instant that took a part of the time. A ping does not connect. */
export const phaseMeans = ({ phases, echoes }: Chart, at: number): readonly PhaseMean[] =>
  Object.entries(phases?.find((one) => instant(one.at) === at)?.mean_ms ?? {})
    .filter(([, mean]) => mean > 0)
    .map(([name, mean]) => {
      const words = name === "connect" && echoes.length > 0 ? "round trip" : name;
      return { name, words, mean };
    });

const locationsAt = ({ locations }: Chart, at: number): readonly string[] => {
  const known = locations.flatMap(({ name, steps }) => {
    const median = steps.find((step) => instant(step.at) === at)?.p50_ms ?? null;
    return median === null ? [] : [`${name} ${latencyShown(median)}`];
  });
  return known.length === 0 ? [] : [known.join(", ")];
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

const formatsOf = (timeZone: string) => {
  const day = { timeZone, day: "numeric", month: "short", timeZoneName: "short" } as const;
  const short = { hour: "2-digit", minute: "2-digit" } as const;
  return {
    dated: new Intl.DateTimeFormat("en-GB", { ...day, ...short }),
    exact: new Intl.DateTimeFormat("en-GB", { ...day, ...short, second: "2-digit" }),
  };
};
const universal = formatsOf("UTC");
const own = formatsOf(readerZone);

/** In the reader's zone as all of the page, and in UTC if that is another; `length` is what it stands for, 0 of a single check. */
export function timeOf(at: number, length: number): string {
  const end = length === 0 || length >= day ? "" : `, ${lengthOf(length)}`;
  const [there, here] = [universal, own].map((format) =>
    withZoneName((length === 0 ? format.exact : format.dated).format(at), at),
  );
  return `${here}${there === here ? "" : ` (${there})`}${end}`;
}

const lengthOf = (length: number): string =>
  length < 3_600_000 ? `${length / minute}\u00a0min` : `${length / 3_600_000}\u00a0h`;
