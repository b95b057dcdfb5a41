import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip, gzipSync } from "node:zlib";
import * as limits from "#limits/pages-limits";
import type { PageAnswer } from "#service/edge/page-answer";
import { headerText } from "#service/edge/request-facts";
import { safetyHeaders } from "#web/safety-headers";

const compressed = promisify(gzip);
/** Takes a third of the time of level 6, for an eighth more bytes. */
const level = 3;

/** To hand a page to another thread costs more than to compress it here, unless it is long. */
export const packed = (body: string): Uint8Array | Promise<Uint8Array> =>
  body.length <= limits.compressedHereMax ? gzipSync(body, { level }) : compressed(body, { level });

/** Sends a page of the operator's, compressed if that saves something. */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, bytes: picture, headers }: PageAnswer,
): Promise<void> {
  const isPacked =
    picture === undefined &&
    body.length >= limits.compressedFrom &&
    (headerText(request.headers["accept-encoding"]) ?? "").includes("gzip");
  const bytes = isPacked ? await packed(body) : (picture ?? Buffer.from(body));
  response.writeHead(status, {
    ...safetyHeaders("own"),
    vary: "accept-encoding",
    "content-type": type,
    "content-length": bytes.length,
    ...(isPacked ? { "content-encoding": "gzip" } : {}),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}
