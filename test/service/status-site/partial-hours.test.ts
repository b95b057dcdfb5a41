import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { operatorScene } from "../../support/operator-scene.ts";

/** Half an hour of results; it is noon. */
const young = 0.02;

/** The figure next to each bar: of two components, their group, and the third. */
const sharesIn = (page: string): readonly string[] =>
  [...page.matchAll(/<div class="days">(.*?)<\/div>/gs)].map(
    ([, bar = ""]) => /<strong>(.*?)<\/strong>/.exec(bar)?.[1] ?? "",
  );

/** A page of two monitors in a group, and of one in none. */
async function planningScene() {
  const { service, get, database } = await operatorScene({ days: young });
  const { key } = await service.admin.createApiKey({ name: "pages", scope: "write" });
  const call = async (name: string, ask: object): Promise<void> => {
    const answer = await fetch(`${service.url}/rpc/openstatus.${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(ask),
    });
    expect([name, answer.status]).toEqual([name, 200]);
  };
  const pages = "status_page.v1.StatusPageService";
  await call(`${pages}/CreateStatusPage`, { title: "Acme", slug: "acme" });
  await call(`${pages}/CreateComponentGroup`, { pageId: "1", name: "Data" });
  for (const monitorId of ["4", "5"])
    await call(`${pages}/AddMonitorComponent`, { pageId: "1", monitorId, groupId: "1" });
  await call(`${pages}/AddMonitorComponent`, { pageId: "1", monitorId: "1" });
  const plan = (from: string, pageComponentIds: readonly string[]) =>
    call(`${maintenances}/CreateMaintenance`, {
      title: "Works",
      message: "Slow.",
      from,
      to: "2026-11-22T13:00:00Z",
      pageId: "1",
      pageComponentIds,
    });
  return { call, plan, database, page: async () => (await get("/status/acme")).text() };
}

const maintenances = "maintenance.v1.MaintenanceService";

test("a monitor that is half an hour old has its uptime while its group is under maintenance", async () => {
  const { plan, page, database } = await planningScene();
  // Its only hour is one in which there is maintenance.
  await plan("2026-11-22T11:45:00Z", ["1"]);
  // Of the other one nothing is known but during maintenance: the place of the figure stays.
  await plan("2026-11-22T11:00:00Z", ["2"]);
  using file = new DatabaseSync(database);
  // As a database has it that was made before this was kept.
  file.exec("UPDATE maintenances SET planned_at = 0");
  expect(sharesIn(await page())).toEqual(["100.00\u00a0%", "–", "100.00\u00a0%", "100.00\u00a0%"]);
});

test("planned work that is saved after it began takes nothing out of the uptime of before", async () => {
  const { call, plan, page } = await planningScene();
  /** Bars and figures of the days; the bubble of a day names its work. */
  const figures = (text: string): readonly string[] =>
    [...text.matchAll(/<div class="days">(.*?)<\/div>/gs)].map(([bar]) =>
      bar.replaceAll(/( · Works)+/g, ""),
    );
  const before = figures(await page());
  await plan("2026-11-20T00:00:00Z", ["1", "2", "3"]);
  expect(figures(await page())).toEqual(before);
  await plan("2026-11-22T12:30:00Z", ["1", "2", "3"]);
  await call(`${maintenances}/UpdateMaintenance`, { id: "2", from: "2026-11-20T00:00:00Z" });
  expect(figures(await page())).toEqual(before);
});
