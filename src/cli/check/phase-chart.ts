import type { FailurePhase } from "#check/failure";
import { phaseNames, type Phases } from "#check/outcome";
import { nanos, type Nanos, nanosToMillis } from "#units";

/** What a chart shows: some phases, and the whole in which they lie. */
export interface Charted {
  readonly phases: Phases;
  /** Where the first of them begins in the whole. */
  readonly before: Nanos;
  /** What the whole width of the chart stands for. */
  readonly whole: Nanos;
  /** The phase in which it failed. */
  readonly failed: FailurePhase | null;
}

/** Each phase on its own line: how long it took, its share of the whole, and a bar where it lay in it. */
export function phaseChart({ phases, before, whole, failed }: Charted): readonly string[] {
  let start = before;
  return phaseNames.flatMap((phase) => {
    const elapsed = phases[phase];
    if (elapsed === null) return [];
    const mark = failed === phase ? " ✗" : "";
    const line = `${figure(phase, elapsed)}${share(elapsed, whole)}  ${bar(start, elapsed, whole)}${mark}`;
    start = nanos(start + elapsed);
    return [line];
  });
}

/** A name and a duration, so that the figures of all lines stand under each other. */
export const figure = (name: string, duration: Nanos): string =>
  `${name.padEnd(8)}${inMillis(duration).padStart(12)}`;

/** The share of the whole in as many columns as "  100 %" takes. */
export const share = (elapsed: Nanos, whole: Nanos): string =>
  (whole === 0 ? "" : `${Math.round((elapsed / whole) * 100)} %`).padStart(7);

export const inMillis = (duration: Nanos): string => `${nanosToMillis(duration).toFixed(3)} ms`;

export const sumOf = (phases: Phases): Nanos =>
  nanos(phaseNames.reduce((all, phase) => all + (phases[phase] ?? 0), 0));

const barColumns = 40;

function bar(before: Nanos, elapsed: Nanos, whole: Nanos): string {
  if (whole === 0) return "";
  const start = Math.min(barColumns - 1, Math.floor((before / whole) * barColumns));
  const width = Math.max(1, Math.round((elapsed / whole) * barColumns));
  return `${" ".repeat(start)}${"█".repeat(Math.min(width, barColumns - start))}`;
}
