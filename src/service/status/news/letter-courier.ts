import { randomUUID } from "node:crypto";
import { pauseAfter } from "#alerting/attempts";
import type { Clock } from "#clock";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/status-limits";
import type { Logger } from "#log";
import type { DeliveryOutcome } from "#notify/delivery-outcome";
import type { Mail } from "#notify/mail";
import type { MailPost } from "#notify/mail-post";
import { Bell } from "#service/bell";
import type { LetterWriting } from "#service/status/news/letter-writing";
import type { Letter, LetterFate } from "#store/subscriber-store";
import type { Store } from "#store/store";
import { after, between, epochMillis, type EpochMillis } from "#units";

export interface LetterCourierOptions {
  readonly store: Store;
  readonly writing: LetterWriting;
  /** Its own, beside that of alerts: ten thousand readers delay no message to those on call. */
  readonly post: MailPost;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Sends what waits for readers. Replicas share it; while the mail server takes nothing, all of it waits. */
export class LetterCourier {
  readonly #options: LetterCourierOptions;
  readonly #holder: string = randomUUID();
  /** Nothing is tried before. */
  #restUntil: EpochMillis = epochMillis(0);
  /** Attempts in a row that the mail server took nothing of. */
  #failures = 0;

  constructor(options: LetterCourierOptions) {
    this.#options = options;
  }

  /** Sends until `signal` aborts; a failure is logged once and the look repeated. */
  async run(signal: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#options;
    const bell = new Bell();
    using _ = store.onChange((change) => {
      if (change === "letters" || change === "pages") bell.ring();
    });
    let isFailing = false;
    while (!signal.aborted) {
      let isMore = false;
      try {
        isMore = await this.#look(signal);
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.error("could not look for mails to readers of status pages", {
            "error.message": String(error),
          });
        isFailing = true;
      }
      if (isMore) await clock.sleep(limits.lettersPause, signal);
      else await bell.wait(clock, limits.lettersLookEvery, signal);
    }
  }

  /** Whether it was a whole batch, so that there may be more. */
  async #look(signal: AbortSignal): Promise<boolean> {
    const { letters } = this.#options.store.readers;
    const now = this.#options.clock.wall();
    if (now < this.#restUntil || !(await letters.due(now))) return false;
    const claimed = await letters.claim(this.#holder, now);
    const queue = claimed.values();
    try {
      const lanes = Array.from({ length: alertsLimits.mailConnectionsMax });
      await Promise.all(lanes.map(() => this.#work(queue, now, signal)));
    } finally {
      await letters.release(this.#holder);
    }
    return claimed.length === limits.lettersAtOnce;
  }

  async #work(queue: Iterable<Letter>, began: EpochMillis, signal: AbortSignal): Promise<void> {
    const { clock, store, writing, post } = this.#options;
    for (const letter of queue) {
      const now = clock.wall();
      if (signal.aborted || now < this.#restUntil) return;
      if (between(began, now) > limits.lettersTurnMax) return;
      const mail = await writing.written(letter, now);
      const fate = mail === null ? dropped : await this.#sent(mail, letter, post, signal);
      if (fate !== null)
        await store.readers.letters.settle(this.#holder, letter.id, fate, clock.wall());
    }
  }

  /** Null where it was interrupted: it is as if it had not been tried. */
  async #sent(
    mail: Mail,
    letter: Letter,
    post: MailPost,
    signal: AbortSignal,
  ): Promise<LetterFate | null> {
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
      case "permanent":
        this.#works();
        if (outcome.trouble.code === "recipient_refused") return { is: "refused" };
        log.warn("the mail server does not take a mail to a reader of a status page", {
          "page.id": page,
          "error.message": outcome.trouble.message,
        });
        return dropped;
      case "again":
        // An answer is about this recipient; without one the next mail would not get through either.
        if (outcome.trouble.status === null) this.#rest(outcome.trouble.message, random);
        else this.#works();
        return { is: "later", dueAt: after(clock.wall(), pauseAfter(attempts, random)) };
      case "failing":
      case "disabled":
        this.#rest(outcome.trouble.message, random);
        return { is: "later", dueAt: this.#restUntil };
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

const dropped: LetterFate = { is: "dropped" };
