import { html, type Html } from "#web/page/html";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import * as statusLimits from "#limits/status-limits";
import {
  checkField,
  choiceField,
  ownForm,
  severalField,
  textArea,
  textField,
} from "#service/operator/form-fields";
import { basisField } from "#service/operator/changes/basis-field";
import type { Basis } from "#service/store/audit/actor";
import type { KnownReader } from "#service/operator/page-request";
import type { SettingsFields, TextName } from "#service/operator/publishing/status-page-fields";
import { faintPairs, faintWords } from "#service/status-site/view/faint-colours";
import {
  type BarKind,
  barKinds,
  locales,
  type PageAccess,
  pageAccesses,
  type PageTheme,
  pageThemes,
  shownDays,
  type ThemeKey,
  themeKeys,
  type UptimeMetric,
  uptimeMetrics,
} from "#service/status-page/page-definition";
import type { StatusPageRow } from "#service/store/page-store";

const accessWords: { readonly [A in PageAccess]: string } = {
  public: "everyone",
  password: "whoever has the password",
  "email-domain": "addresses of e-mail domains",
  "ip-restriction": "networks",
};
const schemeWords: { readonly [T in PageTheme]: string } = {
  system: "as the reader's system",
  light: "light",
  dark: "dark",
};
const themeWords: { readonly [K in ThemeKey]: string } = {
  default: "default",
  "default-rounded": "default, rounded",
  contrast: "high contrast",
  ocean: "ocean (blue)",
  forest: "forest (green)",
  sand: "sand (brown)",
};
const metricWords: { readonly [M in UptimeMetric]: string } = {
  duration: "by time that was not down",
  requests: "by checks that were good",
  manual: "by reports alone",
};
const barWords: { readonly [B in BarKind]: string } = {
  absolute: "what was measured and reported",
  manual: "what was reported alone",
};

const languages = new Intl.DisplayNames("en", { type: "language" });
const languageOf = (locale: string): string => languages.of(locale) ?? locale;

/** The settings of a page as a form. */
export const settingsForm = (
  row: StatusPageRow,
  fields: SettingsFields,
  reader: KnownReader,
  basis: Basis,
): Html =>
  ownForm(
    `/status-pages/${row.id}`,
    reader,
    html`${basisField(basis)} ${naming(fields)} ${access(row, fields)} ${addresses(fields)}
      ${looks(row, fields)} ${language(fields)} ${uptime(fields)}
      ${checkField("Search engines may list it", "allowIndex", fields.allowIndex)}
      <button type="submit">Save</button>`,
  );

const text = (words: string, name: TextName, fields: SettingsFields, charsMax: number): Html =>
  textField({ words, name, value: fields[name], charsMax });

/** One of a list of words. */
const choice = <W extends string>(
  label: string,
  name: TextName,
  words: { readonly [K in W]: string },
  all: readonly W[],
  fields: SettingsFields,
): Html =>
  choiceField(
    label,
    name,
    all.map((one) => [one, words[one]] as const),
    fields[name],
  );

const naming = (fields: SettingsFields): Html =>
  html`${textField({ words: "Title", name: "title", value: fields.title, charsMax: checkLimits.nameCharsMax, isRequired: true })}
  ${textField({ words: "Name in the address", name: "slug", value: fields.slug, charsMax: checkLimits.nameCharsMax, isRequired: true })}
  ${textArea({ words: "Description", name: "description", value: fields.description, charsMax: checkLimits.descriptionCharsMax })}`;

const access = ({ sealed }: StatusPageRow, fields: SettingsFields): Html =>
  html`${choice("Who may read it", "access", accessWords, pageAccesses, fields)}
    <label
      >${sealed === "" ? "Password" : "New password (empty keeps it)"}
      <input
        type="password"
        name="password"
        maxlength="${checkLimits.nameCharsMax}"
        autocomplete="new-password"
    /></label>
    ${text("E-mail domains", "domains", fields, limits.pageListCharsMax)}
    ${text("Networks, e.g. 10.0.0.0/8", "ranges", fields, limits.pageListCharsMax)}`;

const addresses = (fields: SettingsFields): Html =>
  html`${text("Domain, e.g. status.acme.example", "customDomain", fields, checkLimits.nameCharsMax)}
  ${text("Link to the home page", "homepage", fields, checkLimits.targetCharsMax)}
  ${text("Link to contact", "contact", fields, checkLimits.targetCharsMax)}
  ${text("Icon (https URL)", "icon", fields, statusLimits.pageIconCharsMax)}`;

const looks = ({ definition }: StatusPageRow, fields: SettingsFields): Html => {
  const own = (words: string, name: TextName): Html =>
    textArea({ words, name, value: fields[name], charsMax: limits.pageThemeCharsMax });
  const faint = faintPairs(definition);
  return html`${choice("Colours", "theme", schemeWords, pageThemes, fields)}
  ${choice("Theme", "themeKey", themeWords, themeKeys, fields)}
  ${own("Own colours in light, e.g. --primary: #117733", "light")}
  ${own("Own colours in dark", "dark")}
  ${faint.length === 0 ? null : html`<p class="words">Hard to read as it is saved: ${faint.map(faintWords).join("; ")}.</p>`}`;
};

const language = (fields: SettingsFields): Html =>
  html`${choiceField(
    "Language",
    "locale",
    locales.map((one) => [one, languageOf(one)] as const),
    fields.locale,
  )}
  ${severalField(
    "Languages that readers may choose",
    "offered",
    locales.map((one) => ({ id: one, name: languageOf(one) })),
    fields.offered,
  )}`;

const uptime = (fields: SettingsFields): Html =>
  html`${choice("Uptime is calculated", "metric", metricWords, uptimeMetrics, fields)}
  ${choice("The bar of a day shows", "bar", barWords, barKinds, fields)}
  ${choiceField(
    "Days that are shown",
    "days",
    shownDays.map((one) => [String(one), String(one)] as const),
    fields.days,
  )}
  ${checkField("Readers see the uptime", "showUptime", fields.showUptime)}`;
