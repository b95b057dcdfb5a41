import { distill, type Drop, type Plan } from "#alerting/distill";
import { began, type LaneRules, type Hold, holdOf } from "#alerting/holds";
import type { Queue } from "#alerting/queue";
import { causeKey, type Fault, type MonitorSnapshot } from "#alerting/snapshot";
import * as limits from "#limits/alerts-limits";
import { after, between, type EpochMillis } from "#units";

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
  /** What all of it had in common; empty for none. */
  readonly cause: string;
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
    const { plan, dropped: drops } = distill(queue, lane.manner);
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
  for (const [cause, plans] of Map.groupBy(others, clusterOf)) {
    const until = cause === "" ? null : clusterWaits(cause, plans, recent, now);
    if (until !== null)
      held.push(...plans.map((plan) => ({ plan, reason: "group", until }) as const));
    else if (cause !== "" && isGroup(cause, plans, recent, now))
      letters.push({ plans, because: "same-cause" });
    else loose.push(...plans);
  }
  const rest = paced([...letters, ...loose.map(alone)], recent, now);
  return { letters: rest.letters, held: [...held, ...rest.held] };
}

/** What fails in one way at one location; or what was announced together and is over. Empty: nothing in common. */
export function clusterOf({ lead, occasion, queue }: Plan): string {
  if (lead.snapshot.of !== "monitor" || lead.snapshot.fails === null) return "";
  const key = causeKey(lead.snapshot.fails);
  if (occasion.is === "opened") return key;
  return occasion.is === "ended" && (queue.sent?.together ?? 1) > 1 ? `up ${key}` : "";
}

/** Until when a cluster waits for more of it; null when it is to be sent. */
function clusterWaits(
  cause: string,
  plans: readonly Plan[],
  recent: readonly RecentLetter[],
  now: EpochMillis,
): EpochMillis | null {
  const last = lastOf(cause, plans, recent, now);
  if (last !== null) {
    const joinsAt = after(last, limits.digestSpan);
    return now < joinsAt ? joinsAt : null;
  }
  if (plans.length < 2 || plans.length >= limits.groupSentAtOnce) return null;
  if (plans.length === sharedBy(plans)) return null;
  const first = plans.map(began).toSorted((a, b) => a - b)[0] ?? now;
  const until = after(first, limits.groupWait);
  return now < until ? until : null;
}

/** When a message last had this cause, if more of it joins. */
function lastOf(
  cause: string,
  plans: readonly Plan[],
  recent: readonly RecentLetter[],
  now: EpochMillis,
): EpochMillis | null {
  const same = recent.filter((one) => one.cause === cause).toSorted((a, b) => b.at - a.at)[0];
  return same !== undefined && between(same.at, now) < joinedWithin(plans) ? same.at : null;
}

/** Until all that fails by one cause has been checked twice. */
const joinedWithin = (plans: readonly Plan[]): number =>
  plans.reduce<number>((longest, { lead: { snapshot } }) => {
    const period = snapshot.of === "monitor" ? snapshot.period : 0;
    return Math.max(longest, limits.groupJoinedPeriods * period);
  }, limits.groupJoinedWithin);

/** How many monitors an agent finds to fail by one thing, as far as plans say; 0 where none says so. */
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

/**
 * What an agent finds that they share; or as many hosts as make a common cause likely, with half of the location's
 * monitors; or more than a person reads one by one.
 */
function isGroup(
  cause: string,
  plans: readonly Plan[],
  recent: readonly RecentLetter[],
  now: EpochMillis,
): boolean {
  const wasAnnounced = cause.startsWith("up ") || lastOf(cause, plans, recent, now) !== null;
  if (wasAnnounced && plans.length > 1) return true;
  if (plans.length >= limits.groupSentAtOnce) return true;
  if (plans.length > 1 && plans.length <= sharedBy(plans)) return true;
  if (hostsOf(plans) < limits.groupHostsMin) return false;
  return plans.some((plan) => 2 * plans.length >= (faultIn(plan)?.of ?? Infinity));
}

/** More than three in half a minute become one. */
function paced(
  letters: readonly Letter[],
  recent: readonly RecentLetter[],
  now: EpochMillis,
): MergeResult {
  const span = recent.filter(({ at }) => between(at, now) < limits.digestSpan);
  if (letters.length + span.length <= limits.messagesApartMax) return { letters, held: [] };
  const digest = span.find(({ isDigest }) => isDigest);
  if (digest !== undefined || span.length >= limits.messagesApartMax) {
    const free = digest?.at ?? span.map(({ at }) => at).toSorted((a, b) => a - b)[0] ?? now;
    const until = after(free, limits.digestSpan);
    const plans = letters.flatMap(({ plans }) => plans);
    return { letters: [], held: plans.map((plan) => ({ plan, reason: "digest", until })) };
  }
  if (letters.length === 1) return { letters, held: [] };
  const plans = letters.flatMap(({ plans }) => plans);
  return { letters: [{ plans, because: becauseOf(plans) }], held: [] };
}

function becauseOf(plans: readonly Plan[]): NonNullable<Letter["because"]> {
  const causes = new Set(plans.map(clusterOf));
  return causes.size === 1 && !causes.has("") ? "same-cause" : "many";
}
