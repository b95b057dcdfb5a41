import os from "node:os";
import {
  captureToleranceNanos,
  type BarsHeld,
  type Deviation,
  type Deviations,
} from "./deviation.ts";
import { uncounted } from "./load.ts";
import { type Part, parts } from "./reported.ts";

/** One run of one tool against one kind of target at one load. */
export interface Run {
  readonly target: string;
  readonly load: string;
  readonly tool: string;
  readonly deviations: Deviations;
  readonly bars: BarsHeld | null;
  /** Median of the captured total, in microseconds: what the tool's own work adds to a check is in it. */
  readonly wireTotal: number;
}

const heads: { readonly [P in Part]: string } = {
  connect: "connect",
  tls: "tls",
  write: "write",
  wait: "wait",
  firstByte: "write + wait",
  receive: "receive",
  total: "total",
};

/** What a reader of the tables has to know. */
export const wireTruthPreface = (seconds: number): string => `# Timings next to packet captures

- Picket's figures lie within the error bar that each result carries. This run fails if fewer than 97 of 100 do.
- The first number of a cell is the usual error in microseconds: half of all checks are off by less.
- A busy machine makes the errors larger, and the error bar grows with them.

Made by \`npm run wire-truth\` (each run ${seconds} s; each tool begins a kind of target with ${uncounted.checks} checks that do not count). Do not edit.

Each check is found again in a packet capture of the interface (tcpdump, nanosecond stamps), and each figure that the
tool reports is compared with what passed the wire. A cell is the difference without its sign, in microseconds: median /
95th / 99th percentile / maximum. "Captured total" is the median of what the wire took, in microseconds: what a tool's
own work adds to a check is in it. "Error bar holds" says how many of all figures lie within the error bar that came
with the result (and ${captureToleranceNanos / 1e3} µs for the capture's own stamps), and how wide the bar was.

\`connect\` is the kernel's own record of the handshake. It is 2 µs longer than the capture or more, by up to 0.1 ms (in all but 1 of
2,100 handshakes), and never the other way: the kernel counts from when TCP makes the SYN until TCP has read its answer, and the
capture between the passes of the device. For the network the capture is right. The difference is this machine's own way between TCP
and the device, which is longer when its processor was asleep or busy.

All processes share one machine of ${os.cpus().length} processors (Node.js ${process.version}, Linux ${os.release()}); tools take turns on the same targets.
Percentiles of a few checks a second are those of few checks. The exporter has no figure for \`write\`; its TCP figure is
its whole duration less the look-up, since it has no other. [timing.md](../timing.md) explains how the figures are made.`;

/** All runs as tables of Markdown, one for each kind of target. */
export function wireTruthTables(runs: readonly Run[]): string {
  return [...Map.groupBy(runs, ({ target }) => target)]
    .map(([target, of]) => table(target, of))
    .join("\n\n");
}

function table(target: string, runs: readonly Run[]): string {
  const shown = parts.filter((part) => runs.some(({ deviations }) => deviations[part] !== null));
  const head = [
    "load",
    "tool",
    "checks",
    "captured total",
    ...shown.map((part) => heads[part]),
    "error bar holds",
  ];
  const rows = runs.map(({ load, tool, deviations, bars, wireTotal }) => [
    load,
    tool,
    String(deviations.total?.count ?? 0),
    String(Math.round(wireTotal)),
    ...shown.map((part) => cell(deviations[part])),
    bars === null
      ? "–"
      : `${((100 * bars.held) / bars.of).toFixed(2)} % (median ${Math.round(bars.medianMicros)})`,
  ]);
  const lines = [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  return [`### ${target}`, "", ...lines].join("\n");
}

const cell = (deviation: Deviation | null): string =>
  deviation === null
    ? "–"
    : [deviation.median, deviation.p95, deviation.p99, deviation.max].map(Math.round).join(" / ");
