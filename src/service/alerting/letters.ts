import { distill, type Drop, type Plan } from "#service/alerting/distill";
import { began, type Hold, holdOf } from "#service/alerting/holds";
import type { LaneRules } from "#service/alerting/lane-rules";
import type { Queue } from "#service/alerting/queue";
import { causeIn, causeKey, type Fault, type MonitorSnapshot } from "#service/alerting/snapshot";
import * as limits from "#limits/alerts-limits";
import { after, between, epochMillis, type EpochMillis } from "#base/units";

/** One message: about one incident, or a digest of several. */
export interface Letter {
  /** At least one. */
  readonly plans: readonly Plan[];
  /** Null for a message about one incident. */
  readonly because: "many" | "same-cause" | "quiet-hours" | null;
}

/** A message that the channel took a while ago. */
export interface RecentLetter {
  readonly at: EpochMillis;
  readonly isDigest: boolean;
  /** What all of a group had in common, or what a message about one incident had; empty for every other message. */
  readonly cause: string;
  /** The one thing that its monitors share, if nothing else ties them: what does not fail by that is no part of it. */
  readonly shared?: string;
}

/** What is remembered of a message, for those that may join it. */
export function recentLetter({ plans, because }: Letter, at: EpochMillis): RecentLetter {
  const [first] = plans;
  const isDigest = because !== null;
  if (first === undefined || because === "many" || because === "quiet-hours")
    return { at, isDigest, cause: "" };
  const cause = clusterOf(first);
  const shared = plans.map(sentenceIn).find((one) => one !== undefined);
  return shared === undefined || isWide(plans) || (!isDigest && isOneServers(plans))
    ? { at, isDigest, cause }
    : { at, isDigest, cause, shared };
}

export interface Composition {
  /** To be sent now, in this order. */
  readonly letters: readonly Letter[];
  readonly held: readonly (Hold & { readonly plan: Plan })[];
  readonly dropped: readonly Drop[];
}

export interface Lane extends LaneRules {
  readonly recent: readonly RecentLetter[];
}

/** The fewest true messages of all that waits for a channel: which may go now, and why the others wait. */
export function compose(queues: readonly Queue[], lane: Lane, now: EpochMillis): Composition {
  const dropped: Drop[] = [];
  const held: (Hold & { plan: Plan })[] = [];
  const ready: Plan[] = [];
  const busy = new Set<string>();
  for (const queue of queues.toSorted((a, b) => a.incident.number - b.incident.number)) {
    const { plan, dropped: drops } = distill(queue, lane);
    dropped.push(...drops);
    if (plan === null) continue;
    const subject = `${queue.incident.subject.kind} ${queue.incident.subject.id}`;
    const hold: Hold | null = busy.has(subject)
      ? { reason: "order", until: null }
      : holdOf(plan, lane, now);
    busy.add(subject);
    if (hold === null) ready.push(plan);
    else held.push({ ...hold, plan });
  }
  const inOrder = ready.toSorted((a, b) => tries(a) - tries(b) || began(a) - began(b));
  if (lane.manner === "pager" || lane.manner === "webhook")
    return { letters: inOrder.map(alone), held, dropped };
  const merged = merge(inOrder, lane.recent, now);
  return { letters: merged.letters, held: [...held, ...merged.held], dropped };
}

const alone = (plan: Plan): Letter => ({ plans: [plan], because: null });

/** What was never tried leads, so that one message that is never taken holds up no other. */
const tries = ({ covers }: Plan): number =>
  covers.reduce((most, { attempts }) => Math.max(most, attempts), 0);

interface MergeResult {
  readonly letters: readonly Letter[];
  readonly held: readonly (Hold & { readonly plan: Plan })[];
}

/** First what has one cause, then what is more than a person can read. */
function merge(
  ready: readonly Plan[],
  recent: readonly RecentLetter[],
  now: EpochMillis,
): MergeResult {
  const letters: Letter[] = [];
  const held: (Hold & { plan: Plan })[] = [];
  const loose: Plan[] = [];
  const woken = ready.filter(({ covers }) => covers.some((one) => one.held === "quiet_hours"));
  if (woken.length > 1) letters.push({ plans: woken, because: "quiet-hours" });
  const others = woken.length > 1 ? ready.filter((plan) => !woken.includes(plan)) : ready;
  for (const cluster of clustersOf(others, recent, now)) {
    const { plans } = cluster;
    const until = clusterWaits(cluster, now);
    if (until !== null)
      held.push(...plans.map((plan) => ({ plan, reason: "group", until }) as const));
    else if (isGroup(cluster)) letters.push({ plans, because: "same-cause" });
    else loose.push(...plans);
  }
  const rest = paced([...letters, ...loose.map(alone)], recent, now);
  return { letters: rest.letters, held: [...held, ...rest.held] };
}

