import { isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { repeatLines } from "#service/status-site/view/repeat-rule";
import { affected } from "#service/status-site/view/report-box";
import { skippedLines } from "#service/status-site/view/window-list";
import { updateText } from "#service/status-site/view/filled-message";
import { reportText } from "#service/status-site/view/given-words";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import type { PlannedWindow, ReportFacts } from "#service/status-page/page-facts";
import { headlineOf, type PageModel } from "#service/status-page/page-model";
import { epochMillis, type EpochMillis } from "#base/units";

/** One thing that a feed says: a report as it stands, or a maintenance with all of its times. */
export interface FeedEntry {
  readonly id: string;
  readonly link: string;
  readonly title: string;
  /** When it was said first, and when last. */
  readonly begunAt: EpochMillis;
  readonly at: EpochMillis;
  readonly content: Html;
}

/** Atom (RFC 4287). The template escapes what XML needs escaped too. */
export function atomFeed(model: PageModel, words: PageWords, place: PagePlace): string {
  const address = `${place.origin}${place.base}`;
  const entries = entriesOf(model, words, place);
  return html`<?xml version="1.0" encoding="utf-8"?>
    <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${words.locale}">
      <title>${model.definition.title}</title>
      <subtitle>${headlineOf(model, words.texts)}</subtitle>
      <id>${address}/</id>
      <link href="${address}/" />
      <link rel="self" href="${address}/feed/atom" />
      <updated>${isoTime(newestOf(entries, model))}</updated>
      <author><name>${model.definition.title}</name></author>
      ${entries.map(
        (entry) =>
          html`<entry>
            <title>${entry.title}</title>
            <id>${entry.id}</id>
            <link href="${entry.link}" />
            <updated>${isoTime(entry.at)}</updated>
            <content type="html">${entry.content.text}</content>
          </entry> `,
      )}
    </feed> `.text;
}

/** RSS 2.0. */
export function rssFeed(model: PageModel, words: PageWords, place: PagePlace): string {
  const address = `${place.origin}${place.base}`;
  const entries = entriesOf(model, words, place);
  return html`<?xml version="1.0" encoding="utf-8"?>
    <rss version="2.0">
      <channel>
        <title>${model.definition.title}</title>
        <link>${address}/</link>
        <description>${headlineOf(model, words.texts)}</description>
        <language>${words.locale}</language>
        <lastBuildDate>${mailDate(newestOf(entries, model))}</lastBuildDate>
        ${entries.map(
          (entry) =>
            html`<item>
              <title>${entry.title}</title>
              <link>${entry.link}</link>
              <guid isPermaLink="false">${entry.id}</guid>
              <pubDate>${mailDate(entry.at)}</pubDate>
              <description>${entry.content.text}</description>
            </item> `,
        )}
      </channel>
    </rss> `.text;
}

/** RFC 822, as RSS wants it. */
const mailDate = (instant: EpochMillis): string => new Date(instant).toUTCString();

/** An entry changes when its report or its work has another update, so a reader shows it again. The newest stand first. */
export function entriesOf(
  model: PageModel,
  words: PageWords,
  place: PagePlace,
): readonly FeedEntry[] {
  const { openReports, pastReports, running, coming, pastWindows } = model;
  const reports = [...openReports, ...pastReports].map((one) =>
    reportEntry(one, words, place, model),
  );
  const windows = [...coming, ...running, ...pastWindows].toSorted((a, b) => a.from - b.from);
  const planned = [...Map.groupBy(windows, ({ id }) => id).values()].flatMap((some) =>
    workEntry(some, words, place, model),
  );
  return [...reports, ...planned].toSorted((a, b) => b.at - a.at);
}

/** Before the title, so that a list of titles says what each is: `Resolved: Card payments are slow`. */
const titleWith = (state: string, title: string, { texts }: PageWords): string =>
  `${state}${texts.colon}${title}`;

function affectedLine(ids: readonly number[], model: PageModel, { texts }: PageWords): Html | null {
  const names = affected(model, ids);
  return names === "" ? null : html`<p>${texts.affected}${texts.colon}${names}</p>`;
}

function reportEntry(
  { id, title, status, components, updates }: ReportFacts,
  words: PageWords,
  { origin, base }: PagePlace,
  model: PageModel,
): FeedEntry {
  const { now } = model;
  const begun = updates.filter(({ at }) => at <= now);
  const link = `${origin}${base}/events/report/${id}`;
  return {
    id: link,
    link,
    title: titleWith(words.texts.report[begun[0]?.status ?? status], title, words),
    begunAt: begun.at(-1)?.at ?? now,
    at: begun[0]?.at ?? now,
    content: html`${affectedLine(components, model, words)}${begun.map(
      (update) =>
        html`<p>
            <strong>${words.texts.report[update.status]}</strong> (${words.moment(update.at)})
          </p>
          ${reportMarkup(reportText(update.message, words))}`,
    )}`,
  };
}

/**
 * Work that repeats is one entry, with the time that is under way, or comes next, or was the last. It is of when it was
 * planned or changed, or spoken of: its times come without anyone saying anything new.
 */
function workEntry(
  windows: readonly PlannedWindow[],
  words: PageWords,
  { origin, base }: PagePlace,
  model: PageModel,
): readonly FeedEntry[] {
  const { now } = model;
  const window = windows.find(({ to }) => to > now) ?? windows.at(-1);
  if (window === undefined) return [];
  const updates = windows.flatMap((one) => one.updates).toSorted((a, b) => b.at - a.at);
  const link = `${origin}${base}/events/maintenance/${window.id}`;
  const [newest] = updates;
  const content = html`<p>${words.period(window.from, window.to)}</p>
    ${affectedLine(window.components, model, words)}
    ${[...repeatLines(words, window.repeats), ...skippedLines(window, words, now)].map((line) => html`<p>${line}</p>`)}
    ${updates.map(
      (update) =>
        html`<p><strong>${words.texts.maintenanceUpdate}</strong> (${words.moment(update.at)})</p>
          ${reportMarkup(updateText(update, words))}`,
    )}${reportMarkup(window.message)}`;
  const { createdAt, changedAt } = window;
  const title = titleWith(workState(window, now, words), window.title, words);
  const at = epochMillis(Math.max(createdAt, changedAt, newest?.at ?? createdAt));
  return [{ id: link, link, title, begunAt: createdAt, at, content }];
}

function workState({ from, to }: PlannedWindow, now: EpochMillis, { texts }: PageWords): string {
  if (from > now) return texts.maintenanceComing;
  return to > now ? texts.maintenanceNow : texts.news.finished;
}

const newestOf = ([newest]: readonly FeedEntry[], { now }: PageModel): EpochMillis =>
  newest?.at ?? now;
