import { type RuledEvent, wants } from "#service/alerting/channel-rules";
import { announced, type EventKind } from "#service/alerting/incident";
import type { NewEvent, Recipients } from "#service/store/alert-store";
import type { AlertChannel, ChannelBook } from "#service/alerts/channel-book";
import type { LocationId, MonitorId } from "#service/store/ids";

/** Who gets an event: what begins by the channels' rules, what ends where it began. */
export const eventFor = (
  kind: EventKind,
  channels: readonly AlertChannel[],
  happening: Omit<RuledEvent, "kind">,
): NewEvent => ({ kind, to: recipientsOf(kind, channels, { ...happening, kind }) });

/** The channels of a location: those of its monitors, and those that name it, each once. */
export async function channelsOf(
  book: ChannelBook,
  id: LocationId,
  monitors: readonly MonitorId[],
): Promise<readonly AlertChannel[]> {
  const own = await book.ofMonitors(monitors);
  const all = [...own.values()].flat().concat(await book.naming(id));
  return [...new Map(all.map((channel) => [channel.id, channel])).values()];
}

/** A pager calls again by itself until a person answers, and a telephone is not rung again for what it rang for. */
export const takesReminders = ({ manner }: Pick<AlertChannel, "manner">): boolean =>
  manner !== "pager" && manner !== "phone";

function recipientsOf(
  kind: EventKind,
  channels: readonly AlertChannel[],
  happening: RuledEvent,
): Recipients {
  if (!announced.has(kind)) return { are: "channels", channels: [] };
  if (kind !== "closed" && kind !== "settled") {
    const wanting = channels.filter(({ rules }) => wants(rules, happening));
    const reached = kind === "reminder" ? wanting.filter(takesReminders) : wanting;
    return { are: "channels", channels: reached.map(({ id }) => id) };
  }
  // An alert at a pager stands until it is resolved, whatever its rules say.
  const except = channels.filter(
    ({ rules, manner }) => manner !== "pager" && !rules.events.includes("recovery"),
  );
  const isOfMonitor = ["monitor", "certificate"].includes(happening.subject.kind);
  return { are: "notified", except: isOfMonitor ? except.map(({ id }) => id) : [] };
}
