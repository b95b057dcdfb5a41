import { expect, test } from "vitest";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

/** A service whose first maintenance is under way; the token of its forms. */
async function planned(scene: OperatorScene): Promise<string> {
  const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
  const work = { title: "Upgrade", message: "Read-only", time_zone: "UTC", repeat: "once" };
  const times = { from: "2026-11-22T11:30", to: "2026-11-22T14:00" };
  const made = await scene.post("/maintenances/new", { form, ...work, ...times, monitor_ids: "2" });
  expect(made.status).toBe(303);
  return form;
}

test("an update of planned work is published from its page, and an empty one is refused by its field", async () => {
  const scene = await operatorScene();
  const { get, post } = scene;
  const form = await planned(scene);
  const path = "/maintenances/1/updates";
  expect(await (await get("/maintenances")).text()).toContain(`href="${path}"`);
  const refused = await post(path, { form, message: " " });
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining("Enter a message."),
  ]);
  const preview = await post(path, { form, message: "**Soon** <b>", preview: "yes" });
  const shown = await preview.text();
  expect(shown).toContain("<strong>Soon</strong>");
  expect(shown).toContain("No status page shows it, so no reader sees it.");
  expect(await (await get(path)).text()).toContain("Nothing was said yet.");
  const sent = await post(path, { form, message: "It takes **an hour** more <b>" });
  expect(sent.headers.get("location")).toBe(`${path}?notice=published`);
  const page = await (await get(sent.headers.get("location") ?? "")).text();
  expect(page).toContain("The update is published. No status page shows it, so no reader sees it.");
  expect(page).toContain("It takes <strong>an hour</strong> more &lt;b&gt;");
  expect((await get("/maintenances/9/updates")).status).toBe(404);
});
