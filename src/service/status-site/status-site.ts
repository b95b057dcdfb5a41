import type { PublicAddress } from "#service/edge/public-address";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import * as pagesLimits from "#limits/pages-limits";
import type { Logger } from "#base/log";
import type { Block } from "#network/address-block";
import { isSecure, isSurelySecure } from "#service/edge/request-facts";
import { Tries } from "#service/edge/tries";
import {
  addressNow,
  askedPage,
  baseOf,
  draftAt,
  isAnsweredAnywhere,
  movedAnswer,
  type PageAddress,
  pageOfLink,
} from "#service/status-site/asked-page";
import { documentAt, type DocumentRoute } from "#service/status-site/document-at";
import { EntryDesk } from "#service/status-site/entry-desk";
import { NewsDesk } from "#service/status-site/news/news-desk";
import type { PageReaders } from "#service/status-site/news/page-readers";
import { type AddressedPage, pagesPrefix } from "#service/status-site/page-address";
import { hostIn, type OwnDomains } from "#service/status-site/own-domains";
import { type GateRooms, PageGate } from "#service/status-site/page-gate";
import type { GatheringRooms } from "#service/status-site/page-gathering";
import { type PageRoute, routeOf } from "#service/status-site/page-path";
import { type PageAnswer, lineAnswer } from "#service/edge/page-answer";
import { refusal, sendDocument, sendReply } from "#service/status-site/page-reply";
import { writtenDocument } from "#service/status-site/page-writing";
import {
  packed,
  type PageDocument,
  type PageNames,
  type PublishedPage,
  type PublishedPages,
} from "#service/status-site/published-pages";
import { atOrigin, keptForOrigin, standIn } from "#service/status-site/stand-in-origin";
import type { Visit } from "#service/status-site/page-visit";
import type { PagePlace } from "#service/status-site/view/status-frame";
import { PageIcons } from "#service/status-site/icons/icon-reply";
import type { AnsweredHost } from "#web/answered-host";
import { isClientGone } from "#web/client-gone";
import { ownDomain } from "#service/status-page/page-definition";

interface SiteRooms extends GatheringRooms, GateRooms {
  readonly published: PublishedPages;
  readonly readers: PageReaders;
}

interface SiteOptions {
  readonly publicAddress: Pick<PublicAddress, "url">;
  /** Which Host is taken at its word if none is set. */
  readonly answered: AnsweredHost;
  readonly domains: OwnDomains;
  /** Where a page is, if mails can be sent from it. */
  readonly mails: (page: AddressedPage) => string | null;
  readonly trustedProxies: readonly Block[];
  /** Answers whoever may know that a page is a draft; false for everyone else. */
  readonly drafts: (
    request: IncomingMessage,
    response: ServerResponse,
    draft: number,
  ) => Promise<boolean>;
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

class StatusSite {
  readonly #rooms: SiteRooms;
  readonly #options: SiteOptions;
  readonly #gate: PageGate;
  readonly #entry: EntryDesk;
  readonly #news: NewsDesk;
  readonly #icons: PageIcons;
  /** Domains of which that is being written. */
  readonly #reaching = new Set<string>();

