import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "that no channel was notified has its distance from the line of subscribers above it",
  async () => {
    const scene = await operatorScene();
    const form = formTokenIn(await (await scene.get("/status-pages/new")).text());
    const post = (path: string, fields: Record<string, string> = {}) =>
      scene.post(path, { form, ...fields });
    await post("/settings/service", { address: "https://picket.test" });
    await post("/status-pages", { title: "Acme", slug: "acme" });
    await post("/status-pages/1/monitors", { monitors: "2" });
    await post("/status-pages/1/publish");
    await post("/status-pages/1/subscribers", { webhook_url: "https://chat.test/in" });
    const plan = { title: "New disks", message: "Short.", time_zone: "UTC", repeat: "once" };
    const times = { from: "2026-11-22T12:00", to: "2026-11-22T14:00" };
    await post("/maintenances/new", { ...plan, ...times, page_id: "1", notify: "yes" });
    const text = async () => (await scene.get("/maintenances/1")).text();
    await expect
      .poll(async () => {
        await scene.clock.advance(1_000);
        return text();
      })
      .toContain("Subscribers of Acme");
    await post("/maintenances/1/end");
    expect(await text()).toContain("No channel was notified");
    await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${scene.service.url}/maintenances/1`);
    const [above, below] = await Promise.all([
      page.locator(".messages").boundingBox(),
      page.getByText("No channel was notified").first().boundingBox(),
    ]);
    const gap = (below?.y ?? 0) - (above === null ? 0 : above.y + above.height);
    expect(gap).toBeGreaterThanOrEqual(8);
  },
);
