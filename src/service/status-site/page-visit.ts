import type { IncomingMessage, ServerResponse } from "node:http";
import type { Html } from "#web/page/html";
import type { PageRoute } from "#service/status-site/page-path";
import { localeFor } from "#service/status-site/page-path";
import { policyOf, sendReply } from "#service/status-site/page-reply";
import type { PublishedPage } from "#service/status-site/published-pages";
import { type PagePlace, statusFrame } from "#service/status-site/view/status-frame";
import { type PageWords, wordsIn } from "#service/status-site/view/words";
import type { Locale } from "#service/status-page/page-definition";
import { ownPath } from "#web/own-path";

/** One request of a reader, and the page that it is for. */
export interface Visit<R extends PageRoute = PageRoute> {
  readonly page: PublishedPage;
  readonly place: PagePlace;
  readonly route: R;
  readonly url: URL;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export const localeOf = ({ page, route, request }: Visit): Locale =>
  localeFor(
    "locale" in route ? route.locale : null,
    request.headers["accept-language"] ?? "",
    page.facts.definition,
  );

/** A page for one reader alone, kept nowhere. */
interface ReadersPage {
  readonly status: number;
  readonly title: string;
  readonly content: Html;
  /** Whether its reader has been let in: links lead somewhere then. */
  readonly isOpen: boolean;
  /** Below the page's base and its language. */
  readonly path: string;
}

export function sendReadersPage(visit: Visit, words: PageWords, shown: ReadersPage): void {
  const { page, place, request, response } = visit;
  const { definition, now } = page.facts;
  const isOnce = request.method === "POST";
  const frame = { definition, place, words, summary: "", at: now, isLate: false, isOnce };
  const body = statusFrame({ ...frame, ...shown, title: `${shown.title} · ${definition.title}` });
  const headers = {
    "content-security-policy": policyOf(definition, shown.isOpen ? "own" : "none"),
  };
  const type = "text/html; charset=utf-8";
  sendReply(request, response, { status: shown.status, type, body, headers });
}

export const wordsOf = (visit: Visit): PageWords =>
  wordsIn(localeOf(visit), visit.page.facts.definition.timeZone);

/** A path of this page: a reader who was let in is never sent elsewhere. */
export function pathWithin(wanted: string, { base }: PagePlace): string {
  const own = ownPath(wanted);
  const isWithin = own !== null && `${own.pathname}/`.startsWith(`${base}/`);
  return isWithin && !/\/sign-in(\/|$)/.test(own.pathname)
    ? `${own.pathname}${own.search}`
    : `${base}/`;
}

/** The path and the query of a request, without the password that a link may carry. */
export function withoutPassword(url: URL): string {
  const query = new URLSearchParams(url.search);
  query.delete("pw");
  const text = query.toString();
  return text === "" ? url.pathname : `${url.pathname}?${text}`;
}
