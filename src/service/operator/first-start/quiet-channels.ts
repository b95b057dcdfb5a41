import { html, type Html } from "#web/page/html";
import { minuteAfter } from "#web/page/moment";
import { quietAt } from "#service/alerting/quiet-hours";
import type { ChannelRow } from "#service/store/channel-store";
import type { EpochMillis } from "#base/units";

/** A channel with what it waits for. */
export type QuietableChannel = Pick<ChannelRow, "id" | "name" | "rules">;

/** That a channel is quiet now, and until when, as a sentence; null if it is not. */
export function quietSentence({ name, rules }: QuietableChannel, at: EpochMillis): Html | null {
  const quiet = quietAt(rules.quietHours, rules.timeZone, at);
  if (quiet === null) return null;
  if (quiet.until === null)
    return html`${name} has quiet hours that never end, and gets no message.`;
  return html`${name} is quiet until ${minuteAfter(quiet.until, at)}, and gets its messages then.`;
}

/** The same of several. */
export const quietSentences = (
  channels: readonly QuietableChannel[],
  at: EpochMillis,
): readonly Html[] => channels.flatMap((one) => quietSentence(one, at) ?? []);

/** Whether all of them are: then no message goes out now. */
export const isQuiet = (channels: readonly QuietableChannel[], at: EpochMillis): boolean =>
  channels.length > 0 && channels.every((one) => quietSentence(one, at) !== null);
