import { daysDrawnMin } from "#limits/status-limits";
import {
  type ComponentDay,
  componentDays,
  componentHours,
} from "#service/status-page/component-days";
import {
  overallState,
  type PageState,
  runningWindows,
  stateOfComponent,
  worstState,
} from "#service/status-page/component-state";
import { type GroupDay, groupDays } from "#service/status-page/group-days";
import { reportedSince } from "#service/status-page/impact-spans";
import type { PageDefinition } from "#service/status-page/page-definition";
import type {
  ComponentFacts,
  PageFacts,
  PlannedWindow,
  ReportFacts,
} from "#service/status-page/page-facts";
import type { PageTexts } from "#service/status-page/texts/page-text-list";
import { uptimeOf } from "#service/status-page/uptime";
import type { EpochMillis } from "#base/units";

/** What a status page says at an instant, before it is put in any language. */
export interface PageModel {
  readonly now: EpochMillis;
  /** Whether the page could not be taken again since, though its time has come. */
  readonly isLate: boolean;
  readonly definition: PageDefinition;
  readonly overall: PageState;
  /** What its sentence says: `overall`, unless that is harsher than what its components say. */
  readonly headline: PageState | "partly" | "withData";
  /** The first day that is drawn, by its index: one for all components, so that their strips line up. */
  readonly firstDay: number;
  /** In the order of the page: groups, and components that are in none. */
  readonly sections: readonly Section[];
  /** Those that are not over, the newest first; then those of the last weeks. */
  readonly openReports: readonly ReportFacts[];
  readonly pastReports: readonly ReportFacts[];
  readonly running: readonly PlannedWindow[];
  readonly coming: readonly PlannedWindow[];
  readonly pastWindows: readonly PlannedWindow[];
}

export type Section =
  | { readonly kind: "component"; readonly component: ShownComponent }
  | {
      readonly kind: "group";
      readonly id: number;
      readonly name: string;
      readonly isOpen: boolean;
      /** The worst of its components. */
      readonly state: PageState;
      /** The same of each day, oldest first. */
      readonly days: readonly GroupDay[];
      /** The same of each hour; null of a page that has data of more than two days. */
      readonly hours: readonly GroupDay[] | null;
      /** Of its components the one of the lowest uptime, which is the group's. */
      readonly lowest: ShownComponent;
      readonly components: readonly ShownComponent[];
    };

export interface ShownComponent {
  readonly facts: ComponentFacts;
  readonly state: PageState;
  /** Oldest first. */
  readonly days: readonly ComponentDay[];
  /** Since when reports count for it. */
  readonly since: EpochMillis;
  /** The newest 24 or 48 hours, as many of all components; null of a page that has data of more than two days. */
  readonly hours: readonly ComponentDay[] | null;
  /** In hundredths of a percent; null if nothing is known, or none is shown. */
  readonly uptime: number | null;
}

export function pageModel(facts: PageFacts): PageModel {
  const { now, definition, reports, windows } = facts;
  const components = withHours(
    facts.components.map((one) => shownComponent(one, facts)),
    facts,
  );
  const running = runningWindows(facts);
  const begun = reports.filter(({ updates }) => updates.some(({ at }) => at <= now));
  const isOpen = ({ updates }: ReportFacts): boolean =>
    updates.find(({ at }) => at <= now)?.status !== "resolved";
  const overall = overallState(components, facts);
  return {
    now,
    isLate: false,
    definition,
    overall,
    headline: headlineStateOf(overall, components),
    firstDay: firstDayOf(components),
    sections: sectionsOf(components, facts),
    openReports: begun.filter(isOpen),
    pastReports: begun.filter((one) => !isOpen(one)),
    running,
    coming: windows.filter(({ from }) => from > now).toSorted((a, b) => a.from - b.from),
    pastWindows: windows.filter(({ to }) => to <= now).toSorted((a, b) => b.from - a.from),
  };
}

/** How the page stands as a whole, in one sentence that is no harsher than what its components say. */
export const headlineOf = ({ headline }: Pick<PageModel, "headline">, texts: PageTexts): string =>
  headline === "partly" || headline === "withData" ? texts[headline] : texts.overall[headline];

