import { wants } from "#service/alerting/channel-rules";
import { coveredBy } from "#service/alerting/lane-rules";
import * as storeLimits from "#limits/store-limits";
import type { OngoingIncident } from "#service/store/alert-store";
import type { ChannelRow } from "#service/store/channel-store";
import type { Store } from "#service/store/store";
import type { EpochMillis } from "#base/units";

/**
 * Notifies a new channel of the open incidents that it would have been notified of, had it been there before; what a person has
 * acknowledged is left out. Gives of how many.
 */
export async function announceOpen(
  { alerts: { incidents, deliveries } }: Store,
  channel: ChannelRow,
  at: EpochMillis,
): Promise<number> {
  const ongoing = await incidents.ongoing(["monitor"], storeLimits.alertsReadMax);
  const selected = ongoing.filter((one) => isSelected(channel, one));
  if (selected.length === 0) return 0;
  const numbers = selected.map(({ incident }) => incident.number);
  return deliveries.announce(channel.id, numbers, at);
}

function isSelected({ rules, monitors }: ChannelRow, { incident, last }: OngoingIncident): boolean {
  const { subject, severity, acknowledged } = incident;
  if (acknowledged !== null || !monitors.some((id) => id === subject.id)) return false;
  const { locations, labels } = coveredBy(last, subject.id);
  return wants(rules, { subject, kind: "opened", severity, locations, labels });
}
