import {
  type FieldTable,
  flag,
  int32,
  int64,
  many,
  mask,
  message,
  optional,
  text,
  textsByText,
  words,
} from "./field-table.ts";
import type { PublicCall } from "./public-tables.ts";

/*
 * The public contract of status pages and reports, copied by hand from its tables and from nothing of proto/. Of what
 * Picket adds, only `published` and the mask are here.
 */
const access = words("PAGE_ACCESS_TYPE_", "PUBLIC PASSWORD_PROTECTED AUTHENTICATED IP_RESTRICTED");
const theme = words("PAGE_THEME_", "SYSTEM LIGHT DARK");
const locale = words("LOCALE_", "EN FR DE TR HI KO");
const overall = words(
  "OVERALL_STATUS_",
  "OPERATIONAL DEGRADED PARTIAL_OUTAGE MAJOR_OUTAGE MAINTENANCE UNKNOWN",
);
const metric = words("PAGE_METRIC_TYPE_", "DURATION REQUESTS MANUAL");
const bar = words("PAGE_BAR_TYPE_", "ABSOLUTE MANUAL");
const componentType = words("PAGE_COMPONENT_TYPE_", "MONITOR STATIC");
const dayStatus = words("COMPONENT_DAY_STATUS_", "OPERATIONAL DEGRADED DOWN MAINTENANCE EMPTY");
const eventType = words("COMPONENT_EVENT_TYPE_", "MAINTENANCE INCIDENT REPORT");
const eventStatus = words("COMPONENT_EVENT_STATUS_", "OPERATIONAL DEGRADED DOWN MAINTENANCE");
const reportStatus = words("STATUS_REPORT_STATUS_", "INVESTIGATING IDENTIFIED MONITORING RESOLVED");
const impact = words(
  "PAGE_COMPONENT_IMPACT_",
  "OPERATIONAL DEGRADED_PERFORMANCE PARTIAL_OUTAGE MAJOR_OUTAGE",
);
const customTheme = message({ light: [1, textsByText], dark: [2, textsByText] });

const configuration = message({
  metricType: [1, metric],
  barType: [2, bar],
  showUptime: [3, flag],
  themeKey: [4, text],
  days: [5, int32],
});
const page = message({
  id: [1, text],
  title: [2, text],
  description: [3, text],
  slug: [4, text],
  customDomain: [5, text],
  published: [6, flag],
  accessType: [7, access],
  theme: [8, theme],
  homepageUrl: [9, text],
  contactUrl: [10, text],
  icon: [11, text],
  createdAt: [12, text],
  updatedAt: [13, text],
  defaultLocale: [14, locale],
  locales: [15, many(locale)],
  password: [16, text],
  authEmailDomains: [17, many(text)],
  allowIndex: [18, flag],
  allowedIpRanges: [19, text],
  customTheme: [20, optional(customTheme)],
});
const pageSummary = message({
  id: [1, text],
  title: [2, text],
  slug: [3, text],
  published: [4, flag],
  createdAt: [5, text],
  updatedAt: [6, text],
  customDomain: [7, text],
});
const component = message({
  id: [1, text],
  pageId: [2, text],
  name: [3, text],
  description: [4, text],
  type: [5, componentType],
  monitorId: [6, text],
  order: [7, int32],
  groupId: [8, text],
  groupOrder: [9, int32],
  createdAt: [10, text],
  updatedAt: [11, text],
});
const group = message({
  id: [1, text],
  pageId: [2, text],
  name: [3, text],
  createdAt: [4, text],
  updatedAt: [5, text],
  defaultOpen: [6, flag],
});
const componentImpact = message({ pageComponentId: [1, text], impact: [2, impact] });
const update = message({
  id: [1, text],
  status: [2, reportStatus],
  date: [3, text],
  message: [4, text],
  createdAt: [5, text],
  componentImpacts: [6, many(componentImpact)],
});
const summaryOfReport: FieldTable = {
  id: [1, text],
  status: [2, reportStatus],
  title: [3, text],
  pageComponentIds: [4, many(text)],
};
const report = message({
  ...summaryOfReport,
  updates: [5, many(update)],
  createdAt: [6, text],
  updatedAt: [7, text],
});
const reportSummary = message({ ...summaryOfReport, createdAt: [5, text], updatedAt: [6, text] });
const maintenance = message({
  id: [1, text],
  title: [2, text],
  message: [3, text],
  from: [4, text],
  to: [5, text],
  pageId: [6, text],
  pageComponentIds: [7, many(text)],
  createdAt: [8, text],
  updatedAt: [9, text],
});
const componentStatus = message({ componentId: [1, text], status: [2, overall] });
const day = message({
  day: [1, text],
  count: [2, int64],
  ok: [3, int64],
  degraded: [4, int64],
  error: [5, int64],
  status: [6, dayStatus],
  impact: [7, optional(impact)],
});
const event = message({
  id: [1, text],
  name: [2, text],
  type: [3, eventType],
  status: [4, eventStatus],
  from: [5, text],
  to: [6, optional(text)],
  impact: [7, optional(impact)],
});
const dailySummary = message({
  componentId: [1, text],
  type: [2, componentType],
  monitorId: [3, optional(text)],
  name: [4, text],
  buckets: [5, many(day)],
  events: [6, many(event)],
});

