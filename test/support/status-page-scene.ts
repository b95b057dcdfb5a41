import type { Service } from "#service/server";

const pages = "openstatus.status_page.v1.StatusPageService";
const reports = "openstatus.status_report.v1.StatusReportService";
const maintenance = "openstatus.maintenance.v1.MaintenanceService";

/**
 * Two pages on a service with a generated past: "acme", with its first monitors in groups, reports and maintenance, in
 * six languages; and "closed", whose password is "sesame".
 */
export async function generatedPage({ url, admin }: Service): Promise<void> {
  const { key } = await admin.createApiKey({ name: "pages", scope: "write" });
  const call = async (service: string, name: string, ask: object): Promise<void> => {
    const answer = await fetch(`${url}/rpc/${service}/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(ask),
    });
    if (answer.status !== 200) throw new Error(`${name}: ${await answer.text()}`);
  };
  await call(pages, "CreateStatusPage", {
    title: "Acme",
    slug: "acme",
    description: "How the shop of Acme and the systems behind it are doing.",
    homepageUrl: "https://acme.example/",
    contactUrl: "mailto:help@acme.example",
    locales: ["EN", "FR", "DE", "TR", "HI", "KO"].map((one) => `LOCALE_${one}`),
  });
  // As of a page that a person makes.
  const counted = { metricType: "PAGE_METRIC_TYPE_DURATION", showUptime: true, days: 90 };
  const configuration = { ...counted, barType: "PAGE_BAR_TYPE_ABSOLUTE", themeKey: "default" };
  await call(pages, "UpdateStatusPage", { id: "1", configuration });
  for (const name of ["Payments and staff", "Data"])
    await call(pages, "CreateComponentGroup", { pageId: "1", name });
  const shown = [
    [1, ""],
    [2, "1"],
    [3, "1"],
    [4, "2"],
    [5, "2"],
  ] as const;
  for (const [monitor, groupId] of shown)
    await call(pages, "AddMonitorComponent", { pageId: "1", monitorId: String(monitor), groupId });
  await call(pages, "AddStaticComponent", {
    pageId: "1",
    name: "Support desk",
    description: "Weekdays, 8 to 18 h",
  });
  await call(reports, "CreateStatusReport", {
    title: "Card payments are slow",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "Some cards take a **minute**. We look into it.",
    date: "2026-11-22T10:40:00Z",
    pageId: "1",
    componentImpacts: [
      { pageComponentId: "2", impact: "PAGE_COMPONENT_IMPACT_DEGRADED_PERFORMANCE" },
    ],
  });
  await call(reports, "AddStatusReportUpdate", {
    statusReportId: "1",
    status: "STATUS_REPORT_STATUS_IDENTIFIED",
    message: "The bank's gateway is slow. [Its own page](https://bank.example/status) says more.",
    date: "2026-11-22T11:20:00Z",
  });
  await call(reports, "CreateStatusReport", {
    title: "The desk could not be reached by phone",
    status: "STATUS_REPORT_STATUS_RESOLVED",
    message: "The line works again.",
    date: "2026-11-18T14:00:00Z",
    pageId: "1",
    pageComponentIds: ["6"],
  });
  await call(maintenance, "CreateMaintenance", {
    title: "Database upgrade",
    message: "The shop is read-only meanwhile.",
    from: "2026-11-29T22:00:00Z",
    to: "2026-11-29T23:30:00Z",
    pageId: "1",
    pageComponentIds: ["4", "5"],
  });
  await call(pages, "CreateStatusPage", {
    title: "Inner circle",
    slug: "closed",
    accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED",
    password: "sesame",
  });
  await call(pages, "AddStaticComponent", { pageId: "2", name: "Everything" });
}
