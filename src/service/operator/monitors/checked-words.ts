import { counted } from "#base/text";
import { fineLatency } from "#check/echo-spread";
import * as limits from "#limits/pages-limits";
import { codeWords } from "#service/operator/failures/failure-words";
import type { Sight } from "#service/operator/picture";
import type { StoredResult } from "#service/store/result-store";
import { latencyWords } from "#web/page/format";
import { between, type EpochMillis } from "#base/units";

/**
 * What a check that was just asked for saw, e.g. `Checked just now. Office: passed in 49 ms. Warehouse: connection refused.`
 * Null if none of `newest`, the newest results, is of such a check.
 */
export function checkedWords(
  newest: readonly StoredResult[],
  seenBy: readonly Sight[],
  at: EpochMillis,
): string | null {
  const seen = seenBy.flatMap(({ location, name }) => {
    const result = newest.find((one) => one.location === location && isJustAsked(one, at));
    return result === undefined ? [] : [{ name, result }];
  });
  if (seen.length === 0) return null;
  if (seen.length <= limits.namesShown)
    return `Checked just now. ${seen.map(({ name, result }) => `${name}: ${endOf(result)}.`).join(" ")}`;
  const failed = seen.filter(({ result }) => result.status === "error").length;
  return `Checked just now at ${counted(seen.length, "location")}: ${failed === 0 ? "all passed" : `${failed} failed`}.`;
}

const isJustAsked = ({ trigger, slot }: StoredResult, at: EpochMillis): boolean =>
  trigger === "api" && between(slot, at) < limits.justCheckedFor;

function endOf(result: StoredResult): string {
  const { status, failure } = result;
  if (status === "error") return failure === null ? "failed" : codeWords(failure.code);
  const took = latencyWords(fineLatency(result));
  return status === "degraded" ? `degraded, ${took}` : `passed in ${took}`;
}
