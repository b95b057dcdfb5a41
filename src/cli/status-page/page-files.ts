import {
  type GetStatusPageContentResponse,
  Locale,
} from "#contract/openstatus/status_page/v1/status_page_pb";
import { iconNameIn, keptIcon } from "#service/status-page/icon-name";

/** A document of a page, and where it lies so that a web server finds it by the same address. */
interface PageFile {
  /** A path of the service. */
  readonly url: string;
  readonly file: string;
}

/** Every address that a page's links lead to, those of `monitors` that are public among them. */
export function pageFiles(
  content: GetStatusPageContentResponse,
  monitors: readonly string[],
): readonly PageFile[] {
  const { statusPage, components, statusReports, maintenances } = content;
  const base = baseOf(content);
  const offered = statusPage?.locales ?? [];
  // One language has no other address.
  const prefixes = offered.length < 2 ? [""] : ["", ...offered.map((one) => `/${localeWord(one)}`)];
  const views = ["", "/events"].concat(
    statusReports.map(({ id }) => `/events/report/${id}`),
    maintenances.map(({ id }) => `/events/maintenance/${id}`),
    monitors.map((id) => `/monitors/${id}`),
  );
  const figures = monitors.map((id) => `${base}/monitors/${id}.json`);
  const pages = prefixes.flatMap((prefix) => views.map((view) => `${base}${prefix}${view}`));
  const badges = ["", ...components.map(({ id }) => `/${id}`)].map((one) => `${base}/badge${one}`);
  const icon = iconOf(content);
  return [
    ...(icon === null ? [] : [{ url: icon, file: icon }]),
    ...pages.map((url) => ({ url, file: `${url}/index.html` })),
    ...figures.map((url) => ({ url, file: url })),
    ...documents.map((name) => ({ url: `${base}/${name}`, file: `${base}/${name}` })),
    ...["atom", "rss"].map((name) => ({
      url: `${base}/feed/${name}`,
      file: `${base}/feed/${name}.xml`,
    })),
    { url: `${base}/feed/json`, file: `${base}/feed/json.json` },
    ...badges.flatMap((url) => [
      { url, file: `${url}.svg` },
      { url: `${url}.json`, file: `${url}.json` },
    ]),
  ];
}

/** Where the page's own icon is, if that is a file of the service; null: it has none, or one from elsewhere. */
function iconOf(content: GetStatusPageContentResponse): string | null {
  const { icon = "", customDomain = "" } = content.statusPage ?? {};
  const name = iconNameIn(icon);
  if (name === null) return null;
  const own = `${baseOf(content)}/${keptIcon(name)}`;
  const isOwn =
    URL.parse(icon, "https://service.invalid")?.pathname === `/${own}` ||
    (customDomain !== "" && icon === `https://${customDomain}/${keptIcon(name)}`);
  return isOwn ? own : null;
}

/** Where the page's summary for programs is, which says what monitors have a page. */
export const summaryOf = (content: GetStatusPageContentResponse): string =>
  `${baseOf(content)}/summary.json`;

/** The ids of monitors that have a page, in a summary. */
export function monitorsIn(summary: string): readonly string[] {
  const { components }: Summary = JSON.parse(summary);
  const ids = components.flatMap(
    ({ monitor_url: url }) => /\/monitors\/(\d{1,15})$/.exec(url ?? "")?.[1] ?? [],
  );
  return [...new Set(ids)];
}

interface Summary {
  readonly components: readonly { readonly monitor_url: string | null }[];
}

const baseOf = ({ statusPage }: GetStatusPageContentResponse): string =>
  `status/${statusPage?.slug ?? ""}`;

const documents = [
  "style.css",
  "times.js",
  "days.js",
  "renewal.js",
  "reader-zone.js",
  "idiomorph.js",
  "icon.svg",
  "picture.png",
  "summary.json",
  "current.json",
  "incidents.json",
  "calendar.ics",
];

const localeWord = (locale: Locale): string => (Locale[locale] ?? "").toLowerCase();
