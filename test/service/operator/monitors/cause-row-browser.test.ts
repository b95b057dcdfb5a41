import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { pictureShownFor } from "#limits/pages-limits";
import type { Service } from "#service/server";
import { complaints, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { serviceClient } from "../../../support/service-client.ts";

const browser = fileBrowser();
const { isThere } = browser;

const failure = { code: "connection_refused", phase: "connect", message: "Connection refused" };

/** A location whose agent sees all of these monitors fail in one way. */
async function failsAt(service: Service, name: string, monitorIds: string[], slot: bigint) {
  const { token } = await service.admin.createPrivateLocation({ name, monitorIds, metadata: {} });
  const agent = serviceClient(PrivateLocationService, service.url, "x-service-token", token);
  await agent.heartbeat({ instanceId: name, leaving: false });
  const said = { requestStatus: "error", timestamp: slot, cronTimestamp: slot };
  const results = monitorIds.map((monitorId) => ({
    result: { case: "tcp" as const, value: { monitorId, ...said } },
    detail: { failure },
  }));
  await agent.ingestBatch({ instanceId: name, results });
}

/** Three monitors of one server fail at the office, and one of them at the factory, too. */
async function onePortScene() {
  const scene = await operatorScene({ days: 0 });
  const { admin } = scene.service;
  const common = { uri: "db.test:5432", periodicity: "1m", active: true } as const;
  const ids: string[] = [];
  for (const name of ["orders", "stock", "bills"]) {
    const definition = { ...tcpDefaults, ...common, name };
    ids.push((await admin.createMonitor(definition, "management")).id);
  }
  const slot = BigInt(scene.clock.wall() - 1_000);
  await failsAt(scene.service, "factory", ids.slice(0, 1), slot);
  await failsAt(scene.service, "office", ids, slot);
  // The service may have taken a picture of its own before these came.
  scene.clock.suspend(pictureShownFor);
  return scene;
}

test.skipIf(!isThere)(
  "a row of one cause says how many fail at each location, also in a compact list, and in the list of incidents",
  async () => {
    const { service } = await onePortScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const head = page.locator(".cause summary > strong");
    for (const view of ["comfortable", "compact"])
      for (const [width, height] of [
        [1280, 800],
        [1000, 800],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        await page.goto(`${service.url}/?view=${view}`);
        expect(await head.innerText()).toBe("3 monitors: 3 at office, 1 at factory");
        expect(await head.getAttribute("title")).toBe("3 at office, 1 at factory");
        const isCut = await head.evaluate(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        );
        expect(isCut).toBe(false);
        expect(await overhang(page)).toBe(0);
        await snap(page, `cause-row-${view}-${width}`);
      }
    await page.goto(`${service.url}/incidents`);
    expect(await page.locator(".group .meta").innerText()).toBe(
      "connection_refused while connecting: 3 at office, 1 at factory",
    );
  },
);

test.skipIf(!isThere)("axe has no complaint of such a row: light and dark", async () => {
  const { service } = await onePortScene();
  await using context = await browser.newContext();
  const page = await context.newPage();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${service.url}/?view=compact`);
    expect(await complaints(page, "all")).toEqual([]);
  }
});
