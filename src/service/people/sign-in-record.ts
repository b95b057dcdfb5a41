import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { type RefusedSignIn, RefusedSignIns } from "#service/people/refused-sign-ins";
import { type SessionActor, SessionEntries } from "#service/people/session-entries";
import { actingAs, type Actor, actorNow } from "#service/store/audit/actor";
import type { AuditLog } from "#service/store/audit/audit-log";
import type { SessionEvent } from "#service/store/audit/session-event";
import { StoreFault } from "#service/store/store-fault";

/** Whose sessions these are, as sessions have it, and how the audit log calls whoever it is. */
export interface SignedIn {
  readonly who: string;
  readonly name: string;
  readonly actor: Pick<Actor, "kind" | "name">;
}

/** Who signed in to the pages, and who could not, for the audit log. */
export class SignInRecord {
  readonly #audit: Pick<AuditLog, "note">;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #refused: RefusedSignIns;
  readonly #entries: SessionEntries;

  constructor(audit: Pick<AuditLog, "note">, { clock, log }: { clock: Clock; log: Logger }) {
    this.#audit = audit;
    this.#clock = clock;
    this.#log = log;
    this.#refused = new RefusedSignIns(clock, (event, from) =>
      this.#note(event, { kind: "stranger", name: "someone", from }),
    );
    this.#entries = new SessionEntries(clock, (event, actor) => this.#note(event, actor));
  }

  async signedIn({ who, name, actor }: SignedIn, by: string, from: string): Promise<void> {
    const event: SessionEvent = { deed: "signed in", who, name, facts: { by } };
    const acting = { ...actor, from };
    if (await this.#entries.take(acting)) await this.#note(event, acting);
    else await this.#entries.count(event, acting);
  }

  /**
   * Ends sessions by a verb of the store, which notes in its transaction what `eventsOf` gives of it, or does not if that has to
   * be counted.
   */
  async ends<R>(
    end: (isNoted: boolean) => Promise<R>,
    eventsOf: (value: R) => readonly SessionEvent[],
  ): Promise<void> {
    const { kind, name, from } = actorNow();
    const actor: SessionActor = { kind, name, from };
    const isNoted = await this.#entries.take(actor);
    const events = eventsOf(await end(isNoted));
    if (isNoted && events.length === 0) this.#entries.giveBack(actor);
    if (!isNoted) for (const event of events) await this.#entries.count(event, actor);
  }

  refused(refused: RefusedSignIn): Promise<void> {
    return this.#refused.add(refused);
  }

  /** Writes down what was counted, from time to time and at the end. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#refused.run(signal), this.#entries.run(signal)]);
  }

  /** Whoever comes to look after a full disk is let in all the same. */
  async #note(event: SessionEvent, actor: Omit<Actor, "at">): Promise<void> {
    try {
      await actingAs({ ...actor, at: this.#clock.wall() }, () => this.#audit.note(event));
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      this.#log.error("a sign-in is not in the audit log", { "error.message": error.message });
    }
  }
}
