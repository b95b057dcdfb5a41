import type { Parent, Queue, WaitingDelivery } from "#service/alerting/queue";
import { wayTo } from "#check/dependency-rings";
import type { Clock } from "#base/clock";
import { dependenciesIn, withDependencies } from "#service/monitors/dependencies";
import type { Monitors } from "#service/monitors/monitors";
import { monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { after, type EpochMillis, type Millis, millis } from "#base/units";

/** What of a queue says what it waits for. */
interface Orphan {
  readonly incident: { readonly subject: { readonly id: number } };
  readonly waiting: readonly Pick<WaitingDelivery, "at" | "snapshot">[];
}

/** What each waiting monitor depends on and that is down, or was until a moment ago. */
export class Parents {
  readonly #store: Pick<Store, "alerts">;
  readonly #monitors: Pick<Monitors, "among">;
  readonly #clock: Clock;

  constructor(store: Pick<Store, "alerts">, monitors: Pick<Monitors, "among">, clock: Clock) {
    this.#store = store;
    this.#monitors = monitors;
    this.#clock = clock;
  }

  async of<Q extends Orphan>(
    queues: readonly Q[],
  ): Promise<readonly (Q & { readonly parent: Parent | null })[]> {
    const wanted = new Set(queues.flatMap((queue) => dependsOn(queue)));
    const { incidents } = this.#store.alerts;
    const newest = wanted.size === 0 ? [] : await incidents.newest("monitor", [...wanted]);
    const now = this.#clock.wall();
    const relevant = queues.map((queue) => ({ queue, parents: relevantTo(queue, newest, now) }));
    const named = new Set(relevant.flatMap(({ parents }) => parents.map(({ id }) => id)));
    const known = await this.#known(named);
    return relevant.map(({ queue, parents }) => {
      const { id } = queue.incident.subject;
      const waitedFor = parents.filter((parent) => known.isAbove(parent.id, id));
      const parent = longest(waitedFor);
      return { ...queue, parent: parent && { ...parent, name: known.nameOf(parent.id) } };
    });
  }

  /** As the monitors are now. Older services took rings: what is in one waits for nothing in it. */
  async #known(parents: ReadonlySet<number>) {
    const ids = [...parents].map(monitorId);
    const rows = await withDependencies(ids, (some) => this.#monitors.among(some));
    const dependenciesOf = (id: number): readonly number[] => {
      const row = rows.get(monitorId(id));
      return row === undefined ? [] : dependenciesIn(row.definition);
    };
    return {
      nameOf: (id: number) => rows.get(monitorId(id))?.definition.name ?? "",
      isAbove: (id: number, other: number) =>
        rows.has(monitorId(id)) && id !== other && wayTo(other, id, dependenciesOf) === null,
    };
  }
}

type UnnamedParent = Omit<Parent, "name">;

const dependsOn = ({ waiting }: Orphan): readonly number[] => {
  const snapshot = waiting.at(-1)?.snapshot;
  return snapshot?.of === "monitor" ? snapshot.dependsOn : [];
};

function relevantTo(
  queue: Orphan,
  newest: readonly Queue["incident"][],
  now: EpochMillis,
): readonly UnnamedParent[] {
  const own = new Set(dependsOn(queue));
  const began = queue.waiting[0]?.at ?? now;
  return newest
    .filter(({ subject }) => own.has(subject.id))
    .map(({ subject: { id }, ended }) => ({
      id,
      until: ended === null ? null : after(ended.at, roundsAfter(queue)),
    }))
    .filter(({ until }) => until === null || until > began);
}

/** How long it waits once its parent is up: two rounds show whether it fails for a reason that is not its parent's. */
export function roundsAfter({ waiting }: Pick<Orphan, "waiting">): Millis {
  const snapshot = waiting.at(-1)?.snapshot;
  return millis(snapshot?.of === "monitor" ? 2 * snapshot.period : 0);
}

/** The parent that is waited for: one that is down before one that is up, and of those the last. */
const longest = (parents: readonly UnnamedParent[]): UnnamedParent | null =>
  parents.find(({ until }) => until === null) ??
  parents.toSorted((a, b) => (b.until ?? 0) - (a.until ?? 0))[0] ??
  null;
