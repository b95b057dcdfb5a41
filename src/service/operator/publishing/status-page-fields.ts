import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { UpdateStatusPageRequestSchema } from "#contract/openstatus/status_page/v1/status_page_pb";
import { violation } from "#service/edge/call-refusal";
import { changedDefinition } from "#service/status-site/page-fields";
import {
  barKinds,
  locales,
  pageAccesses,
  type PageDefinition,
  pageThemes,
  uptimeMetrics,
} from "#service/status-page/page-definition";
import type { PageMessageFields } from "#service/status-page/page-field-names";
import { numberOf } from "#wire/enum-words";

/** What stands in the fields of a page's settings, as texts. A password is never shown. */
export interface SettingsFields extends Readonly<Record<TextName, string>> {
  readonly allowIndex: boolean;
  readonly showUptime: boolean;
  /** The languages that readers may choose. */
  readonly offered: readonly string[];
}

const textNames = [
  "title",
  "slug",
  "description",
  "access",
  "domains",
  "ranges",
  "customDomain",
  "homepage",
  "contact",
  "icon",
  "theme",
  "themeKey",
  "light",
  "dark",
  "locale",
  "metric",
  "bar",
  "days",
] as const;
export type TextName = (typeof textNames)[number];

export const settingsOf = (page: PageDefinition): SettingsFields => ({
  title: page.title,
  slug: page.slug,
  description: page.description,
  access: page.access,
  domains: page.emailDomains.join(", "),
  ranges: page.addressRanges.join(","),
  customDomain: page.customDomain,
  homepage: page.homepageUrl,
  contact: page.contactUrl,
  icon: page.icon,
  theme: page.theme,
  themeKey: page.configuration.themeKey,
  light: linesOf(page.customTheme.light),
  dark: linesOf(page.customTheme.dark),
  locale: page.defaultLocale,
  metric: page.configuration.metric,
  bar: page.configuration.bar,
  days: String(page.configuration.days),
  allowIndex: page.allowIndex,
  showUptime: page.configuration.showUptime,
  offered: page.locales,
});

/** What a person has typed, to be shown again where it was wrong. */
export const settingsIn = (form: URLSearchParams): SettingsFields => ({
  ...textsIn(form),
  allowIndex: form.has("allowIndex"),
  showUptime: form.has("showUptime"),
  offered: form.getAll("offered"),
});

/** An entry for each of the names, which is what the type says. */
const textsIn = (form: URLSearchParams): Readonly<Record<TextName, string>> =>
  Object.fromEntries(textNames.map((name) => [name, form.get(name)?.trim() ?? ""])) as Record<
    TextName,
    string
  >;

/** A page with what the form says, or a refusal that begins with the name of a field. */
export const definitionFrom = (fields: SettingsFields, before: PageDefinition): PageDefinition =>
  changedDefinition(
    create(UpdateStatusPageRequestSchema, {
      ...messageOf(fields),
      updateMask: { paths: ["auth_email_domains", "locales"] },
    }),
    before,
  );

type UpdateInit = Exclude<
  MessageInitShape<typeof UpdateStatusPageRequestSchema>,
  { $typeName: string }
>;
/** Every field but what a button of its own sets: one that the form forgets does not compile. */
type FormMessage = {
  [N in Exclude<keyof PageMessageFields, "published">]: Exclude<UpdateInit[N], undefined>;
};

const messageOf = (fields: SettingsFields): FormMessage => ({
  title: fields.title,
  slug: fields.slug.toLowerCase(),
  description: fields.description,
  accessType: numberOf(pageAccesses, fields.access),
  authEmailDomains: fields.domains.split(/[\s,]+/).filter((one) => one !== ""),
  allowedIpRanges: fields.ranges,
  customDomain: fields.customDomain.toLowerCase(),
  homepageUrl: fields.homepage,
  contactUrl: fields.contact,
  icon: fields.icon,
  theme: numberOf(pageThemes, fields.theme),
  customTheme: {
    light: variablesIn("custom_theme.light", fields.light),
    dark: variablesIn("custom_theme.dark", fields.dark),
  },
  defaultLocale: numberOf(locales, fields.locale),
  locales: fields.offered.map((one) => numberOf(locales, one)),
  allowIndex: fields.allowIndex,
  configuration: {
    metricType: knownNumber("configuration.metric_type", uptimeMetrics, fields.metric),
    barType: knownNumber("configuration.bar_type", barKinds, fields.bar),
    showUptime: fields.showUptime,
    themeKey: fields.themeKey,
    days: Number(fields.days),
  },
});

/** 0 would leave what is there. */
function knownNumber(field: string, words: readonly string[], word: string): number {
  const number = numberOf(words, word);
  if (number === 0) throw violation({ field, message: `must be one of ${words.join(", ")}` });
  return number;
}

const linesOf = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** Lines as a style sheet has them: `--primary: #117733;`. */
function variablesIn(field: string, text: string): Record<string, string> {
  const lines = text.split(/\r?\n|;/).map((line) => line.trim());
  return Object.fromEntries(
    lines
      .filter((line) => line !== "")
      .map((line) => {
        const [, name, value] = /^(--[\w-]+)\s*:\s*(\S.*)$/.exec(line) ?? [];
        if (name !== undefined && value !== undefined) return [name, value];
        throw violation({ field, message: "must have lines such as --primary: #117733" });
      }),
  );
}
