import { expect, test } from "vitest";
import { undoneWithin } from "#limits/service-limits";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test("a component that was removed can be undone on its page for ten minutes, also by whoever left and came back", async () => {
  const { service, clock, get, post } = await operatorScene();
  await generatedPage(service);
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  const page = async (path: string): Promise<string> => (await get(path)).text();
  expect(await page("/status-pages/1")).not.toContain("You can undo this until");
  await post("/status-pages/1/components/1/remove", { form });
  const shown = await page("/status-pages/1");
  expect(shown).toContain("The component <strong>Shop</strong> is removed.");
  expect(shown).toContain('name="back" value="/status-pages/1"');
  for (const other of ["/status-pages/2", "/status-pages/1/look"])
    expect(await page(other)).not.toContain("<strong>Shop</strong> is removed.");
  const undone = await post("/undo", {
    form,
    kind: "component",
    ids: "1",
    back: "/status-pages/1",
  });
  expect(undone.headers.get("location")).toMatch(/^\/status-pages\/1\?restored=component/);
  expect(await page("/status-pages/1")).not.toContain("You can undo this until");
  await post("/status-pages/1/groups/1/remove", { form });
  expect(await page("/status-pages/1")).toContain("The group <strong>");
  clock.suspend(undoneWithin);
  expect(await page("/status-pages/1")).not.toContain("You can undo this until");
});
