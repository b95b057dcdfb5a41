import type { ReportFacts } from "#service/status-page/page-facts";
import { millis, type EpochMillis, type Millis } from "#base/units";

/**
 * From what a report said first until it said that it is over; null while it is not, or if it said so from the start. What
 * was added after that, for example what the cause was, does not make it longer.
 */
export function lengthOfReport(
  { updates }: Pick<ReportFacts, "updates">,
  now: EpochMillis,
): Millis | null {
  const out = updates.filter(({ at }) => at <= now);
  const begun = out.at(-1);
  const lasted = out.findIndex(({ status }) => status !== "resolved");
  const ended = out.at((lasted === -1 ? out.length : lasted) - 1);
  if (begun === undefined || ended === undefined || out[0]?.status !== "resolved") return null;
  return ended.at > begun.at ? millis(ended.at - begun.at) : null;
}
