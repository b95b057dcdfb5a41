import { lineAnswer, type PageAnswer } from "#service/edge/page-answer";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as limits from "#limits/status-limits";
import { headerText } from "#service/edge/request-facts";
import type { PageRoute } from "#service/status-site/page-path";
import type { PageDocument, PublishedPage } from "#service/status-site/published-pages";
import { boxPolicy } from "#service/status-site/view/state-box";
import type { PageDefinition } from "#service/status-page/page-definition";
import { html } from "#web/page/html";
import { safetyHeaders } from "#web/safety-headers";

/** The same for whatever there is not, so that nothing is learned of pages that are not published. */
export function refusal(status: 404 | 405 | 421 | 503): PageAnswer {
  switch (status) {
    case 404:
      return lineAnswer(404, "There is no such status page.");
    case 405:
      return lineAnswer(405, "Only GET and HEAD are answered here.", { allow: "GET, HEAD" });
    case 421:
      return lineAnswer(
        421,
        "This page does not answer to that host name: open it at its own domain, at the address in PICKET_SERVICE_PUBLIC_URL, or by an address of the machine.",
      );
    case 503:
      return lineAnswer(503, "This status page cannot be shown just now: try again.", {
        "retry-after": "5",
      });
  }
}

export function sendReply(
  { method, headers: asked }: IncomingMessage,
  response: ServerResponse,
  reply: PageAnswer,
): void {
  const isRead = (asked.accept ?? "").includes("text/html");
  const { status, type, body, headers } = isRead ? asPage(reply) : reply;
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    ...safetyHeaders("none"),
    "x-robots-tag": "noindex",
    "content-type": type,
    "content-length": bytes.length,
    ...headers,
  });
  response.end(method === "HEAD" ? undefined : bytes);
}

/** A line that says why there is no page, as a page for a person. Other answers stay as they are. */
function asPage(reply: PageAnswer): PageAnswer {
  if (reply.status < 400 || !reply.type.startsWith("text/plain")) return reply;
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${reply.body.trim()}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <main>
          <h1 class="target">${reply.status === 404 ? "Not found" : "Not available"}</h1>
          <p class="advice">${reply.body.trim()}</p>
          ${reply.status === 404 ? html`<p>Check the address, or ask whoever gave it to you.</p>` : null}
        </main>
      </body>
    </html> `.text;
  return { ...reply, type: "text/html; charset=utf-8", body };
}

/** Sends a document of a page, or says that its reader has it already. */
export function sendDocument(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  document: PageDocument,
  page: PublishedPage,
  route: PageRoute,
): void {
  const isPacked = (headerText(headers["accept-encoding"]) ?? "").includes("gzip");
  const bytes = isPacked ? document.packed : document.plain;
  const tag = `"${document.tag}${isPacked ? "-gz" : ""}"`;
  const shared = { ...headersOf(page, route), etag: tag };
  const known = new Set((headers["if-none-match"] ?? "").split(",").map((one) => one.trim()));
  if (known.has(tag) || known.has(`W/${tag}`)) {
    response.writeHead(304, shared);
    response.end();
    return;
  }
  response.writeHead(200, {
    ...shared,
    "content-type": document.type,
    "content-length": bytes.length,
    ...(isPacked ? { "content-encoding": "gzip" } : {}),
  });
  response.end(method === "HEAD" ? undefined : bytes);
}

function headersOf(
  { facts: { definition }, model: { isLate } }: PublishedPage,
  route: PageRoute,
): Readonly<Record<string, string>> {
  const { access, allowIndex } = definition;
  const isPublic = access === "public";
  return {
    ...safetyHeaders("none"),
    "content-security-policy":
      route.kind === "embed"
        ? boxPolicy
        : policyOf(definition, route.kind === "page" ? "own" : "none"),
    "cache-control": isPublic
      ? `public, max-age=${limits.statusPageFreshFor / 1000}${isLate ? "" : whileAway}`
      : "no-store",
    vary: route.kind === "page" ? "accept-encoding, accept-language" : "accept-encoding",
    ...(allowIndex && isPublic && route.kind !== "embed" ? {} : { "x-robots-tag": "noindex" }),
    // Badges stand on other pages, and programs of other pages read what is public.
    ...(isPublic && route.kind !== "page"
      ? { "cross-origin-resource-policy": "cross-origin", "access-control-allow-origin": "*" }
      : {}),
  };
}

const whileAway = `, stale-if-error=${limits.statusPageLateFor / 1000}`;

/** A page's icon may lie elsewhere; nothing else is loaded from there. Its scripts connect to where the page is. */
export function policyOf({ icon }: Pick<PageDefinition, "icon">, scripts: "none" | "own"): string {
  const policy = safetyHeaders(scripts)["content-security-policy"] ?? "";
  const origin = icon === "" ? undefined : URL.parse(icon)?.origin;
  return origin === undefined
    ? policy
    : policy.replace("img-src 'self'", `img-src 'self' ${origin}`);
}