/** What fails in one way at one location; or of one thing, what is over or said again. Empty: nothing in common. */
export function clusterOf(plan: Plan): string {
  const { lead, occasion, queue } = plan;
  if (lead.snapshot.of !== "monitor") return "";
  const isOfMany = (queue.sent?.together ?? 1) > 1;
  if (occasion.is === "ended") {
    const isOfServer = causeIn(queue.cause)?.whose?.is === "server";
    const isKnown = queue.cause !== "" && occasion.announced;
    return isKnown && (isOfMany || isOfServer) ? `up ${queue.cause}` : "";
  }
  if (lead.snapshot.fails === null) return "";
  const key = causeKey(lead.snapshot.fails);
  if (occasion.is === "opened" || occasion.is === "reopened") return key;
  const word = lastingWords.get(occasion.is);
  if (word === undefined || !(isOfMany || isOfOneThing(plan))) return "";
  const shared = isOneServers([plan]) ? "" : (sentenceIn(plan) ?? "");
  return `${word} ${key} ${shared}`.trim();
}

const lastingWords: ReadonlyMap<Plan["occasion"]["is"], string> = new Map([
  ["reminder", "again"],
  ["flapping", "flaps"],
]);

/** Plans that have something in common. */
interface Cluster {
  readonly cause: string;
  readonly plans: readonly Plan[];
  /** When a group that they join, or what joined it alone, was announced last; null if there was no group. */
  readonly joins: EpochMillis | null;
  /** When one of this cause was announced alone within their group wait; null if none was. */
  readonly follows: EpochMillis | null;
}

function clustersOf(
  ready: readonly Plan[],
  recent: readonly RecentLetter[],
  now: EpochMillis,
): readonly Cluster[] {
  return [...Map.groupBy(ready, clusterOf)].flatMap(([cause, plans]) => {
    const last = lastGroup(cause, plans, recent, now);
    const joining = plans.filter((plan) => last !== null && isOf(plan, last));
    const fresh = plans.filter((plan) => !joining.includes(plan));
    const lone = lastLone(cause, recent);
    // What reopens comes one by one, too: the first goes at once, and the others follow it as one.
    const joins = last && epochMillis(Math.max(last.at, lone?.at ?? 0));
    const following = fresh.filter((plan) => lone !== null && isFollower(plan, lone));
    const others = fresh.filter((plan) => !following.includes(plan));
    const clusters: readonly Cluster[] = [
      { cause, plans: joining, joins, follows: null },
      { cause, plans: following, joins: null, follows: lone?.at ?? null },
      { cause, plans: others, joins: null, follows: null },
    ];
    return clusters.filter((cluster) => cluster.plans.length > 0);
  });
}

/** Until when a cluster waits for more of it; null when it is to be sent. */
function clusterWaits(cluster: Cluster, now: EpochMillis): EpochMillis | null {
  const { cause, plans, joins, follows } = cluster;
  if (cause === "") return null;
  if (joins !== null) {
    const joinsAt = after(joins, limits.digestSpan);
    return now < joinsAt ? joinsAt : null;
  }
  if (plans.length >= limits.groupSentAtOnce) return null;
  if (follows !== null) {
    const followsAt = after(follows, limits.groupWait);
    return now < followsAt ? followsAt : null;
  }
  if (plans.length < 2) return null;
  if (plans.length === sharedBy(plans)) return null;
  const first = plans.map(began).toSorted((a, b) => a - b)[0] ?? now;
  const until = after(first, limits.groupWait);
  return now < until ? until : null;
}

/** The last group of this cause, if more of it joins still. */
function lastGroup(
  cause: string,
  plans: readonly Plan[],
  recent: readonly RecentLetter[],
  now: EpochMillis,
): RecentLetter | null {
  const groups = recent.filter((one) => one.isDigest && one.cause !== "" && one.cause === cause);
  const [last] = groups.toSorted((a, b) => b.at - a.at);
  return last !== undefined && between(last.at, now) < joinedWithin(plans) ? last : null;
}

/** The last of this cause that was announced alone: checks are staggered, so the first to fail has no company yet. */
function lastLone(cause: string, recent: readonly RecentLetter[]): RecentLetter | null {
  const lone = recent.filter((one) => !one.isDigest && one.cause !== "" && one.cause === cause);
  return lone.toSorted((a, b) => b.at - a.at)[0] ?? null;
}

const isFollower = (plan: Plan, lone: RecentLetter): boolean =>
  (plan.occasion.is === "ended" || isOfOneThing(plan)) &&
  isOf(plan, lone) &&
  began(plan) < after(lone.at, limits.groupWait);

