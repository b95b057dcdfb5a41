import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import * as limits from "#limits/status-limits";
import type { Logger } from "#log";
import type { Block } from "#network/address-block";
import { formIn } from "#service/pages/posted-form";
import { isFromElsewhere, isSecure } from "#service/pages/request-facts";
import { Tries } from "#service/pages/tries";
import { badgeLookIn, writtenBadge } from "#service/status/badge-writing";
import { type Admission, type GateRooms, PageGate, pageCookie } from "#service/status/page-gate";
import type { GatheringRooms } from "#service/status/page-gathering";
import { localeFor, type PageRoute, routeOf } from "#service/status/page-path";
import {
  type PageReply,
  refusal,
  sendDocument,
  sendReply,
  textReply,
} from "#service/status/page-reply";
import { writtenDocument, writtenView } from "#service/status/page-writing";
import type { PageNames, PublishedPage, PublishedPages } from "#service/status/published-pages";
import { enterPage } from "#service/status/view/enter-page";
import type { PagePlace } from "#service/status/view/status-frame";

export interface SiteRooms extends GatheringRooms, GateRooms {
  readonly published: PublishedPages;
}

export interface SiteOptions {
  /** The service's address as people open it, with a slash at its end. */
  readonly publicUrl: string;
  readonly trustedProxies: readonly Block[];
  readonly log: Logger;
}

/** Answers the readers of status pages, by path or at a page's own domain; leaves every other request to `otherwise`. */
export function statusSite(
  rooms: SiteRooms,
  options: SiteOptions,
  otherwise: RequestListener,
): RequestListener {
  const site = new StatusSite(rooms, options);
  return (request, response) => void site.answer(request, response, otherwise);
}

/** Who is asked for: a page, and where it is. */
interface PageAddress {
  readonly id: number;
  readonly base: string;
  readonly path: string;
}

class StatusSite {
  readonly #rooms: SiteRooms;
  readonly #options: SiteOptions;
  readonly #gate: PageGate;
  readonly #tries: Tries;

  constructor(rooms: SiteRooms, options: SiteOptions) {
    this.#rooms = rooms;
    this.#options = options;
    this.#gate = new PageGate(rooms, options.trustedProxies);
    this.#tries = new Tries(rooms.clock);
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: RequestListener,
  ): Promise<void> {
    try {
      const url = URL.parse(`http://service.invalid${request.url ?? "/"}`);
      // Where the pages cannot be read, everything else answers as ever.
      const names = await this.#rooms.published.names().catch(() => null);
      if (url === null || names === null) return otherwise(request, response);
      if (url.pathname === askPath) return sendReply(request, response, askReply(url, names));
      const asked = askedPage(request, url, names);
      if (asked === "none") return otherwise(request, response);
      if (asked === "missing") return sendReply(request, response, refusal(404));
      await this.#answerPage(request, response, url, asked);
    } catch (error) {
      this.#options.log.error("a status page was not shown", {
        "url.path": (request.url ?? "").split("?")[0] ?? "",
        "error.message": String(error),
      });
      if (response.headersSent) response.destroy();
      else sendReply(request, response, refusal(503));
    }
  }

  async #answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    { id, base, path }: PageAddress,
  ): Promise<void> {
    const page = await this.#rooms.published.page(id);
    const definition = page?.facts.definition;
    // Of a page that is not published, nothing is said at all.
    if (page === null || definition?.published !== true)
      return sendReply(request, response, refusal(404));
    const route = routeOf(path, definition);
    if (route === null) return sendReply(request, response, refusal(404));
    const place = placeOf(page, base, this.#options.publicUrl);
    const visit: Visit = { page, place, route, url, request, response };
    const password = url.searchParams.get("pw");
    if (route.kind === "sign-in" || (password !== null && definition.access === "password"))
      return this.#enter(visit, password);
    if (request.method !== "GET" && request.method !== "HEAD")
      return sendReply(request, response, refusal(405));
    const admission = await this.#gate.admission(page, request);
    // The looks say nothing, and the page that asks for the password needs them.
    const isLooks =
      route.kind === "document" && (route.name === "style.css" || route.name === "icon.svg");
    if (admission !== "open" && !isLooks) return this.#refuse(visit, admission, null, 403);
    await this.#show(visit);
  }

  async #show({ page, place, route, url, request, response }: Visit): Promise<void> {
    const { definition } = page.facts;
    switch (route.kind) {
      case "page": {
        const accepts = request.headers["accept-language"] ?? "";
        const locale = localeFor(route.locale, accepts, definition);
        const name = `${locale} ${place.base} ${JSON.stringify(route.view)}`;
        const document = await page.rendered(name, (model) =>
          writtenView(model, route.view, locale, place),
        );
        if (document === null) return sendReply(request, response, refusal(404));
        return sendDocument(request, response, document, page, route);
      }
      case "document": {
        const name = `${route.name} ${place.base}`;
        const document = await page.rendered(name, (model) =>
          writtenDocument(model, route.name, place),
        );
        if (document !== null) return sendDocument(request, response, document, page, route);
        return sendReply(request, response, refusal(404));
      }
      case "badge": {
        const look = badgeLookIn(url.searchParams);
        const name = `badge ${route.component} ${route.isJson} ${Object.values(look).join(" ")}`;
        const document = await page.rendered(name, (model) => writtenBadge(model, route, look));
        if (document === null) return sendReply(request, response, refusal(404));
        return sendDocument(request, response, document, page, route);
      }
      case "sign-in":
        return sendReply(request, response, refusal(404));
    }
  }

  /** A posted password, or one in the address, which is taken once and led away from. */
  async #enter(visit: Visit, given: string | null): Promise<void> {
    const { page, place, url, request, response } = visit;
    if (
      page.facts.definition.access !== "password" ||
      (given === null && request.method !== "POST")
    )
      return sendReply(request, response, redirect(`${place.base}/`));
    const form = given === null ? await formIn(request) : null;
    if (given === null && (form === null || isFromElsewhere(request)))
      return sendReply(request, response, textReply(403, "This form is not ours."));
    const wanted = form?.get("next") ?? `${url.pathname}${queryWithout(url, "pw")}`;
    const next = ownPath(wanted, place);
    if (!this.#tries.take(this.#gate.addressOf(request)))
      return this.#refuse(visit, "password", "tries", 429);
    const cookie = await this.#gate.entered(page, given ?? form?.get("password") ?? "");
    if (cookie === null) return this.#refuse(visit, "password", "wrong", 403);
    const attributes = `Path=${place.base === "" ? "/" : place.base}; HttpOnly; SameSite=Lax; Max-Age=${limits.statusSessionLength / 1000}`;
    const text = `${pageCookie(page.id)}=${cookie}; ${attributes}${isSecure(request) ? "; Secure" : ""}`;
    sendReply(request, response, redirect(next, { "set-cookie": text }));
  }

  /** A browser gets a page, a program a line. */
  #refuse(
    { page, place, route, url, request, response }: Visit,
    admission: Exclude<Admission, "open">,
    fault: "wrong" | "tries" | null,
    status: number,
  ): void {
    if (route.kind === "document" || route.kind === "badge")
      return sendReply(request, response, textReply(status, "This status page is not public."));
    const { definition } = page.facts;
    const chosen = route.kind === "page" ? route.locale : null;
    const locale = localeFor(chosen, request.headers["accept-language"] ?? "", definition);
    const next = ownPath(`${url.pathname}${queryWithout(url, "pw")}`, place);
    const body = enterPage({ page, place, locale, admission, fault, next });
    sendReply(request, response, { status, type: "text/html; charset=utf-8", body, headers: {} });
  }
}

