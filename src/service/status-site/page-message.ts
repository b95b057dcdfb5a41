import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  PageComponentGroupSchema,
  PageComponentSchema,
  PageConfiguration as WireConfiguration,
  PageConfigurationSchema,
  StatusPageSchema,
  StatusPageSummarySchema,
} from "#contract/openstatus/status_page/v1/status_page_pb";
import { PageComponentType } from "#contract/openstatus/status_page/v1/status_page_pb";
import { violation } from "#service/edge/call-refusal";
import { timeText } from "#service/monitors/shown-monitor";
import {
  barKinds,
  locales,
  pageAccesses,
  type PageConfiguration,
  type PageDefinition,
  pageThemes,
  type ThemeKey,
  themeKeys,
  uptimeMetrics,
} from "#service/status-page/page-definition";
import type { PageMessageFields } from "#service/status-page/page-field-names";
import type { ComponentRow, GroupRow, StatusPageRow } from "#service/store/page-store";
import type { ComponentFieldName, GroupFieldName } from "#service/status-page/part-definitions";
import type { MessageWith } from "#wire/message-with";
import { numberOf } from "#wire/enum-words";

/** A page as the calls show it, with the address of its icon; `password` is empty for those who may not see it. */
export const pageMessage = (
  { id, definition, createdAt, updatedAt }: StatusPageRow,
  icon: string,
  password: string,
): MessageInitShape<typeof StatusPageSchema> => ({
  ...pageFields(definition),
  icon,
  id: String(id),
  createdAt: timeText(createdAt),
  updatedAt: timeText(updatedAt),
  password,
});

/** What a person says of a page, as all its messages have it. */
export const pageFields = (definition: PageDefinition): PageMessage => ({
  title: definition.title,
  description: definition.description,
  slug: definition.slug,
  customDomain: definition.customDomain,
  published: definition.published,
  accessType: numberOf(pageAccesses, definition.access),
  theme: numberOf(pageThemes, definition.theme),
  homepageUrl: definition.homepageUrl,
  contactUrl: definition.contactUrl,
  icon: definition.icon,
  defaultLocale: numberOf(locales, definition.defaultLocale),
  locales: definition.locales.map((one) => numberOf(locales, one)),
  timeZone: definition.timeZone,
  authEmailDomains: [...definition.emailDomains],
  allowIndex: definition.allowIndex,
  allowedIpRanges: definition.addressRanges.join(","),
  ...(isPlain(definition.customTheme)
    ? {}
    : {
        customTheme: {
          light: { ...definition.customTheme.light },
          dark: { ...definition.customTheme.dark },
        },
      }),
  configuration: configurationMessage(definition.configuration),
});

type StatusPageInit = Exclude<MessageInitShape<typeof StatusPageSchema>, { $typeName: string }>;
/** Each field has to be said: one that the contract does not have, or that is missing here, does not compile. */
type PageMessage = {
  [N in Exclude<keyof PageMessageFields, "customTheme">]: Exclude<StatusPageInit[N], undefined>;
} & Pick<StatusPageInit, "customTheme">;

const isPlain = (theme: StatusPageRow["definition"]["customTheme"]): boolean =>
  Object.keys(theme.light).length + Object.keys(theme.dark).length === 0;

export const configurationMessage = (
  configuration: PageConfiguration,
): MessageInitShape<typeof PageConfigurationSchema> => ({
  metricType: numberOf(uptimeMetrics, configuration.metric),
  barType: numberOf(barKinds, configuration.bar),
  showUptime: configuration.showUptime,
  themeKey: configuration.themeKey,
  days: configuration.days,
});

/** A configuration is given as a whole; what it leaves open is as before. */
export const configurationIn = (
  message: WireConfiguration,
  before: PageConfiguration,
): PageConfiguration => ({
  metric: wordIn("metric_type", uptimeMetrics, message.metricType) ?? before.metric,
  bar: wordIn("bar_type", barKinds, message.barType) ?? before.bar,
  showUptime: message.showUptime ?? before.showUptime,
  themeKey: message.themeKey === "" ? before.themeKey : themeKeyIn(message.themeKey),
  days: message.days === 0 ? before.days : message.days,
});

/** Null if nothing is said. */
function wordIn<W extends string>(field: string, words: readonly W[], number: number): W | null {
  const word = number === 0 ? null : words[number - 1];
  if (word !== undefined) return word;
  const message = `is ${number}, which is not one of ${words.join(", ")}`;
  throw violation({ field: `configuration.${field}`, message });
}

function themeKeyIn(text: string): ThemeKey {
  const key = themeKeys.find((one) => one === text);
  if (key !== undefined) return key;
  const message = `must be one of ${themeKeys.join(", ")}`;
  throw violation({ field: "configuration.theme_key", message });
}

export const pageSummary = ({
  id,
  definition: { title, slug, published, customDomain },
  createdAt,
  updatedAt,
}: StatusPageRow): MessageInitShape<typeof StatusPageSummarySchema> => ({
  id: String(id),
  title,
  slug,
  published,
  createdAt: timeText(createdAt),
  updatedAt: timeText(updatedAt),
  customDomain,
});

export const componentMessage = (
  row: ComponentRow,
): MessageWith<typeof PageComponentSchema, ComponentFieldName> => ({
  id: String(row.id),
  pageId: String(row.page),
  name: row.name,
  description: row.description,
  type: row.monitor === null ? PageComponentType.STATIC : PageComponentType.MONITOR,
  monitorId: row.monitor === null ? "" : String(row.monitor),
  order: row.order,
  groupId: row.group === null ? "" : String(row.group),
  groupOrder: row.groupOrder,
  createdAt: timeText(row.createdAt),
  updatedAt: timeText(row.updatedAt),
});

export const groupMessage = (
  row: GroupRow,
): MessageWith<typeof PageComponentGroupSchema, GroupFieldName> => ({
  id: String(row.id),
  pageId: String(row.page),
  name: row.name,
  createdAt: timeText(row.createdAt),
  updatedAt: timeText(row.updatedAt),
  defaultOpen: row.defaultOpen,
});
