import type { Clock } from "#base/clock";
import * as limits from "#limits/service-limits";
import type { Placement } from "#check/placement";
import { withSpells } from "#service/agents/agent-spells";
import { Refusal } from "#service/edge/call-refusal";
import type { InstanceChange, Instances } from "#service/agents/instances";
import type { Monitors } from "#service/monitors/monitors";
import {
  afterAnswer,
  afterCall,
  afterSettling,
  type Call,
  isIn,
  type Placing,
  placingOf,
  type Sharer,
  shareOf,
  unplaced,
  withMonitors,
} from "#service/agents/rendezvous";
import { olderShareDigest, shareDigest } from "#service/agents/share-digest";
import { placeOf } from "#service/agents/owners";
import type { LocationId } from "#service/store/ids";
import type { InstanceReport } from "#service/store/instance-report";
import type { AssignmentChange } from "#service/store/assignment-change";
import type { InstanceRow, LocationRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { StoreFault } from "#service/store/store-fault";
import { between, type EpochMillis } from "#base/units";

interface AgentCall extends Call {
  readonly placement: Placement;
}

/** What one agent is to run. */
export interface Share {
  readonly revision: string;
  /** The ids of its monitors, in order; null is all of the location. */
  readonly monitorIds: readonly string[] | null;
  /** Whether other agents share the location's monitors with it. */
  readonly shared: boolean;
}

interface CallAnswer {
  readonly share: Share;
  /** The ids of the location's live agents, in order. */
  readonly live: readonly string[];
}

/** What an agent that knows an older revision is to take and to leave. */
interface ShareChanges {
  /** New, or another than before. */
  readonly changed: readonly string[];
  /** It may never have run them. */
  readonly removed: readonly string[];
}

/** Everything: for an agent that runs all, and for one that gives no name. */
export const wholeShare = ({ revision }: LocationRow): Share => ({
  revision,
  monitorIds: null,
  shared: false,
});

/** Splits the monitors of each location among its agents, anew at each of their calls. */
export class Sharing {
  readonly #instances: Instances;
  readonly #monitors: Monitors;
  readonly #locations: Pick<Store["state"]["locations"], "changesSince">;
  readonly #clock: Clock;
  readonly #startedAt: EpochMillis;
  /** The newest split of each location: it is the same for as long as nothing that it was made from changes. */
  readonly #splits = new Map<LocationId, ShareSplit>();
  /** The newest call of each location. One goes after the other, so that none has to begin again. */
  readonly #turns = new Map<LocationId, Promise<unknown>>();

  constructor(store: Store, instances: Instances, monitors: Monitors, clock: Clock) {
    this.#instances = instances;
    this.#monitors = monitors;
    this.#locations = store.state.locations;
    this.#clock = clock;
    this.#startedAt = clock.wall();
  }

  /** An agent has called: notes that and what it says of itself, and gives its share and who else is there. */
  async called(
    location: LocationRow,
    call: AgentCall,
    report: InstanceReport | null,
  ): Promise<CallAnswer> {
    const change = (before: readonly InstanceRow[]): Promise<InstanceChange<Share>> => {
      const last = before.find(({ id }) => id === call.id) ?? null;
      const said = report === null ? null : withSpells(last, report, this.#clock.wall());
      return call.placement === "everywhere"
        ? Promise.resolve(this.#unplaced(location, call, said))
        : this.#placed(location, before, call, said);
    };
    const turn = ended(this.#turns.get(location.id)).then(() =>
      this.#instances.change(location.id, change),
    );
    this.#turns.set(location.id, turn);
    try {
      const kept = await turn;
      if (kept !== null) return { share: kept.answer, live: kept.live };
      throw new Refusal("unavailable", "the location's agents change too fast: try again");
    } finally {
      if (this.#turns.get(location.id) === turn) this.#turns.delete(location.id);
    }
  }

  #unplaced(
    location: LocationRow,
    { id, leaving: left, revision, placement }: AgentCall,
    report: InstanceReport | null,
  ): InstanceChange<Share> {
    const unplaced = { wanted: false, settled: false, steadyFrom: null };
    const lastSeenAt = this.#clock.wall();
    const caller = { ...unplaced, id, left, revision, lastSeenAt, placement, report };
    return { kept: [caller], answer: wholeShare(location) };
  }

  async #placed(
    location: LocationRow,
    instances: readonly InstanceRow[],
    { placement, ...call }: AgentCall,
    report: InstanceReport | null,
  ): Promise<InstanceChange<Share>> {
    const now = this.#clock.wall();
    const before = instances.filter(shares);
    const present = afterCall(before, call, now, this.#startedAt);
    const split = await this.#split(location, present);
    const said = new Map(present.map(({ id, revision }) => [id, revision]));
    const settled = afterSettling(present, (id) => split.of(id, said.get(id) ?? "").revision);
    const own = (await this.#split(location, settled)).of(call.id, call.revision);
    const answered = afterAnswer(settled, call.id, own.revision);
    const known = new Set<Sharer>(before);
    const kept = answered
      .filter((one) => !known.has(one))
      .map((one) => ({ ...one, placement, report: one.id === call.id ? report : null }));
    const shared = settled.some(
      ({ id, left, lastSeenAt }) =>
        id !== call.id && !left && between(lastSeenAt, now) <= limits.shareLostAfter,
    );
    return { kept, answer: { ...own, shared } };
  }

  /**
   * What an agent that runs `known` is to take and to leave so that it runs its share; null if only the whole can say
   * that.
   */
  async changesSince(
    { id: location }: LocationRow,
    agent: string,
    known: string,
    { revision: now, monitorIds }: Pick<Share, "revision" | "monitorIds">,
  ): Promise<ShareChanges | null> {
    const [whole = ""] = known.split(".");
    const digest = digestIn(known);
    // From all of the location to a part of it, or back, more changes than a few monitors.
    if ((digest === null) !== (monitorIds === null)) return null;
    const changes = await this.#locations.changesSince(location, whole);
    if (changes === null) return null;
    if (digest === null || monitorIds === null) return partedBy(changes, ({ runs }) => runs);
    const placing = this.#splits.get(location)?.placing;
    if (placing === undefined) return null;
    const own = (monitor: string): boolean => monitorIds[placeOf(monitorIds, monitor)] === monitor;
    const before = digestBefore(digestIn(now), changes, {
      isNow: own,
      wouldBe: (monitor) => isIn(placing, agent, monitor),
    });
    // Another digest than then: its monitors were placed otherwise.
    if (before !== digest) return null;
    return partedBy(changes, ({ monitor }) => own(String(monitor)));
  }

  async #split(location: LocationRow, sharers: readonly Sharer[]): Promise<ShareSplit> {
    const marks = sharers.map(({ id, wanted, settled }) => `${wanted} ${settled} ${id}`);
    const madeFrom = JSON.stringify([location.revision, marks.toSorted()]);
    const known = this.#splits.get(location.id);
    if (known?.madeFrom === madeFrom) return known;
    const placed = known === undefined ? null : await this.#placedSince(location, known);
    const placing = placingOf(
      placed ?? unplaced((await this.#monitors.assignedIds(location.id)).map(String)),
      sharers,
    );
    const split = splitOf(location, placing, madeFrom, known ?? null);
    this.#splits.set(location.id, split);
    for (const id of this.#splits.keys()) {
      if (this.#splits.size <= limits.serviceLocationsMax) break;
      this.#splits.delete(id);
    }
    return split;
  }

  /** How the monitors of today would be placed on the agents of a split that is known; null if too much has changed. */
  async #placedSince(location: LocationRow, known: ShareSplit): Promise<Placing | null> {
    // Those of the same revision run the same monitors.
    if (known.revision === location.revision) return known.placing;
    const since = await this.#locations.changesSince(location.id, known.revision);
    if (since === null) return null;
    const moved = (runs: boolean): ReadonlySet<string> =>
      new Set(since.flatMap((one) => (one.runs === runs ? [String(one.monitor)] : [])));
    return withMonitors(known.placing, moved(true), moved(false));
  }
}

function partedBy(
  changes: readonly AssignmentChange[],
  isRun: (one: AssignmentChange) => boolean,
): ShareChanges {
  const ids = (all: readonly AssignmentChange[]) => all.map(({ monitor }) => String(monitor));
  return {
    changed: ids(changes.filter(isRun)),
    removed: ids(changes.filter((one) => !isRun(one))),
  };
}

/** What the digest of a share was before some changes: a location may have a hundred thousand monitors that stayed. */
function digestBefore(
  now: string | null,
  changes: readonly AssignmentChange[],
  share: {
    readonly isNow: (monitor: string) => boolean;
    /** Whether it is of the share if the location runs it. */
    readonly wouldBe: (monitor: string) => boolean;
  },
): string | null {
  const ran = new Map(changes.map((one) => [String(one.monitor), one.ran]));
  const turned = [...ran].flatMap(([id, wasRun]) => {
    const isNow = share.isNow(id);
    return isNow === (wasRun && (isNow || share.wouldBe(id))) ? [] : [id];
  });
  return now === null ? null : shareDigest(turned, now);
}

/** Of the revision of a part of a location; null if it is that of the whole. */
const digestIn = (revision: string): string | null => revision.split(".")[1] ?? null;

/** Whoever waited for a call that the store failed would only wait as long again. */
async function ended(turn: Promise<unknown> | undefined): Promise<void> {
  try {
    await turn;
  } catch (error) {
    if (error instanceof StoreFault) throw error;
  }
}

interface ShareSplit {
  readonly madeFrom: string;
  readonly revision: string;
  readonly placing: Placing;
  /** The ids of each agent that called, and their digest; null if it runs all of the location. Reckoned once. */
  readonly own: Map<string, OwnShare | null>;
  /** Its revision is the one that the agent says it runs, if that means the same. */
  readonly of: (id: string, said: string) => Omit<Share, "shared">;
}

interface OwnShare {
  readonly monitorIds: readonly string[];
  readonly digest: string;
}

function splitOf(
  location: LocationRow,
  placing: Placing,
  madeFrom: string,
  known: ShareSplit | null,
): ShareSplit {
  const { revision } = location;
  const { wanted, before } = placing;
  const isSame = known?.placing.wanted === wanted && known.placing.before === before;
  const own = isSame ? known.own : new Map<string, OwnShare | null>();
  const shareFor = (id: string): OwnShare | null => {
    const monitorIds = shareOf(placing, id);
    const isWhole = monitorIds.length === wanted.monitorIds.length;
    return isWhole ? null : { monitorIds, digest: shareDigest(monitorIds) };
  };
  const olderRevision = (ids: readonly string[]): string => `${revision}.${olderShareDigest(ids)}`;
  const of = (id: string, said: string): Omit<Share, "shared"> => {
    const share = own.getOrInsertComputed(id, shareFor);
    if (share === null) return wholeShare(location);
    const { monitorIds, digest } = share;
    const isOlder = digestIn(said)?.length === 12 && said === olderRevision(monitorIds);
    return { revision: isOlder ? said : `${revision}.${digest}`, monitorIds };
  };
  return { madeFrom, revision, placing, own, of };
}

const shares = ({ placement }: InstanceRow): boolean => placement === "share";
