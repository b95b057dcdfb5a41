import { firstMessage } from "#service/operator/publishing/report-draft";
import { endIn, isPast } from "#service/operator/publishing/report-time";
import type { Locale } from "#service/status-page/page-definition";
import type { ReportEnd } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/*
 * A report that is written when all is over has two updates: what was, when it began, and its end. It is sent to no one.
 * What is written as resolved is said of the end, and is what readers see first; else it is said of the beginning.
 */

/** The words of what began. */
export function asBegun(typed: URLSearchParams, locale: Locale): URLSearchParams {
  if (!isPast(typed)) return typed;
  const begun = new URLSearchParams(typed);
  begun.delete("notify");
  if (begun.get("status") !== "resolved") return begun;
  begun.set("status", "investigating");
  begun.set("message", firstMessage("investigating", locale));
  return begun;
}

/** The update that ends a new report; null if what it is about is not over. */
export function endOf(typed: URLSearchParams, now: EpochMillis, locale: Locale): ReportEnd | null {
  const at = endIn(typed, now);
  if (at === null) return null;
  const said = typed.get("status") === "resolved" ? (typed.get("message") ?? "").trim() : "";
  return { at, message: said === "" ? firstMessage("resolved", locale) : said };
}
