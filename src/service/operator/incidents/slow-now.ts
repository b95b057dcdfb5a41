import type { EpochMillis } from "#base/units";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { isRecovering, waitingWords } from "#service/operator/incidents/recovery-words";
import { html, type Html } from "#web/page/html";
import type { ListedIncident } from "#service/operator/incidents/opening-sentence";
import { lastKnown } from "#service/operator/incidents/trouble-note";
import { failsAnew } from "#service/operator/monitors/failed-for";
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

/** The sentence of its line; of a monitor that recovers first that it does, and then how it failed before. */
export function whyNow(one: ListedIncident, now: PicturedMonitor | null, at: EpochMillis): Html {
  const reason = reasonNow(one, now);
  const sentence = reason === null ? (one.sentence ?? "") : failureSentence(reason.message);
  const waiting = now === null ? null : waitingWords(now, at);
  const until = waiting === null ? null : html`<span class="recovering">${waiting}.</span>`;
  if (now !== null && isRecovering(now))
    return html`${until} ${sentence === "" ? null : `Before that: ${sentence}`}`;
  const when = now !== null && failsAnew(now) ? "Now: " : lastKnown(now?.lastReason);
  return html`${when}${sentence} ${until}`;
}