const id: FieldTable = { id: [1, text] };
const success: FieldTable = { success: [1, flag] };
const list: FieldTable = { limit: [1, optional(int32)], offset: [2, optional(int32)] };
const identifier: FieldTable = { id: [1, optional(text)], slug: [2, optional(text)] };

const ofService =
  (service: string, reads: boolean) =>
  (request: FieldTable, response: FieldTable): PublicCall => ({
    service,
    reads,
    request,
    response,
  });
const webhookChannel = message({
  webhookUrl: [1, text],
  headers: [2, many(message({ key: [1, text], value: [2, text] }))],
});
const subscriber = message({
  id: [1, text],
  pageId: [2, text],
  email: [3, text],
  acceptedAt: [4, text],
  unsubscribedAt: [5, text],
  createdAt: [6, text],
  updatedAt: [7, text],
  source: [8, words("SUBSCRIBER_SOURCE_", "SELF_SIGNUP VENDOR IMPORT")],
  name: [9, optional(text)],
  channelType: [10, text],
  webhookUrl: [11, optional(text)],
  channelConfig: [12, optional(text)],
  componentIds: [13, many(text)],
  failingSince: [100, text],
  trouble: [101, text],
});
const pages = "openstatus.status_page.v1.StatusPageService";
const reports = "openstatus.status_report.v1.StatusReportService";
const [write, read] = [ofService(pages, false), ofService(pages, true)];
const [writeReport, readReport] = [ofService(reports, false), ofService(reports, true)];
const ofMonitor: FieldTable = {
  name: [3, optional(text)],
  description: [4, optional(text)],
  order: [5, optional(int32)],
  groupId: [6, optional(text)],
};
const givenUpdate: FieldTable = { status: [2, reportStatus], message: [3, text] };