function headlineStateOf(
  overall: PageState,
  components: readonly ShownComponent[],
): PageModel["headline"] {
  const down = components.filter(({ state }) => state === "major_outage").length;
  if (overall === "partial_outage" && down === 0) return "partly";
  if (overall === "operational" && components.some(({ state }) => state === "unknown"))
    return "withData";
  // All monitors of which something is known may be down while others have no data, or maintenance.
  return overall === "major_outage" && down < components.length ? "partial_outage" : overall;
}

function shownComponent(component: ComponentFacts, facts: PageFacts): ShownComponent {
  const { configuration } = facts.definition;
  const days = componentDays(component, facts, configuration);
  return {
    facts: component,
    state: stateOfComponent(component, facts),
    days,
    since: reportedSince(component, facts.reports, facts.now),
    hours: null,
    uptime: configuration.showUptime
      ? uptimeOf(configuration.metric, component, days, facts)
      : null,
  };
}

/** Of a page that has data of two days at most, one or two bars of days say nothing: it has hours, if any were measured. */
function withHours(
  components: readonly ShownComponent[],
  facts: PageFacts,
): readonly ShownComponent[] {
  const isMeasured = components.some(({ facts: { monitor } }) => (monitor?.hours ?? []).length > 0);
  const isOld = components.some(({ days }) =>
    days.slice(0, -2).some(({ state }) => state !== "empty"),
  );
  if (isOld || !isMeasured) return components;
  const { configuration } = facts.definition;
  const all = components.map((one) => componentHours(one.facts, facts, configuration));
  // An hour that has just begun has no data yet.
  const isBeginning = all.every((one) => one.at(-1)?.state === "empty");
  const lately = all.map((one) => (isBeginning ? one.slice(0, -1) : one.slice(1)));
  const isOfDay = lately.every((one) =>
    one.slice(0, -hoursOfDay).every(({ state }) => state === "empty"),
  );
  return components.map((one, index) => {
    const own = lately[index] ?? [];
    return { ...one, hours: isOfDay ? own.slice(-hoursOfDay) : own };
  });
}
const hoursOfDay = 24;

/** The first with data of any component; two weeks ago if that is later. */
function firstDayOf(components: readonly ShownComponent[]): number {
  const count = Math.max(...components.map(({ days }) => days.length));
  const firsts = components.map(({ days }) => days.findIndex(({ state }) => state !== "empty"));
  const first = Math.min(...firsts.filter((one) => one !== -1));
  return Math.max(0, Math.min(first, count - daysDrawnMin));
}

function sectionsOf(
  components: readonly ShownComponent[],
  { groups }: Pick<PageFacts, "groups">,
): readonly Section[] {
  const known = new Set(groups.map(({ id }) => id));
  const placed = components.flatMap((component): readonly OrderedSection[] => {
    const { group, order } = component.facts;
    if (group !== null && known.has(group)) return [];
    return [{ order, section: { kind: "component", component } }];
  });
  const grouped = groups.flatMap((group): readonly OrderedSection[] => {
    const own = components.filter(({ facts }) => facts.group === group.id).toSorted(inGroup);
    const [lowest] = own.toSorted((a, b) => (a.uptime ?? Infinity) - (b.uptime ?? Infinity));
    if (lowest === undefined) return [];
    const state = worstState(own.map((one) => one.state));
    const isOpen = group.defaultOpen || !(state === "operational" || state === "unknown");
    const { id, name } = group;
    const order = Math.min(...own.map(({ facts }) => facts.order));
    const named = (of: (one: ShownComponent) => readonly ComponentDay[]): readonly GroupDay[] =>
      groupDays(own.map((one) => ({ name: one.facts.name, days: of(one) })));
    const days = named((one) => one.days);
    const hours = lowest.hours === null ? null : named((one) => one.hours ?? []);
    const shown = { id, name, isOpen, state, days, hours, lowest, components: own };
    return [{ order, section: { kind: "group", ...shown } }];
  });
  return [...placed, ...grouped]
    .toSorted((a, b) => a.order - b.order)
    .map(({ section }) => section);
}

interface OrderedSection {
  readonly order: number;
  readonly section: Section;
}

const inGroup = ({ facts: a }: ShownComponent, { facts: b }: ShownComponent): number =>
  a.groupOrder - b.groupOrder || a.name.localeCompare(b.name, "en") || a.id - b.id;

/** Every component of a page, in its order. */
export const componentsOf = ({
  sections,
}: Pick<PageModel, "sections">): readonly ShownComponent[] =>
  sections.flatMap((section) =>
    section.kind === "component" ? [section.component] : section.components,
  );
