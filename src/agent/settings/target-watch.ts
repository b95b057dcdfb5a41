import type { TargetLists } from "#agent/settings/target-lists";
import { readTargetLists } from "#agent/settings/target-lists";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import * as limits from "#limits/probes-limits";
import { stateOfFile } from "#machine/bounded-file";
import type { TargetRules } from "#network/target-rules";

/** What has to know when the rules have changed. */
export interface TargetUser {
  useTargets(rules: TargetRules): void;
}

/** The operator's rules for targets as they are now: a file that is replaced counts within seconds, without a restart. */
export class TargetWatch implements AsyncDisposable {
  readonly #lists: TargetLists;
  readonly #log: Logger;
  #rules: TargetRules;
  #fault: string | null = null;
  readonly #over = new AbortController();
  #looking: Promise<void> = Promise.resolve();
  #seen: string;

  /** `rules` is what the lists said when the settings were read. */
  constructor(lists: TargetLists, rules: TargetRules, log: Logger) {
    this.#lists = lists;
    this.#rules = rules;
    this.#log = log;
    // A file that was changed since then is read by the first look.
    this.#seen = "";
  }

  get rules(): TargetRules {
    return this.#rules;
  }

  /** Why the rules are not those that the files have now; null if they are. */
  get fault(): string | null {
    return this.#fault;
  }

  /**
   * Reads the files again if something changed, and says whether the rules did. Broken files leave them as they are, and
   * are read at each look: what failed may have been the machine.
   */
  look(): boolean {
    const seen = this.#state();
    if (seen === this.#seen && this.#fault === null) return false;
    const isFirst = this.#seen === "";
    this.#seen = seen;
    const { rules, errors } = readTargetLists(this.#lists);
    if (errors.length > 0) {
      this.#noteFault(errors.join("; "));
      return false;
    }
    const isSame = namesOf(rules) === namesOf(this.#rules);
    if (!isFirst && (!isSame || this.#fault !== null))
      this.#log.info("the target rules were read again", {
        allow: rules.allow.length,
        deny: rules.deny.length,
      });
    this.#fault = null;
    this.#rules = rules;
    return !isSame;
  }

  #noteFault(fault: string): void {
    if (fault !== this.#fault)
      this.#log.error(
        "the target rules cannot be read again: the rules from before stay in force",
        { "error.message": fault },
      );
    this.#fault = fault;
  }

  /** Looks every few seconds until it is closed; without files there is nothing to look at. */
  renew(clock: Clock, users: readonly TargetUser[]): void {
    this.#looking = this.#lookUntil(clock, users, this.#over.signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over.abort();
    await this.#looking;
  }

  async #lookUntil(clock: Clock, users: readonly TargetUser[], over: AbortSignal): Promise<void> {
    if (this.#files().length === 0) return;
    while (!over.aborted) {
      if (this.look()) for (const user of users) user.useTargets(this.#rules);
      await clock.sleep(limits.targetFilesLookEvery, over);
    }
  }

  #files(): readonly string[] {
    return [this.#lists.allow.file, this.#lists.deny.file].filter((file) => file !== "");
  }

  /** Another text whenever a file was changed or replaced, also behind a link. */
  #state(): string {
    return this.#files().map(stateOfFile).join("\n");
  }
}

const namesOf = ({ allow, deny }: TargetRules): string =>
  JSON.stringify([allow, deny].map((rules) => rules.map(({ name }) => name)));
