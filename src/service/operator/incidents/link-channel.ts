import { instant } from "#service/notify/message/times";
import type { ChannelHead } from "#service/store/channel-store";
import { channelId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import type { Html } from "#web/page/html";
import { timeMark } from "#web/page/time-mark";
import type { EpochMillis } from "#base/units";

/* The channel whose message has a link that acknowledges. */

/** Whose message it is in; null if that is not known, or if the channel was deleted. */
export const channelOf = async (
  { alerts }: Store,
  channel: number | null,
): Promise<ChannelHead | null> =>
  channel === null ? null : alerts.channels.head(channelId(channel));

export const nameOf = (channel: ChannelHead | null): string =>
  channel === null ? "a link in a message" : `a link in a message to ${channel.name}`;

/** As the message has it that led here: in the zone of its channel. Without one a script shows it in that of the reader. */
export const timeIn = (channel: ChannelHead | null, at: EpochMillis): Html | string =>
  channel === null ? timeMark(at) : instant(at, channel.rules.timeZone);
