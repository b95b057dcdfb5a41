import {
  type Argument,
  type Arguments,
  flag,
  optionalCount,
  optionalFlag,
  type Pair,
  pairs,
  rows,
  section,
  text,
  texts,
  type ValuesOf,
  word,
} from "#check/argument";
import type { ArgumentFor } from "#check/field-names";
import { renamedFrom } from "#check/kinds/common-arguments";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/status-limits";
import {
  barKinds,
  locales,
  pageAccesses,
  pageDefaults,
  pageThemes,
  shownDays,
  themeKeys,
  uptimeMetrics,
} from "#service/status-page/page-definition";
import type { ComponentFieldName, GroupFieldName } from "#service/status-page/part-definitions";
import type { ConfigurationFieldName, PageFieldName } from "#service/status-page/page-field-names";

/** What may stand for a component: the monitor that it shows, or nothing but its name. */
export const componentTypes = ["monitor", "static"] as const;

interface ComponentArguments extends ArgumentFor<ComponentFieldName> {
  readonly monitor: Argument<string>;
  readonly type: Argument<string>;
  readonly name: Argument<string>;
  readonly renamed_from: Argument<string>;
  readonly description: Argument<string>;
  readonly group: Argument<string>;
  readonly order: Argument<number | null>;
  readonly group_order: Argument<number | null>;
}

/** A component of a page; the page is the one that it stands under. */
export const componentArguments: ComponentArguments = {
  monitor: text({
    does: "The name of the monitor that it shows. Another one makes another component.",
    fallback: "",
  }),
  type: word(componentTypes, {
    does: "What it is. Left out: `monitor` if one is named, otherwise `static`. Another one makes another component.",
    fallback: "",
  }),
  name: text({
    does: "What readers see. Left out: the monitor's name.",
    limit: `${checkLimits.nameCharsMax} characters; unique on its page`,
    fallback: "",
  }),
  renamed_from: renamedFrom,
  description: text({
    does: "What readers see next to it.",
    limit: `${checkLimits.descriptionCharsMax} characters`,
    fallback: "",
  }),
  group: text({ does: "The name of its group on this page. Left out: none.", fallback: "" }),
  order: optionalCount("", "Position on the page. Default: the order in the file."),
  group_order: optionalCount("", "Position in its group. Default: the order in the file."),
};

interface GroupArguments extends ArgumentFor<GroupFieldName> {
  readonly name: Argument<string>;
  readonly renamed_from: Argument<string>;
  readonly default_open: Argument<boolean>;
}

/** A group of components. */
export const groupArguments: GroupArguments = {
  name: text({
    does: "What the group is called.",
    limit: `${checkLimits.nameCharsMax} characters; unique on its page`,
  }),
  renamed_from: renamedFrom,
  default_open: flag({ does: "Whether readers see it opened.", fallback: false }),
};

interface ThemeArguments extends Arguments {
  readonly light: Argument<readonly Pair[]>;
  readonly dark: Argument<readonly Pair[]>;
}
const themeArguments: ThemeArguments = {
  light: pairs({ does: "Variables for light surroundings, e.g. `--primary`.", fallback: [] }),
  dark: pairs({ does: "The same for dark surroundings.", fallback: [] }),
};

interface ShowingArguments extends ArgumentFor<ConfigurationFieldName> {
  readonly metric_type: Argument<string>;
  readonly bar_type: Argument<string>;
  readonly show_uptime: Argument<boolean | null>;
  readonly theme_key: Argument<string>;
  readonly days: Argument<number | null>;
}
const usual = pageDefaults.configuration;
const showingArguments: ShowingArguments = {
  metric_type: word(uptimeMetrics, {
    does: "How uptime is calculated: by time that was down, by checks, or by reports alone.",
    fallback: usual.metric,
  }),
  bar_type: word(barKinds, {
    does: "What the bar of a day shows: what was measured, or what people reported.",
    fallback: usual.bar,
  }),
  show_uptime: optionalFlag("Whether readers see uptime. Left out: they do."),
  theme_key: word(themeKeys, { does: "The colours, by name.", fallback: usual.themeKey }),
  days: optionalCount(
    "",
    `How many days are shown: ${shownDays.join(", ")}. Left out: ${usual.days}.`,
  ),
};

