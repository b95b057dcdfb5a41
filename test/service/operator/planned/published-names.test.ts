import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

/** What the form has at the box of a monitor. */
const boxIn = (page: string, monitor: string): string =>
  new RegExp(`name="monitor_ids"\\s+value="${monitor}"[^>]*>([^<]*)<`).exec(page)?.[1]?.trim() ??
  "";

test("planned work chooses monitors by the names that its status page has for them, and says those of the monitors, too", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  const send = (path: string, fields: Record<string, string>) => post(path, { form, ...fields });
  const shown = async (path: string) => (await get(path)).text();
  const before = await shown("/maintenances/new");
  const name = boxIn(before, "2");
  expect(name).not.toBe("");
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/monitors", { monitors: "2" });
  await send("/status-pages/1/monitors", { monitors: "1" });
  await send("/status-pages/1/components/1", { name: "Checkout" });
  const chosen = await shown("/maintenances/new?monitor=2");
  expect(boxIn(chosen, "2")).toBe(`Checkout (monitor ${name})`);
  expect(boxIn(chosen, "1")).toBe(boxIn(before, "1"));
  const other = { title: "Upgrade", message: "Read-only", page_id: "", preview: "yes" };
  expect(boxIn(await (await send("/maintenances/new", other)).text(), "2")).toBe(name);
});
