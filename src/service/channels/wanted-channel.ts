import type { ChannelRules } from "#service/alerting/channel-rules";
import type { Provider } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";

/** What a new channel is made of. */
export interface WantedChannel {
  readonly name: string;
  readonly provider: Provider;
  readonly given: ChannelArguments;
  readonly monitorIds: readonly string[];
  /** Null: as a person has it who says nothing. */
  readonly rules: ChannelRules | null;
  /** What a webhook signs with; null or left out: a new one is made. */
  readonly signingSecret?: string | null;
}

/** What is null stays. */
export interface ChannelChanges {
  readonly name: string | null;
  readonly configured: { readonly provider: Provider; readonly given: ChannelArguments } | null;
  readonly monitorIds: readonly string[] | null;
  readonly rules: "default" | ChannelRules | null;
  readonly rotate: boolean;
  /** Whether whoever changes it may not know that a channel can be for all monitors. */
  readonly isOlder: boolean;
}
