import type { Clock } from "#base/clock";
import type { Kind } from "#check/monitor";
import * as limits from "#limits/service-limits";
import { absent, Refusal } from "#service/edge/call-refusal";
import type { LocationId } from "#service/store/ids";
import type { InstanceReport } from "#service/store/instance-report";
import type { InstanceRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { between, epochMillis, type EpochMillis } from "#base/units";

/** One agent of a location. */
export interface StoredInstance extends Omit<InstanceRow, "report"> {
  /** What it last said of itself; empty until its first heartbeat. */
  readonly report: InstanceReport;
  /** It has called lately, and has not left. */
  readonly live: boolean;
}

/** The agents of the locations, apart: several may run one location. */
export class Instances {
  readonly #instances: Store["state"]["instances"];
  readonly #clock: Clock;

  constructor({ state }: Store, clock: Clock) {
    this.#instances = state.instances;
    this.#clock = clock;
  }

  /** Whether an agent has said goodbye. */
  async hasLeft(location: LocationId, id: string): Promise<boolean> {
    const { instances } = await this.#instances.of(location);
    return instances.some((one) => one.id === id && one.left);
  }

  /** The locations with an agent whose own place is broken, or that is in trouble itself. */
  impaired(): Promise<readonly LocationId[]> {
    return this.#instances.impaired();
  }

  /** Live ones first, then by id. */
  async of(location: LocationId): Promise<readonly StoredInstance[]> {
    const now = this.#clock.wall();
    const { instances } = await this.#instances.of(location);
    return instances
      .map((one) => ({
        ...one,
        report: saidBy(one),
        live: isLive(one, now),
      }))
      .toSorted((a, b) => Number(b.live) - Number(a.live));
  }

  /**
   * Keeps how agents stand after `change`, which is made anew from what is there when another call was faster. What was
   * noted a moment ago is not written again. Of more than one location may have, those that called longest ago are
   * forgotten. Gives the ids of the live ones with the answer, in order; null when there is no such location any more.
   */
  async change<T>(
    location: LocationId,
    change: (before: readonly InstanceRow[]) => Promise<InstanceChange<T>>,
  ): Promise<{ readonly answer: T; readonly live: readonly string[] } | null> {
    for (let attempt = 0; attempt < limits.instanceChangesTriedMax; attempt += 1) {
      const { version, instances } = await this.#instances.of(location);
      const { kept, answer } = await change(instances);
      if (kept.every((one) => isNoted(one, instances)))
        return { answer, live: this.#liveAmong([...instances, ...kept]) };
      if (await this.#instances.keep(location, version, kept, limits.instancesListedMax))
        return { answer, live: this.#liveAmong([...instances, ...kept]) };
    }
    return null;
  }

  /** Of an agent that is named twice, the later row counts. */
  #liveAmong(rows: readonly InstanceRow[]): readonly string[] {
    const now = this.#clock.wall();
    const newest = new Map(rows.map((one) => [one.id, one]));
    return [...newest.values()]
      .filter((one) => isLive(one, now))
      .map(({ id }) => id)
      .toSorted();
  }

  /** Takes an agent that is stopped or silent out of the list; one that calls again is there again. */
  async remove(location: LocationId, id: string): Promise<void> {
    const silentBefore = epochMillis(this.#clock.wall() - limits.heartbeatLostAfter);
    if ((await this.#instances.remove(location, id, silentBefore)) !== null) return;
    const { instances } = await this.#instances.of(location);
    if (instances.some((one) => one.id === id))
      throw new Refusal("failed_precondition", "this agent runs: stop it before you remove it");
    throw noAgent(id);
  }

  forgetOld(): Promise<void> {
    return this.#instances.forget(epochMillis(this.#clock.wall() - limits.instancesKeptFor));
  }
}

/** Of a location: one that was removed, or never called. */
export const noAgent = (id: string): Refusal =>
  absent("agent", id, { reason: "AGENT_NOT_FOUND", facts: { "agent-id": id } });

/** It has called lately, and has not left. */
export const isLive = ({ left, lastSeenAt }: InstanceRow, now: EpochMillis): boolean =>
  !left && between(lastSeenAt, now) <= limits.heartbeatLostAfter;

/** Whether a row says all that is known already, but for the instant, and that was noted a moment ago. */
function isNoted(one: InstanceRow, before: readonly InstanceRow[]): boolean {
  const noted = before.find(({ id }) => id === one.id);
  return (
    noted !== undefined &&
    // Every heartbeat is kept: what an agent says of itself is shown.
    one.report === null &&
    Math.abs(between(noted.lastSeenAt, one.lastSeenAt)) < limits.pullNotedEvery &&
    noted.left === one.left &&
    noted.revision === one.revision &&
    noted.wanted === one.wanted &&
    noted.settled === one.settled &&
    noted.steadyFrom === one.steadyFrom &&
    noted.placement === one.placement
  );
}

export interface InstanceChange<T> {
  readonly kept: readonly InstanceRow[];
  readonly answer: T;
}

/** What an agent last said, with what older agents and services left out. */
export const saidBy = ({ report }: Pick<InstanceRow, "report">): InstanceReport => ({
  ...noReport,
  ...report,
  conditions: (report?.conditions ?? []).map((one) => ({ ...noPlace, ...one })),
});

const noPlace = { place: null };

/** What agents know that do not say it. */
export const firstKinds: readonly Kind[] = ["http", "tcp", "dns"];

const noReport: InstanceReport = {
  hostname: "",
  node: "",
  labels: {},
  version: "",
  monitorCount: 0,
  resultsWaiting: 0,
  checksRun: 0,
  clockAhead: null,
  missedSlots: 0,
  missedSlotsOwn: 0,
  resultsGivenUp: 0,
  resultsGivenUpAge: null,
  resultsGivenUpRoom: null,
  resultsRejected: 0,
  resultsUnassigned: 0,
  conditions: [],
  warnings: [],
  remarks: [],
  kinds: firstKinds,
  targets: null,
  signedFor: "",
  tokenHash: "",
  spells: [],
};
