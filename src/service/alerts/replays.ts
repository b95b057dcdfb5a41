import { periodicities } from "#check/definition";
import type { Plan } from "#service/alerting/distill";
import type { LocationSnapshot, Replay } from "#service/alerting/snapshot";
import { downFor, downSpans } from "#service/alerting/down-spans";
import { fewAtOnce } from "#base/few-at-once";
import * as serviceLimits from "#limits/service-limits";
import { downThere } from "#service/alerts/down-there";
import type { Monitors } from "#service/monitors/monitors";
import { locationId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import type { EpochMillis } from "#base/units";

/** Says of locations that are back what their agents had kept, and what no one checked. */
export class Replays {
  readonly #store: Store;
  readonly #monitors: Monitors;

  constructor(store: Store, monitors: Monitors) {
    this.#store = store;
    this.#monitors = monitors;
  }

  /** The same plans, with what is known by now. */
  fill(plans: readonly Plan[], now: EpochMillis): Promise<readonly Plan[]> {
    return Promise.all(
      plans.map(async (plan) => {
        const { snapshot } = plan.lead;
        const { ended } = plan.queue.incident;
        if (snapshot.of !== "location" || ended === null) return plan;
        const replay = await this.#replay(plan, now);
        const filled: LocationSnapshot = { ...snapshot, replay };
        return { ...plan, lead: { ...plan.lead, snapshot: filled } };
      }),
    );
  }

  /** Null while results of some of its monitors are on a database server that is away: the message does not wait for it. */
  async #replay({ queue: { incident } }: Plan, now: EpochMillis): Promise<Replay | null> {
    const { startedAt, ended, subject } = incident;
    const until = ended?.at ?? startedAt;
    const spans = downSpans(incident).map(({ from, to }) => ({ from, to: to ?? until }));
    const id = locationId(subject.id);
    const active = await this.#monitors.assignedTo(id);
    const { unread, views } = await this.#store.results.seen(active.map((row) => row.id));
    if (unread.size > 0) return null;
    const each = await fewAtOnce(spans, serviceLimits.incidentsSteppedAtOnce, ({ from, to }) =>
      this.#store.alerts.evidence.replay(id, from, to),
    );
    const seen = each.flat();
    const length = downFor(incident, until);
    const expected = active.map(({ definition }) =>
      Math.floor(length / (periodicities[definition.periodicity] ?? length)),
    );
    const replayed = seen.reduce((sum, { kept }) => sum + kept, 0);
    const checked = seen.reduce((sum, { results }) => sum + results, 0);
    const wanted = expected.reduce((sum, slots) => sum + slots, 0);
    const there = await downThere(this.#store, {
      location: id,
      // What was down meanwhile the times before was said then.
      away: spans.at(-1) ?? { from: startedAt, to: until },
      replayed: each.at(-1) ?? [],
      monitors: active,
      views,
      now,
    });
    return { replayed, missed: Math.max(0, wanted - checked), ...there };
  }
}
