import { dayDownMin } from "#limits/pages-limits";
import type { PageWords } from "#service/status-site/view/words";
import type { UptimeMetric } from "#service/status-page/page-definition";
import type { PageModel, ShownComponent } from "#service/status-page/page-model";
import { between, hours, type Millis, millis } from "#base/units";

/** How the uptime of a component is calculated: one without a monitor has nothing but reports. */
export const metricOf = ({ facts }: ShownComponent, { definition }: PageModel): UptimeMetric =>
  facts.monitor === null ? "manual" : definition.configuration.metric;

/** What the figure of an uptime is called. It says that it is of what was measured, if a report alone makes a day red. */
export function uptimeWords(shown: ShownComponent, model: PageModel, words: PageWords): string {
  const metric = metricOf(shown, model);
  const isSaidMore = shown.days.some(
    ({ impact, down }) => impact === "major_outage" && down < dayDownMin,
  );
  return words.texts.uptime[metric === "duration" && isSaidMore ? "measured" : metric];
}

/** For how long an uptime has been counted, if that is less than a day: a minute of downtime is much of it. Null: a day or more. */
export function countedBriefly(shown: ShownComponent, model: PageModel): Millis | null {
  const counted =
    metricOf(shown, model) === "manual"
      ? between(shown.since, model.now)
      : millis(shown.days.reduce((sum, { known }) => sum + known, 0));
  return counted > 0 && counted < hours(24) ? counted : null;
}

/** ` in 12 min of data`, after the words of a share. */
export function soFar(shown: ShownComponent, model: PageModel, words: PageWords): string {
  const counted = countedBriefly(shown, model);
  return counted === null ? "" : ` ${words.texts.soFar(words.length(counted))}`;
}
