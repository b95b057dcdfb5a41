import { expect, test } from "vitest";
import { operatorScene } from "../../support/operator-scene.ts";

/** Half an hour of results; it is noon. */
const young = 0.02;

/** The figure next to each component's bar. */
const sharesIn = (page: string): readonly string[] =>
  [...page.matchAll(/<div class="days">(.*?)<\/div>/gs)].map(
    ([, bar = ""]) => /<strong>(.*?)<\/strong>/.exec(bar)?.[1] ?? "",
  );

test("a monitor that is half an hour old has its uptime while its group is under maintenance", async () => {
  const { service, get } = await operatorScene({ days: young });
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
    call("maintenance.v1.MaintenanceService/CreateMaintenance", {
      title: "Works",
      message: "Slow.",
      from,
      to: "2026-11-22T13:00:00Z",
      pageId: "1",
      pageComponentIds,
    });
  // Its only hour is one in which there is maintenance.
  await plan("2026-11-22T11:45:00Z", ["1"]);
  // Of the other one nothing is known but during maintenance: the place of the figure stays.
  await plan("2026-11-22T11:00:00Z", ["2"]);
  expect(sharesIn(await (await get("/status/acme")).text())).toEqual(["100.00%", "–", "100.00%"]);
});
