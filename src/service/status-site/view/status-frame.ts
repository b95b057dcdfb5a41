import { html, type Html } from "#web/page/html";
import { isoTime } from "#web/page/format";
import { groundOf } from "#service/status-site/view/status-style";
import type { PageWords } from "#service/status-site/view/words";
import { iconHref } from "#service/status-page/icon-name";
import type { Locale, PageDefinition } from "#service/status-page/page-definition";

import { pageTexts } from "#service/status-page/texts/page-texts";
import type { EpochMillis } from "#base/units";

/** Where a page is, as its links need it. */
export interface PagePlace {
  /** `/status/acme`; empty at its own domain. */
  readonly base: string;
  /** `https://status.acme.example` or the service's address. */
  readonly origin: string;
  /** The page's whole address, where readers may have mails from it; null if none can be sent. */
  readonly mails: string | null;
}

interface StatusFrame {
  readonly definition: PageDefinition;
  readonly place: PagePlace;
  readonly words: PageWords;
  readonly title: string;
  /** What search engines and chats show below the title. */
  readonly summary: string;
  readonly at: EpochMillis;
  /** Whether it is the last that the database gave, which is away. */
  readonly isLate: boolean;
  /** The page's path below its base, for its address in other languages. */
  readonly path: string;
  readonly content: Html;
  /** Whether its reader has been let in: links lead somewhere then. */
  readonly isOpen: boolean;
  /** Whether it answers a form: its address would show another page, so no script renews it. */
  readonly isOnce?: boolean;
}

/** What all pages of a status page have around them. */
export function statusFrame(frame: StatusFrame): string {
  const { definition, place, words, title, content } = frame;
  const { texts } = words;
  return html`<!doctype html>
    <html lang="${words.locale}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${head(frame)} ${barColours(definition)}
        <link rel="stylesheet" href="${place.base}/style.css" />
        ${frame.isOpen ? scripts(place) : null}
      </head>
      <body class="status">
        <a class="skip" href="#content">${texts.skip}</a>
        <header>
          <p class="brand">
            ${definition.icon === "" ? null : html`<img src="${iconHref(definition, place.base)}" alt="" width="32" height="32" />`}<a
              href="${home(frame)}"
              >${definition.title}</a
            >
          </p>
          ${links(frame)}
        </header>
        <main id="content" ${frame.isOnce === true ? html` data-once` : null}>
          ${lateness(frame)}${content}
        </main>
        ${footer(frame)}
      </body>
    </html> `.text;
}

const scripts = ({ base }: PagePlace): readonly Html[] =>
  ["times", "days", "renewal"].map(
    (name) => html`<script type="module" src="${base}/${name}.js"></script>`,
  );

/** It says first of when it is: what it shows may be over. */
function lateness({ words, at, isLate }: StatusFrame): Html | null {
  if (!isLate) return null;
  const { texts } = words;
  return html`<p class="late" role="status">
    ${texts.late} ${texts.asOf} <time datetime="${isoTime(at)}">${words.moment(at)}</time>
  </p>`;
}

const home = ({ place, words, definition }: StatusFrame): string =>
  localePath(place, words.locale, definition, "");

/** A path in a language: that of the page needs no prefix. */
export const localePath = (
  { base }: Pick<PagePlace, "base">,
  locale: Locale,
  { defaultLocale }: PageDefinition,
  path: string,
): string => {
  const own = `${base}${locale === defaultLocale ? "" : `/${locale}`}${path}`;
  return own === "" ? "/" : own;
};

function head({ definition, place, title, summary, isOpen }: StatusFrame): Html {
  const address = `${place.origin}${place.base}`;
  const icon =
    definition.icon === ""
      ? html`<link rel="icon" href="${place.base}/icon.svg" type="image/svg+xml" />`
      : html`<link rel="icon" href="${iconHref(definition, place.base)}" />`;
  if (!isOpen) return html`<meta name="robots" content="noindex" />${icon}`;
  const feed = (kind: string, type: string): Html =>
    html`<link
      rel="alternate"
      type="${type}"
      href="${place.base}/feed/${kind}"
      title="${definition.title}"
    />`;
  return html`${definition.allowIndex ? null : html`<meta name="robots" content="noindex" />`}
    <meta name="description" content="${summary}" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${summary}" />
    <meta property="og:image" content="${address}/picture.png" />
    <link rel="canonical" href="${address === "" ? "/" : address}" />
    ${icon} ${feed("atom", "application/atom+xml")} ${feed("rss", "application/rss+xml")}
    ${feed("json", "application/feed+json")}`;
}

