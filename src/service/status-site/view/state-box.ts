import { createHash } from "node:crypto";
import { html } from "#web/page/html";
import type { PageText } from "#service/status-site/published-pages";
import { stateMark } from "#service/status-site/view/components-view";
import { localePath, type PagePlace } from "#service/status-site/view/status-frame";
import { wordsIn } from "#service/status-site/view/words";
import type { Locale } from "#service/status-page/page-definition";
import { headlineOf, type PageModel } from "#service/status-page/page-model";

const boxThemes = ["auto", "light", "dark"] as const;
type BoxTheme = (typeof boxThemes)[number];

/** How a box is wanted; if its address does not say, it is as its reader's system. */
export const boxThemeIn = (query: URLSearchParams, name: string): BoxTheme =>
  boxThemes.find((one) => one === query.get(name)) ?? "auto";

/** The state of a page in a small box that other sites have in a frame: it leads to the page, and runs no script. */
export function stateBox(
  model: PageModel,
  locale: Locale | null,
  theme: BoxTheme,
  place: PagePlace,
): PageText {
  const { definition, overall } = model;
  const { texts, locale: language } = wordsIn(locale ?? definition.defaultLocale);
  const headline = headlineOf(model, texts);
  const page = `${place.origin}${localePath(place, language, definition, "")}`;
  const body = html`<!doctype html>
    <html lang="${language}" class="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${definition.title}${texts.colon}${headline}</title>
        ${styleTag}
      </head>
      <body>
        <a href="${page}" target="_blank" rel="noopener"
          ><span class="name">${definition.title}</span> ${stateMark(overall, headline)}</a
        >
      </body>
    </html> `.text;
  return { type: "text/html; charset=utf-8", body };
}

const light =
  "color-scheme:light;--ground:#fff;--ink:#1b1d21;--edge:#8a919c;--success:#1f6b3b;--degraded:#8a5200;--error:#b01f24;--planned:#0b57a4;--unchecked:#555b65";
const dark =
  "color-scheme:dark;--ground:#121417;--ink:#e7e8ea;--edge:#6b7280;--success:#7dcf9b;--degraded:#f0b556;--error:#ff938c;--planned:#8ab8f5;--unchecked:#a7adb7";

const boxStyle = [
  `:root{${light}}.dark{${dark}}@media(prefers-color-scheme:dark){.auto{${dark}}}`,
  "body{margin:0;font:0.875rem/1.25 system-ui,sans-serif}",
  "a{box-sizing:border-box;display:flex;gap:.25rem .75rem;align-items:center;min-height:100vh;padding:.25rem .75rem;color:var(--ink);background:var(--ground);border:1px solid var(--edge);border-radius:.5rem;text-decoration:none}",
  "a:is(:hover,:focus-visible) .mark{text-decoration:underline}a:focus-visible{outline:2px solid var(--ink);outline-offset:-4px}",
  ".name{min-width:0;overflow-wrap:anywhere;font-weight:600}",
  ".mark{display:flex;gap:.375rem;align-items:center;margin-left:auto;color:var(--tone)}svg{flex:none}",
  ...["success", "degraded", "error", "planned", "unchecked"].map(
    (one) => `.${one}{--tone:var(--${one})}`,
  ),
  ".fill{fill:var(--tone)}.cut{fill:none;stroke:var(--ground);stroke-width:1.8}.outline{fill:none;stroke:var(--tone);stroke-width:1.8}",
].join("");

/** Nothing in it is written in another way in HTML; the policy names the text between its tags. */
const styleTag = html`<style>
  ${boxStyle}
</style>`;

const styled = styleTag.text.slice("<style>".length, -"</style>".length);
const styleHash = createHash("sha256").update(styled).digest("base64");

/** Any site may have the box in a frame, and nothing else of a page: it has no forms, and a click only leads to the page. */
export const boxPolicy: string = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'none'; base-uri 'none'; frame-ancestors *`;
