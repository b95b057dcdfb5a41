import type { BarsHeld, Deviation, Deviations } from "./deviation.ts";
import { type Part, parts } from "./reported.ts";

/** One run of one tool against one kind of target at one load. */
export interface Run {
  readonly target: string;
  readonly load: string;
  readonly tool: string;
  readonly deviations: Deviations;
  readonly bars: BarsHeld | null;
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

/** All runs as tables of Markdown, one for each kind of target. */
export function wireTruthTables(runs: readonly Run[]): string {
  return [...Map.groupBy(runs, ({ target }) => target)]
    .map(([target, of]) => table(target, of))
    .join("\n\n");
}

function table(target: string, runs: readonly Run[]): string {
  const shown = parts.filter((part) => runs.some(({ deviations }) => deviations[part] !== null));
  const head = ["load", "tool", "checks", ...shown.map((part) => heads[part]), "error bar holds"];
  const rows = runs.map(({ load, tool, deviations, bars }) => [
    load,
    tool,
    String(deviations.total?.count ?? 0),
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
