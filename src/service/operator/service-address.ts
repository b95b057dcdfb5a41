import type { IncomingMessage } from "node:http";
import { isSecure } from "#service/edge/request-facts";

/** The service's address for other machines, without a slash at its end: the setting's, else that by which a browser came. */
export function serviceAddress(request: IncomingMessage, publicUrl: string | null): string {
  const { host = "" } = request.headers;
  const asked = URL.parse(`${isSecure(request) ? "https" : "http"}://${host}`);
  const address = publicUrl ?? asked?.origin ?? "http://127.0.0.1";
  return address.replace(/\/+$/, "");
}
