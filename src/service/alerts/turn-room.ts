import type { Queue } from "#service/alerting/queue";
import type { Silence } from "#service/alerting/silence";
import type { Links, TimeSpan } from "#service/alerting/surroundings";
import type { Clock } from "#base/clock";
import type { ServiceName } from "#service/notify/event-facts";
import type { Sender } from "#service/notify/provider";
import type { ChannelBook, OpenChannel } from "#service/alerts/channel-book";
import type { DeliveryCounts } from "#service/alerts/delivery-counts";
import type { PhoneQuota } from "#service/alerts/phone-quota";
import type { Replays } from "#service/alerts/replays";
import type { Claim } from "#service/store/alert-store";
import type { Store } from "#service/store/store";

/** What a turn works with, in addition to the channel. */
export interface TurnRoom {
  readonly store: Store;
  readonly book: ChannelBook;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly holder: string;
  readonly service: ServiceName;
  /** When the service last stood still. */
  readonly stop: TimeSpan | null;
  readonly installation: string;
  readonly linksOf: (channel: number) => Links;
  readonly replays: Replays;
  readonly counts: DeliveryCounts;
  readonly phones: PhoneQuota;
}

/** A channel that is ours, and what waits for it. */
export interface ChannelLook {
  readonly channel: OpenChannel;
  readonly claim: Claim;
  readonly queues: readonly Queue[];
  readonly silences: readonly Silence[];
}

/** How a stop goes: nothing begins after the first, and what is under way is cut off at the second. */
export interface StopSignals {
  readonly stopping: AbortSignal;
  readonly cutOff: AbortSignal;
}
