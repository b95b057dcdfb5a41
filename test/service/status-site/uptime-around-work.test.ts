import { expect, test } from "vitest";
import { alertedOffice } from "../alerts/alerted-office.ts";

test("an outage before planned work is a part of what is known without it, also in the hour that follows", async () => {
  const office = await alertedOffice();
  const call = async (name: string, ask: object): Promise<void> => {
    const headers = { "x-service-key": office.key };
    const answer = await office.service.post(`/rpc/openstatus.${name}`, ask, headers);
    expect([name, answer.status]).toEqual([name, 200]);
  };
  const pages = "status_page.v1.StatusPageService";
  await call(`${pages}/CreateStatusPage`, { title: "Acme", slug: "acme" });
  await call(`${pages}/AddMonitorComponent`, { pageId: "1", monitorId: office.monitors[0] });
  const counted = { metricType: "PAGE_METRIC_TYPE_DURATION", barType: "PAGE_BAR_TYPE_ABSOLUTE" };
  const configuration = { ...counted, showUptime: true, days: 90 };
  await call(`${pages}/UpdateStatusPage`, { id: "1", configuration });
  const checked = async (minutes: number, status: "success" | "error"): Promise<void> => {
    for (let check = 0; check < minutes * 2; check += 1) {
      await office.beat();
      await office.report(status);
      await office.pass(30);
    }
  };
  /** In percent, as the page says it. */
  const uptime = async (): Promise<number> => {
    // Until the page is drawn anew.
    await office.pass(15);
    const page = await (await fetch(`${office.service.url}/status/acme`)).text();
    return Number(/<strong>([\d.]+)\u00a0%<\/strong>/.exec(page)?.[1]);
  };
  const soon = (minutes: number): string =>
    new Date(office.clock.wall() + minutes * 60_000).toISOString();
  await office.pass(46 * 60);
  await checked(2, "success");
  await checked(4, "error");
  expect(await uptime()).toBeCloseTo(33.3, 0);
  const work = { title: "Works", message: "Slow.", pageId: "1", pageComponentIds: ["1"] };
  const maintenances = "maintenance.v1.MaintenanceService";
  await call(`${maintenances}/CreateMaintenance`, { ...work, from: soon(0), to: soon(30) });
  await checked(3, "success");
  await call(`${maintenances}/UpdateMaintenance`, { id: "1", to: soon(0) });
  // Down for 4 of the 6 minutes before the work; the hour ends, and all that is known grows.
  await checked(6, "success");
  const first = await uptime();
  await checked(6, "success");
  expect(first).toBeGreaterThan(50);
  expect(await uptime()).toBeGreaterThan(first);
});

test("an uptime says of how long it is until a day is counted", async () => {
  const office = await alertedOffice();
  const call = async (name: string, ask: object): Promise<void> => {
    const headers = { "x-service-key": office.key };
    const path = `/rpc/openstatus.status_page.v1.StatusPageService/${name}`;
    const answer = await office.service.post(path, ask, headers);
    expect([name, answer.status]).toEqual([name, 200]);
  };
  await call("CreateStatusPage", {
    title: "Acme",
    slug: "acme",
    locales: ["LOCALE_EN", "LOCALE_DE"],
  });
  await call("AddMonitorComponent", { pageId: "1", monitorId: office.monitors[0] });
  const said = async (path: string): Promise<readonly string[]> => {
    const page = await (await fetch(`${office.service.url}/status/acme${path}`)).text();
    return [...page.matchAll(/<(?:span|dt)\s*>([^<]*(?:uptime|Prüfungen)[^<]*)</g)].map(
      ([, words = ""]) => words.trim(),
    );
  };
  for (let check = 0; check < 25; check += 1) {
    await office.beat();
    await office.report(check < 10 ? "success" : "error");
    await office.pass(30);
  }
  await office.pass(15);
  expect(await said("")).toEqual(["uptime by checks in 12 min of data"]);
  expect(await said("/de")).toEqual(["der Prüfungen gut in 12 Min. mit Daten"]);
});

test("an uptime of time says that it is measured, if a report alone makes a day red", async () => {
  const office = await alertedOffice();
  const call = async (name: string, ask: object): Promise<void> => {
    const headers = { "x-service-key": office.key };
    const answer = await office.service.post(`/rpc/openstatus.${name}`, ask, headers);
    expect([name, answer.status]).toEqual([name, 200]);
  };
  const pages = "status_page.v1.StatusPageService";
  await call(`${pages}/CreateStatusPage`, { title: "Acme", slug: "acme" });
  await call(`${pages}/AddMonitorComponent`, { pageId: "1", monitorId: office.monitors[0] });
  const counted = { metricType: "PAGE_METRIC_TYPE_DURATION", barType: "PAGE_BAR_TYPE_ABSOLUTE" };
  await call(`${pages}/UpdateStatusPage`, {
    id: "1",
    configuration: { ...counted, showUptime: true, days: 90 },
  });
  for (let check = 0; check < 8; check += 1) {
    await office.beat();
    await office.report("success");
    await office.pass(30);
  }
  const said = async (): Promise<string> => {
    await office.pass(15);
    const page = await (await fetch(`${office.service.url}/status/acme`)).text();
    return /<strong>100\.00\u00a0%<\/strong>\s*<span\s*>([^<]*)</.exec(page)?.[1]?.trim() ?? "";
  };
  expect(await said()).toMatch(/^uptime in \d min of data$/);
  await call("status_report.v1.StatusReportService/CreateStatusReport", {
    pageId: "1",
    title: "Payments failed",
    status: "STATUS_REPORT_STATUS_RESOLVED",
    message: "Over.",
    date: new Date(office.clock.wall()).toISOString(),
  });
  await call("status_report.v1.StatusReportService/AddStatusReportUpdate", {
    statusReportId: "1",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "Payments fail.",
    date: new Date(office.clock.wall() - 90 * 60_000).toISOString(),
    componentImpacts: [{ pageComponentId: "1", impact: "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE" }],
  });
  expect(await said()).toMatch(/^measured uptime in \d min of data$/);
});
