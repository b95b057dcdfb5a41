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

/** Twice the usual and some more: a hundredth of a second more is nothing to look at. */
export const isUnusual = ({ latency, usual }: PicturedMonitor): boolean =>
  latency !== null && usual !== null && latency > usual * 2 && latency > usual + limits.unusualMin;