interface Visit {
  readonly page: PublishedPage;
  readonly place: PagePlace;
  readonly route: PageRoute;
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const prefix = "/status/";
const askPath = "/v1/domains/ask";

/** "none": it is no status page that is asked for; "missing": there is none of this name. */
function askedPage(
  { headers }: IncomingMessage,
  { pathname }: URL,
  { slugs, domains }: PageNames,
): PageAddress | "none" | "missing" {
  const host = (headers.host ?? "").toLowerCase().replace(/\.?(:\d{1,5})?$/, "");
  const own = domains.get(host);
  if (own !== undefined) return { id: own, base: "", path: pathname === "/" ? "" : pathname };
  if (!pathname.startsWith(prefix)) return "none";
  const [slug = "", ...rest] = pathname.slice(prefix.length).split("/");
  const id = slugs.get(slug.toLowerCase());
  if (id === undefined) return "missing";
  const path = rest.join("/");
  return { id, base: `${prefix}${slug.toLowerCase()}`, path: path === "" ? "" : `/${path}` };
}

/** What a proxy asks before it gets a certificate for a name. */
const askReply = (url: URL, { domains }: PageNames): PageReply =>
  domains.has((url.searchParams.get("domain") ?? "").toLowerCase())
    ? textReply(200, "This is a status page's own domain.")
    : textReply(404, "No status page has this domain.");

function placeOf({ facts }: PublishedPage, base: string, publicUrl: string): PagePlace {
  if (base === "") return { base, origin: `https://${facts.definition.customDomain}` };
  return { base, origin: publicUrl.replace(/\/$/, "") };
}

/** A path of this page: a reader who gave the password is never sent elsewhere. */
function ownPath(wanted: string, { base }: PagePlace): string {
  const url = /^\/(?![/\\])/.test(wanted) ? URL.parse(wanted, "http://service.invalid") : null;
  const isOwn = url?.host === "service.invalid" && `${url.pathname}/`.startsWith(`${base}/`);
  return isOwn && !url.pathname.endsWith("/sign-in") ? `${url.pathname}${url.search}` : `${base}/`;
}

function queryWithout(url: URL, name: string): string {
  const query = new URLSearchParams(url.search);
  query.delete(name);
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

const redirect = (location: string, headers: PageReply["headers"] = {}): PageReply =>
  textReply(303, `See ${location}`, { ...headers, location });
