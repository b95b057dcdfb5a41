import type { Fate } from "#service/alerting/attempts";
import { type DropReason, dropReasons } from "#service/alerting/queue";
import { type Provider, providers } from "#service/notify/channel";
import type { Settlement } from "#service/store/alert-store";

/** What became of a delivery; a retried one is counted at each attempt, an accepted one once more when it is sent. */
type CountedOutcome = "sent" | "accepted" | "retried" | DropReason;
/** A channel that was deleted has no provider any more. */
type CountedProvider = Provider | "gone";

interface DeliveryCount {
  readonly provider: CountedProvider;
  readonly outcome: CountedOutcome;
  readonly count: number;
}

/** How many deliveries came to what since the start of this replica. */
export class DeliveryCounts {
  readonly #counts = new Map<string, number>();

  settled(
    provider: CountedProvider,
    { attempted, dropped }: Pick<Settlement, "attempted" | "dropped">,
  ): void {
    for (const { ids, fate } of attempted) this.#add(provider, outcomeOf(fate), ids.length);
    for (const { reason } of dropped) this.#add(provider, reason, 1);
  }

  /** Every pair that can be, so that the first failure of a kind is a change and not a new series. */
  all(): readonly DeliveryCount[] {
    return [...providers, "gone" as const].flatMap((provider) =>
      countedOutcomes.map((outcome) => ({
        provider,
        outcome,
        count: this.#counts.get(`${provider} ${outcome}`) ?? 0,
      })),
    );
  }

  #add(provider: CountedProvider, outcome: CountedOutcome, count: number): void {
    const key = `${provider} ${outcome}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }
}

const reasons: readonly DropReason[] = Object.keys(dropReasons).filter(
  (word): word is DropReason => word in dropReasons,
);
const countedOutcomes: readonly CountedOutcome[] = ["sent", "accepted", "retried", ...reasons];

function outcomeOf(fate: Fate): CountedOutcome {
  switch (fate.is) {
    case "sent":
    case "accepted":
      return fate.is;
    case "waiting":
      return "retried";
    case "dropped":
      return fate.reason;
  }
}
