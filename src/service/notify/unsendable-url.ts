import type { Mistake } from "#check/findings";
import type { Configuration } from "#service/notify/channel";
import { deniedHost } from "#service/notify/denied-address";
import { dialledAddress, isPrivate } from "#network/dialled-address";
import { hostPortOf } from "#network/host-port";

/** The URL that a channel sends to, and the field that has it; null of a channel without one. */
export function urlIn(
  configuration: Configuration,
): { readonly field: string; readonly url: string } | null {
  if ("endpoint" in configuration) return { field: "endpoint", url: configuration.endpoint };
  if ("webhookUrl" in configuration) return { field: "webhook_url", url: configuration.webhookUrl };
  return "serverUrl" in configuration
    ? { field: "server_url", url: configuration.serverUrl }
    : null;
}

/**
 * Why no message is ever sent to a channel's URL, if its host is an address: then it is known before the first message. The
 * rules are those of HttpPost, which also looks names up.
 */
export function unsendableUrl(configuration: Configuration, httpAllowed: boolean): Mistake | null {
  const at = urlIn(configuration);
  const url = at === null ? null : URL.parse(at.url);
  if (at === null || url === null) return null;
  const denied = deniedHost(url);
  if (denied !== null)
    return { field: at.field, message: `leads to ${denied}, which gets no message: correct it` };
  const { host } = hostPortOf(url);
  const address = dialledAddress(host);
  if (url.protocol === "https:" || httpAllowed || address === null || isPrivate(address))
    return null;
  return {
    field: at.field,
    message: `would send messages unencrypted over plain http to ${host}: use https, or set PICKET_NOTIFY_ALLOW_HTTP=on at the service`,
  };
}
