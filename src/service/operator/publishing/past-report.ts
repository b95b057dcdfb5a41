import { firstMessage } from "#service/operator/publishing/report-draft";
import { endIn, isPast } from "#service/operator/publishing/report-time";
import type { Locale } from "#service/status-page/page-definition";
import type { ReportEnd } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/* A report that is written when all is over has two updates: what was, when it began, and its end. It is sent to no one. */

/** The words of what began. "Resolved" is what its end says; that is kept as a separate update. */
export function asBegun(typed: URLSearchParams): URLSearchParams {
  if (!isPast(typed)) return typed;
  const begun = new URLSearchParams(typed);
  begun.delete("notify");
  if (begun.get("status") === "resolved") begun.set("status", "identified");
  return begun;
}

/** The update that ends a new report; null if what it is about is not over. */
export function endOf(typed: URLSearchParams, now: EpochMillis, locale: Locale): ReportEnd | null {
  const at = endIn(typed, now);
  return at === null ? null : { at, message: firstMessage("resolved", locale) };
}