/** A status page by the names of the specification, with what is on it. */
interface PageArguments extends ArgumentFor<PageFieldName> {
  readonly slug: Argument<string>;
  readonly renamed_from: Argument<string>;
  readonly title: Argument<string>;
  readonly description: Argument<string>;
  readonly published: Argument<boolean>;
  readonly homepage_url: Argument<string>;
  readonly contact_url: Argument<string>;
  readonly icon: Argument<string>;
  readonly custom_domain: Argument<string>;
  readonly access_type: Argument<string>;
  readonly password: Argument<string>;
  readonly auth_email_domains: Argument<readonly string[]>;
  readonly allowed_ip_ranges: Argument<string>;
  readonly theme: Argument<string>;
  readonly custom_theme: Argument<ValuesOf<ThemeArguments> | null>;
  readonly default_locale: Argument<string>;
  readonly locales: Argument<readonly string[]>;
  readonly time_zone: Argument<string>;
  readonly allow_index: Argument<boolean>;
  readonly configuration: Argument<ValuesOf<ShowingArguments> | null>;
  readonly groups: Argument<readonly ValuesOf<GroupArguments>[]>;
  readonly components: Argument<readonly ValuesOf<ComponentArguments>[]>;
}

const accessArguments = {
  access_type: word(pageAccesses, {
    does: "Who may read it.",
    fallback: pageDefaults.access,
  }),
  password: text({
    does: "The password that readers give. No output shows it.",
    limit: `${checkLimits.nameCharsMax} characters; required for \`password\``,
    fallback: "",
  }),
  auth_email_domains: texts({
    does: "Whose addresses get a link to the page, e.g. `acme.example`.",
    limit: `${limits.pageAccessEntriesMax} entries; required for \`email-domain\``,
    fallback: [],
  }),
  allowed_ip_ranges: text({
    does: "From where it may be read: CIDR ranges and addresses with commas between.",
    limit: `${limits.pageAccessEntriesMax} entries; required for \`ip-restriction\``,
    fallback: "",
  }),
};

const looks = {
  theme: word([...pageThemes, ...themeKeys], {
    does: "Light, dark, or as the reader's system is; or colours by name, as in `theme_key`.",
    fallback: pageDefaults.theme,
  }),
  custom_theme: section(themeArguments, "Variables of CSS that replace those of the theme."),
  default_locale: word(locales, {
    does: "The language that readers see first.",
    fallback: pageDefaults.defaultLocale,
  }),
  locales: texts({
    does: `The languages that readers may choose: ${locales.map((one) => `\`${one}\``).join(", ")}. The default one is among them.`,
    fallback: [],
  }),
  time_zone: text({
    does: "The zone of the times in mail to subscribers, in feeds, and on the page in a browser without script.",
    limit: "an IANA name",
    fallback: pageDefaults.timeZone,
  }),
  allow_index: flag({ does: "Whether search engines may list it.", fallback: true }),
  configuration: section(showingArguments, "How uptime is shown."),
};

export const pageArguments: PageArguments = {
  slug: text({
    does: "The page's name in addresses. Files know it by this.",
    limit: `${checkLimits.nameCharsMax} lower-case letters, digits and single hyphens inside`,
  }),
  renamed_from: text({
    does: "The slug that it had before, so that it keeps its reports under the new one.",
    fallback: "",
  }),
  title: text({
    does: "What the page is called.",
    limit: `${checkLimits.nameCharsMax} characters`,
  }),
  description: text({
    does: "What readers see below the title.",
    limit: `${checkLimits.descriptionCharsMax} characters`,
    fallback: "",
  }),
  published: flag({ does: "Whether anyone sees it at all.", fallback: true }),
  homepage_url: text({ does: "Where its title leads.", limit: "http or https", fallback: "" }),
  contact_url: text({
    does: "Where readers ask.",
    limit: "http, https or mailto",
    fallback: "",
  }),
  icon: text({
    does: "The URL of its icon. [A file](../status-pages.md#the-icon) is chosen on the page's Look tab; its own URL keeps it.",
    limit: `https; ${limits.pageIconCharsMax} characters`,
    fallback: "",
  }),
  custom_domain: text({
    does: "The host name under which it is shown too. Its DNS points to the service.",
    limit: "unique among pages; without scheme and `www.`",
    fallback: "",
  }),
  ...accessArguments,
  ...looks,
  groups: rows(groupArguments, {
    does: "Groups of components. Each is shown at its first component. One that is left out is removed.",
    limit: `${limits.pageGroupsMax} groups`,
    fallback: [],
  }),
  components: rows(componentArguments, {
    does: "What the page shows. One that is left out is removed.",
    limit: `${limits.pageComponentsMax} components`,
    fallback: [],
  }),
};

export type PageValues = ValuesOf<PageArguments>;
export type ComponentValues = ValuesOf<ComponentArguments>;
