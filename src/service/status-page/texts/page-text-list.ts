import type { ComponentDay } from "#service/status-page/component-days";
import type { PageState } from "#service/status-page/component-state";
import type { UptimeMetric } from "#service/status-page/page-definition";
import type { ReportStatus } from "#service/status-page/report-words";
import type { NewsTexts } from "#service/status-page/texts/news-text-list";

/** Everything that a status page says by itself, in one language. Figures stand after a colon, so no word is bent. */
export interface PageTexts {
  /** The language's own name for itself. */
  readonly language: string;
  /** Between a word and what it names, with the space that the language has around it. */
  readonly colon: string;
  /** The page's first sentence. */
  readonly overall: { readonly [S in PageState]: string };
  /** The same if nothing is down as a whole, and something in part. */
  readonly partly: string;
  /** The same if all that something is known of is operational. */
  readonly withData: string;
  readonly state: { readonly [S in PageState]: string };
  readonly day: { readonly [S in ComponentDay["state"]]: string };
  readonly report: { readonly [S in ReportStatus]: string };
  /** Whole sentences that people get to begin with, when they write a report and when they end it. */
  readonly firstWords: { readonly [S in ReportStatus]: string };
  /** `measured` is that of time, of a component with a day that a report alone makes red. */
  readonly uptime: { readonly [M in UptimeMetric | "measured"]: string };
  /** Of the page of one monitor. */
  readonly monitor: MonitorTexts;
  readonly skip: string;
  readonly components: string;
  readonly days: string;
  readonly hours: string;
  readonly daysWithTrouble: string;
  readonly hoursWithTrouble: string;
  /** Below the bars: times are in the reader's zone, days are not. */
  readonly daysAreUtc: string;
  /** The same of the bars and figures of groups. */
  readonly groupsAreWorst: string;
  /** Below the bars of a page whose first data is of today, and of one that has none. */
  readonly countingBegan: string;
  readonly barsAreHours: string;
  readonly countingBegins: string;
  /** Of the first day that has data, e.g. `12 Nov`: one of two texts that have their figure within. */
  readonly dataSince: (date: string) => string;
  /** Of a day, after its date and a colon, e.g. `down for 12 minutes`. */
  readonly downFor: (length: string) => string;
  /** After the words of an uptime, e.g. `in 12 min so far`. */
  readonly soFar: (length: string) => string;
  /** Of a report that is over, e.g. `Lasted 42 min`. */
  readonly lasted: (length: string) => string;
  readonly noDataYet: string;
  readonly affected: string;
  /** Before the time at which what is wrong began. */
  readonly began: string;
  readonly pastReports: string;
  /** The same if maintenance is among them. */
  readonly pastEvents: string;
  readonly noReports: string;
  /** After days and a colon. */
  readonly noReportsThen: string;
  readonly allReports: string;
  readonly maintenanceNow: string;
  readonly maintenanceComing: string;
  /** Of the rest, if some of it begins soon. */
  readonly maintenanceLater: string;
  /** Before the days of its later times and a colon. */
  readonly maintenanceThen: string;
  /** Before the time of what was said since it was announced. */
  readonly maintenanceUpdate: string;
  /** The same of its announcement. */
  readonly maintenanceAnnounced: string;
  readonly maintenancePast: string;
  readonly whole: string;
  readonly asOf: string;
  /** Before the time as of which a page is, while it cannot be taken again. */
  readonly late: string;
  readonly back: string;
  readonly homepage: string;
  readonly contact: string;
  readonly feeds: string;
  readonly calendar: string;
  readonly languages: string;
  readonly password: string;
  readonly closed: string;
  readonly open: string;
  readonly wrongPassword: string;
  readonly tooManyTries: string;
  readonly closedToAddress: string;
  readonly closedToMail: string;
  readonly news: NewsTexts;
}

interface MonitorTexts {
  readonly uptime: string;
  readonly latency: string;
  /** What quantiles are, and how exact. */
  readonly about: string;
  readonly nothing: string;
  /** In the place of charts of a monitor that has one hour. */
  readonly chartsBegin: string;
  readonly period: string;
  readonly location: string;
  readonly checks: string;
  readonly failed: string;
  readonly lines: string;
  readonly figures: string;
}
