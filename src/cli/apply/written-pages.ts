import type { Path } from "#check/argument";
import type { FileReading } from "#cli/apply/file-reading";
import {
  type ComponentValues,
  componentTypes,
  type PageValues,
} from "#service/resources/page-arguments";
import { rangesOf, rangesWanted } from "#service/status-site/page-fields";
import {
  barKinds,
  locales,
  pageAccesses,
  type PageConfiguration,
  pageDefaults,
  type PageDefinition,
  type PageTheme,
  pageThemes,
  themeKeys,
  uptimeMetrics,
} from "#service/status-page/page-definition";
import { pageFaults, partsFaults } from "#service/status-page/page-rules";

/** A status page that files want, and where it stands there. */
export interface WrittenPage {
  readonly path: Path;
  readonly renamedFrom: string;
  readonly definition: PageDefinition;
  readonly password: string;
  readonly groups: readonly WrittenGroup[];
  readonly components: readonly WrittenComponent[];
}

interface WrittenGroup {
  readonly name: string;
  readonly renamedFrom: string;
  readonly defaultOpen: boolean;
}

interface WrittenComponent {
  /** The name of its monitor; empty: a static one. */
  readonly monitor: string;
  readonly name: string;
  readonly renamedFrom: string;
  readonly description: string;
  readonly order: number;
  readonly group: string;
  readonly groupOrder: number;
}

/** The status pages of a file; what is wrong with them is reported. */
export const writtenPages = (
  values: readonly PageValues[],
  reading: FileReading,
): readonly WrittenPage[] =>
  values.map((one, index) => {
    const path = ["status_pages", index];
    const wrong = wrongAt(path, reading);
    const definition = definitionIn(one, wrong);
    const password = one.password.trim();
    for (const { field, message } of pageFaults(definition, password))
      wrong(field.split("."), message);
    judgeParts(one, wrong);
    return {
      path,
      renamedFrom: one.renamed_from,
      definition,
      password,
      groups: one.groups.map(({ name, renamed_from: renamedFrom, default_open: defaultOpen }) => ({
        name,
        renamedFrom,
        defaultOpen,
      })),
      components: componentsIn(one.components),
    };
  });

type Wrong = (path: Path, message: string) => void;

/** Nothing more is said of what could not be read. */
const wrongAt =
  (path: Path, reading: FileReading): Wrong =>
  (field, message) =>
    reading.judge([...path, ...field], [{ field: "", message }]);

function definitionIn(one: PageValues, wrong: Wrong): PageDefinition {
  const addressRanges = rangesOf(one.allowed_ip_ranges);
  if (addressRanges === null) wrong(["allowed_ip_ranges"], `must be ${rangesWanted}`);
  const mapping = (all: readonly { readonly key: string; readonly value: string }[] = []) =>
    Object.fromEntries(all.map(({ key, value }) => [key, value]));
  return {
    slug: one.slug,
    title: one.title,
    description: one.description,
    published: one.published,
    homepageUrl: one.homepage_url,
    contactUrl: one.contact_url,
    icon: one.icon,
    customDomain: one.custom_domain.toLowerCase(),
    access: wordIn(["access_type"], pageAccesses, one.access_type, wrong) ?? pageDefaults.access,
    emailDomains: one.auth_email_domains.map((domain) => domain.trim().toLowerCase()),
    addressRanges: addressRanges ?? [],
    theme: schemeIn(one.theme, wrong),
    customTheme: {
      light: mapping(one.custom_theme?.light),
      dark: mapping(one.custom_theme?.dark),
    },
    defaultLocale:
      wordIn(["default_locale"], locales, one.default_locale, wrong) ?? pageDefaults.defaultLocale,
    locales: [
      ...new Set(
        one.locales.flatMap(
          (locale, index) => wordIn(["locales", index], locales, locale, wrong) ?? [],
        ),
      ),
    ],
    timeZone: one.time_zone,
    allowIndex: one.allow_index,
    configuration: configurationIn(one, wrong),
  };
}

