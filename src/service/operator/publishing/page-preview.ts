import type { PageAnswer } from "#service/edge/page-answer";
import type { OperatorPage } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { draftOf } from "#service/operator/publishing/look-draft";
import { readLatency } from "#service/status-site/latency-reading";
import { type GatheredPage, gatherPage } from "#service/status-site/page-gathering";
import { iconHeaders } from "#service/status-site/icons/icon-reply";
import { badgeLookIn, writtenBadge } from "#service/status-site/badge-writing";
import { localeFor, type PageRoute, routeOf } from "#service/status-site/page-path";
import { noPage } from "#service/status-site/page-refusals";
import { policyOf } from "#service/status-site/page-reply";
import { writtenDocument, writtenMonitor, writtenView } from "#service/status-site/page-writing";
import type { PageText } from "#service/status-site/published-pages";
import { subscribeView } from "#service/status-site/news/news-views";
import { boxPolicy, boxThemeIn, stateBox } from "#service/status-site/view/state-box";
import { type PagePlace, statusFrame } from "#service/status-site/view/status-frame";
import { wordsIn } from "#service/status-site/view/words";
import { iconTypeOf } from "#service/status-page/icon-name";
import type { Locale } from "#service/status-page/page-definition";
import { type PageModel, pageModel } from "#service/status-page/page-model";
import { publicMonitor } from "#service/status-page/public-monitor";
import { monitorId } from "#service/store/ids";
import { safetyHeaders } from "#web/safety-headers";

/** `/status-pages/ID/preview`: a page as its readers will see it, also before it is published. What is below it is there, too. */
export const previewPage: OperatorPage = {
  role: "reader",
  path: /^\/status-pages\/(?<id>\d{1,15})\/preview(?<part>[\w./-]{0,100})$/,
  answer: async ({ rooms }, { id, part, query, address }) => {
    const row = await rooms.statusPages.get(id);
    const saved = await gatherPage(rooms, row.id);
    const draft = query.size === 0 ? null : draftOf(row, query);
    const gathered =
      saved === null || draft === null
        ? saved
        : { ...saved, facts: { ...saved.facts, definition: draft } };
    if (gathered === null || !/^(\/|$)/.test(part)) throw noPage(id);
    const base = `/status-pages/${row.id}/preview`;
    const { definition } = gathered.facts;
    const route = routeOf(part, definition);
    if (route?.kind === "icon") return iconAnswer(rooms, gathered, route.name);
    // A draft has no form for readers yet: links to it stay in the preview.
    const mails = rooms.mails(row) === null ? null : base;
    const text =
      route === null
        ? null
        : await previewed(rooms, gathered, route, { base, origin: address, mails }, query);
    if (text === null || typeof text.body !== "string") throw noPage(id);
    // The style sheet is that of the same look.
    const style = `href="${base}/style.css`;
    const styled = new URLSearchParams(query).toString().replaceAll("&", "&amp;");
    const body = draft === null ? text.body : text.body.replace(style, `${style}?${styled}`);
    const policy = route?.kind === "embed" ? boxPolicy : policyOf(definition, "own");
    return answerOf(text.type, body, policy);
  },
};

/** The icon itself, as readers get it. */
async function iconAnswer(
  { statusPages }: PageRooms,
  { row: { id } }: GatheredPage,
  name: string,
): Promise<PageAnswer> {
  const bytes = await statusPages.icon(id, name);
  if (bytes === null) throw noPage(String(id));
  return { status: 200, type: iconTypeOf(name), body: "", bytes, headers: iconHeaders };
}

const answerOf = (type: string, body: string, policy: string): PageAnswer => ({
  status: 200,
  type,
  body,
  headers: {
    "content-security-policy": policy.replace(
      /frame-ancestors ('none'|\*)/,
      "frame-ancestors 'self'",
    ),
    "x-robots-tag": "noindex",
  },
  isAsOthersSee: true,
});

const framingPolicy = `${safetyHeaders("own")["content-security-policy"] ?? ""}; frame-src 'self'`;

/** Of a page of ours that shows a preview in it. */
export const framingHeaders: PageAnswer["headers"] = {
  "content-security-policy": framingPolicy,
};

/** The same where a person chooses an icon: a picture that the browser itself has is shown before it is saved. */
export const pictureHeaders: PageAnswer["headers"] = {
  "content-security-policy": framingPolicy.replace("img-src 'self'", "img-src 'self' blob:"),
};

/** Null for what has no preview: links of mails, and what the page does not have. */
async function previewed(
  rooms: PageRooms,
  { facts }: GatheredPage,
  route: PageRoute,
  place: PagePlace,
  query: URLSearchParams,
): Promise<PageText | null> {
  const model = pageModel(facts);
  if (route.kind === "badge") return writtenBadge(model, route, badgeLookIn(query));
  if (route.kind === "embed")
    return stateBox(model, route.locale, boxThemeIn(query, "theme"), place);
  if (route.kind === "document") return writtenDocument(model, route.name, place);
  if (route.kind !== "page" && route.kind !== "news") return null;
  const locale = localeFor(route.locale, "", facts.definition);
  if (route.kind === "news")
    return route.act === "subscribe" && place.mails !== null
      ? subscribing(model, locale, place)
      : null;
  const { view } = route;
  if (view.of !== "monitor") return writtenView(model, view, locale, place);
  const shown = publicMonitor(model, facts, view.id);
  if (shown === null) return null;
  const latency = await readLatency(rooms.store.results, monitorId(shown.id), facts);
  return writtenMonitor(model, shown, latency, locale, place);
}

/** The form for readers, which no one can send here. */
function subscribing(model: PageModel, locale: Locale, place: PagePlace): PageText {
  const { definition, now: at } = model;
  const words = wordsIn(locale, definition.timeZone);
  const body = statusFrame({
    definition,
    place,
    words,
    title: `${words.texts.news.subscribe} · ${definition.title}`,
    summary: "",
    at,
    isLate: false,
    path: "/subscribe",
    content: subscribeView(model, words, place, { fault: null, isPreview: true }),
    isOpen: true,
  });
  return { type: "text/html; charset=utf-8", body };
}
