import type { Plan } from "#service/alerting/distill";
import { waitsFor } from "#service/alerting/holds";
import { isHeldByRule } from "#service/alerting/lane-rules";
import type { HoldReason } from "#service/alerting/queue";
import type { Surroundings, TimeSpan } from "#service/alerting/surroundings";
import * as limits from "#limits/alerts-limits";
import type { Lateness } from "#service/notify/event-facts";
import { after, between, type EpochMillis } from "#base/units";

/** Why a message comes later than what it says: what held it last, as far as that is known. */
export function latenessOf(plan: Plan, around: Surroundings): Lateness | null {
  const { lead, covers } = plan;
  const { snapshot } = lead;
  if (snapshot.of === "monitor" && snapshot.gap !== null) {
    const { location: name, why, from, to } = snapshot.gap;
    return { away: why === "blind" ? "sight" : "location", name, from, to };
  }
  const { now: to, channel: name, stop } = around;
  const [first = lead] = covers;
  const tried = covers.map(({ firstTriedAt }) => firstTriedAt).find((at) => at !== null) ?? null;
  if (tried !== null && isLate(tried, to)) return { away: "channel", name, from: tried, to };
  const asked = after(first.at, waitsFor(plan, around.delay));
  const waited: TimeSpan = { from: asked, to: tried ?? to };
  const isRule = isHeldByRule(first);
  if (stop !== null && isWithin(stop, waited) && (!isRule || !isLate(stop.to, to)))
    return { away: "service", name: around.service.name, ...stop };
  if (!isLate(waited.from, waited.to)) return null;
  const away = reasons[first.held ?? "retry"];
  if (away !== null) return { away, name, ...waited };
  return around.channelFails && !isRule ? { away: "channel", name, ...waited } : null;
}

const isLate = (from: EpochMillis, to: EpochMillis): boolean =>
  between(from, to) >= limits.lateAfter;

/** Whether so much of what was waited lies in a stop that a reader asks. */
const isWithin = (stop: TimeSpan, { from, to }: TimeSpan): boolean =>
  Math.min(stop.to, to) - Math.max(stop.from, from) >= limits.lateAfter;

/** Null: it is asked for and no lateness, the message says it otherwise, or it lasts for seconds. */
const reasons: { readonly [R in HoldReason]: Lateness["away"] | null } = {
  quiet_hours: "quiet-hours",
  silence: "silence",
  pace: "pace",
  delay: null,
  parent: null,
  pause: null,
  first_wait: null,
  group: null,
  digest: null,
  order: null,
  retry: null,
  replay: null,
  away_again: null,
};
