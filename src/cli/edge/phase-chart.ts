import { type Colour, coloured } from "#cli/edge/coloured";
import type { Terminal } from "#cli/edge/terminal";
import type { FailurePhase } from "#check/failure";
import { type PhaseName, phaseNames, type Phases } from "#check/outcome";
import { nanos, type Nanos, nanosToMillis } from "#base/units";

/** What a chart shows: some phases, and the whole in which they lie. */
interface PhaseSpan {
  readonly phases: Phases;
  /** Where the first of them begins in the whole. */
  readonly before: Nanos;
  /** What the whole width of the chart stands for. */
  readonly whole: Nanos;
  /** The phase in which it failed. */
  readonly failed: FailurePhase | null;
}

/** Each phase on its line: how long it took, its share of the whole, and a bar where it lay in it. */
export function phaseChart(
  { phases, before, whole, failed }: PhaseSpan,
  terminal: Terminal,
): readonly string[] {
  let start = before;
  const columns = barColumns(terminal);
  return phaseNames.flatMap((phase) => {
    const elapsed = phases[phase];
    if (elapsed === null) return [];
    const isFailed = failed === phase;
    const colour = isFailed ? "red" : phaseColours[phase];
    const painted = coloured(bar(start, elapsed, whole, columns), colour, terminal.colour);
    const mark = isFailed ? coloured(" ✗", "red", terminal.colour) : "";
    const line = `${figure(phase, elapsed)}${share(elapsed, whole)}  ${painted}${mark}`;
    start = nanos(start + elapsed);
    return [line];
  });
}

/** The colour of each phase, wherever one is drawn. */
export const phaseColours: { readonly [P in PhaseName]: Colour } = {
  dns: "cyan",
  connect: "blue",
  proxy: "white",
  tls: "magenta",
  write: "dim",
  wait: "yellow",
  receive: "green",
};

/** A name and a duration, so that the figures of all lines stand under each other. */
export const figure = (name: string, duration: Nanos): string =>
  `${name.padEnd(8)}${inMillis(duration).padStart(12)}`;

/** Our own work, under the phases; `farther` is how far that figure may be off beyond the error bar. */
export const ownLine = (own: Nanos, farther: Nanos = nanos(0)): string =>
  `${figure("own", own)}${farther === 0 ? "" : ` ± ${inMillis(farther)}`}  the agent's own work between packets, not in the latency`;

/** The share of the whole in as many columns as "  100 %" takes. */
export const share = (elapsed: Nanos, whole: Nanos): string =>
  (whole === 0 ? "" : `${Math.round((elapsed / whole) * 100)} %`).padStart(7);

export const inMillis = (duration: Nanos): string => `${nanosToMillis(duration).toFixed(3)} ms`;

export const sumOf = (phases: Phases): Nanos =>
  nanos(phaseNames.reduce((all, phase) => all + (phases[phase] ?? 0), 0));

/** Two before the name, name and figure, share, the gap, the mark behind, and the terminal's last column. */
const besideBar = 2 + 20 + 7 + 2 + 2 + 1;
const usualColumns = 40;
const narrowColumns = 10;
const wideColumns = 120;

const barColumns = ({ columns }: Terminal): number =>
  columns === null
    ? usualColumns
    : Math.min(wideColumns, Math.max(narrowColumns, columns - besideBar));

function bar(before: Nanos, elapsed: Nanos, whole: Nanos, columns: number): string {
  if (whole === 0) return "";
  const start = Math.min(columns - 1, Math.floor((before / whole) * columns));
  const width = Math.max(1, Math.round((elapsed / whole) * columns));
  return `${" ".repeat(start)}${"█".repeat(Math.min(width, columns - start))}`;
}
