import { pauseAfter } from "#service/alerting/attempts";
import type { Clock } from "#base/clock";
import * as alertsLimits from "#limits/alerts-limits";
import type { Logger } from "#base/log";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { MailPost } from "#service/notify/mail-post";
import { dropped, type LetterCarrier, noRest } from "#service/status-site/news/letter-courier";
import type { LetterWriting } from "#service/status-site/news/letter-writing";
import type { Letter, LetterFate } from "#service/store/subscriber-store";
import { after, type EpochMillis } from "#base/units";

interface MailCarrierOptions {
  readonly writing: LetterWriting;
  /** Its own, apart from that of alerts: ten thousand readers delay no message to those on call. */
  readonly post: MailPost;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Carries letters as mails. While the mail server takes nothing, all of them wait. */
export class MailCarrier implements LetterCarrier {
  readonly way = "email";
  readonly lanes: number = alertsLimits.mailConnectionsMax;
  readonly #options: MailCarrierOptions;
  #restUntil: EpochMillis = noRest;
  /** Attempts in a row that the mail server took nothing of. */
  #failures = 0;

  constructor(options: MailCarrierOptions) {
    this.#options = options;
  }

  get restUntil(): EpochMillis {
    return this.#restUntil;
  }

  async carry(letter: Letter, now: EpochMillis, signal: AbortSignal): Promise<LetterFate | null> {
    const { writing, post } = this.#options;
    const mail = await writing.mail(letter, now);
    if (mail === null) return dropped;
    const outcome = await post.send(mail, signal);
    if (signal.aborted && outcome.is !== "delivered") return null;
    return this.#fateOf(outcome, letter);
  }

  #fateOf(outcome: DeliveryOutcome, { attempts, page }: Letter): LetterFate {
    const { clock, log } = this.#options;
    const random = Math.random();
    switch (outcome.is) {
      case "delivered":
      case "accepted":
      case "skipped":
        this.#works();
        return { is: "sent" };
      case "permanent": {
        this.#works();
        const { code, message } = outcome.trouble;
        if (code === "recipient_refused") return { is: "refused", trouble: message };
        log.warn("the mail server does not take a mail to a reader of a status page", {
          "page.id": page,
          "error.message": message,
        });
        return dropped;
      }
      case "again": {
        const { status, message } = outcome.trouble;
        const dueAt = after(clock.wall(), pauseAfter(attempts, random));
        // An answer is about this recipient; without one the next mail would not get through either.
        if (status === null) this.#rest(message, random);
        else this.#works();
        return { is: "later", dueAt, trouble: status === null ? null : message };
      }
      case "failing":
      case "disabled":
        this.#rest(outcome.trouble.message, random);
        return { is: "later", dueAt: this.#restUntil, trouble: null };
    }
  }

  #works(): void {
    if (this.#failures > 0) this.#options.log.info("mails to readers of status pages get through");
    this.#failures = 0;
  }

  #rest(why: string, random: number): void {
    const { clock, log } = this.#options;
    if (this.#failures === 0)
      log.error("mails to readers of status pages wait", { "error.message": why });
    this.#restUntil = after(clock.wall(), pauseAfter(this.#failures, random));
    this.#failures += 1;
  }
}