  constructor(rooms: SiteRooms, options: SiteOptions) {
    this.#rooms = rooms;
    this.#options = options;
    this.#gate = new PageGate(rooms, options.trustedProxies, options.log);
    const { readers, clock } = rooms;
    const tries = new Tries(clock, {
      perAddress: pagesLimits.signInTriesPerAddressMax,
      together: pagesLimits.signInTriesMax,
    });
    this.#entry = new EntryDesk({ gate: this.#gate, tries, readers });
    this.#news = new NewsDesk({ gate: this.#gate, readers });
    this.#icons = new PageIcons(rooms.store.pages.pages);
  }

  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    otherwise: RequestListener,
  ): Promise<void> {
    try {
      const url = URL.parse(`http://service.invalid${request.url ?? "/"}`);
      if (url === null) return otherwise(request, response);
      const names = await this.#namesFor(url);
      // What can be no page's is answered as ever.
      if (names === null) return otherwise(request, response);
      if (isSurelySecure(request, this.#options.trustedProxies))
        this.#reach(hostIn(request), names);
      const named = askedPage(request, url, names);
      if (named === "none" && url.pathname === askPath)
        return sendReply(request, response, askReply(url, names));
      if (named === "none") return otherwise(request, response);
      const asked = await pageOfLink(named, url, names, this.#rooms.readers);
      // While the database is away, there may be one by now.
      if (asked === "missing") {
        const draft = draftAt(url, names);
        if (draft !== null && (await this.#options.drafts(request, response, draft))) return;
        return sendReply(request, response, refusal(names.isLate ? 503 : 404));
      }
      await this.#answerPage(request, response, url, asked);
    } catch (error) {
      if (isClientGone(request)) return void response.destroy();
      this.#options.log.error("a status page was not shown", {
        "url.path": (request.url ?? "").split("?")[0] ?? "",
        "error.message": String(error),
      });
      if (response.headersSent) response.destroy();
      else sendReply(request, response, refusal(503));
    }
  }

  /**
   * The first request over https by a page's own domain shows that links may lead there: they are https, without a port.
   * It does not wait for that to be kept.
   */
  #reach(host: string, { domains, unreached, isLate }: PageNames): void {
    const id = domains.get(host);
    if (id === undefined || isLate || !unreached.has(host) || this.#reaching.has(host)) return;
    this.#reaching.add(host);
    void this.#rooms.store.pages.pages
      .reached(id, host)
      .catch((error: unknown) =>
        this.#options.log.warn("that a status page was reached by its domain was not kept", {
          "server.address": host,
          "error.message": String(error),
        }),
      )
      .finally(() => this.#reaching.delete(host));
  }

  /** Null if they are not known, and the path is none of a page by itself. */
  async #namesFor({ pathname }: URL): Promise<PageNames | null> {
    const mayBeOther = pathname !== askPath && !pathname.startsWith(pagesPrefix);
    return this.#rooms.published.names().catch((error: unknown) => {
      if (mayBeOther) return null;
      throw error;
    });
  }

  /** What does not say of when it is waits for a slow database. */
  async #pageFor({ id, path }: PageAddress): Promise<PublishedPage | null> {
    const { published } = this.#rooms;
    const page = await published.page(id);
    if (page === null || !page.model.isLate) return page;
    const route = routeOf(path, page.facts.definition);
    return route === null || saysWhen(route) ? page : published.pageOfNow(id);
  }

  async #answerPage(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    address: PageAddress,
  ): Promise<void> {
    const page = await this.#pageFor(address);
    // Of a page that is not published, nothing is said at all.
    if (page === null || !page.facts.definition.published)
      return sendReply(request, response, refusal(404));
    const { definition } = page.facts;
    const route = routeOf(address.path, definition);
    if (route === null) return sendReply(request, response, refusal(404));
    const now = addressNow(address, page.row, this.#options.publicAddress.url);
    if (now !== null && !isAnsweredAnywhere(route, request))
      return sendReply(request, response, movedAnswer(request, `${now}${url.search}`, definition));
    const base = address.former === null ? address.base : baseOf(page.row);
    // A page of elsewhere can have its name resolved to us (see answered-host.ts), and its reader's network may see this one.
    if (
      definition.access === "ip-restriction" &&
      base !== "" &&
      !this.#options.domains.isServices(request)
    )
      return sendReply(request, response, refusal(421));
    if (page.model.isLate && !saysWhen(route)) return sendReply(request, response, refusal(503));
    const place = placeOf(page, base, request, this.#options);
    const visit: Visit = { page, place, route, url, request, response };
    const password = url.searchParams.get("pw");
    if (route.kind === "sign-in") return this.#entry.answer({ ...visit, route });
    if (password !== null && definition.access === "password")
      return this.#entry.enter(visit, password);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (!isRead && !(route.kind === "news" && request.method === "POST"))
      return sendReply(request, response, refusal(405));
    // What a mail's link does needs no password: the token shows who it is.
    if (route.kind === "news" && (route.act === "verify" || route.act === "unsubscribe"))
      return this.#news.answer({ ...visit, route });
    const admission = this.#gate.admission(visit);
    if (admission !== "open" && !isLooks(route))
      return this.#entry.refuse(visit, admission, null, 403);
    await this.#show(visit);
  }

  async #show(visit: Visit): Promise<void> {
    const { page, route, request, response } = visit;
    if (route.kind === "news") return this.#news.answer({ ...visit, route });
    if (route.kind === "sign-in") return this.#entry.answer({ ...visit, route });
    // A reader who was let in gets no box, either: other sites would have it in a frame.
    if (route.kind === "embed" && page.facts.definition.access !== "public")
      return this.#entry.refuse(visit, "closed to address", null, 403);
    if (route.kind === "icon") return this.#icons.answer(request, response, page, route.name);
    const document = await this.#documentFor(route, visit);
    if (document === null) return sendReply(request, response, refusal(404));
    return sendDocument(request, response, document, page, route);
  }

  /** Where no address is set, what is written once for all gets that of its reader. */
  async #documentFor(route: DocumentRoute, visit: Visit): Promise<PageDocument | null> {
    const { page, place } = visit;
    if (this.#options.publicAddress.url !== null || place.base === "")
      return documentAt(route, visit);
    // Its lines are folded where they are too long, and the address is in them.
    if (route.kind === "document" && route.name === "calendar.ics")
      return keptForOrigin(page.facts, place.origin, () =>
        packed(writtenDocument(page.model, "calendar.ics", place)),
      );
    const written = { ...visit, place: { ...place, origin: standIn } };
    const document = await documentAt(route, written);
    return document === null ? null : atOrigin(document, place.origin);
  }
}

