import { millis, minutes, type Millis } from "#base/units";
import * as limits from "#limits/vantage-limits";
import { type Dependency, keyOf } from "#agent/vantage/dependency";
import type { KnownRouter } from "#agent/vantage/needs";
import type { FailureGroup, Observation } from "#agent/vantage/observation";

/** What fails now and has one dependency in common, since something last came through it. */
export interface Tally {
  readonly dependency: Dependency;
  /** The monitors that fail. */
  readonly failing: Set<string>;
  /** The operator's references that fail: hosts like others, and no monitors. */
  readonly references: Set<string>;
  /** How many of them fail with each group of failures. */
  readonly groups: Map<FailureGroup, number>;
  /** Their hosts, with how many of the monitors each has. */
  readonly hosts: Map<string, number>;
  /** When the first failure ended since something came through; null if none did. */
  firstFailedAt: number | null;
  clearedAt: number | null;
  /** When something nearer was last seen to be broken: attempts that began before say nothing of this. */
  excusedAt: number;
  /** Whether a name server that is one of these had an error for a check since then. */
  hasErred: boolean;
  /** Whether that was its own answer, and no check came through it since. */
  answered: boolean;
  /** Whether what fails now was said to fail by it. */
  isBlamed: boolean;
  /** When the oldest route was seen by which something fails behind this router; null if no route was used. */
  routeSeenAt: number | null;
  /** How old that was when this was first blamed, in whole minutes: one fault has one sentence while it lasts. */
  routeAge: Millis | null;
}

/** It is said from now on that what fails does so by this. */
export function blame(tally: Tally, now: number): void {
  tally.isBlamed = true;
  if (tally.routeSeenAt === null) return;
  tally.routeAge ??= millis(
    Math.max(1, Math.ceil((now - tally.routeSeenAt) / minutes(1))) * minutes(1),
  );
}

/** A monitor's check, or a question to one of the operator's references. */
type ObservedBy = "monitor" | "reference";

/**
 * Whether three different hosts failed in a row by something of this machine's own place, with no success through it
 * between them. It is the cheapest rule that is fast and seldom wrong, and it only leads to a look: half of twenty
 * targets that die together look the same.
 */
export const isSuspect = ({ dependency: { scope }, hosts }: Tally): boolean =>
  (scope === "link" || scope === "gateway" || scope === "resolver") &&
  hosts.size >= limits.suspectHostsMin;

/** A gateway that nothing ever came through, e.g. of a new route: what lies behind it is no better known to be at fault. */
export const isUntried = ({ dependency: { scope }, clearedAt }: Tally): boolean =>
  scope === "gateway" && clearedAt === null;

/** Counts present failures by what they have in common, so that a failure is judged without looking at all others. */
export class Tallies {
  /** Of the few things that many share it is remembered when they last worked; of a thousand hosts it is not. */
  readonly #shared = new Map<string, Tally>();
  readonly #others = new Map<string, Tally>();
  readonly #latest = new Map<string, Observation>();
  readonly #groups = new Map<FailureGroup, number>();

  /** Takes the newest word on a monitor in the place of the one before. */
  note(seen: Observation, by: ObservedBy = "monitor"): void {
    this.#forget(seen.monitor);
    // What a peer last said says nothing about later.
    const at = seen.doubted.length > 0 ? seen.startedAt : seen.endedAt;
    for (const one of seen.cleared) this.clear(one, at);
    for (const one of seen.doubted) this.#doubt(one, seen);
    if (seen.blamed.length === 0) return;
    this.#latest.set(seen.monitor, seen);
    this.#groups.set(seen.group, this.failingIn(seen.group) + 1);
    for (const one of seen.blamed) this.#blame(one, seen, by);
  }

