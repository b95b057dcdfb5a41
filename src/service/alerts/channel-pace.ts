import { createHash } from "node:crypto";
import type { Channel, ChannelOf, Provider } from "#service/notify/channel";
import type { Pace } from "#service/notify/provider";
import { rulesOf } from "#service/notify/provider-table";

/** The bucket of a channel: channels of one host and one credential share it. Its key is a hash, because it may be secret. */
export const paceOf = (channel: Channel): { readonly key: string; readonly pace: Pace } =>
  paceIn(channel);

function paceIn<P extends Provider>({
  provider,
  configuration,
}: ChannelOf<P>): {
  readonly key: string;
  readonly pace: Pace;
} {
  const rules = rulesOf(provider);
  const text = `${provider} ${rules.paceKey(configuration)}`;
  const key = createHash("sha256").update(text).digest("base64url").slice(0, 22);
  return { key, pace: rules.pace };
}
