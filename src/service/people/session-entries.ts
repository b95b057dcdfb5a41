import type { Clock } from "#base/clock";
import * as limits from "#limits/sign-in-limits";
import { clientNetwork } from "#network/client-network";
import { type Actor, actorWords } from "#service/store/audit/actor";
import type { SessionEvent } from "#service/store/audit/session-event";

/** Who does something about sessions, and from where. */
export type SessionActor = Pick<Actor, "kind" | "name" | "from">;

/** What has no entry yet, of one actor, one network and one thing that happened. */
interface SessionCount {
  readonly event: SessionEvent;
  readonly actor: SessionActor;
  count: number;
}

/** The entries that an actor has left, and what waits for one. */
interface Allowance {
  left: number;
  readonly counted: Map<string, SessionCount>;
}

type WriteEvent = (event: SessionEvent, actor: SessionActor) => Promise<void>;

/**
 * Sign-ins, sign-outs and ended sessions, in so few entries that no person, key or program in a loop fills the log with them.
 * Of one actor the first ones have an entry each; those after them are counted, and each count is one entry.
 */
export class SessionEntries {
  readonly #clock: Clock;
  readonly #write: WriteEvent;
  /** By the actor. Whoever came first is the first. */
  readonly #allowances = new Map<string, Allowance>();

  constructor(clock: Clock, write: WriteEvent) {
    this.#clock = clock;
    this.#write = write;
  }

  /** Takes an entry of this actor; false if none is left, so that it has to be counted. */
  async take(actor: SessionActor): Promise<boolean> {
    const allowance = await this.#allowanceOf(actor);
    if (allowance.left <= 0) return false;
    allowance.left -= 1;
    return true;
  }

  /** Gives an entry back that was not needed: nothing happened. */
  giveBack(actor: SessionActor): void {
    const allowance = this.#allowances.get(actorWords(actor));
    if (allowance !== undefined) allowance.left = Math.min(allowance.left + 1, atOnce);
  }

  async count(event: SessionEvent, actor: SessionActor): Promise<void> {
    const { counted } = await this.#allowanceOf(actor);
    const by = event.facts["by"] ?? "";
    const exact = [clientNetwork(actor.from), event.deed, event.who, by].join(" ");
    const isRest = !counted.has(exact) && counted.size >= limits.sessionCountsMax;
    const key = isRest ? event.deed : exact;
    const known = counted.get(key);
    if (known !== undefined) known.count += sizeOf(event);
    else if (isRest) counted.set(key, { ...restOf(event, actor), count: sizeOf(event) });
    else counted.set(key, { event, actor, count: sizeOf(event) });
  }

  /** Writes down what was counted, from time to time and at the end. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(limits.sessionsCountedFor, signal);
      for (const [actor, allowance] of this.#allowances.entries().toArray()) {
        allowance.left = Math.min(allowance.left + limits.sessionEntriesPerCount, atOnce);
        await this.#writeCounted(allowance, signal.aborted);
        if (allowance.left === atOnce && allowance.counted.size === 0)
          this.#allowances.delete(actor);
      }
    }
  }

  /** What there is no entry left for is counted on, and all of it is written at the end. */
  async #writeCounted(allowance: Allowance, isEnd: boolean): Promise<void> {
    const { counted } = allowance;
    for (const [key, one] of counted.entries().toArray()) {
      if (!isEnd && allowance.left <= 0) return;
      counted.delete(key);
      allowance.left -= 1;
      await this.#write(countedEvent(one), one.actor);
    }
  }

  /** If there are too many actors, the first one starts empty, and what was counted of it is written. */
  async #allowanceOf(actor: SessionActor): Promise<Allowance> {
    const key = actorWords(actor);
    const known = this.#allowances.get(key);
    if (known !== undefined) return known;
    const made = { left: atOnce, counted: new Map<string, SessionCount>() };
    const [first] = this.#allowances;
    this.#allowances.set(key, made);
    if (first === undefined || this.#allowances.size <= limits.sessionActorsMax) return made;
    this.#allowances.delete(first[0]);
    await this.#writeCounted(first[1], true);
    return made;
  }
}

const atOnce: number = limits.sessionEntriesAtOnce;

/** Of an entry of ended sessions, their number. */
const sizeOf = ({ deed, facts }: SessionEvent): number =>
  deed === "ended" ? Number(facts["sessions"]) : 1;

const countedEvent = ({ event, count }: SessionCount): SessionEvent => ({
  ...event,
  facts: { ...event.facts, [event.deed === "ended" ? "sessions" : "times"]: String(count) },
});

/** Those beyond the counts that are kept apart: from several networks, by several means, or sessions of several people. */
const restOf = (
  event: SessionEvent,
  actor: SessionActor,
): Pick<SessionCount, "event" | "actor"> => ({
  event:
    event.deed === "ended"
      ? { ...event, who: "", name: "several people" }
      : { ...event, facts: {} },
  actor: { ...actor, from: "" },
});
