import type { Html } from "#web/page/html";
import { icon } from "#web/page/style";
import { atomFeed, rssFeed } from "#service/status-site/documents/feed";
import { calendarFile } from "#service/status-site/documents/calendar-file";
import { feedDocument } from "#service/status-site/documents/feed-document";
import {
  currentDocument,
  incidentsDocument,
  summaryDocument,
} from "#service/status-site/documents/summary-document";
import { statePicture } from "#service/status-site/documents/state-picture";
import { monitorDocument } from "#service/status-site/documents/monitor-document";
import {
  type DocumentName,
  type MonitorPath,
  pathOfView,
  type PageView,
} from "#service/status-site/page-path";
import type { PageText } from "#service/status-site/published-pages";
import {
  eventSentence,
  eventsView,
  maintenanceView,
  reportView,
} from "#service/status-site/view/event-views";
import { monitorView } from "#service/status-site/view/public-monitor-view";
import { type PagePlace, statusFrame } from "#service/status-site/view/status-frame";
import { statusStyle } from "#service/status-site/view/status-style";
import { statusView } from "#service/status-site/view/components-view";
import { type PageWords, wordsIn } from "#service/status-site/view/words";
import type { LatencyFacts } from "#service/status-page/latency-facts";
import type { Locale } from "#service/status-page/page-definition";
import { headlineOf, type PageModel } from "#service/status-page/page-model";
import type { PublicMonitor } from "#service/status-page/public-monitor";
import { scriptText } from "#web/scripts";

/** A page in a language; null if there is nothing of the kind. */
export function writtenView(
  model: PageModel,
  view: SharedView,
  locale: Locale,
  place: PagePlace,
): PageText | null {
  const words = wordsIn(locale, model.definition.timeZone);
  const content = contentOf(model, view, words, place);
  if (content === null) return null;
  const sentence = eventSentence(model, view, words) ?? headlineOf(model, words.texts);
  return framed(model, view, words, place, { sentence, content });
}

/** What is written of the page's facts alone. */
type SharedView = Exclude<PageView, MonitorPath>;

/** The page of a public monitor in a language. */
export function writtenMonitor(
  model: PageModel,
  shown: PublicMonitor,
  latency: LatencyFacts,
  locale: Locale,
  place: PagePlace,
): PageText {
  const words = wordsIn(locale, model.definition.timeZone);
  const { facts, state } = shown.component;
  return framed(model, { of: "monitor", id: shown.id }, words, place, {
    sentence: `${facts.name}${words.texts.colon}${words.texts.state[state]}`,
    content: monitorView(model, shown, latency, words, place),
  });
}

/** The same for programs. */
export const writtenMonitorDocument = (
  model: PageModel,
  shown: PublicMonitor,
  latency: LatencyFacts,
): PageText => json(monitorDocument(model, shown, latency));

function framed(
  { definition, now, isLate }: PageModel,
  view: PageView,
  words: PageWords,
  place: PagePlace,
  { sentence, content }: { readonly sentence: string; readonly content: Html },
): PageText {
  const body = statusFrame({
    definition,
    place,
    words,
    title: `${sentence} · ${definition.title}`,
    summary: sentence,
    at: now,
    isLate,
    path: pathOfView(view),
    content,
    isOpen: true,
  });
  return { type: "text/html; charset=utf-8", body };
}

function contentOf(
  model: PageModel,
  view: SharedView,
  words: PageWords,
  place: PagePlace,
): Html | null {
  switch (view.of) {
    case "status":
      return statusView(model, words, place);
    case "events":
      return eventsView(model, words, place);
    case "report":
      return reportView(model, view.id, words, place);
    case "maintenance":
      return maintenanceView(model, view.id, words, place);
  }
}

const ownWords = ({ definition: { defaultLocale, timeZone } }: PageModel): PageWords =>
  wordsIn(defaultLocale, timeZone);

/** What programs read, and the looks. Feeds speak the page's own language. */
export function writtenDocument(model: PageModel, name: DocumentName, place: PagePlace): PageText {
  const words = ownWords(model);
  switch (name) {
    case "summary.json":
      return json(summaryDocument(model, place));
    case "current.json":
      return json(currentDocument(model, place));
    case "incidents.json":
      return json(incidentsDocument(model, place));
    case "feed/json":
      return {
        ...json(feedDocument(model, words, place)),
        type: "application/feed+json; charset=utf-8",
      };
    case "feed/atom":
      return { type: "application/atom+xml; charset=utf-8", body: atomFeed(model, words, place) };
    case "feed/rss":
      return { type: "application/rss+xml; charset=utf-8", body: rssFeed(model, words, place) };
    case "calendar.ics":
      return { type: "text/calendar; charset=utf-8", body: calendarFile(model, place) };
    case "style.css":
      return { type: "text/css; charset=utf-8", body: statusStyle(model.definition) };
    case "times.js":
      return script(scriptText("reader-times"));
    case "days.js":
      return script(scriptText("reader-days"));
    case "renewal.js":
      return script(scriptText("reader-renewal"));
    case "reader-zone.js":
      return script(scriptText("reader-zone"));
    case "idiomorph.js":
      return script(scriptText("idiomorph"));
    case "icon.svg":
      return { type: "image/svg+xml", body: icon };
    case "picture.png":
      return { type: "image/png", body: statePicture(model.overall) };
    case "robots.txt":
      return robots(model.definition);
  }
}

const robots = ({ allowIndex }: PageModel["definition"]): PageText => ({
  type: "text/plain; charset=utf-8",
  body: `User-agent: *\n${allowIndex ? "Allow" : "Disallow"}: /\n`,
});

const script = (body: string): PageText => ({ type: "text/javascript; charset=utf-8", body });

export const json = (document: object): PageText => ({
  type: "application/json; charset=utf-8",
  body: `${JSON.stringify(document)}\n`,
});
