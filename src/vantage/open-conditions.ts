import * as limits from "#limits/vantage-limits";
import type { Condition, OpenCondition } from "#vantage/condition";
import { type Dependency, isSelfEvident, keyOf } from "#vantage/dependency";

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

  /** It is proven, and monitors fail by it. */
  prove(one: Dependency, sentence: string, since: number, failing: Iterable<string>): void {
    const key = keyOf(one);
    const before = this.#open.get(key);
    if (before === undefined && this.#open.size >= limits.conditionsMax) return;
    if (before?.state === "impaired") {
      before.sentence = sentence;
      return;
    }
    this.#open.set(key, {
      dependency: one,
      id: before?.id ?? this.#newId(),
      since: before?.since ?? since,
      sentence,
      affected: before?.affected ?? new Set(failing),
      state: "impaired",
      isSilent: false,
      recoversSince: null,
    });
  }

  /** It was asked directly, for no check goes by it any more, and does not answer. */
  silence(one: Dependency): void {
    const condition = this.of(one);
    if (condition === null) return;
    condition.state = "impaired";
    condition.isSilent = true;
    condition.recoversSince = null;
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
