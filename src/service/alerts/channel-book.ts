import type { ChannelRules } from "#service/alerting/channel-rules";
import type { Channel, Configuration, Provider } from "#service/notify/channel";
import type { Manner } from "#service/notify/provider";

/** A channel as far as deciding needs it: without what is secret. */
export interface AlertChannel {
  readonly id: number;
  readonly name: string;
  readonly manner: Manner;
  readonly rules: ChannelRules;
}

/** A channel with everything that sending needs. */
export interface OpenChannel extends AlertChannel {
  readonly provider: Provider;
  /** Null if the key that sealed it is not there: what waits for it waits until it is. */
  readonly channel: Channel | null;
}

/** Where channels are kept. */
export interface ChannelBook {
  /** The channels of some monitors, by monitor. */
  ofMonitors(monitors: readonly number[]): Promise<ReadonlyMap<number, readonly AlertChannel[]>>;
  /** The channels whose rules name a location. */
  naming(location: number): Promise<readonly AlertChannel[]>;
  /** The monitors of a channel. */
  monitorsOf(channel: number): Promise<readonly number[]>;
  /** Null when it was deleted. */
  open(channel: number): Promise<OpenChannel | null>;
  /** The provider says that the channel lives elsewhere now. */
  moved(channel: number, configuration: Configuration): Promise<void>;
}
