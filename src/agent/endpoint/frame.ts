import { html, type Html } from "#web/page/html";
import { isoTime, timeOfDay } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import type { EpochMillis } from "#base/units";

export interface PageContent {
  /** What the tab says, the most urgent first. */
  readonly title: string;
  /** Path and query of this page, without `refresh`. */
  readonly path: string;
  /** Whether the reader asked for a page that refreshes itself. */
  readonly refreshing: boolean;
  readonly now: EpochMillis;
  readonly version: string;
  readonly instance: string;
  readonly content: Html;
}

const refreshSeconds = limits.pageRefreshEvery / 1000;

/** What all pages have around them. A page refreshes itself only when asked: it would close what a reader has opened. */
export function frame(page: PageContent): string {
  const { title, refreshing, content, version, instance } = page;
  const meta = refreshing ? html`<meta http-equiv="refresh" content="${refreshSeconds}" />` : null;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${meta}
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <p class="brand"><a href="/">Picket</a></p>
          <p class="asof">${refreshControl(page)}</p>
        </header>
        <main id="content">${content}</main>
        <footer>
          <p>
            Picket ${version}, instance ${instance}. The same for programs:
            <a href="/status">/status</a>, <a href="/metrics">/metrics</a>,
            <a href="/livez">/livez</a>, <a href="/readyz">/readyz</a>.
          </p>
        </footer>
      </body>
    </html> `.text;
}

function refreshControl({ path, refreshing, now }: PageContent): Html {
  const on = `${path}${path.includes("?") ? "&" : "?"}refresh=on`;
  const asOf = html`As of <time datetime="${isoTime(now)}">${timeOfDay(now)}</time>`;
  return refreshing
    ? html`${asOf}, refreshed every ${refreshSeconds} s. <a href="${path}">Stop refreshing</a>`
    : html`${asOf}. <a href="${path}">Refresh</a>
        <a href="${on}">Refresh every ${refreshSeconds} s</a>`;
}