export const pageTables: Readonly<Record<string, PublicCall>> = {
  CreateStatusPage: write(
    {
      title: [1, text],
      description: [2, optional(text)],
      slug: [3, text],
      homepageUrl: [4, optional(text)],
      contactUrl: [5, optional(text)],
      defaultLocale: [6, optional(locale)],
      locales: [7, many(locale)],
      icon: [8, optional(text)],
      customDomain: [9, optional(text)],
      theme: [10, optional(theme)],
      accessType: [11, optional(access)],
      password: [12, optional(text)],
      authEmailDomains: [13, many(text)],
      allowIndex: [14, optional(flag)],
      allowedIpRanges: [15, optional(text)],
      customTheme: [16, optional(customTheme)],
      published: [100, optional(flag)],
    },
    { statusPage: [1, page] },
  ),
  GetStatusPage: read(id, { statusPage: [1, page] }),
  ListStatusPages: read(list, { statusPages: [1, many(pageSummary)], totalSize: [2, int32] }),
  UpdateStatusPage: write(
    {
      ...id,
      title: [2, optional(text)],
      description: [3, optional(text)],
      slug: [4, optional(text)],
      homepageUrl: [5, optional(text)],
      contactUrl: [6, optional(text)],
      defaultLocale: [7, optional(locale)],
      locales: [8, many(locale)],
      icon: [9, optional(text)],
      customDomain: [10, optional(text)],
      theme: [11, optional(theme)],
      accessType: [12, optional(access)],
      password: [13, optional(text)],
      authEmailDomains: [14, many(text)],
      allowIndex: [15, optional(flag)],
      allowedIpRanges: [16, optional(text)],
      customTheme: [17, optional(customTheme)],
      updateMask: [100, mask],
    },
    { statusPage: [1, page] },
  ),
  DeleteStatusPage: write(id, success),
  AddMonitorComponent: write(
    { pageId: [1, text], monitorId: [2, text], ...ofMonitor },
    { component: [1, component] },
  ),
  AddStaticComponent: write(
    {
      pageId: [1, text],
      name: [2, text],
      description: [3, optional(text)],
      order: [4, optional(int32)],
      groupId: [5, optional(text)],
    },
    { component: [1, component] },
  ),
  UpdateComponent: write(
    {
      ...id,
      name: [2, optional(text)],
      description: [3, optional(text)],
      order: [4, optional(int32)],
      groupId: [5, optional(text)],
      groupOrder: [6, optional(int32)],
    },
    { component: [1, component] },
  ),
  GetPageComponent: read(id, { component: [1, component] }),
  RemoveComponent: write(id, success),
  CreateComponentGroup: write(
    { pageId: [1, text], name: [2, text], defaultOpen: [3, optional(flag)] },
    { group: [1, group] },
  ),
  UpdateComponentGroup: write(
    { ...id, name: [2, optional(text)], defaultOpen: [3, optional(flag)] },
    { group: [1, group] },
  ),
  DeleteComponentGroup: write(id, success),
  GetStatusPageContent: read(identifier, {
    statusPage: [1, page],
    components: [2, many(component)],
    groups: [3, many(group)],
    statusReports: [4, many(report)],
    maintenances: [5, many(maintenance)],
  }),
  GetOverallStatus: read(identifier, {
    overallStatus: [1, overall],
    componentStatuses: [2, many(componentStatus)],
  }),
  GetStatusPageOverview: read(id, {
    statusPage: [1, page],
    configuration: [2, configuration],
    components: [3, many(component)],
    groups: [4, many(group)],
    statusReports: [5, many(report)],
    maintenances: [6, many(maintenance)],
    overallStatus: [7, overall],
    componentStatuses: [8, many(componentStatus)],
  }),
  GetPageComponentDailySummary: read(
    { ...identifier, componentIds: [3, many(text)], days: [4, optional(int32)] },
    { components: [1, many(dailySummary)] },
  ),
  SubscribeToPage: write({ pageId: [1, text], email: [2, text] }, { subscriber: [1, subscriber] }),
  CreatePageSubscription: write(
    {
      pageId: [1, text],
      name: [2, optional(text)],
      componentIds: [3, many(text)],
      emailChannel: [10, optional(message({ email: [1, text] }))],
      webhookChannel: [11, optional(webhookChannel)],
    },
    { subscriber: [1, subscriber] },
  ),
  ListSubscribers: read(
    {
      pageId: [1, text],
      limit: [2, optional(int32)],
      offset: [3, optional(int32)],
      includeUnsubscribed: [4, optional(flag)],
    },
    { subscribers: [1, many(subscriber)], totalSize: [2, int32] },
  ),
  UnsubscribeFromPage: write(
    { pageId: [1, text], email: [2, optional(text)], id: [3, optional(text)] },
    success,
  ),
  CreateStatusReport: writeReport(
    {
      title: [1, text],
      ...givenUpdate,
      date: [4, text],
      pageId: [5, text],
      pageComponentIds: [6, many(text)],
      notify: [7, optional(flag)],
      componentImpacts: [8, many(componentImpact)],
    },
    { statusReport: [1, report] },
  ),
  GetStatusReport: readReport(id, { statusReport: [1, report] }),
  ListStatusReports: readReport(
    { ...list, statuses: [3, many(reportStatus)] },
    { statusReports: [1, many(reportSummary)], totalSize: [2, int32] },
  ),
  UpdateStatusReport: writeReport(
    {
      ...id,
      title: [2, optional(text)],
      pageComponentIds: [3, many(text)],
      updatePageComponentIds: [4, optional(flag)],
    },
    { statusReport: [1, report] },
  ),
  DeleteStatusReport: writeReport(id, success),
  AddStatusReportUpdate: writeReport(
    {
      statusReportId: [1, text],
      ...givenUpdate,
      date: [4, optional(text)],
      notify: [5, optional(flag)],
      componentImpacts: [6, many(componentImpact)],
    },
    { statusReport: [1, report] },
  ),
};