/** Of a theme by its key the readers' system chooses between light and dark. */
function schemeIn(text: string, wrong: Wrong): PageTheme {
  const word = wordIn(["theme"], [...pageThemes, ...themeKeys], text, wrong);
  return pageThemes.find((one) => one === word) ?? pageDefaults.theme;
}

/** A theme may stand in `theme`, where the specification has it, or in addition to the other things that are shown. */
function configurationIn(one: PageValues, wrong: Wrong): PageConfiguration {
  const { configuration: showing } = one;
  const usual = pageDefaults.configuration;
  const named = themeKeys.find((key) => key === one.theme);
  if (showing === null) return { ...usual, themeKey: named ?? usual.themeKey };
  const inside = wordIn(["configuration", "theme_key"], themeKeys, showing.theme_key, wrong);
  const said = inside === usual.themeKey ? null : inside;
  if (named !== undefined && said !== null && said !== named)
    wrong(["theme"], `is ${named}, and configuration.theme_key is ${said}: keep one of them`);
  return {
    metric:
      wordIn(["configuration", "metric_type"], uptimeMetrics, showing.metric_type, wrong) ??
      usual.metric,
    bar: wordIn(["configuration", "bar_type"], barKinds, showing.bar_type, wrong) ?? usual.bar,
    showUptime: showing.show_uptime ?? usual.showUptime,
    themeKey: said ?? named ?? usual.themeKey,
    days: showing.days ?? usual.days,
  };
}

/** Null for a word that is none of these, which is reported. */
function wordIn<T extends string>(
  path: Path,
  words: readonly T[],
  text: string,
  wrong: Wrong,
): T | null {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  wrong(path, `must be one of ${words.join(", ")}`);
  return null;
}

/** What is not said of places is as it stands in the list. */
function componentsIn(all: readonly ComponentValues[]): readonly WrittenComponent[] {
  const inGroup = new Map<string, number>();
  return all.map((one, index) => {
    const place = inGroup.get(one.group) ?? 0;
    inGroup.set(one.group, place + 1);
    return {
      monitor: one.monitor,
      name: nameOf(one),
      renamedFrom: one.renamed_from,
      description: one.description,
      order: one.order ?? index,
      group: one.group,
      groupOrder: one.group === "" ? 0 : (one.group_order ?? place),
    };
  });
}

const nameOf = ({ name, monitor }: ComponentValues): string => (name === "" ? monitor : name);

/** What the service judges, too, and what only files can say. */
function judgeParts({ groups, components }: PageValues, wrong: Wrong): void {
  const named = components.map((one, index) => ({
    ...one,
    // Of a name that is missing it is said once, below.
    name: nameOf(one) || `component ${index + 1}`,
  }));
  for (const { path, message } of partsFaults({ groups, components: named })) wrong(path, message);
  components.forEach((one, index) => {
    judgeComponent(one, (field, message) => wrong(["components", index, field], message));
  });
}

function judgeComponent(
  one: ComponentValues,
  wrong: (field: string, message: string) => void,
): void {
  const { monitor, type } = one;
  if (nameOf(one) === "" && type !== "monitor")
    wrong("name", "is required, but missing, if no monitor is named");
  if (type !== "" && !componentTypes.some((known) => known === type))
    wrong("type", `must be one of ${componentTypes.join(", ")}`);
  if (type === "monitor" && monitor === "") wrong("monitor", "is required if type is monitor");
  if (type === "static" && monitor !== "") wrong("type", "must be monitor if one is named");
  for (const field of ["order", "group_order"] as const) {
    const place = one[field];
    if (place !== null && !(Number.isInteger(place) && place >= 0 && place <= placeMax))
      wrong(field, `must be a whole number from 0 to ${placeMax}`);
  }
}

/** An int32 in the contract. */
const placeMax = 2 ** 31 - 1;
