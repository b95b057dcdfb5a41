import { isoTime } from "#web/page/format";
import { componentWords } from "#service/status-site/documents/summary-document";
import { type LatencyFacts, type LatencyFigures, shares } from "#service/status-page/latency-facts";
import type { PageModel } from "#service/status-page/page-model";
import type { PublicMonitor } from "#service/status-page/public-monitor";
import type { EpochMillis } from "#base/units";

/** A public monitor for programs: latencies are in milliseconds. Fields are only ever added. */
export const monitorDocument = (
  { now, definition }: PageModel,
  { id, component, uptimes }: PublicMonitor,
  { lately, windows, hours, days, places }: LatencyFacts,
): object => ({
  id: String(id),
  name: component.facts.name,
  description: component.facts.description === "" ? null : component.facts.description,
  status: componentWords[component.state],
  updated_at: isoTime(now),
  uptime_metric: definition.configuration.metric,
  uptime: uptimes.map((one) => ({ days: one.days, percent: one.uptime / 100 })),
  last_24_hours: figures(lately),
  periods: windows.map((one) => ({ days: one.days, ...figures(one) })),
  hours: hours.map((one) => ({ begin: time(one.begin), ...figures(one) })),
  days: days.map((one) => ({ begin: time(one.begin), ...figures(one) })),
  locations: places.map(figures),
});

const time = (begin: EpochMillis): string => isoTime(begin);

const figures = ({ checks, failed, quantiles }: LatencyFigures) => ({
  checks,
  failed,
  ...Object.fromEntries(
    shares.map(({ name }, index) => {
      const latency = quantiles[index] ?? null;
      return [`${name}_ms`, latency === null ? null : Math.round(latency * 10) / 10];
    }),
  ),
});