/** A phone has its bars in the page's colour. */
const barColours = (definition: PageDefinition): readonly Html[] =>
  (["light", "dark"] as const).map(
    (scheme) =>
      html`<meta
        name="theme-color"
        content="${groundOf(scheme, definition)}"
        media="(prefers-color-scheme: ${scheme})"
      />`,
  );

/** Where the page leads, and how a reader hears of it: a button that opens what there is, without a script. */
function links(frame: StatusFrame): Html | null {
  const { definition, place, words, isOpen } = frame;
  const { homepageUrl, contactUrl } = definition;
  const { texts } = words;
  const subscribePath = subscribeAddress(frame);
  if (!isOpen) return null;
  const { base } = place;
  const link = (url: string, text: string): Html | null =>
    url === "" ? null : html`<a href="${url}" rel="nofollow noopener">${text}</a>`;
  const way = (url: string, text: string): Html =>
    html`<li><a class="whole" href="${url}">${text}</a></li>`;
  const own = [link(homepageUrl, texts.homepage), link(contactUrl, texts.contact)].filter(
    (one) => one !== null,
  );
  return html`${own.length === 0 ? null : html`<p class="asof">${own}</p>`}
    <details class="follow${subscribePath === null ? "" : " by-mail"}">
      <summary>${subscribePath === null ? texts.feeds : texts.news.send}</summary>
      <ul>
        ${subscribePath === null ? null : way(subscribePath, texts.news.subscribe)}
        <li>
          ${texts.feeds}${texts.colon} <a href="${base}/feed/atom">Atom</a>
          <a href="${base}/feed/rss">RSS</a> <a href="${base}/feed/json">JSON</a>
        </li>
        ${way(`${base}/calendar.ics`, texts.calendar)}
      </ul>
    </details>`;
}

/** As a whole: files of the page may lie elsewhere. Null if no mail can be sent. */
const subscribeAddress = ({ definition, place: { mails }, words }: StatusFrame): string | null =>
  mails === null ? null : localePath({ base: mails }, words.locale, definition, "/subscribe");

function footer(frame: StatusFrame): Html {
  const { definition, place, words, at, isOpen } = frame;
  const { texts } = words;
  const { base } = place;
  if (!isOpen) return html`<footer>${languages(frame)}</footer>`;
  const subscribePath = subscribeAddress(frame);
  return html`<footer>
    <ul class="ways">
      <li>
        <a href="${localePath(place, words.locale, definition, "/events")}">${texts.allReports}</a>
      </li>
      ${
        subscribePath === null
          ? null
          : html`<li><a href="${subscribePath}">${texts.news.subscribe}</a></li>`
      }
      <li><a href="${base}/feed/atom">Atom</a></li>
      <li><a href="${base}/feed/rss">RSS</a></li>
      <li><a href="${base}/calendar.ics">${texts.calendar}</a></li>
      <li><a href="${base}/summary.json">JSON</a></li>
    </ul>
    ${
      frame.path === ""
        ? null
        : html`<p>${texts.asOf} <time datetime="${isoTime(at)}">${words.moment(at)}</time></p>`
    }
    ${languages(frame)}
  </footer>`;
}

function languages({ definition, place, words, path }: StatusFrame): Html | null {
  const offered = definition.locales;
  if (offered.length < 2) return null;
  return html`<nav aria-label="${words.texts.languages}">
    <ul class="languages">
      ${offered.map((locale) => {
        const { language } = pageTexts[locale];
        // With its prefix also in the default language: the reader has chosen it.
        const href = `${place.base}/${locale}${path}`;
        return locale === words.locale
          ? html`<li><span lang="${locale}" aria-current="true">${language}</span></li>`
          : html`<li><a href="${href}" hreflang="${locale}" lang="${locale}">${language}</a></li>`;
      })}
    </ul>
  </nav>`;
}
