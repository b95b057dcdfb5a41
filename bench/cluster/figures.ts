import { availableParallelism } from "node:os";
import type { StoredLedger } from "./stored-ledger.ts";

/** What came of offering results for a while. */
export interface Offered {
  readonly words: readonly string[];
  readonly acknowledged: number;
  readonly unsent: number;
  readonly refusals: number;
  readonly took: number;
  readonly busy: number;
  readonly used: ReadonlyMap<string, number>;
}

/** Replicas and workers count together: the work is theirs as a whole. */
export function usedTable({ used, acknowledged, took }: Offered): readonly string[] {
  const kinds = Map.groupBy(used, ([name]) => name.replace(/[- ]\d+$/, ""));
  const rows = [...kinds].map(([kind, all]) => {
    const time = all.reduce((sum, [, one]) => sum + one, 0);
    const each = ((time * 1e3) / acknowledged).toFixed(0);
    const name = all.length === 1 ? kind : `${all.length} ${kind}s`;
    return `| ${name} | ${each} | ${(time / took).toFixed(2)} |`;
  });
  const whole = [...used.values()].reduce((sum, one) => sum + one, 0);
  return [
    "| process | µs of a processor for a result | processors |",
    "| --- | --- | --- |",
    ...rows,
    `| all | ${((whole * 1e3) / acknowledged).toFixed(0)} | ${(whole / took).toFixed(2)} |`,
  ];
}

export function limitWords({ busy, unsent, acknowledged, took }: Offered): string {
  const rate = Math.round(acknowledged / (took / 1e3));
  const share = `the ${availableParallelism()} processors were ${(busy * 100).toFixed(0)} % busy`;
  if (unsent === 0) return `all that was offered was taken, ${rate} a second; ${share}`;
  const limit = busy > 0.9 ? "the processors are the limit" : "the limit is not the processors";
  return `${rate} a second were taken, ${unsent} results were never sent; ${share}: ${limit}`;
}

export function ledgerWords({ acknowledged, lost, strange, twice }: StoredLedger): string {
  const counts = Object.entries(twice).map(([what, count]) => `${what} ${count}`);
  return `ledger of ${acknowledged} acknowledged results: lost ${lost}, stored without an acknowledgement ${strange}, twice: ${counts.join(", ")}`;
}
