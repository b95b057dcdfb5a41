import { type ChannelRules, rulesDefault } from "#service/alerting/channel-rules";
import type { Provider } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";

/** A person who sleeps is not woken by what is only slow. */
export const usualRules = (provider: Provider): ChannelRules =>
  rulesOf(provider).manner === "phone"
    ? { ...rulesDefault, events: rulesDefault.events.filter((event) => event !== "degraded") }
    : rulesDefault;
