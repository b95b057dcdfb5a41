import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type ComponentEventSchema,
  ComponentEventStatus,
  ComponentEventType,
  type PageComponentDailySummarySchema,
  PageComponentType,
} from "#contract/openstatus/status_page/v1/status_page_pb";
import { timeText } from "#service/monitors/shown-monitor";
import { componentDays, dayStates } from "#service/status-page/component-days";
import { impactNow } from "#service/status-page/impact-spans";
import type { ComponentFacts, PageFacts, ReportFacts } from "#service/status-page/page-facts";
import { type Impact, impacts } from "#service/status-page/report-words";
import { numberOf } from "#wire/enum-words";

/** The days of each component, and what happened in them; all components if none is named. */
export const dailySummaries = (
  facts: PageFacts,
  wanted: readonly string[],
  days: number,
): MessageInitShape<typeof PageComponentDailySummarySchema>[] =>
  facts.components
    .filter(({ id }) => wanted.length === 0 || wanted.includes(String(id)))
    .map((component) => summaryOf(component, facts, days));

function summaryOf(component: ComponentFacts, facts: PageFacts, days: number) {
  const { id, name, monitor } = component;
  const shown = componentDays(component, facts, { ...facts.definition.configuration, days });
  const since = shown[0]?.begin ?? facts.now;
  return {
    componentId: String(id),
    type: monitor === null ? PageComponentType.STATIC : PageComponentType.MONITOR,
    ...(monitor === null ? {} : { monitorId: String(monitor.id) }),
    name,
    buckets: shown.map((day) => ({
      day: timeText(day.begin),
      count: BigInt(day.success + day.degraded + day.error),
      ok: BigInt(day.success),
      degraded: BigInt(day.degraded),
      error: BigInt(day.error),
      status: numberOf(dayStates, day.state),
      downSeconds: BigInt(Math.round(day.down / 1000)),
      ...(day.impact === null ? {} : { impact: numberOf(impacts, day.impact) }),
    })),
    events: eventsOf(component, facts).filter(
      ({ to }) => to === undefined || Date.parse(to) >= since,
    ),
  };
}

type Event = Omit<MessageInitShape<typeof ComponentEventSchema>, "$typeName"> & {
  readonly to?: string;
};

function eventsOf({ id, monitor }: ComponentFacts, facts: PageFacts): readonly Event[] {
  const windows = facts.windows
    .filter(({ components, from }) => components.includes(id) && from <= facts.now)
    .map((window) => ({
      id: String(window.id),
      name: window.title,
      type: ComponentEventType.MAINTENANCE,
      status: ComponentEventStatus.MAINTENANCE,
      from: timeText(window.from),
      to: timeText(window.to),
    }));
  const outages = (monitor?.outages ?? []).map(({ number, from, to }) => ({
    id: String(number),
    name: "",
    type: ComponentEventType.INCIDENT,
    status: ComponentEventStatus.DOWN,
    from: timeText(from),
    ...(to === null ? {} : { to: timeText(to) }),
  }));
  const reports = facts.reports
    .filter(({ components }) => components.includes(id))
    .map((report) => reportEvent(report, id, facts));
  return [...windows, ...outages, ...reports].toSorted((a, b) => a.from.localeCompare(b.from));
}

const eventStatusOf: { readonly [I in Impact]: ComponentEventStatus } = {
  operational: ComponentEventStatus.OPERATIONAL,
  degraded_performance: ComponentEventStatus.DEGRADED,
  partial_outage: ComponentEventStatus.DEGRADED,
  major_outage: ComponentEventStatus.DOWN,
};

function reportEvent(report: ReportFacts, component: number, { now }: PageFacts) {
  const [newest] = report.updates;
  const impact = impactNow([report], component, now);
  return {
    id: String(report.id),
    name: report.title,
    type: ComponentEventType.REPORT,
    status: impact === null ? ComponentEventStatus.OPERATIONAL : eventStatusOf[impact],
    from: timeText(report.updates.at(-1)?.at ?? now),
    ...(report.status === "resolved" && newest !== undefined ? { to: timeText(newest.at) } : {}),
    ...(impact === null ? {} : { impact: numberOf(impacts, impact) }),
  };
}
