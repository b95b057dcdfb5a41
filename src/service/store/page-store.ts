import type { PageDefinition } from "#service/status-page/page-definition";
import type {
  ComponentFacts,
  GroupFacts,
  ReportFacts,
  UpdateFacts,
} from "#service/status-page/page-facts";
import type { ReportStatus } from "#service/status-page/report-words";
import type { ComponentDefinition } from "#service/status-page/part-definitions";
import type { MonitorId } from "#service/store/ids";
import type { PageTemplates } from "#service/store/templates/template-store";
import type { RestoreOutcome } from "#service/store/trash/trash-store";
import type { Ownership, Page } from "#service/store/state-store";
import type { EpochMillis } from "#base/units";

/** Status pages, what stands on them, and what people report there. Ids are integers, each kind counts its own. */
export interface PageStore {
  readonly pages: StatusPages;
  readonly components: PageComponents;
  readonly groups: ComponentGroups;
  readonly reports: StatusReports;
  readonly templates: PageTemplates;
}

export interface StatusPageRow extends Ownership {
  readonly id: number;
  /** Names the page where its password is sealed. */
  readonly uid: string;
  readonly definition: PageDefinition;
  /** The password; empty if there is none. */
  readonly sealed: string;
  /** The own domain by which a request has come over https; empty if none has. */
  readonly reachedBy: string;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}
export type NewStatusPage = Omit<StatusPageRow, "id" | "reachedBy" | "createdAt" | "updatedAt"> & {
  readonly at: EpochMillis;
  /** The file that its definition names as its icon, if the page does not have it yet. */
  readonly iconFile?: IconFile;
};

/** An icon that is a file. A page has one at most; one that its definition does not name any more is deleted. */
export interface IconFile {
  /** `HASH.png` */
  readonly name: string;
  /** In Base64. */
  readonly picture: string;
}

/** What no two pages may share; a former one leads to another page still. */
export type TakenName = "slug taken" | "domain taken" | "slug led away" | "domain led away";

/** A name in the address, or a domain, that a page had before. */
export interface FormerAddress {
  readonly kind: "slug" | "domain";
  readonly name: string;
  readonly page: number;
}

export interface StatusPages {
  create(made: NewStatusPage): Promise<number | TakenName>;
  update(id: number, changed: NewStatusPage): Promise<"updated" | "missing" | TakenName>;
  /** A request for it has come by its own domain over https. */
  reached(id: number, domain: string): Promise<boolean>;
  /** With all that stands on it. */
  delete(id: number): Promise<boolean>;
  get(id: number): Promise<StatusPageRow | null>;
  /** The bytes of a page's icon in Base64; null if that is no file of this name. */
  icon(id: number, name: string): Promise<string | null>;
  idOfSlug(slug: string): Promise<number | null>;
  /** By the Host of a request. */
  idOfDomain(domain: string): Promise<number | null>;
  /** Of all pages. */
  formerAddresses(): Promise<readonly FormerAddress[]>;
  list(page: Page): Promise<readonly StatusPageRow[]>;
  count(): Promise<number>;
  /** Those that show a monitor, by their ids. */
  idsShowing(monitor: number): Promise<readonly number[]>;
  /** The page with its components and groups, in the order in which they are shown. */
  content(id: number): Promise<PageContent | null>;
}
export interface PageContent {
  readonly page: StatusPageRow;
  readonly components: readonly ComponentRow[];
  readonly groups: readonly GroupRow[];
}

export interface ComponentRow extends Omit<ComponentFacts, "monitor"> {
  readonly page: number;
  /** Null: a static one, which has a state by reports alone. */
  readonly monitor: MonitorId | null;
  readonly updatedAt: EpochMillis;
}
/** An order that is null is after all others. */
export interface NewComponent
  extends
    Pick<ComponentRow, "page" | "monitor">,
    Omit<ComponentDefinition, "order" | "groupOrder"> {
  readonly order: number | null;
  readonly group: number | null;
  readonly at: EpochMillis;
}
/** Components that come last on a page, in this order. */
export interface NewComponents extends Pick<NewComponent, "page" | "group" | "at"> {
  readonly parts: readonly Pick<NewComponent, "monitor" | "name">[];
}
/** Where a component stands: on its page, or in its group. */
export type ComponentPlace = Pick<ComponentRow, "id" | "group" | "order" | "groupOrder">;

