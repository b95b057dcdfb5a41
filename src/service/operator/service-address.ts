import type { IncomingMessage } from "node:http";
import { isPlainHost } from "#service/edge/public-address";
import { isSecure } from "#service/edge/request-facts";

/**
 * The service's address for other machines, without a slash at its end: the setting's, else that by which a browser came.
 * People paste it into a shell, so a host with a character that a shell reads is none.
 */
export function serviceAddress(request: IncomingMessage, publicUrl: string | null): string {
  const { host = "" } = request.headers;
  const asked = isPlainHost(host)
    ? URL.parse(`${isSecure(request) ? "https" : "http"}://${host}`)
    : null;
  const address = publicUrl ?? asked?.origin ?? "http://127.0.0.1";
  return address.replace(/\/+$/, "");
}
