import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { complaints, follow, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const browser = fileBrowser();
const longName = "Payments of the shop in the north, by card and by invoice";

/** It is 12:00 on 22 November; the second monitor is under maintenance. */
async function plannedScene() {
  const scene = await operatorScene({ days: 0 });
  const monitorIds: string[] = [];
  for (const name of ["mail", longName, "web"]) {
    const url = `https://${name.slice(0, 4).toLowerCase()}.example/a/long/path/of/health`;
    const { id } = await scene.service.admin.createMonitor(
      { ...httpDefaults, name, periodicity: "1m", url, active: true },
      "management",
    );
    monitorIds.push(id);
  }
  await scene.service.admin.createPrivateLocation({ name: "office", monitorIds, metadata: {} });
  const form = formTokenIn(await (await scene.get("/monitors/1")).text());
  const times = { from: "2026-11-22T11:00", to: "2026-11-22T12:40" };
  const work = { title: "Upgrade", time_zone: "UTC", repeat: "once", monitor_ids: "2" };
  await scene.post("/maintenances/new", { form, ...work, ...times });
  return scene;
}

test.skipIf(!browser.isThere)(
  "whoever silences a monitor sees it after its name, in the overview and at its location: light and dark, on a desk and on a phone",
  async () => {
    const { service } = await plannedScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const chips = async () =>
      (await page.locator(".line .until").allInnerTexts()).map((one) => one.replace(/\s+/g, " "));
    await page.goto(`${service.url}/monitors/1`);
    await page.getByText("Silence", { exact: false }).first().click();
    await follow(page.getByRole("button", { name: "Silence", exact: true }));
    await page.goto(service.url);
    expect(await chips()).toEqual(["Silenced until 13:00", "Maintenance until 12:40"]);
    await page.goto(`${service.url}/monitors/2`);
    await page.getByText("Silence", { exact: false }).first().click();
    await page.getByLabel("1 day").check();
    await follow(page.getByRole("button", { name: "Silence", exact: true }));
    for (const path of ["/", "/locations/1"])
      for (const colorScheme of ["light", "dark"] as const)
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height });
          await page.goto(`${service.url}${path}`);
          expect(await chips()).toEqual([
            "Silenced until 13:00",
            "Maintenance until 12:40",
            "Silenced until 23 Nov, 12:00",
          ]);
          expect(await overhang(page)).toBe(0);
          const name = path === "/" ? "overview" : "location";
          await snap(page, `planned-chips-${name}-${colorScheme}-${width}`);
        }
  },
);

test.skipIf(!browser.isThere)(
  "a chip's time is in the zone of the reader, with UTC under the pointer, and axe has no complaint",
  async () => {
    const { service } = await plannedScene();
    await using context = await browser.newContext({ timezoneId: "Asia/Tokyo" });
    const page = await context.newPage();
    await page.clock.setFixedTime("2026-11-22T12:00:00Z");
    await page.goto(service.url);
    const time = page.locator(".line .until time");
    await expect.poll(() => time.innerText()).toBe("21:40");
    expect(await time.getAttribute("title")).toBe("12:40 UTC");
    for (const path of ["/", "/locations/1"])
      for (const colorScheme of ["light", "dark"] as const)
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height });
          await page.goto(`${service.url}${path}`);
          expect(await complaints(page, "all")).toEqual([]);
        }
  },
);
