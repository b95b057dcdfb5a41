import { type PhaseName, phaseNames, type Phases } from "#check/outcome";
import { grouped } from "#web/page/format";
import { nanos, type Nanos } from "#base/units";

/** A part of a check's time, as its picture shows it. */
export interface PhaseFigure {
  /** `own` is the agent's work between packets, and `other` is what no phase has. */
  readonly name: PhaseName | "own" | "other";
  /** Where it begins in the whole, and how long it is. */
  readonly before: Nanos;
  readonly elapsed: Nanos;
  /** `7.12 ms`, with as many digits as every other figure of the picture. */
  readonly time: string;
  /** `6 %`. */
  readonly share: string;
}

/** All figures of one picture: what is shown of the parts sums to what is shown of the total, and the shares to 100 %. */
export interface PhaseFigures {
  readonly parts: readonly PhaseFigure[];
  /** The sum of all parts. */
  readonly whole: Nanos;
  readonly total: string;
  /** The same digits for any other duration, rounded up: a bound stays one. */
  readonly bound: (duration: Nanos) => string;
}

/** What an agent says of the time of one check; `own` is null if it does not know its own work. */
export interface MeasuredTime {
  readonly phases: Phases;
  readonly own: Nanos | null;
  readonly total: Nanos;
}

export function phaseFigures({ phases, own, total }: MeasuredTime): PhaseFigures {
  const known = [
    ...phaseNames.map((name) => ({ name, elapsed: phases[name] })),
    { name: "own" as const, elapsed: own },
  ].flatMap(({ name, elapsed }) => (elapsed === null ? [] : [{ name, elapsed }]));
  const sum = known.reduce((all, { elapsed }) => all + elapsed, 0);
  const whole = nanos(Math.max(total, sum));
  const unit = unitOf(whole);
  const rest = nanos(whole - sum);
  // Less than what is shown is no row.
  const parts =
    2 * rest < unit.length ? known : [...known, { name: "other" as const, elapsed: rest }];
  const lengths = parts.map(({ elapsed }) => elapsed);
  const times = apportioned(lengths, Math.round(whole / unit.length));
  const shares = apportioned(lengths, 100);
  return {
    parts: parts.map(({ name, elapsed }, index) => ({
      name,
      before: nanos(lengths.slice(0, index).reduce((all, one) => all + one, 0)),
      elapsed,
      time: inUnits(times[index] ?? 0, elapsed, unit),
      share:
        shares[index] === 0 && elapsed > 0
          ? `<${noBreak}1${noBreak}%`
          : `${shares[index]}${noBreak}%`,
    })),
    whole,
    total: wholeTime(whole),
    bound: (duration) => inUnits(Math.ceil(duration / unit.length), duration, unit),
  };
}

/** `31.18 ms`: the whole time of a check, as its picture has it. */
export function wholeTime(whole: Nanos): string {
  const unit = unitOf(whole);
  return inUnits(Math.round(whole / unit.length), whole, unit);
}

/** The least that a picture shows, and its decimals in milliseconds. */
interface ShownUnit {
  readonly length: Nanos;
  readonly decimals: number;
}

/** Four digits of a total of less than a second; from there on whole milliseconds. */
function unitOf(whole: Nanos): ShownUnit {
  const decimals = whole < 1e7 ? 3 : whole < 1e8 ? 2 : whole < 1e9 ? 1 : 0;
  return { length: nanos(10 ** (6 - decimals)), decimals };
}

const noBreak = "\u00a0";

/** What is there and rounds to nothing is said to be less than the least that is shown. */
function inUnits(count: number, duration: Nanos, { decimals }: ShownUnit): string {
  const isLess = count === 0 && duration > 0;
  const [whole = "", part] = ((isLess ? 1 : count) / 10 ** decimals).toFixed(decimals).split(".");
  const figure = `${grouped(Number(whole))}${part === undefined ? "" : `.${part}`}`;
  return `${isLess ? `<${noBreak}` : ""}${figure}${noBreak}ms`;
}

/** Whole numbers that sum to `sum`, as near to the parts as they can be: those that lose the most get one more. */
function apportioned(parts: readonly number[], sum: number): readonly number[] {
  const all = parts.reduce((total, one) => total + one, 0);
  if (all === 0) return parts.map(() => 0);
  const exact = parts.map((one) => (one / all) * sum);
  const missing = sum - exact.reduce((total, one) => total + Math.floor(one), 0);
  const raised = new Set(
    exact
      .map((one, index) => ({ index, lost: one - Math.floor(one) }))
      .toSorted((a, b) => b.lost - a.lost)
      .slice(0, missing)
      .map(({ index }) => index),
  );
  return exact.map((one, index) => Math.floor(one) + (raised.has(index) ? 1 : 0));
}
