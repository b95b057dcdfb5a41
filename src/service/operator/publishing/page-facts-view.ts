import { localeChoices } from "#service/operator/publishing/locale-choices";
import { html, type Html } from "#web/page/html";
import {
  accessWords,
  metricWords,
  schemeWords,
  themeWords,
} from "#service/operator/publishing/setting-words";
import { publicPath } from "#service/operator/publishing/status-page-list-view";
import { isKeptIcon } from "#service/status-page/icon-name";
import type { StatusPageRow } from "#service/store/page-store";

type Fact = readonly [name: string, value: string | Html];

const facts = (all: readonly Fact[]): Html =>
  html`<dl class="profile card">
    ${all.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** Who may read it. */
export const accessFacts = ({ definition: { access, allowIndex } }: StatusPageRow): Html =>
  facts([
    ["Read by", accessWords[access]],
    ["Search engines", allowIndex ? "may list it" : "may not list it"],
  ]);

/** Where a page is read, and in which languages. */
export function pageFacts(row: StatusPageRow): Html {
  const { title, customDomain, locales, defaultLocale, timeZone } = row.definition;
  const spoken = locales.length === 0 ? [defaultLocale] : locales;
  const names = spoken.map((one) => localeChoices.find(([key]) => key === one)?.[1] ?? one);
  return facts([
    ["Title", title],
    ["Address", publicPath(row)],
    ...(customDomain === "" ? [] : [["Domain", customDomain] as const]),
    [names.length === 1 ? "Language" : "Languages", names.join(", ")],
    ["Time zone", timeZone.replaceAll("_", " ")],
  ]);
}

/** Whether it has an icon, and where that is. */
const iconWords = (icon: string): string =>
  icon === "" ? "none" : isKeptIcon(icon) ? "a file" : icon;

/** How it looks. */
export function lookFacts({ definition }: StatusPageRow): Html {
  const { theme, customTheme, configuration, icon } = definition;
  const own = [...Object.keys(customTheme.light), ...Object.keys(customTheme.dark)].length > 0;
  const { days, showUptime, metric, themeKey } = configuration;
  return facts([
    ["Theme", `${themeWords[themeKey]}${own ? ", with own colours" : ""}`],
    ["Light or dark", schemeWords[theme]],
    ["Icon", iconWords(icon)],
    ["Days", `the last ${days}`],
    ["Uptime", showUptime ? metricWords[metric] : "not shown"],
  ]);
}