/** Whether two of them are a group: one server answers, or the agent says what they share. */
const isOfOneThing = (plan: Plan): boolean => isOneServers([plan]) || isOfShared(plan);

const isOf = (plan: Plan, { shared }: RecentLetter): boolean =>
  shared === undefined || sentenceIn(plan) === shared;

/** Until all that fails by one cause has been checked twice. */
const joinedWithin = (plans: readonly Plan[]): number =>
  plans.reduce<number>((longest, { lead: { snapshot } }) => {
    const period = snapshot.of === "monitor" ? snapshot.period : 0;
    return Math.max(longest, limits.groupJoinedPeriods * period);
  }, limits.groupJoinedWithin);

/** How many monitors an agent finds to fail by one thing, as far as plans say; 0 if none says so. */
const sharedBy = (plans: readonly Plan[]): number =>
  Math.max(0, ...plans.map((plan) => faultIn(plan)?.shared?.affected ?? 0));

const faultIn = ({ lead: { snapshot } }: Plan): Fault | null =>
  snapshot.of === "monitor" ? snapshot.fails : null;

/** Hosts are counted, not monitors: ten monitors of one host fail together. */
const hostsOf = (plans: readonly Plan[]): number =>
  new Set(
    plans.map(({ lead: { snapshot } }) => (snapshot.of === "monitor" ? hostIn(snapshot) : "")),
  ).size;

const hostIn = ({ monitor: { target } }: MonitorSnapshot): string =>
  target.replace(/^\w+:\/\//, "").replace(/(:\d+)?(\/.*)?$/, "");

/** What was announced as one, or joins that; what an agent finds that they share; or what is wide. */
function isGroup({ cause, plans, joins }: Cluster): boolean {
  if (cause === "" || plans.length < 2) return false;
  if (/^(up|again|flaps) /.test(cause) || joins !== null) return true;
  return [isShared, isWide, isOneServers].some((holds) => holds(plans));
}

/** Whether an agent finds that so many fail by one thing; of those that follow each other the first knows of fewer. */
const isShared = (plans: readonly Plan[]): boolean =>
  plans.length <= sharedBy(plans) ||
  (plans.every(isOfShared) && new Set(plans.map(sentenceIn)).size === 1);

const sentenceIn = (plan: Plan): string | undefined => faultIn(plan)?.shared?.sentence;
const isOfShared = (plan: Plan): boolean => sentenceIn(plan) !== undefined;

/** Whether one server answers all of them in one way. */
const isOneServers = (plans: readonly Plan[]): boolean =>
  plans.every((plan) => faultIn(plan)?.whose?.is === "server");

/** More than a person reads one by one; or on as many hosts as make a common cause likely, and half of the location's. */
const isWide = (plans: readonly Plan[]): boolean =>
  plans.length >= limits.groupSentAtOnce ||
  (hostsOf(plans) >= limits.groupHostsMin &&
    plans.some((plan) => 2 * plans.length >= (faultIn(plan)?.of ?? Infinity)));

/** More than three in half a minute become one. A group is one message already, and says more than such a list. */
function paced(
  letters: readonly Letter[],
  recent: readonly RecentLetter[],
  now: EpochMillis,
): MergeResult {
  const span = recent.filter(({ at }) => between(at, now) < limits.digestSpan);
  if (letters.length + span.length <= limits.messagesApartMax)
    return { letters: joined(letters), held: [] };
  const groups = letters.filter(({ because }) => because === "same-cause");
  const others = letters.filter((letter) => !groups.includes(letter));
  const plans = others.flatMap(({ plans }) => plans);
  const digest = span.find(({ isDigest }) => isDigest);
  if (digest !== undefined || span.length >= limits.messagesApartMax) {
    const free = digest?.at ?? span.map(({ at }) => at).toSorted((a, b) => a - b)[0] ?? now;
    const until = after(free, limits.digestSpan);
    return { letters: groups, held: plans.map((plan) => ({ plan, reason: "digest", until })) };
  }
  if (others.length < 2) return { letters, held: [] };
  return { letters: [...groups, { plans, because: "many" }], held: [] };
}

/** What waited for a list is one, whatever else is sent: else all of it would come in one second. */
function joined(letters: readonly Letter[]): readonly Letter[] {
  const waited = letters.filter(
    ({ plans: [plan], because }) =>
      because === null && plan?.covers.some(({ held }) => held === "digest") === true,
  );
  if (waited.length < 2) return letters;
  const plans = waited.flatMap((letter) => letter.plans);
  return [...letters.filter((letter) => !waited.includes(letter)), { plans, because: "many" }];
}
