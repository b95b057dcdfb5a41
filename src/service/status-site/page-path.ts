import type { Locale, PageDefinition } from "#service/status-page/page-definition";
import { locales } from "#service/status-page/page-definition";
import { iconNameIn, isKeptIcon } from "#service/status-page/icon-name";

/** What a path below a page's base asks for; null for nothing that there is. */
export type PageRoute =
  | { readonly kind: "page"; readonly view: PageView; readonly locale: Locale | null }
  | { readonly kind: "document"; readonly name: DocumentName }
  /** The page's icon, if that is a file. */
  | { readonly kind: "icon"; readonly name: string }
  /** A public monitor, for programs. */
  | { readonly kind: "monitor"; readonly id: number }
  | { readonly kind: "badge"; readonly component: number | null; readonly isJson: boolean }
  /** The state in a box for other sites. */
  | { readonly kind: "embed"; readonly locale: Locale | null }
  /** With the token of a mail's link; null if it has none. */
  | { readonly kind: "sign-in"; readonly token: string | null; readonly locale: Locale | null }
  | {
      readonly kind: "news";
      readonly act: "subscribe" | "verify" | "manage" | "unsubscribe";
      /** Of a mail's link; empty if there is none. */
      readonly token: string;
      readonly locale: Locale | null;
    };

export type PageView =
  | { readonly of: "status" }
  | { readonly of: "events" }
  | { readonly of: "report"; readonly id: number }
  | { readonly of: "maintenance"; readonly id: number }
  | MonitorPath;

/** The page of a public monitor. */
export interface MonitorPath {
  readonly of: "monitor";
  readonly id: number;
}

const documentNames = [
  "summary.json",
  "current.json",
  "incidents.json",
  "feed/atom",
  "feed/rss",
  "feed/json",
  "calendar.ics",
  "style.css",
  "times.js",
  "days.js",
  "renewal.js",
  "reader-zone.js",
  "idiomorph.js",
  "icon.svg",
  "picture.png",
  "robots.txt",
] as const;
export type DocumentName = (typeof documentNames)[number];

/** `path` begins with a slash, or is empty. */
export function routeOf(path: string, definition: PageDefinition): PageRoute | null {
  const rest = path.slice(1);
  const name = documentNames.find((one) => one === rest);
  if (name !== undefined) return { kind: "document", name };
  if (isKeptIcon(rest)) return { kind: "icon", name: iconNameIn(rest) ?? "" };
  const badge = /^badge(?:\/(\d{1,15}))?(\.json)?$/.exec(rest);
  if (badge !== null)
    return {
      kind: "badge",
      component: badge[1] === undefined ? null : Number(badge[1]),
      isJson: badge[2] !== undefined,
    };
  const [, monitor] = /^monitors\/(\d{1,15})\.json$/.exec(rest) ?? [];
  if (monitor !== undefined) return { kind: "monitor", id: Number(monitor) };
  const [first = "", ...others] = rest.split("/");
  const locale = offeredLocales(definition).find((one) => one === first) ?? null;
  const within = locale === null ? rest : others.join("/");
  if (within === "embed") return { kind: "embed", locale };
  const view = viewOf(within);
  if (view !== null) return { kind: "page", view, locale };
  // The link of an old mail works also when its language is not offered any more.
  const isLocale = locales.some((one) => one === first);
  return mailRouteOf(isLocale ? others.join("/") : rest, locale);
}

/** What readers do by mails: subscribing, and signing in. */
function mailRouteOf(rest: string, locale: Locale | null): PageRoute | null {
  if (rest === "subscribe") return { kind: "news", act: "subscribe", token: "", locale };
  if (rest === "sign-in") return { kind: "sign-in", token: null, locale };
  const [, act, token = ""] = /^([a-z-]+)\/([\w.-]{1,1000})$/.exec(rest) ?? [];
  switch (act) {
    case "sign-in":
      return { kind: "sign-in", token, locale };
    case "verify":
    case "manage":
    case "unsubscribe":
      return { kind: "news", act, token, locale };
    case undefined:
    default:
      return null;
  }
}

function viewOf(rest: string): PageView | null {
  if (rest === "") return { of: "status" };
  if (rest === "events") return { of: "events" };
  const [, monitor] = /^monitors\/(\d{1,15})$/.exec(rest) ?? [];
  if (monitor !== undefined) return { of: "monitor", id: Number(monitor) };
  const [, of, id] = /^events\/(report|maintenance)\/(\d{1,15})$/.exec(rest) ?? [];
  if (of === undefined) return null;
  return { of: of === "report" ? "report" : "maintenance", id: Number(id) };
}

/** The path of a view, without its language. */
export const pathOfView = (view: PageView): string => {
  switch (view.of) {
    case "status":
      return "";
    case "events":
      return "/events";
    case "report":
      return `/events/report/${view.id}`;
    case "maintenance":
      return `/events/maintenance/${view.id}`;
    case "monitor":
      return `/monitors/${view.id}`;
  }
};

/** Those that a reader may choose. */
const offeredLocales = ({ locales: offered, defaultLocale }: PageDefinition): readonly Locale[] =>
  offered.length === 0 ? [defaultLocale] : offered;

/** The reader's language of those that a page offers: as its address says, else as the browser asks. */
export function localeFor(
  chosen: Locale | null,
  acceptLanguage: string,
  definition: PageDefinition,
): Locale {
  if (chosen !== null) return chosen;
  const offered = offeredLocales(definition);
  if (offered.length === 1) return definition.defaultLocale;
  const wanted = acceptLanguage
    .split(",")
    .map((part) => {
      const [tag = "", quality = ""] = part.trim().split(";q=");
      const language = tag.toLowerCase().split("-")[0];
      const rank = quality === "" ? 1 : Number(quality);
      return { locale: locales.find((one) => one === language), rank };
    })
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank);
  const first = wanted.find(({ locale }) => locale !== undefined && offered.includes(locale));
  return first?.locale ?? definition.defaultLocale;
}
