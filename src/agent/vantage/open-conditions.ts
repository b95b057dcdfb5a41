import * as limits from "#limits/vantage-limits";
import type { Condition, OpenCondition } from "#agent/vantage/condition";
import { type Dependency, isOverAtOnce, isSelfEvident, keyOf } from "#agent/vantage/dependency";
import type { Proof } from "#agent/vantage/observation";

/** Faults of this agent's own place that are known to be there, or to have been there a moment ago. */
export class OpenConditions {
  readonly #newId: () => string;
  readonly #open = new Map<string, OpenCondition>();

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  get areNone(): boolean {
    return this.#open.size === 0;
  }

  get all(): readonly Condition[] {
    return [...this.#open.values()];
  }

  of(one: Dependency): OpenCondition | null {
    // Asked of each thing that each success came through, and mostly nothing is open.
    return this.#open.size === 0 ? null : (this.#open.get(keyOf(one)) ?? null);
  }

  /** A monitor was checked: which of them it fails by, it is affected by. */
  note(monitor: string, faults: readonly Dependency[], now: number): void {
    if (this.#open.size === 0) return;
    const blamed = new Set(faults.map(keyOf));
    for (const [key, condition] of this.#open)
      if (blamed.has(key)) condition.affected.add(monitor);
      else release(condition, monitor, now);
  }

  /** Monitors that were taken away show nothing of it any more: the next look says whether it lasts. */
  forgetOthers(runs: (monitor: string) => boolean): void {
    for (const { affected } of this.#open.values())
      for (const monitor of affected) if (!runs(monitor)) affected.delete(monitor);
  }

  /** A look proves it, and monitors fail by it. */
  prove(one: Dependency, sentence: string, since: number, failing: Iterable<string>): void {
    const condition = this.of(one) ?? this.#begin(one, sentence, since);
    if (condition === null) return;
    if (condition.affected.size === 0)
      for (const monitor of failing) condition.affected.add(monitor);
    condition.sentence = sentence;
    impair(condition);
  }

  /**
   * The failure of a monitor shows it. What a fault does to one target is the sentence of all: it is one fault, however
   * many fail by it.
   */
  show({ dependency: one, sentence }: Proof, monitor: string, now: number): void {
    const condition = this.of(one) ?? this.#begin(one, sentence, now);
    if (condition === null) return;
    const { affected, shownBy } = condition;
    // What is over once it is seen lasts only if it comes again before the monitor's next good check.
    if (isOverAtOnce(one) && !affected.has(monitor)) recoverAnew(condition, now);
    else impair(condition);
    if (shownBy === null || !affected.has(shownBy)) {
      condition.sentence = sentence;
      condition.shownBy = monitor;
    }
    affected.add(monitor);
  }

  #begin(one: Dependency, sentence: string, since: number): OpenCondition | null {
    if (this.#open.size >= limits.conditionsMax) return null;
    const begun: OpenCondition = {
      dependency: one,
      id: this.#newId(),
      since,
      sentence,
      shownBy: null,
      affected: new Set(),
      state: "impaired",
      isSilent: false,
      recoversSince: null,
    };
    this.#open.set(keyOf(one), begun);
    return begun;
  }

  /** It was asked directly, for no check goes by it any more, and does not answer. */
  silence(one: Dependency): void {
    const condition = this.of(one);
    if (condition === null) return;
    impair(condition);
    condition.isSilent = true;
  }

  /** Something came through it. */
  recover(one: Dependency, now: number): void {
    const condition = this.of(one);
    if (condition !== null) beginRecovery(condition, now);
  }

  /** Ends those that no look proves any more, once two looks say so. */
  look(isProven: (one: Dependency) => boolean, now: number): void {
    for (const [key, condition] of this.#open) {
      const { dependency, affected, state, isSilent } = condition;
      if (isSelfEvident(dependency) && (affected.size > 0 || isSilent)) continue;
      if (isProven(dependency) && state === "impaired") continue;
      const since = beginRecovery(condition, now);
      if (now - since >= limits.vantageLookEvery) this.#open.delete(key);
    }
  }
}

function impair(condition: OpenCondition): void {
  condition.state = "impaired";
  condition.isSilent = false;
  condition.recoversSince = null;
}

function recoverAnew(condition: OpenCondition, now: number): void {
  condition.recoversSince = null;
  beginRecovery(condition, now);
}

function release(condition: OpenCondition, monitor: string, now: number): void {
  if (condition.affected.delete(monitor) && condition.affected.size === 0)
    beginRecovery(condition, now);
}

/** Since when it recovers. */
function beginRecovery(condition: OpenCondition, now: number): number {
  condition.state = "recovering";
  condition.isSilent = false;
  return (condition.recoversSince ??= now);
}
