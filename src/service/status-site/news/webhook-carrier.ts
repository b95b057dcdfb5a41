import { pauseAfter } from "#service/alerting/attempts";
import type { Clock } from "#base/clock";
import * as limits from "#limits/status-limits";
import type { Logger } from "#base/log";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Sender } from "#service/notify/provider";
import { dropped, type LetterCarrier, noRest } from "#service/status-site/news/letter-courier";
import type { LetterWriting } from "#service/status-site/news/letter-writing";
import type { Letter, LetterFate, SubscriberRow } from "#service/store/subscriber-store";
import { after, type EpochMillis } from "#base/units";

interface WebhookCarrierOptions {
  readonly writing: LetterWriting;
  /** That of the channels: it opens a connection for each message, so that none waits for another. */
  readonly sender: Sender;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Carries letters to the URLs of subscribers, several at a time: one that does not answer holds up few others. */
export class WebhookCarrier implements LetterCarrier {
  readonly way = "webhook";
  readonly lanes: number = limits.webhookLanes;
  readonly restUntil: EpochMillis = noRest;
  readonly #options: WebhookCarrierOptions;

  constructor(options: WebhookCarrierOptions) {
    this.#options = options;
  }

  async carry(letter: Letter, now: EpochMillis, signal: AbortSignal): Promise<LetterFate | null> {
    // Links to confirm and to sign in go by mail alone.
    if (letter.of === "entry" || letter.of === "confirmation") return dropped;
    const { writing, sender } = this.#options;
    const written = await writing.webhook(letter, now);
    if (written === null) return dropped;
    const outcome = await sender.send(written.channel, written.delivery, signal);
    if (signal.aborted && outcome.is !== "delivered") return null;
    const fate = this.#fateOf(outcome, letter.attempts);
    this.#note(letter.subscriber, fate);
    return fate;
  }

  #fateOf(outcome: DeliveryOutcome, attempts: number): LetterFate {
    const now = this.#options.clock.wall();
    switch (outcome.is) {
      case "delivered":
      case "accepted":
      case "skipped":
        return { is: "sent" };
      case "again":
      case "failing": {
        const asked = outcome.is === "again" ? outcome.after : null;
        const dueAt = after(now, asked ?? pauseAfter(attempts, Math.random()));
        return { is: "later", dueAt, trouble: outcome.trouble.message };
      }
      case "permanent":
        return { is: "refused", trouble: outcome.trouble.message };
      case "disabled":
        return { is: "ended", trouble: outcome.trouble.message };
    }
  }

  /** What begins to fail is logged once, and once when it is over. */
  #note({ id, page, trouble: before }: SubscriberRow, fate: LetterFate): void {
    const facts = { "page.id": page, "subscriber.id": id };
    const now = "trouble" in fate ? (fate.trouble ?? "") : "";
    if (before === "" && now !== "")
      this.#options.log.warn("a webhook of a status page does not take its news", {
        ...facts,
        "error.message": now,
      });
    if (before !== "" && now === "")
      this.#options.log.info("a webhook of a status page takes its news again", facts);
  }
}
