import type { ChannelRules } from "#service/alerting/channel-rules";
import { noLocation } from "#service/edge/call-refusal";
import type { ChannelRow } from "#service/store/channel-store";
import { locationId } from "#service/store/ids";
import type { Locations } from "#service/store/state-store";

type KnownLocations = Pick<Locations, "among">;

/** Rules that name a location which is not there would select nothing, and say nothing of it. */
export async function refuseUnknownLocations(
  store: KnownLocations,
  rules: ChannelRules | "default" | null,
): Promise<void> {
  if (rules === null || rules === "default") return;
  const known = await knownAmong(store, rules.locations);
  const unknown = rules.locations.find((id) => !known.has(id));
  if (unknown !== undefined) throw noLocation(String(unknown));
}

/** The channels whose every location was deleted since: nothing is sent to them any more. */
export async function placeless(
  store: KnownLocations,
  rows: readonly ChannelRow[],
): Promise<ReadonlySet<number>> {
  const naming = rows.filter(({ rules }) => rules.locations.length > 0);
  if (naming.length === 0) return new Set();
  const known = await knownAmong(
    store,
    naming.flatMap(({ rules }) => rules.locations),
  );
  const lost = naming.filter(({ rules }) => !rules.locations.some((id) => known.has(id)));
  return new Set(lost.map(({ id }) => id));
}

export const everyLocationDeleted =
  "every location that its rules name was deleted, so it gets nothing: change private_location_ids";

async function knownAmong(
  store: KnownLocations,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const found = ids.length === 0 ? [] : await store.among([...new Set(ids)].map(locationId));
  return new Set(found.map(({ id }) => id));
}
