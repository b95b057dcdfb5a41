import { freeName } from "#base/free-name";
import * as limits from "#limits/check-limits";
import type { Provider } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";
import type { PageRooms } from "#service/operator/page-rooms";
import type { ChannelRow } from "#service/store/channel-store";

/** What a page calls a channel without a name: as its provider, with a number if another channel is called that. */
export async function channelName(
  { store }: PageRooms,
  provider: Provider,
  row: ChannelRow | null,
): Promise<string> {
  const others = (await store.alerts.channels.heads()).filter(({ id }) => id !== row?.id);
  return freeName(
    rulesOf(provider).label,
    new Set(others.map(({ name }) => name)),
    limits.nameCharsMax,
  );
}
