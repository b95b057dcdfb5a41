import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { type EpochMillis, epochMillis } from "#base/units";
import { takeToken } from "#service/alerting/token-bucket";
import type { StopSignals } from "#service/alerts/turn-room";
import * as limits from "#limits/sign-in-limits";
import { Bell } from "#service/edge/bell";
import type { LinkMail } from "#service/people/link-mail";
import { type People, stateOf } from "#service/people/people";
import { actingAs } from "#service/store/audit/actor";
import type { PersonId } from "#service/store/ids";
import type { AccountRow } from "#service/store/people-store";
import type { Store } from "#service/store/store";
import { StoreFault } from "#service/store/store-fault";

/** What someone typed who has forgotten a password, and from which address. */
interface PasswordAsk {
  readonly email: string;
  readonly from: string;
}

interface AskRooms {
  readonly people: People;
  readonly store: Store;
  readonly mail: LinkMail;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Mails a link to people who have forgotten their password. Whoever asks is answered before anything is looked up, so no answer
 * and no time says which addresses have an account. The password stays until its link is used.
 */
export class PasswordAsks {
  readonly #rooms: AskRooms;
  readonly #waiting: PasswordAsk[] = [];
  readonly #bell = new Bell();
  /** When all people, and each, have as many mails again as at first; those of whom that is over are forgotten. */
  #fullAt: EpochMillis = epochMillis(0);
  readonly #fullAtOf = new Map<PersonId, EpochMillis>();

  constructor(rooms: AskRooms) {
    this.#rooms = rooms;
  }

  /** Whether mails can be sent, and their links lead somewhere. */
  get isOffered(): boolean {
    return this.#rooms.mail.isSet;
  }

  /** What is beyond those that may wait is dropped: its person asks again. */
  add(ask: PasswordAsk): void {
    if (this.#waiting.length >= limits.passwordAsksWaitingMax) return;
    this.#waiting.push(ask);
    this.#bell.ring();
  }

  /** Sends one after the other until it is stopped. */
  async run({ stopping, cutOff }: StopSignals): Promise<void> {
    while (!stopping.aborted) {
      const next = this.#waiting.shift();
      if (next === undefined)
        await this.#bell.wait(this.#rooms.clock, limits.passwordAsksLookedAtEvery, stopping);
      else await this.#answer(next, cutOff);
    }
  }

  async #answer(ask: PasswordAsk, signal: AbortSignal): Promise<void> {
    const { log } = this.#rooms;
    try {
      const why = await this.#mailLink(ask, signal);
      const asker = { "client.address": ask.from };
      if (why === null) log.info("a link for a new password was mailed", asker);
      else
        log.warn("no link for a new password was mailed", {
          ...asker,
          // What the mail server answers may have the address in it.
          "error.message": why.replaceAll(ask.email, "the address"),
        });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      log.error("no link for a new password was mailed", { "error.message": error.message });
    }
  }

  /** Why it was not mailed; null if it was. */
  async #mailLink({ email, from }: PasswordAsk, signal: AbortSignal): Promise<string | null> {
    const { people, store, mail, clock } = this.#rooms;
    const account = await store.people.accounts.ofEmail(email);
    if (account === null) return "the address has no account";
    // Whoever was invited has the link of their invitation, and an owner's new link is the only way in.
    if (stateOf(account) !== "active" || account.password === "")
      return "the account is disabled, or waits for the link that an owner made";
    if (!this.#take(account))
      return "too many were asked for: an owner of the service can make a link";
    const actor = { kind: "stranger", name: "someone", from, at: clock.wall() } as const;
    const token = await actingAs(actor, () => people.offerReset(account.id));
    if (token === null) return "the account was changed meanwhile";
    const mailed = await mail.sendReset({ email: account.email, token }, signal);
    if (mailed.is === "sent") return null;
    return mailed.is === "failed" ? mailed.why : "no mail server or no public address is set";
  }

  /** Counts one for a person. What the mail server does not take counts as well: each changes the account, and is an entry of the log. */
  #take({ id }: Pick<AccountRow, "id">): boolean {
    const now = this.#rooms.clock.wall();
    for (const [one, fullAt] of this.#fullAtOf) if (fullAt <= now) this.#fullAtOf.delete(one);
    const own = takeToken(this.#fullAtOf.get(id) ?? epochMillis(0), ofOne, now);
    const all = takeToken(this.#fullAt, ofAll, now);
    if (own.waitsUntil !== null || all.waitsUntil !== null) return false;
    this.#fullAtOf.set(id, own.fullAt);
    this.#fullAt = all.fullAt;
    return true;
  }
}

const ofOne = {
  burst: limits.passwordResetsPerPersonMax,
  span: limits.passwordResetPerPersonEvery,
};
const ofAll = { burst: limits.passwordResetsMax, span: limits.passwordResetEvery };
