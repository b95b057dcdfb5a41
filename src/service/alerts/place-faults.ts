import { createHash } from "node:crypto";
import type { Subject } from "#service/alerting/incident";
import type { Presence } from "#service/alerting/presence";
import type { AgentSnapshot } from "#service/alerting/snapshot";
import type { Sight } from "#service/agents/agent-sight";
import type { StoredInstance } from "#service/agents/instances";
import type { LocationId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";

/** Something that the agents of a location say is wrong there: with the place, or with themselves. */
export interface PlaceFault {
  readonly subject: Subject;
  /** Null if nothing is known of now. */
  readonly presence: Presence | null;
  /** What is to be said of it; null if no agent says it any more. */
  readonly words: ((there: Surroundings) => FaultWords) | null;
}

export type FaultWords = Pick<AgentSnapshot, "trouble" | "urgency" | "message">;

/** What words about a fault need to know of its location. */
export interface Surroundings {
  readonly active: readonly MonitorRow[];
  readonly live: readonly StoredInstance[];
  /** Of every location. */
  readonly sights: ReadonlyMap<LocationId, Sight>;
}

/** The same for the same thing at the same location, also when it is wrong again: then it flaps. */
export function numberOf(location: LocationId, what: string): number {
  const hash = createHash("sha256").update(`${location} ${what}`).digest();
  return hash.readUIntBE(0, 6);
}

export const liveAmong = (agents: readonly StoredInstance[]): readonly StoredInstance[] =>
  agents.filter(({ live }) => live);
