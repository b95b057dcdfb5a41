import type { ChannelRules } from "#service/alerting/channel-rules";
import type { Plan } from "#service/alerting/distill";
import { coveredBy, type LaneRules } from "#service/alerting/lane-rules";
import { downFor, downSince } from "#service/alerting/down-spans";
import { type HoldReason, isUntold } from "#service/alerting/queue";
import { quietAt } from "#service/alerting/quiet-hours";
import { type Silence, silencedUntil } from "#service/alerting/silence";
import * as limits from "#limits/alerts-limits";
import { after, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** A plan that waits, and until when; null: until something else changes. */
export interface Hold {
  readonly reason: HoldReason;
  readonly until: EpochMillis | null;
}

/** Why a plan may not be sent yet, whatever else there is to send; null when it may. */
export function holdOf(
  plan: Plan,
  { manner, rules, silences }: LaneRules,
  now: EpochMillis,
): Hold | null {
  const all = [
    retry(plan),
    ...(isAlert(plan) ? alertHolds(plan, rules, silences, now) : []),
    replay(plan),
    // A pager that is not resolved calls people all night for what is over.
    manner === "pager" && !isAlert(plan) ? null : quiet(rules, now),
  ];
  return all.find((hold) => hold !== null && (hold.until === null || hold.until > now)) ?? null;
}

function alertHolds(
  plan: Plan,
  rules: ChannelRules,
  silences: readonly Silence[],
  now: EpochMillis,
): readonly (Hold | null)[] {
  const isFirst = plan.queue.sent === null;
  return [
    parent(plan),
    paused(plan),
    silenced(plan, silences, now),
    delayed(plan, rules, now),
    // What opens again may have company as well.
    isFirst || plan.occasion.is === "reopened"
      ? { reason: "first_wait", until: after(began(plan), limits.alertWait) }
      : null,
  ];
}

/** Whoever asks for a delay is not disturbed by what heals within it, also if it opens again. */
function delayed(plan: Plan, rules: ChannelRules, now: EpochMillis): Hold | null {
  const { occasion, queue } = plan;
  if (waitsFor(plan, rules.delay) === 0) return null;
  if (occasion.is !== "flapping") {
    const from = Math.max(began(plan), downSince(queue.incident));
    return { reason: "delay", until: after(epochMillis(from), rules.delay) };
  }
  // What flaps heals within it again and again: all that it was down since the last message counts.
  const { incident, sent } = queue;
  const down = downFor(incident, now, sent?.at);
  if (down >= rules.delay) return null;
  const isDown = incident.flapping?.isDown ?? incident.ended === null;
  return { reason: "delay", until: isDown ? after(now, millis(rules.delay - down)) : null };
}

/** What of a channel's delay a plan is asked to wait: nothing if the channel knows that something is wrong. */
export const waitsFor = (plan: Plan, delay: Millis): Millis =>
  isAlert(plan) && isUntold(plan.queue) ? delay : millis(0);

/** It says that something is wrong: what was wrong is said however it is silenced. */
function isAlert({ occasion, queue }: Plan): boolean {
  switch (occasion.is) {
    case "opened":
    case "changed":
    case "reopened":
    case "rescheduled":
    case "reminder":
    case "flapping":
      return true;
    case "ended":
      return false;
    case "settled":
      return queue.incident.ended === null;
  }
}

/** When the first of what a plan says happened. */
export const began = ({ covers, lead }: Plan): EpochMillis => covers[0]?.at ?? lead.at;

function retry({ covers }: Plan): Hold | null {
  const latest = covers
    .map(({ retryAt }) => retryAt)
    .filter((at) => at !== null)
    .toSorted((a, b) => b - a)[0];
  return latest === undefined ? null : { reason: "retry", until: latest };
}

const parent = ({ queue }: Plan): Hold | null =>
  queue.parent === null ? null : { reason: "parent", until: queue.parent.until };

/** Whoever pauses a monitor wants no more alerts of it. If it is resumed soon they are sent; else the incident closes. */
const paused = ({ queue: { incident } }: Plan): Hold | null =>
  incident.unwatchedSince === null ? null : { reason: "pause", until: null };

function silenced({ lead, queue }: Plan, all: readonly Silence[], now: EpochMillis): Hold | null {
  const until = silencedUntil(all, coveredBy(lead.snapshot, queue.incident.subject.id), now);
  return until === null ? null : { reason: "silence", until };
}

/** A location that is back sends what it kept: its message says what that was. */
function replay({ lead, occasion, queue }: Plan): Hold | null {
  if (lead.snapshot.of !== "location" || occasion.is !== "ended") return null;
  // Its agent comes back, or its incident opens again, and then there is nothing to say.
  if (queue.isAwayAgain === true) return { reason: "away_again", until: null };
  if (queue.hasAllSent === true) return null;
  return { reason: "replay", until: after(lead.at, limits.replayWait) };
}

function quiet({ quietHours, timeZone }: ChannelRules, now: EpochMillis): Hold | null {
  const quiet = quietAt(quietHours, timeZone, now);
  return quiet && { reason: "quiet_hours", until: quiet.until };
}
