import type { ChannelRules } from "#service/alerting/channel-rules";
import { because, Refusal } from "#service/edge/call-refusal";
import { usualRules } from "#service/channels/usual-rules";
import type { ChannelRow } from "#service/store/channel-store";
import type { MonitorId } from "#service/store/ids";

/** A list that lacks a monitor would mean nothing for a channel that is for all of them. */
export function refuseLacking(all: readonly MonitorId[], given: readonly string[]): void {
  const named = new Set(given);
  if (all.every((id) => named.has(String(id)))) return;
  throw new Refusal(
    "failed_precondition",
    "the channel is for all monitors, and monitor_ids lacks some: set rules.all_monitors to false with it",
    because("INVALID_NOTIFICATION_DATA", { field: "monitor_ids" }),
  );
}

/** Rules of whoever may not know that a channel can be for all monitors leave that as it is; null changes none. */
export function keptForAll(
  { provider, rules: { allMonitors } }: ChannelRow,
  rules: "default" | ChannelRules | null,
  isOlder: boolean,
): ChannelRules | null {
  if (rules === null) return null;
  const wanted = rules === "default" ? usualRules(provider) : rules;
  return isOlder ? { ...wanted, allMonitors } : wanted;
}