/** Another order of what stands on a page. */
export interface Arrangement {
  readonly page: number;
  /** Where all components of the page stood when someone arranged them. */
  readonly seen: readonly ComponentPlace[];
  /** Where those stand then that are moved. */
  readonly wanted: readonly ComponentPlace[];
  readonly at: EpochMillis;
}
export interface PageComponents {
  create(made: NewComponent): Promise<number | "full">;
  /** Adds all of them, or none if the page has no room for all. */
  createEach(made: NewComponents): Promise<"added" | "full">;
  /** Moves all that is to be moved, or nothing if anything on the page stands otherwise than it was seen. */
  arrange(to: Arrangement): Promise<"arranged" | "overtaken">;
  /** What a component is of never changes. */
  update(row: ComponentRow): Promise<boolean>;
  delete(id: number): Promise<boolean>;
  get(id: number): Promise<ComponentRow | null>;
  countOf(page: number): Promise<number>;
  /** Those of all pages that show no monitor, in the order of their pages; at most `limit`. */
  withoutMonitor(limit: number): Promise<readonly ComponentRow[]>;
}

export interface GroupRow extends GroupFacts {
  readonly page: number;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}
export type NewGroup = Omit<GroupRow, "id" | "updatedAt">;
export interface ComponentGroups {
  create(made: NewGroup): Promise<number | "full">;
  update(row: GroupRow): Promise<boolean>;
  /** Its components stay, in no group. */
  delete(id: number): Promise<boolean>;
  get(id: number): Promise<GroupRow | null>;
  countOf(page: number): Promise<number>;
}

export interface ReportRow extends ReportFacts {
  readonly page: number;
  readonly updates: readonly ReportUpdate[];
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}
export interface ReportUpdate extends UpdateFacts {
  readonly createdAt: EpochMillis;
}
export type NewUpdate = Omit<ReportUpdate, "id">;
export interface CorrectedUpdate extends Pick<NewUpdate, "status" | "at" | "message" | "impacts"> {
  /** Components that join the report, also those of which it says no impact. */
  readonly joining: readonly number[];
  /** Those that it does not name any more: they leave the report, unless another update names them. */
  readonly leaving: readonly number[];
}
export interface ReportsQuery extends Page {
  /** Null: of every page. */
  readonly page: number | null;
  /** Empty: all. */
  readonly statuses: readonly ReportStatus[];
}
export interface NamingQuery {
  readonly components: readonly number[];
  /** When they were open, at least for a moment. */
  readonly from: EpochMillis;
  readonly until: EpochMillis;
  readonly limit: number;
}
/** How a report ends that is written when what it is about is over. */
export type ReportEnd = Pick<NewUpdate, "at" | "message">;
export interface StatusReports {
  create(made: {
    readonly page: number;
    readonly title: string;
    readonly components: readonly number[];
    readonly update: NewUpdate;
    readonly announces: boolean;
    /** Left out: it is not over. What ends it is sent to no one. */
    readonly end?: ReportEnd;
  }): Promise<number>;
  /** What is null stays. */
  change(
    id: number,
    to: { readonly title: string | null; readonly components: readonly number[] | null },
    at: EpochMillis,
  ): Promise<boolean>;
  /**
   * Components that it names join the report, and `joining`, of which it says nothing. Where it announces it, each
   * subscriber whom it concerns gets a letter.
   */
  addUpdate(
    id: number,
    update: NewUpdate,
    announces: boolean,
    joining: readonly number[],
  ): Promise<boolean>;
  /** Puts other words, or another state, in place of what an update said; false if it is not there. */
  correct(id: number, update: number, to: CorrectedUpdate, at: EpochMillis): Promise<boolean>;
  /**
   * Takes an update back, and components out of the report that it alone named, unless that are all. False if it is not
   * there, or is the only one: a report says something.
   */
  withdraw(id: number, update: number, at: EpochMillis): Promise<boolean>;
  /** Puts back an update that was taken back since, as it was. */
  putBack(update: number, since: EpochMillis, at: EpochMillis): Promise<RestoreOutcome>;
  delete(id: number): Promise<boolean>;
  get(id: number): Promise<ReportRow | null>;
  /** Whether one of its updates was sent to subscribers. */
  wasAnnounced(id: number): Promise<boolean>;
  /** The newest first. */
  list(
    asked: ReportsQuery,
  ): Promise<{ readonly reports: readonly ReportRow[]; readonly total: number }>;
  /** Of the newest, at most so many: a search that reads them at each letter reads none of their updates. */
  titles(limit: number): Promise<readonly Pick<ReportRow, "id" | "title">[]>;
  /** Of a page: those that are not resolved, and those with an update since; the newest first, at most `storeLimits.reportsShownMax`. */
  lately(page: number, since: EpochMillis): Promise<readonly ReportRow[]>;
  /** Those that name one of these components: made until then, and not resolved before; the newest first. */
  naming(asked: NamingQuery): Promise<readonly ReportRow[]>;
}
