import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";

/** Browsers say where a form comes from. One without the header is not asked: a token, or a password, decides. */
export const isFromElsewhere = ({ headers }: IncomingMessage): boolean =>
  !["same-origin", "none", undefined].includes(headerText(headers["sec-fetch-site"]));

/** A header that may stand twice. */
export const headerText = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** Whether the browser spoke TLS, with us or with a proxy before us. */
export const isSecure = ({ socket, headers }: IncomingMessage): boolean =>
  socket instanceof TLSSocket || headers["x-forwarded-proto"] === "https";
