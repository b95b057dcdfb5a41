import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import * as limits from "#limits/pages-limits";
import type { PageAnswer } from "#service/edge/page-answer";
import { headerText } from "#service/edge/request-facts";
import { safetyHeaders } from "#web/safety-headers";

const compressed = promisify(gzip);

/** Sends a page of the operator's, compressed if that saves something. */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body, headers }: PageAnswer,
): Promise<void> {
  const isPacked =
    body.length >= limits.compressedFrom &&
    (headerText(request.headers["accept-encoding"]) ?? "").includes("gzip");
  const bytes = isPacked ? await compressed(body, { level: 6 }) : Buffer.from(body);
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
