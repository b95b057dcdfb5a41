import type { Cause } from "#check/cause";
import type { Condition } from "#agent/vantage/condition";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/vantage-limits";
import { epochMillis } from "#base/units";
import {
  clockWords,
  cutOffWords,
  heldBackWords,
  isBehindBrokenLink,
  likelyWords,
  lossWords,
  narrowWords,
  provenWords,
  throttledWords,
} from "#agent/vantage/cause-words";
import { isOfClock } from "#agent/vantage/dated-refusal";
import { bySpecificity, dependency, keyOf, outwards } from "#agent/vantage/dependency";
import type { Dependency } from "#agent/vantage/dependency";
import { blindSight, type MachineSight } from "#agent/vantage/machine-sight";
import type { Observation } from "#agent/vantage/observation";
import { OpenConditions } from "#agent/vantage/open-conditions";
import { PacketLoss } from "#agent/vantage/packet-loss";
import { type CauseTools, BrokenServers } from "#agent/vantage/broken-servers";
import { blame, isSuspect, isUntried, type Tally, Tallies } from "#agent/vantage/tallies";
import { WhileWell } from "#agent/vantage/while-well";

/**
 * Is it me, the path, or the target? Pure: results and looks go in, causes come out. Three rules. A suspicion only
 * leads to a look. A proof is a look that says so, and nothing that came through since the first failure. What present
 * failures have in common, and nothing else does, is likely.
 */
export class Vantage {
  readonly #tools: CauseTools;
  readonly #tallies = new Tallies();
  readonly #loss = new PacketLoss();
  readonly #servers: BrokenServers;
  readonly #conditions: OpenConditions;
  /** What likely causes were called, while they last. */
  readonly #named = new Map<string, { readonly id: string; readonly since: number }>();
  #sight: MachineSight = blindSight;
  readonly #whileWell = new WhileWell();

  constructor(tools: CauseTools) {
    this.#tools = tools;
    this.#servers = new BrokenServers(tools);
    this.#conditions = new OpenConditions(tools.newId);
  }

  /** Whether nothing is known to be wrong: then there are neither conditions nor warnings. */
  get isCalm(): boolean {
    return this.#conditions.areNone && this.#servers.areNone;
  }

  get conditions(): readonly Condition[] {
    return this.#conditions.all;
  }

  /** Whether this machine's own place may be at fault, so that it has to be looked at. */
  get isSuspect(): boolean {
    return this.#tallies.shared.some(isSuspect);
  }

  /** The same of what one failed check needs. */
  isSuspectTo({ blamed }: Observation): boolean {
    return blamed.some((one) => {
      const tally = this.#tallies.of(one);
      return tally !== null && isSuspect(tally);
    });
  }

  /** What is broken at this machine's own place while every check still passes. */
  get warnings(): readonly Cause[] {
    return this.#servers.causes;
  }

  note(seen: Observation): void {
    const { monitor, endedAt: now } = seen;
    this.#tallies.note(seen);
    this.#loss.note(seen);
    if (seen.doubted.length === 0) for (const one of seen.cleared) this.#recover(one, now);
    this.#whileWell.note(seen, this.#sight);
    const shown = seen.proven === null ? [] : [seen.proven.dependency];
    if (seen.proven !== null) this.#conditions.show(seen.proven, monitor, now);
    this.#conditions.note(monitor, [...seen.blamed, ...seen.doubted, ...shown], now);
  }

  /** A reference was asked. Its silence counts as that of any host, its answer clears its way, and neither proves anything. */
  noteReference(seen: Observation): void {
    this.#tallies.note(seen, "reference");
    for (const one of seen.cleared) this.#recover(one, seen.endedAt);
  }

  /** Something of this place answered us directly, though no check came through it. */
  answered(one: Dependency, at: number): void {
    this.#tallies.answer(one, at);
    this.#recover(one, at);
  }

  /** Something of this place was asked directly while its condition is open, and is silent still. */
  silent(one: Dependency): void {
    this.#conditions.silence(one);
  }

  /** Monitors that were taken away say nothing of now. */
  forgetOthers(runs: (monitor: string) => boolean): void {
    this.#tallies.forgetIf(({ monitor }) => !runs(monitor));
    this.#conditions.forgetOthers(runs);
    this.#whileWell.forgetOthers(runs);
  }

