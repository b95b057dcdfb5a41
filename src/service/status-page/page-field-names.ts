import { byName, type MessageName, type NamesOf } from "#check/field-names";
import type { PageConfiguration, PageDefinition } from "#service/status-page/page-definition";

/**
 * Every field of a page by its name in files, calls, masks, plans and exports. A field of the definition that is not here
 * does not compile, and neither do the arguments of files, the messages and the form without each of these names.
 */
export const pageFieldNames = {
  slug: "slug",
  title: "title",
  description: "description",
  published: "published",
  homepageUrl: "homepage_url",
  contactUrl: "contact_url",
  icon: "icon",
  customDomain: "custom_domain",
  access: "access_type",
  emailDomains: "auth_email_domains",
  addressRanges: "allowed_ip_ranges",
  theme: "theme",
  customTheme: "custom_theme",
  defaultLocale: "default_locale",
  locales: "locales",
  timeZone: "time_zone",
  allowIndex: "allow_index",
  configuration: "configuration",
} as const;

/** The same for what a page shows of uptime: the names inside `configuration`. */
const configurationFieldNames = {
  metric: "metric_type",
  bar: "bar_type",
  showUptime: "show_uptime",
  themeKey: "theme_key",
  days: "days",
} as const;

export type PageFieldName = NamesOf<PageDefinition, typeof pageFieldNames>;
export type ConfigurationFieldName = NamesOf<PageConfiguration, typeof configurationFieldNames>;

/** Something for each field of a page, by its name in messages. */
export type PageMessageFields<T = unknown> = { readonly [N in PageFieldName as MessageName<N>]: T };

/** A page's values by the names of its fields, in the order of the table. */
export const namedFields = (page: PageDefinition): Readonly<Record<PageFieldName, unknown>> =>
  byName(page, pageFieldNames);

export const namedConfiguration = (
  configuration: PageConfiguration,
): Readonly<Record<ConfigurationFieldName, unknown>> =>
  byName(configuration, configurationFieldNames);
