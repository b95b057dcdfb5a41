import type { ListedIncident } from "#service/operator/incidents/opening-sentence";
import type { PicturedMonitor, PicturedReason } from "#service/operator/picture";

/** What is said of a monitor that is slow now, and failed otherwise before. */
export const slowNowSentence = "Slower than its threshold";

/** Whether it is slow and does not fail: no check has a failure to say. */
export const isSlowNow = (
  monitor: Pick<PicturedMonitor, "status" | "reason"> | null | undefined,
): boolean => monitor?.status === "degraded" && (monitor.reason?.code ?? "") === "";

/** What the line of an incident says is wrong now; null if it says what was so as it opened. */
export function reasonNow(
  { failure }: Pick<ListedIncident, "failure">,
  now: PicturedMonitor | null,
): Pick<PicturedReason, "code" | "phase" | "message"> | null {
  const reason = now?.reason ?? now?.lastReason ?? null;
  if (reason !== null && reason.message !== "") return reason;
  if (failure === null || !isSlowNow(now)) return null;
  return { code: "", phase: "", message: `Now: ${slowNowSentence.toLowerCase()}` };
}
