import type { Millis } from "#base/units";
import * as limits from "#limits/pages-limits";
import type { PicturedMonitor } from "#service/operator/picture";
import { shortTook } from "#web/page/format";

/** How long the newest check took. One that failed has no latency. */
export const latest = ({ status, latency, reason }: PicturedMonitor): string => {
  if (latency !== null || status !== "error" || reason === null) return roughly(latency);
  if (reason.code.includes("timeout")) return "timeout";
  return reason.code === "connection_refused" ? "refused" : "failed";
};

/** Views have whole milliseconds, of which a ping within one network takes none. */
export const roughly = (latency: Millis | null): string =>
  latency === null ? "–" : shortTook(latency);

/** Twice the usual and some more: a hundredth of a second more is nothing to look at. */
export const isUnusual = ({ latency, usual }: PicturedMonitor): boolean =>
  latency !== null && usual !== null && latency > usual * 2 && latency > usual + limits.unusualMin;