  #forget(monitor: string): void {
    const before = this.#latest.get(monitor);
    if (before === undefined) return;
    this.#latest.delete(monitor);
    this.#groups.set(before.group, this.failingIn(before.group) - 1);
    for (const one of before.blamed) {
      const tally = this.of(one);
      if (tally === null) continue;
      if (!tally.failing.delete(monitor) && !tally.references.delete(monitor)) continue;
      dropOne(tally.hosts, before.host);
      dropOne(tally.groups, before.group);
      if (tally.hosts.size === 0) this.#others.delete(keyOf(one));
    }
  }

  /** Forgets failures that are no longer of now: their monitors were taken away, or pause. */
  forgetIf(isOver: (seen: Observation) => boolean): void {
    for (const seen of this.#latest.values()) if (isOver(seen)) this.#forget(seen.monitor);
  }

  of(one: Dependency): Tally | null {
    return this.#mapOf(one).get(keyOf(one)) ?? null;
  }

  /** Of everything that a look can prove. */
  get shared(): IteratorObject<Tally> {
    return this.#shared.values();
  }

  /** How many monitors fail now with one group of failures. */
  failingIn(group: FailureGroup): number {
    return this.#groups.get(group) ?? 0;
  }

  /** Something came through it. */
  clear(one: Dependency, at: number): void {
    if (!isShared(one)) {
      // Of these nothing is kept but what fails, and mostly nothing does.
      if (this.#others.size > 0) this.#others.delete(keyOf(one));
      return;
    }
    const tally = this.#shared.getOrInsertComputed(keyOf(one), () => emptyTally(one));
    if (tally.clearedAt !== null && tally.clearedAt > at) return;
    forgetFailures(tally);
    tally.clearedAt = at;
    tally.answered = false;
  }

  /** It answered us itself: it works, and what fails behind it still does. */
  answer(one: Dependency, at: number): void {
    if (this.#hasWorkedAfter(one, at)) return;
    const tally = this.of(one) ?? emptyTally(one);
    this.#shared.set(keyOf(one), { ...tally, firstFailedAt: null, clearedAt: at, answered: true });
  }

  #hasWorkedAfter(one: Dependency, at: number): boolean {
    const clearedAt = this.of(one)?.clearedAt ?? null;
    return clearedAt !== null && clearedAt > at;
  }

  /** Something nearer is broken now, and what fails behind it does so by that. */
  excuse(tally: Tally, now: number): void {
    tally.firstFailedAt = null;
    tally.excusedAt = now;
  }

  #doubt(one: Dependency, { startedAt, endedAt }: Observation): void {
    const tally = this.#mapOf(one).getOrInsertComputed(keyOf(one), () => emptyTally(one));
    if (startedAt < tally.excusedAt) return;
    if (tally.clearedAt === null || startedAt >= tally.clearedAt) tally.firstFailedAt ??= endedAt;
  }

  /** What began to fail before something last came through says nothing of now, but it is the first to have ended. */
  #blame(
    one: Dependency,
    { monitor, host, group, startedAt, endedAt, hasNameError, routers }: Observation,
    by: ObservedBy,
  ): void {
    const tally = this.#mapOf(one).getOrInsertComputed(keyOf(one), () => emptyTally(one));
    if (startedAt >= tally.excusedAt) tally.firstFailedAt ??= endedAt;
    if (tally.clearedAt !== null && startedAt < tally.clearedAt) return;
    if (hasNameError && one.scope === "resolver") tally.hasErred = true;
    if (one.scope === "path") noteRoute(tally, routers);
    (by === "monitor" ? tally.failing : tally.references).add(monitor);
    tally.hosts.set(host, (tally.hosts.get(host) ?? 0) + 1);
    tally.groups.set(group, (tally.groups.get(group) ?? 0) + 1);
  }

  #mapOf(one: Dependency): Map<string, Tally> {
    return isShared(one) ? this.#shared : this.#others;
  }
}

const isShared = ({ scope }: Dependency): boolean =>
  scope === "link" ||
  scope === "gateway" ||
  scope === "resolver" ||
  scope === "proxy" ||
  scope === "family" ||
  scope === "machine";

function noteRoute(tally: Tally, routers: readonly KnownRouter[]): void {
  const router = routers.find(({ address }) => address === tally.dependency.subject);
  if (router !== undefined)
    tally.routeSeenAt = Math.min(tally.routeSeenAt ?? Infinity, router.seenAt);
}

/** Called for each thing that each success came through, so it makes nothing new: `clear` of what is empty makes a table. */
function forgetFailures(tally: Tally): void {
  for (const one of [tally.failing, tally.references, tally.groups, tally.hosts])
    if (one.size > 0) one.clear();
  tally.firstFailedAt = null;
  tally.excusedAt = -Infinity;
  tally.hasErred = false;
  tally.isBlamed = false;
}

const emptyTally = (one: Dependency): Tally => ({
  dependency: one,
  failing: new Set(),
  references: new Set(),
  groups: new Map(),
  hosts: new Map(),
  firstFailedAt: null,
  clearedAt: null,
  excusedAt: -Infinity,
  hasErred: false,
  answered: false,
  isBlamed: false,
  routeSeenAt: null,
  routeAge: null,
});

function dropOne<K>(counts: Map<K, number>, key: K): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
