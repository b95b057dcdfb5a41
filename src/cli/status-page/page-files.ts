import {
  type GetStatusPageContentResponse,
  Locale,
} from "#contract/openstatus/status_page/v1/status_page_pb";

/** A document of a page, and where it lies so that a web server finds it by the same address. */
export interface PageFile {
  /** A path of the service. */
  readonly url: string;
  readonly file: string;
}

/** Every address that a page's links lead to. */
export function pageFiles({
  statusPage,
  components,
  statusReports,
  maintenances,
}: GetStatusPageContentResponse): readonly PageFile[] {
  const base = `status/${statusPage?.slug ?? ""}`;
  const offered = statusPage?.locales ?? [];
  // One language has no other address.
  const prefixes = offered.length < 2 ? [""] : ["", ...offered.map((one) => `/${localeWord(one)}`)];
  const views = ["", "/events"].concat(
    statusReports.map(({ id }) => `/events/report/${id}`),
    maintenances.map(({ id }) => `/events/maintenance/${id}`),
  );
  const pages = prefixes.flatMap((prefix) => views.map((view) => `${base}${prefix}${view}`));
  const badges = ["", ...components.map(({ id }) => `/${id}`)].map((one) => `${base}/badge${one}`);
  return [
    ...pages.map((url) => ({ url, file: `${url}/index.html` })),
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

const documents = [
  "style.css",
  "icon.svg",
  "summary.json",
  "current.json",
  "incidents.json",
  "calendar.ics",
];

const localeWord = (locale: Locale): string => (Locale[locale] ?? "").toLowerCase();
