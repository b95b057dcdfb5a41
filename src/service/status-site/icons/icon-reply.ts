import type { IncomingMessage, ServerResponse } from "node:http";
import * as limits from "#limits/status-limits";
import { refusal, sendReply } from "#service/status-site/page-reply";
import type { PublishedPage } from "#service/status-site/published-pages";
import { iconTypeOf, keptIcon } from "#service/status-page/icon-name";
import type { StatusPages } from "#service/store/page-store";
import { safetyHeaders } from "#web/safety-headers";

/** What every icon is sent with. An SVG picture may draw itself with its own styles; nothing in it runs or loads. */
export const iconHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
};

/** The icons of pages, as their readers get them: those that were asked for last stay in memory. */
export class PageIcons {
  readonly #pages: Pick<StatusPages, "icon">;
  readonly #known = new Map<string, Buffer>();

  constructor(pages: Pick<StatusPages, "icon">) {
    this.#pages = pages;
  }

  /** Answers with a page's own icon; any other name is not there. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    page: PublishedPage,
    name: string,
  ): Promise<void> {
    const { icon, access, allowIndex } = page.facts.definition;
    if (icon !== keptIcon(name)) return sendReply(request, response, refusal(404));
    const isPublic = access === "public";
    const tag = `"${name}"`;
    const headers = {
      ...safetyHeaders("none"),
      ...iconHeaders,
      "cache-control": `${isPublic ? "public" : "private"}, max-age=${limits.pageIconKeptFor / 1000}, immutable`,
      etag: tag,
      ...(isPublic ? { "cross-origin-resource-policy": "cross-origin" } : {}),
      ...(isPublic && allowIndex ? {} : { "x-robots-tag": "noindex" }),
    };
    const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim());
    if (known.some((one) => one === tag || one === `W/${tag}`)) {
      response.writeHead(304, headers).end();
      return;
    }
    const bytes = await this.#bytes(page.id, name);
    if (bytes === null) return sendReply(request, response, refusal(404));
    response.writeHead(200, {
      ...headers,
      "content-type": iconTypeOf(name),
      "content-length": bytes.length,
    });
    response.end(request.method === "HEAD" ? undefined : bytes);
  }

  async #bytes(page: number, name: string): Promise<Buffer | null> {
    const key = `${page} ${name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const picture = await this.#pages.icon(page, name);
    if (picture === null) return null;
    const bytes = Buffer.from(picture, "base64");
    const [oldest] = this.#known.keys();
    if (this.#known.size >= limits.pageIconsKeptMax && oldest !== undefined)
      this.#known.delete(oldest);
    this.#known.set(key, bytes);
    return bytes;
  }
}
