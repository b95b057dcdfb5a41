/** What a person says of a status page. Its components, groups and reports are kept apart. */
export interface PageDefinition {
  readonly title: string;
  readonly description: string;
  /** The page's place in addresses; no two pages have the same. */
  readonly slug: string;
  /** As it was written. Empty: it has none. */
  readonly customDomain: string;
  /** Of a page that is not, nothing is said at all. */
  readonly published: boolean;
  readonly access: PageAccess;
  readonly emailDomains: readonly string[];
  /** CIDR blocks and addresses. */
  readonly addressRanges: readonly string[];
  readonly theme: PageTheme;
  readonly customTheme: CustomTheme;
  readonly homepageUrl: string;
  readonly contactUrl: string;
  readonly icon: string;
  readonly defaultLocale: Locale;
  /** Those that a reader may choose; the default is one of them. */
  readonly locales: readonly Locale[];
  /** An IANA name: a reader without script, and one of mail or a feed, sees what a clock there shows. */
  readonly timeZone: string;
  /** Whether search engines may list it. */
  readonly allowIndex: boolean;
  readonly configuration: PageConfiguration;
}

/** Its own domain as hosts are compared: they are the same in any letters. */
export const ownDomain = ({ customDomain }: Pick<PageDefinition, "customDomain">): string =>
  customDomain.toLowerCase();

/** Whether a page that is open by mail is open to a domain, which is given in small letters. */
export const isOpenTo = ({ emailDomains }: PageDefinition, domain: string): boolean =>
  emailDomains.some((one) => one.toLowerCase() === domain);

/** In the order of the contract's numbers, as all lists of words here. */
export const pageAccesses = ["public", "password", "email-domain", "ip-restriction"] as const;
export type PageAccess = (typeof pageAccesses)[number];

export const pageThemes = ["system", "light", "dark"] as const;
export type PageTheme = (typeof pageThemes)[number];

export const locales = ["en", "fr", "de", "tr", "hi", "ko"] as const;
export type Locale = (typeof locales)[number];

/** The looks that a page may have by name: `themes.ts` has their colours. */
export const themeKeys = [
  "default",
  "default-rounded",
  "contrast",
  "ocean",
  "forest",
  "sand",
] as const;
export type ThemeKey = (typeof themeKeys)[number];

/** Variables of CSS and their values, by scheme of colours. */
export interface CustomTheme {
  readonly light: Readonly<Record<string, string>>;
  readonly dark: Readonly<Record<string, string>>;
}

/** How uptime is calculated: from time that was down, from checks, or from reports alone. */
export const uptimeMetrics = ["duration", "requests", "manual"] as const;
export type UptimeMetric = (typeof uptimeMetrics)[number];

/** What a day's bar shows: what was measured, or what people reported. */
export const barKinds = ["absolute", "manual"] as const;
export type BarKind = (typeof barKinds)[number];

export const shownDays = [30, 45, 90] as const;

export interface PageConfiguration {
  readonly metric: UptimeMetric;
  readonly bar: BarKind;
  readonly showUptime: boolean;
  readonly themeKey: ThemeKey;
  /** One of `shownDays`. */
  readonly days: number;
}

/** A page as it is when a person says only its title and slug. */
export const pageDefaults: Omit<PageDefinition, "title" | "slug"> = {
  description: "",
  customDomain: "",
  published: true,
  access: "public",
  emailDomains: [],
  addressRanges: [],
  theme: "system",
  customTheme: { light: {}, dark: {} },
  homepageUrl: "",
  contactUrl: "",
  icon: "",
  defaultLocale: "en",
  locales: [],
  timeZone: "UTC",
  allowIndex: true,
  configuration: {
    metric: "requests",
    bar: "absolute",
    showUptime: true,
    themeKey: "default",
    days: 90,
  },
};
