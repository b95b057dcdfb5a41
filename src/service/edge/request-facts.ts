import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import type { Block } from "#network/address-block";
import { isBelieved } from "#web/reader-address";

/**
 * Browsers say where a form comes from: over TLS by Sec-Fetch-Site, and over plain http by Origin alone, which is `null`
 * where a page hides it. A program says neither: a token, or a password, decides.
 */
export function isFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headerText(headers["sec-fetch-site"]);
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const { origin, host = "" } = headers;
  // A proxy may leave the port out of Host.
  return (
    origin !== undefined && URL.parse(origin)?.hostname !== URL.parse(`http://${host}`)?.hostname
  );
}

/** A header that may stand twice. */
export const headerText = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Whether the browser spoke TLS, with us or with a proxy before us: what is made for this browser alone goes by that. */
export const isSecure = ({ socket, headers }: IncomingMessage): boolean =>
  socket instanceof TLSSocket || headers["x-forwarded-proto"] === "https";

/** The same, if it counts for other readers, too: as a proxy says it that is ours. */
export const isSurelySecure = (
  request: IncomingMessage,
  trustedProxies: readonly Block[],
): boolean =>
  request.socket instanceof TLSSocket || (isSecure(request) && isBelieved(request, trustedProxies));

/** Whether a browser says that a form was on a page of this host: only then its fields are shown again. */
export const isOfOurPage = (request: IncomingMessage): boolean =>
  (request.headers["sec-fetch-site"] ?? request.headers.origin) !== undefined &&
  !isFromElsewhere(request);
