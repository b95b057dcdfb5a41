import type { Incident } from "#service/alerting/incident";
import type { EpochMillis } from "#base/units";

/** An incident that a channel was notified of, and when last. */
export interface SentRow {
  readonly incident: Incident;
  readonly name: string;
  readonly channel: number;
  readonly sentAt: EpochMillis;
}
