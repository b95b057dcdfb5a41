import type { Incident } from "#service/alerting/incident";
import type { Notice } from "#service/notify/event";
import type { IncidentFacts, Lateness, ServiceName } from "#service/notify/event-facts";
import type { EpochMillis, Millis } from "#base/units";

/** What messages say in addition to the incident: who speaks, and where its links lead. */
export interface Surroundings {
  readonly service: ServiceName;
  readonly now: EpochMillis;
  /** The channel's, for a message that says why it is late. */
  readonly channel: string;
  /** When the service last stood still: from its last sign of life to its start. Null if that is not known. */
  readonly stop: TimeSpan | null;
  /** Whether the last attempts at the channel came to nothing: then what was not tried waited for it. */
  readonly channelFails: boolean;
  /** What the channel asks its first message about something to wait. */
  readonly delay: Millis;
  readonly remindsAfter: Millis | null;
  readonly links: Links;
  /** The open incidents that have a cause. */
  openOf(causeKey: string): readonly OpenIncident[];
}

/** An open incident, whether a message names it or not. */
export interface OpenIncident {
  readonly number: number;
  readonly isAcknowledged: boolean;
  /** Whether its monitor still fails: it does not pass already, and its checks are seen. */
  readonly isFailing: boolean;
}

export interface TimeSpan {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

export interface Links {
  incident(number: number): string | null;
  acknowledge(incident: Incident): string | null;
  /** Acknowledges several as they are at an instant; null also of very many. */
  acknowledgeAll(numbers: readonly number[], until: EpochMillis): string | null;
  /** The list of several. */
  incidents(numbers: readonly number[]): string | null;
  monitor(id: string): string | null;
  location(id: string): string | null;
  maintenance(id: string): string | null;
  channel(id: string): string | null;
  /** One for each subject: a repeated trigger joins. */
  key(subject: Incident["subject"]): string;
}

export type IncidentNotice = Exclude<Notice, { readonly type: "digest" | "test" | "page.news" }>;

/** What every message about an incident says. */
export interface IncidentHead {
  readonly at: EpochMillis;
  readonly service: ServiceName;
  readonly late: Lateness | null;
  readonly incident: IncidentFacts;
}
