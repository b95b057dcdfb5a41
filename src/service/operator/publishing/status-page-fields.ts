import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type FormFields, type FormField, type Choice, column } from "#check/form-field";
import { UpdateStatusPageRequestSchema } from "#contract/openstatus/status_page/v1/status_page_pb";
import { violation } from "#service/edge/call-refusal";
import { typedFor } from "#service/operator/forms/form-reading";
import { dropMark } from "#service/operator/forms/form-rows";
import {
  commonColourFields,
  linesOf,
  otherColourFields,
  themeInOrder,
  themeSamples,
  typedColours,
  variablesIn,
} from "#service/operator/publishing/look-fields";
import {
  accessSentences,
  accessWords,
  barWords,
  metricWords,
  schemeWords,
  themeWords,
} from "#service/operator/publishing/setting-words";
import { iconFields } from "#service/operator/publishing/icon-fields";
import { zoneChoices } from "#service/operator/zones/zone-choices";
import { localeChoices, localesHelp } from "#service/operator/publishing/locale-choices";
import { changedDefinition } from "#service/status-site/page-fields";
import {
  barKinds,
  locales,
  pageAccesses,
  type PageDefinition,
  pageThemes,
  shownDays,
  themeKeys,
  uptimeMetrics,
} from "#service/status-page/page-definition";
import {
  type ConfigurationFieldName,
  namedConfiguration,
  namedFields,
  type PageFieldName,
  type PageMessageFields,
} from "#service/status-page/page-field-names";
import { contactTyped, linkTyped } from "#service/status-page/typed-link";
import { domainTyped } from "#service/status-page/typed-domain";
import type { StatusPageRow } from "#service/store/page-store";
import { numberOf } from "#wire/enum-words";

/** What a list offers: each of the words with what people read. */
const choices = <W extends string>(
  all: readonly W[],
  words: { readonly [K in W]: string },
): readonly Choice[] => all.map((one) => [one, words[one]]);

const field = (group: string, ...rest: Parameters<typeof column>): FormField => ({
  ...column(...rest),
  group,
});
const line = (group: string, label: string, help = ""): FormField =>
  field(group, label, { is: "text", width: "line" }, help);
const name = (group: string, label: string, help = ""): FormField =>
  field(group, label, { is: "text", width: "name" }, help);
const variables = (label: string): FormField =>
  column(label, { is: "long", lines: 4 }, "One a line, for example --radius: 0.25rem");

const configurationFields: FormFields<ConfigurationFieldName> = {
  metric_type: column("Uptime is calculated", {
    is: "choice",
    choices: choices(uptimeMetrics, metricWords),
  }),
  bar_type: column("The bar of a day shows", {
    is: "choice",
    choices: choices(barKinds, barWords),
  }),
  show_uptime: column("Readers see the uptime", { is: "flag" }),
  theme_key: column("Theme", {
    is: "choice",
    choices: choices(themeKeys, themeWords),
    samples: themeSamples,
  }),
  days: column("Days that are shown", {
    is: "choice",
    choices: shownDays.map((one) => [String(one), String(one)]),
  }),
};

/** Every setting but what a button sets, by its name in refusals; one that the form forgets does not compile. */
export const settingsFields: FormFields<Exclude<PageFieldName, "published"> | "password"> = {
  title: name("what", "Title"),
  slug: name(
    "what",
    "Name in the address",
    "Readers find it at /status/ and this name. If you change it, the earlier address leads to the new one, and so do links in mails.",
  ),
  description: field("what", "Description", { is: "long", lines: 3 }, "Markdown, as in reports."),
  access_type: field("access", "Who may read it", {
    is: "choice",
    choices: choices(pageAccesses, accessWords),
    sentences: accessSentences,
  }),
  password: field(
    "access",
    "Password",
    { is: "password" },
    "For whoever has the password: 8 characters or more. Left empty, a password that is set stays.",
  ),
  auth_email_domains: line(
    "access",
    "E-mail domains",
    "For addresses of e-mail domains. With commas between, for example acme.example, acme.test",
  ),
  allowed_ip_ranges: line(
    "access",
    "Networks",
    "For networks. With commas between, for example 10.0.0.0/8, 192.0.2.7",
  ),
  allow_index: field("access", "Search engines may list it", { is: "flag" }),
  custom_domain: name(
    "addresses",
    "Domain",
    "A host name, for example status.acme.example. If you change it, the earlier domain leads to the new one while DNS points it here.",
  ),
  homepage_url: line("addresses", "Link to the home page"),
  contact_url: line("addresses", "Link to contact", "An e-mail address or a URL."),
  icon: line("icon", "URL of the picture", "An https URL, in place of a file."),
  default_locale: field("language", "Language", { is: "choice", choices: localeChoices }),
  time_zone: field(
    "language",
    "Time zone",
    { is: "choice", choices: zoneChoices() },
    "Of times in mails, in feeds and in browsers without script.",
  ),
  locales: field("language", "Languages that readers may choose", { is: "several" }, localesHelp),
  theme: field("look", "Light or dark", {
    is: "choice",
    choices: choices(pageThemes, schemeWords),
  }),
  custom_theme: field("colours", "Own colours", {
    is: "section",
    fields: {
      light: variables("Other variables in light"),
      dark: variables("Other variables in dark"),
    },
  }),
  configuration: field("uptime", "Days and uptime", {
    is: "section",
    fields: configurationFields,
  }),
};

