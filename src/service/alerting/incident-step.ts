import type { EventKind, Incident } from "#service/alerting/incident";
import type { Presence } from "#service/alerting/presence";
import type { EpochMillis } from "#base/units";

/** What one look at a subject sees. */
export interface Look {
  readonly now: EpochMillis;
  /** Null when no one can say anything of the present. */
  readonly presence: Presence | null;
  /** The newest instant of which anything is known; null if there is none. */
  readonly lastKnownAt: EpochMillis | null;
  /** False once it is no longer watched. */
  readonly isActive: boolean;
  /** A maintenance window covers it: nothing opens. */
  readonly isMaintained: boolean;
}

/** An incident that begins has no number yet: whoever keeps it counts. */
export type UnnumberedIncident = Omit<Incident, "number">;

export interface Step {
  readonly incident: Incident | UnnumberedIncident | null;
  /** What has happened, in order; empty when nothing has changed. */
  readonly events: readonly EventKind[];
  /** When it has to be looked at again even if nothing comes; null: never. */
  readonly againAt: EpochMillis | null;
}
