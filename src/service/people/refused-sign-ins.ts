import type { Clock } from "#base/clock";
import { personNameCharsMax } from "#limits/pages-limits";
import * as limits from "#limits/sign-in-limits";
import { clientNetwork } from "#network/client-network";
import type { SessionEvent } from "#service/store/audit/session-event";

/** A sign-in that was refused. */
export interface RefusedSignIn {
  /** The means, e.g. `password`. */
  readonly by: string;
  readonly from: string;
  /** What was typed, in whatever letters: it separates tries, and is written nowhere. */
  readonly typed: string;
  /** Whom it names, if there is such a person. */
  readonly person: { readonly who: string; readonly name: string } | null;
}

/** Those of one name, one network and one means that no entry has yet. */
interface RefusalCount extends RefusedSignIn {
  count: number;
}

type WriteRefusal = (event: SessionEvent, from: string) => Promise<void>;

/**
 * Sign-ins that fail, in so few entries that no one fills the log with them. A name that is unknown costs as much as
 * one that is known: by how long an answer takes no one finds out which names there are.
 */
export class RefusedSignIns {
  readonly #clock: Clock;
  readonly #write: WriteRefusal;
  readonly #counted = new Map<string, RefusalCount>();
  #entriesLeft: number = limits.refusedSignInEntriesAtOnce;
  /** Those for which there was no entry left. */
  #others = 0;

  constructor(clock: Clock, write: WriteRefusal) {
    this.#clock = clock;
    this.#write = write;
  }

  async add(refused: RefusedSignIn): Promise<void> {
    const key = `${clientNetwork(refused.from)} ${refused.by} ${refused.typed.slice(0, personNameCharsMax).toLowerCase()}`;
    const known = this.#counted.get(key);
    if (known !== undefined) known.count += 1;
    else if (this.#entriesLeft <= 0 || this.#counted.size >= limits.refusedSignInEntriesAtOnce)
      this.#others += 1;
    else {
      this.#counted.set(key, { ...refused, typed: "", count: 0 });
      this.#entriesLeft -= 1;
      await this.#write(eventOf(refused, 1), refused.from);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#clock.sleep(limits.refusedSignInsCountedFor, signal);
      this.#entriesLeft = Math.min(
        limits.refusedSignInEntriesAtOnce,
        this.#entriesLeft + limits.refusedSignInEntriesPerCount,
      );
      await this.#writeCounted(signal.aborted);
    }
  }

  /** What there is no entry left for is counted on, and all of it is written at the end. */
  async #writeCounted(isEnd: boolean): Promise<void> {
    // Those that are new while an entry is written have their first one already, and wait for the next time.
    for (const [key, counted] of this.#counted.entries().toArray()) {
      const { count, from } = counted;
      if (count === 0) this.#counted.delete(key);
      else if (isEnd || this.#entriesLeft > 0) {
        counted.count = 0;
        this.#entriesLeft -= 1;
        await this.#write(eventOf(counted, count), from);
      }
    }
    const others = this.#others;
    this.#others = 0;
    if (others > 0) await this.#write(eventOf(several, others), several.from);
  }
}

const several: RefusedSignIn = {
  by: "",
  from: "",
  typed: "",
  person: { who: "", name: "several names" },
};

const eventOf = ({ person, by }: RefusedSignIn, count: number): SessionEvent => ({
  deed: "refused",
  who: person?.who ?? "",
  name: person?.name ?? unknownName,
  facts: { ...(by === "" ? {} : { by }), times: String(count) },
});

/** What was typed may be a password by mistake, so it is not written. */
const unknownName = "an unknown name";