/** The settings are three forms: what the page is, who may read it, and how it looks. */
type SettingsForm = "page" | "access" | "look";
const formOfGroup: Readonly<Record<string, SettingsForm>> = {
  access: "access",
  icon: "look",
  look: "look",
  colours: "look",
  uptime: "look",
};
const fieldsOf = (form: SettingsForm): FormFields =>
  Object.fromEntries(
    Object.entries(settingsFields).filter(
      ([, { group }]) => (formOfGroup[group] ?? "page") === form,
    ),
  );
export const settingsFormFields: { readonly [F in Exclude<SettingsForm, "look">]: FormFields } = {
  page: fieldsOf("page"),
  access: fieldsOf("access"),
};

/** The icon, the theme, and each colour with what the theme of the page has; then what is rarely changed. */
export function lookFormFields(page: Pick<PageDefinition, "configuration" | "icon">): FormFields {
  const { theme_key: theme, ...uptime } = configurationFields;
  const { custom_theme: others, configuration, icon, ...scheme } = fieldsOf("look");
  const control = { is: "section", fields: uptime } as const;
  return {
    ...(icon === undefined ? {} : iconFields(icon, page)),
    "configuration.theme_key": { ...theme, group: "look" },
    ...scheme,
    ...commonColourFields(page),
    ...otherColourFields(page),
    ...(others === undefined ? {} : { custom_theme: others }),
    ...(configuration === undefined ? {} : { configuration: { ...configuration, control } }),
  };
}

/** What one of the forms says, and of the fields of the others what is saved. */
export function withOtherForms(
  form: SettingsForm,
  typed: URLSearchParams,
  row: StatusPageRow,
): URLSearchParams {
  const fields = new Set(Object.keys(fieldsOf(form)));
  const isOwn = ([name]: readonly [string, string]): boolean =>
    fields.has(name.replace(/\..*/, ""));
  const kept = [...typedSettings(row)].filter((one) => !isOwn(one));
  return new URLSearchParams([...kept, ...[...typed].filter(isOwn)]);
}

/** What the forms show of a page as it is saved. */
export function typedSettings({ definition, sealed }: StatusPageRow): URLSearchParams {
  const typed = typedFor(settingsFields, {
    ...namedFields(definition),
    password: sealed,
    auth_email_domains: definition.emailDomains.join(", "),
    allowed_ip_ranges: definition.addressRanges.join(","),
    custom_theme: {
      light: linesOf(definition.customTheme.light),
      dark: linesOf(definition.customTheme.dark),
    },
    configuration: namedConfiguration(definition.configuration),
  });
  for (const [name, value] of typedColours(definition)) typed.append(name, value);
  return typed;
}

/** The password that the form sets; empty takes it away, and null leaves what is there. */
export function passwordIn(typed: URLSearchParams): string | null {
  const password = typed.get("password") ?? "";
  if (password !== "") return password;
  return typed.has(dropMark("password")) ? "" : null;
}

/** A page with what the form says, or a refusal by the name of a field. */
export function definitionFrom(typed: URLSearchParams, before: PageDefinition): PageDefinition {
  const changed = changedDefinition(
    create(UpdateStatusPageRequestSchema, {
      ...messageOf(typed),
      updateMask: { paths: ["auth_email_domains", "locales"] },
    }),
    before,
  );
  return { ...changed, customTheme: themeInOrder(before.customTheme, changed.customTheme) };
}

type UpdateInit = Exclude<
  MessageInitShape<typeof UpdateStatusPageRequestSchema>,
  { $typeName: string }
>;
/** Every field but what a button sets: one that the form forgets does not compile. */
type FormMessage = {
  [N in Exclude<keyof PageMessageFields, "published">]: Exclude<UpdateInit[N], undefined>;
};

function messageOf(typed: URLSearchParams): FormMessage {
  const text = (field: string): string => typed.get(field)?.trim() ?? "";
  return {
    title: text("title"),
    slug: text("slug").toLowerCase(),
    description: text("description"),
    accessType: numberOf(pageAccesses, text("access_type")),
    authEmailDomains: text("auth_email_domains")
      .split(/[\s,]+/)
      .filter((one) => one !== ""),
    allowedIpRanges: text("allowed_ip_ranges"),
    customDomain: domainTyped(text("custom_domain")),
    homepageUrl: linkTyped(text("homepage_url")),
    contactUrl: contactTyped(text("contact_url")),
    icon: text("icon"),
    theme: numberOf(pageThemes, text("theme")),
    customTheme: {
      light: variablesIn("light", typed),
      dark: variablesIn("dark", typed),
    },
    defaultLocale: numberOf(locales, text("default_locale")),
    timeZone: text("time_zone"),
    locales: typed.getAll("locales").map((one) => numberOf(locales, one)),
    allowIndex: typed.has("allow_index"),
    configuration: {
      metricType: knownNumber("metric_type", uptimeMetrics, typed),
      barType: knownNumber("bar_type", barKinds, typed),
      showUptime: typed.has("configuration.show_uptime"),
      themeKey: text("configuration.theme_key"),
      days: Number(text("configuration.days")),
    },
  };
}

/** 0 would leave what is there. */
function knownNumber(
  setting: ConfigurationFieldName,
  words: readonly string[],
  typed: URLSearchParams,
): number {
  const field = `configuration.${setting}`;
  const number = numberOf(words, typed.get(field) ?? "");
  if (number === 0) throw violation({ field, message: `must be one of ${words.join(", ")}` });
  return number;
}
