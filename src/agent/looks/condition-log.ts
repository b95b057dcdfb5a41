import type { VantageCondition } from "#agent/looks/vantage-judgement";
import type { Cause } from "#check/cause";
import type { Logger } from "#base/log";

/** Logs what is broken at this agent's own place: one line when it begins, and one when it is over. */
export class ConditionLog {
  readonly #log: Logger;
  #open: ReadonlySet<string> = new Set();
  /** The warnings that the log has. */
  #warned: ReadonlySet<string> = new Set();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Whether it last said that all is well. */
  get isQuiet(): boolean {
    return this.#open.size === 0 && this.#warned.size === 0;
  }

  /** Says whether a condition began or ended. */
  note(conditions: readonly VantageCondition[], warnings: readonly Cause[]): boolean {
    const before = this.#open;
    this.#open = new Set(conditions.map(({ cause }) => cause.id));
    const begun = conditions.filter(({ cause }) => !before.has(cause.id));
    const over = [...before].filter((id) => !this.#open.has(id));
    for (const { cause } of begun) {
      const { sentence, scope, certainty, id } = cause;
      this.#log.warn("this agent's network is faulty: targets behind it are not checked", {
        cause: sentence,
        scope,
        certainty,
        id,
      });
    }
    for (const id of over) this.#log.info("this agent's network works again", { id });
    for (const { id, sentence } of warnings)
      if (!this.#warned.has(id))
        this.#log.warn(`${sentence}: no check fails because of it yet`, { id });
    this.#warned = new Set(warnings.map(({ id }) => id));
    return begun.length > 0 || over.length > 0;
  }
}
