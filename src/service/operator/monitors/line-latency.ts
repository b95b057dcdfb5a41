import type { Millis } from "#base/units";
import * as limits from "#limits/pages-limits";
import type { PicturedMonitor, PicturedReason } from "#service/operator/picture";
import { latencyWords } from "#web/page/format";

/** How long the newest check took. One that failed has no latency: a word says how, or the status that was not wanted. */
export const latest = ({ status, latency, reason }: PicturedMonitor): string =>
  latency !== null || status !== "error" || reason === null ? roughly(latency) : howFailed(reason);

function howFailed({ code, statusCode }: PicturedReason): string {
  if (code === "unexpected_status" && statusCode !== 0) return String(statusCode);
  if (code.includes("timeout")) return "timeout";
  return code === "connection_refused" ? "refused" : "failed";
}

/** Views have whole milliseconds, of which a ping within one network takes none. */
export const roughly = (latency: Millis | null): string =>
  latency === null ? "–" : latencyWords(latency);

/** Twice the usual and some more: a hundredth of a second more is nothing to look at. On its first day, the usual is that of today. */
export function isUnusual({
  latency,
  usual,
  medianToday,
}: Pick<PicturedMonitor, "latency" | "usual" | "medianToday">): boolean {
  const before = usual ?? medianToday;
  return (
    latency !== null &&
    before !== null &&
    latency > before * 2 &&
    latency > before + limits.unusualMin
  );
}
