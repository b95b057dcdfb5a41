import { create } from "@bufbuild/protobuf";
import { UpdateStatusPageRequestSchema } from "#contract/openstatus/status_page/v1/status_page_pb";
import { html, type Html } from "#page/html";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { checkField, choiceField, ownForm, textField } from "#service/pages/form-fields";
import type { KnownReader } from "#service/pages/page-request";
import { changedDefinition } from "#service/status/page-fields";
import {
  locales,
  type PageAccess,
  pageAccesses,
  type PageDefinition,
  type PageTheme,
  pageThemes,
} from "#status/page-definition";
import type { StatusPageRow } from "#store/page-store";
import { numberOf } from "#wire/enum-words";

/** What stands in the fields of a page's settings. A password is never shown. */
export type SettingsFields = Readonly<Record<(typeof textNames)[number], string>> & {
  readonly allowIndex: boolean;
};

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
  "theme",
  "locale",
] as const;

export const settingsOf = (page: PageDefinition): SettingsFields => ({
  title: page.title,
  slug: page.slug,
  description: page.description,
  access: page.access,
  domains: page.emailDomains.join(", "),
  ranges: page.addressRanges.join(", "),
  customDomain: page.customDomain,
  homepage: page.homepageUrl,
  contact: page.contactUrl,
  theme: page.theme,
  locale: page.defaultLocale,
  allowIndex: page.allowIndex,
});

/** What a person has typed, to be shown again where it was wrong. */
export const settingsIn = (form: URLSearchParams): SettingsFields => {
  const text = (name: (typeof textNames)[number]): string => form.get(name)?.trim() ?? "";
  return {
    title: text("title"),
    slug: text("slug"),
    description: text("description"),
    access: text("access"),
    domains: text("domains"),
    ranges: text("ranges"),
    customDomain: text("customDomain"),
    homepage: text("homepage"),
    contact: text("contact"),
    theme: text("theme"),
    locale: text("locale"),
    allowIndex: form.has("allowIndex"),
  };
};

/** A page with what the form says; what the form does not show stays. */
export const definitionFrom = (fields: SettingsFields, before: PageDefinition): PageDefinition =>
  changedDefinition(
    create(UpdateStatusPageRequestSchema, {
      title: fields.title,
      slug: fields.slug.toLowerCase(),
      description: fields.description,
      accessType: numberOf(pageAccesses, fields.access),
      authEmailDomains: fields.domains.split(/[\s,]+/).filter((one) => one !== ""),
      allowedIpRanges: fields.ranges,
      customDomain: fields.customDomain.toLowerCase(),
      homepageUrl: fields.homepage,
      contactUrl: fields.contact,
      theme: numberOf(pageThemes, fields.theme),
      defaultLocale: numberOf(locales, fields.locale),
      allowIndex: fields.allowIndex,
      updateMask: { paths: ["auth_email_domains"] },
    }),
    before,
  );

const accessWords: { readonly [A in PageAccess]: string } = {
  public: "everyone",
  password: "whoever has the password",
  "email-domain": "addresses of e-mail domains",
  "ip-restriction": "networks",
};

const themeWords: { readonly [T in PageTheme]: string } = {
  system: "as the reader's system",
  light: "light",
  dark: "dark",
};

const languages = new Intl.DisplayNames("en", { type: "language" });

/** The settings of a page as a form. */
export function settingsForm(
  { id, sealed }: StatusPageRow,
  fields: SettingsFields,
  reader: KnownReader,
): Html {
  const text = (words: string, name: (typeof textNames)[number], charsMax: number): Html =>
    textField({ words, name, value: fields[name], charsMax });
  return ownForm(
    `/status-pages/${id}`,
    reader,
    html`${textField({ words: "Title", name: "title", value: fields.title, charsMax: checkLimits.nameCharsMax, isRequired: true })}
      ${textField({ words: "Name in the address", name: "slug", value: fields.slug, charsMax: checkLimits.nameCharsMax, isRequired: true })}
      ${text("Description", "description", checkLimits.descriptionCharsMax)}
      ${choiceField(
        "Who may read it",
        "access",
        pageAccesses.map((one) => [one, accessWords[one]] as const),
        fields.access,
      )}
      <label
        >${sealed === "" ? "Password" : "New password (empty keeps it)"}
        <input
          type="password"
          name="password"
          maxlength="${checkLimits.nameCharsMax}"
          autocomplete="new-password"
      /></label>
      ${text("E-mail domains", "domains", limits.pageListCharsMax)}
      ${text("Networks, e.g. 10.0.0.0/8", "ranges", limits.pageListCharsMax)}
      ${text("Domain, e.g. status.acme.example", "customDomain", checkLimits.nameCharsMax)}
      ${text("Link to the home page", "homepage", checkLimits.targetCharsMax)}
      ${text("Link to contact", "contact", checkLimits.targetCharsMax)}
      ${choiceField(
        "Colours",
        "theme",
        pageThemes.map((one) => [one, themeWords[one]] as const),
        fields.theme,
      )}
      ${choiceField(
        "Language",
        "locale",
        locales.map((one) => [one, languages.of(one) ?? one] as const),
        fields.locale,
      )}
      ${checkField("Search engines may list it", "allowIndex", fields.allowIndex)}
      <button type="submit">Save</button>`,
  );
}
