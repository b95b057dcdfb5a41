import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { silencedMax } from "#limits/alerts-limits";
import { chosenByLabel } from "#service/operator/planned/label-choice";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

test("new work is planned for all monitors of a label, also if they are more than the form shows", async () => {
  const scene = await operatorScene({ days: 0 });
  const teams = [...Array.from({ length: 230 }, () => "shop"), "pay"];
  for (const [index, team] of teams.entries())
    await scene.service.admin.createMonitor(
      {
        ...httpDefaults,
        name: `web ${index}`,
        periodicity: "1m",
        url: "https://web.test",
        active: true,
        labels: { team },
      },
      "management",
    );
  const page = await (await scene.get("/maintenances/new?label=team%3Ashop")).text();
  expect(page).toContain("Chosen below by the label team:shop: 230 monitors.");
  expect(page).toContain('href="/maintenances/new?label=team%3Apay"');
  const typed = sentForm(page, "/maintenances/new");
  typed.set("title", "New switch");
  expect((await scene.post("/maintenances/new", typed)).status).toBe(303);
  const row = await (await scene.get("/maintenances.json")).text();
  const [made]: readonly { monitors: readonly string[] }[] = JSON.parse(row).maintenances;
  expect(made?.monitors).toHaveLength(230);
  const none = await (await scene.get("/maintenances/new?label=team%3Anone")).text();
  expect(none).toContain("No monitor has the label team:none.");
});

test("a label of more monitors than one work may name chooses none", async () => {
  const scene = await operatorScene({ days: 0 });
  expect(await (await scene.get("/maintenances/new")).text()).not.toContain("of a label");
  const picture = {
    monitors: Array.from({ length: silencedMax + 1 }, (_, id) => ({ id, labels: { team: "web" } })),
  };
  expect(chosenByLabel(picture, new URLSearchParams({ label: "team:web" }))).toEqual({
    label: "team:web",
    monitors: [],
    found: silencedMax + 1,
  });
});