/** The looks say nothing, and the page that asks for the password needs them. */
const isLooks = (route: PageRoute): boolean =>
  route.kind === "icon" ||
  (route.kind === "document" && (route.name === "style.css" || route.name === "icon.svg"));

/** A state that does not say of when it is would be taken for that of now. */
const saysWhen = (route: PageRoute): boolean =>
  route.kind !== "badge" &&
  route.kind !== "embed" &&
  !(route.kind === "document" && route.name === "picture.png");

const askPath = "/v1/domains/ask";

/** What a proxy asks before it gets a certificate for a name: that of a page that is published, also of before. */
function askReply(url: URL, { domains, formerDomains, shown, isLate }: PageNames): PageAnswer {
  const domain = (url.searchParams.get("domain") ?? "").toLowerCase();
  const id = domains.get(domain) ?? formerDomains.get(domain);
  if (id !== undefined && shown.has(id))
    return lineAnswer(200, "This is a status page's own domain.");
  return isLate ? refusal(503) : lineAnswer(404, "No status page has this domain.");
}

function placeOf(
  { row, facts: { definition } }: PublishedPage,
  base: string,
  request: IncomingMessage,
  options: SiteOptions,
): PagePlace {
  const domain = ownDomain(definition);
  const mails = options.mails(base === "" ? { definition, reachedBy: domain } : row);
  const origin = base === "" ? `https://${domain}` : originOf(request, options);
  return { base, origin, mails };
}

/** Where no address is set, the one by which its reader has come: by an address or a name of this machine alone. */
function originOf(request: IncomingMessage, { publicAddress, answered }: SiteOptions): string {
  if (publicAddress.url !== null) return publicAddress.url.replace(/\/$/, "");
  const host = request.headers.host ?? "";
  const isKnown = host !== "" && answered(host);
  return `${isSecure(request) ? "https" : "http"}://${isKnown ? host.toLowerCase() : "localhost"}`;
}
