import { isoTime } from "#web/page/format";
import { pathOfView } from "#service/status-site/page-path";
import type { PagePlace } from "#service/status-site/view/status-frame";
import { impactNow, worstImpact } from "#service/status-page/impact-spans";
import type { PageState } from "#service/status-page/component-state";
import type { PlannedWindow, ReportFacts } from "#service/status-page/page-facts";
import {
  componentsOf,
  headlineOf,
  type PageModel,
  type ShownComponent,
} from "#service/status-page/page-model";
import { publicIdOf } from "#service/status-page/public-monitor";
import { reportPlain } from "#service/status-site/view/report-markup";
import type { EpochMillis } from "#base/units";
import { pageTexts } from "#service/status-page/texts/page-texts";

/** A page for programs, in the shape that the pages of the field have made common. Fields are only ever added. */
export const summaryDocument = (model: PageModel, place: PagePlace): object => ({
  page: pageFacts(model, place),
  status: statusFacts(model),
  components: componentsOf(model).map((one) => componentFacts(one, model, place)),
  incidents: model.openReports.map((one) => incidentFacts(one, model, place)),
  scheduled_maintenances: [...model.running, ...model.coming].map((one) => windowFacts(one, model)),
});

/** What is reported, open or not, the newest first. */
export const incidentsDocument = (model: PageModel, place: PagePlace): object => ({
  page: pageFacts(model, place),
  incidents: [...model.openReports, ...model.pastReports].map((one) =>
    incidentFacts(one, model, place),
  ),
});

/** The state alone. */
export const currentDocument = (model: PageModel, place: PagePlace): object => ({
  page: pageFacts(model, place),
  status: statusFacts(model),
});

const pageFacts = ({ definition, now }: PageModel, { origin, base }: PagePlace) => ({
  id: definition.slug,
  name: definition.title,
  url: `${origin}${base}/`,
  time_zone: definition.timeZone === "UTC" ? "Etc/UTC" : definition.timeZone,
  updated_at: isoTime(now),
});

const indicators: { readonly [S in PageState]: string } = {
  operational: "none",
  degraded: "minor",
  partial_outage: "major",
  major_outage: "critical",
  maintenance: "maintenance",
  unknown: "minor",
};

const statusFacts = (model: PageModel) => ({
  indicator: indicators[model.overall],
  description: headlineOf(model, pageTexts.en),
});

/** The shape has no word for what is not known. */
export const componentWords: { readonly [S in PageState]: string } = {
  operational: "operational",
  degraded: "degraded_performance",
  partial_outage: "partial_outage",
  major_outage: "major_outage",
  maintenance: "under_maintenance",
  unknown: "unknown",
};

const componentFacts = (
  component: ShownComponent,
  { sections }: PageModel,
  { origin, base }: PagePlace,
) => {
  const { facts, state, uptime } = component;
  const monitor = publicIdOf(component);
  return {
    id: String(facts.id),
    name: facts.name,
    description: facts.description === "" ? null : facts.description,
    status: componentWords[state],
    group:
      sections.flatMap((one) =>
        one.kind === "group" && one.id === facts.group ? [one.name] : [],
      )[0] ?? null,
    uptime_percent: uptime === null ? null : uptime / 100,
    monitor_url:
      monitor === null ? null : `${origin}${base}${pathOfView({ of: "monitor", id: monitor })}`,
  };
};

/** What people wrote: as plain text, since programs show it as it is, and as they wrote it. */
const bodyOf = (markdown: string) => ({ body: reportPlain(markdown), body_markdown: markdown });

const impactWords = {
  operational: "none",
  degraded_performance: "minor",
  partial_outage: "major",
  major_outage: "critical",
} as const;

function incidentFacts(report: ReportFacts, { now }: PageModel, { origin, base }: PagePlace) {
  const updates = report.updates.filter(({ at }) => at <= now);
  const impact = worstImpact(
    report.components.flatMap((one) => impactNow([report], one, now) ?? []),
  );
  const time = (instant: EpochMillis | undefined): string | null =>
    instant === undefined ? null : isoTime(instant);
  return {
    id: String(report.id),
    name: report.title,
    status: updates[0]?.status ?? "investigating",
    impact: impact === null ? "none" : impactWords[impact],
    created_at: time(updates.at(-1)?.at),
    updated_at: time(updates[0]?.at),
    resolved_at: updates[0]?.status === "resolved" ? time(updates[0].at) : null,
    shortlink: `${origin}${base}/events/report/${report.id}`,
    components: report.components.map(String),
    incident_updates: updates.map((update) => ({
      id: String(update.id),
      status: update.status,
      ...bodyOf(update.message),
      created_at: isoTime(update.at),
    })),
  };
}

const windowFacts = (window: PlannedWindow, { now }: PageModel) => ({
  id: String(window.id),
  name: window.title,
  ...bodyOf(window.message),
  status: window.from <= now ? "in_progress" : "scheduled",
  scheduled_for: isoTime(window.from),
  scheduled_until: isoTime(window.to),
  components: window.components.map(String),
  incident_updates: window.updates.map(({ at, message }) => ({
    status: window.from <= at ? "in_progress" : "scheduled",
    ...bodyOf(message),
    created_at: isoTime(at),
  })),
});