  /** What this machine says of itself now: it proves causes, and it ends them. */
  look(sight: MachineSight, now: number): void {
    this.#sight = this.#whileWell.read(sight);
    this.#servers.look(this.#sight.resolvers, now);
    this.#tallies.forgetIf(({ staleAt }) => staleAt <= now);
    for (const tally of this.#tallies.shared) {
      if (isBehindBrokenLink(tally.dependency, this.#sight)) this.#tallies.excuse(tally, now);
      const words = tally.firstFailedAt === null ? null : this.#provenWords(tally.dependency);
      if (words === null) continue;
      this.#conditions.prove(tally.dependency, words, tally.firstFailedAt ?? now, tally.failing);
    }
    this.#conditions.look((one) => this.#provenWords(one) !== null, now);
  }

  #provenWords(one: Dependency): string | null {
    return provenWords(one, this.#sight, this.#tallies.of(one)?.hasErred ?? false);
  }

  /** Why a check failed, as far as it is not its target alone; null if nothing speaks for another cause. */
  judge(seen: Observation): Cause | null {
    return (
      this.#proven(seen) ??
      this.#ofMachine(seen) ??
      this.#likely(seen) ??
      this.#cutOff(seen) ??
      this.#lossy(seen)
    );
  }

  /** Why a check stalls that passes with small packets. */
  ofNarrowWay(seen: Observation, address: string): Cause {
    const way = dependency("path", `to ${address}`);
    return this.#cause(way, "likely", this.#nameOf(keyOf(way), seen), narrowWords(address), 1);
  }

  /**
   * Whether a failure may be due to this machine's own place, as far as is known: since the attempt began nothing has come
   * through its link, or nothing through its gateway.
   */
  mayBeOurs(seen: Observation): boolean {
    const way = [...seen.blamed, ...seen.doubted].filter(
      ({ scope }) => scope === "link" || scope === "gateway",
    );
    return !way.every((one) => this.#workedSince(one, seen.startedAt));
  }

  #workedSince(one: Dependency, instant: number): boolean {
    const clearedAt = this.#tallies.of(one)?.clearedAt ?? null;
    return clearedAt !== null && clearedAt > instant;
  }

  #proven(seen: Observation): Cause | null {
    const own = seen.proven;
    const shown = own === null ? [] : [own.dependency];
    const candidates = [...shown, ...seen.blamed, ...seen.doubted];
    const [condition] = candidates
      .flatMap((one) => this.#conditions.of(one) ?? [])
      .filter(({ recoversSince }) => recoversSince === null || seen.startedAt <= recoversSince)
      .toSorted((a, b) => outwards(a.dependency) - outwards(b.dependency));
    if (condition === undefined) return null;
    const { dependency: one, affected } = condition;
    // Of one fault for many targets, each result says what it did to its own.
    const isOwn = own !== null && keyOf(own.dependency) === keyOf(one);
    const { sentence } = isOwn ? own : condition;
    return this.#cause(one, "proven", condition, sentence, affected.size);
  }

  /** A clock that is wrong refuses good certificates; a machine that is throttled hears answers too late. */
  #ofMachine(seen: Observation): Cause | null {
    const machine = seen.blamed.find(({ scope }) => scope === "machine");
    if (machine === undefined) return null;
    const { clockSkew, throttledShare } = this.#sight;
    if (seen.group === "tls") {
      if (clockSkew === null || Math.abs(clockSkew) <= limits.clockSkewMax) return null;
      if (seen.refusal === null || !isOfClock(seen.refusal, clockSkew)) return null;
      const clock = dependency("machine", "clock");
      const proven = { dependency: clock, sentence: clockWords(clockSkew) };
      this.#conditions.show(proven, seen.monitor, seen.endedAt);
      return this.#proven({ ...seen, proven });
    }
    if (seen.group === "connect" && this.#whileWell.holdsBackSince(this.#sight)) {
      const firewall = { ...machine, subject: "firewall" };
      return this.#cause(firewall, "likely", this.#nameOf("firewall", seen), heldBackWords, 1);
    }
    if (throttledShare === null || throttledShare <= limits.throttledShareMax) return null;
    const throttled = { ...machine, subject: "throttled" };
    const name = this.#nameOf("throttled", seen);
    return this.#cause(throttled, "likely", name, throttledWords(throttledShare), 1);
  }

  /**
   * The most specific thing that explains the present failures of this group, and that nothing came through since. What
   * was blamed stays blamed while it explains them: those that are left of a wide fault are not a narrow one.
   */
  #likely(seen: Observation): Cause | null {
    const found = bySpecificity.flatMap((scope) =>
      seen.blamed.flatMap((one) => (one.scope === scope ? this.#explaining(one, seen) : [])),
    );
    const tally = found.findLast(({ isBlamed }) => isBlamed) ?? found.find(isUntried) ?? found[0];
    if (tally === undefined) return null;
    blame(tally, seen.endedAt);
    const { dependency: one, answered, failing } = tally;
    const named = answered ? dependency("path", one.subject) : one;
    const name = this.#nameOf(keyOf(named), seen);
    const words = likelyWords(named, this.#sight.resolvers, tally);
    return this.#cause(named, "likely", name, words, failing.size);
  }

  #explaining(one: Dependency, seen: Observation): readonly Tally[] {
    const tally = this.#tallies.of(one);
    if (tally === null || !tally.failing.has(seen.monitor) || !this.#explains(tally, seen))
      return [];
    // What answers is not at fault; what lies behind it is.
    return tally.answered && one.scope !== "gateway" ? [] : [tally];
  }

  #explains(tally: Tally, { group }: Observation): boolean {
    const { dependency, failing, hosts, groups } = tally;
    if ((groups.get(group) ?? 0) < this.#tallies.failingIn(group) * limits.causeCoverMin)
      return false;
    const isShared = hosts.size >= limits.suspectHostsMin;
    switch (dependency.scope) {
      case "host":
      case "port":
      case "name":
        return failing.size >= limits.sharedMonitorsMin;
      case "resolver":
        return isShared && this.#sight.resolvers.some(({ is }) => is !== "well");
      case "family":
        return isShared && this.#otherFamilyWorks(dependency);
      default:
        return isShared;
    }
  }

  /** Where all there is goes over one family, its failing says no more than that all fails. */
  #otherFamilyWorks({ subject }: Dependency): boolean {
    const other = { scope: "family", subject: subject === "IPv6" ? "IPv4" : "IPv6" } as const;
    const tally = this.#tallies.of(other);
    return tally !== null && tally.clearedAt !== null && tally.firstFailedAt === null;
  }

  /** A silence that nothing contradicts: no other check came through, and no name server answers. */
  #cutOff(seen: Observation): Cause | null {
    const link = seen.blamed.find(({ scope }) => scope === "link");
    if (link === undefined || this.#workedSince(link, seen.startedAt)) return null;
    if (this.#sight.resolvers.some(({ is }) => is !== "silent")) return null;
    const affected = this.#tallies.of(link)?.failing.size ?? 1;
    return this.#cause(link, "possible", this.#nameOf(keyOf(link), seen), cutOffWords, affected);
  }

  /** A way that loses packets here and there: no scope is clean, and none fails. */
  #lossy(seen: Observation): Cause | null {
    const loss = this.#loss.at(seen.endedAt);
    const way = dependency("path", "packet loss");
    if (loss === null) this.#named.delete(keyOf(way));
    if (loss === null || !seen.blamed.some(({ scope }) => scope === "family")) return null;
    const words = lossWords(loss, this.#sight);
    return this.#cause(way, "possible", this.#nameOf(keyOf(way), seen), words, 1);
  }

  #recover(one: Dependency, now: number): void {
    if (this.#named.size > 0) this.#named.delete(keyOf(one));
    this.#conditions.recover(one, now);
  }

  #nameOf(key: string, { endedAt }: Observation): { readonly id: string; readonly since: number } {
    if (this.#named.size > checkLimits.monitorsPerAgentMax) this.#named.clear();
    return this.#named.getOrInsertComputed(key, () => ({
      id: this.#tools.newId(),
      since: endedAt,
    }));
  }

  #cause(
    { scope, subject }: Dependency,
    certainty: Cause["certainty"],
    { id, since }: { readonly id: string; readonly since: number },
    sentence: string,
    affected: number,
  ): Cause {
    const began = epochMillis(this.#tools.wallAt(since));
    return { scope, subject, certainty, since: began, id, sentence, affected };
  }
}
