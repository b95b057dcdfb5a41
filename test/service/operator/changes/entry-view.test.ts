import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test("the components of a status page are in the audit log with the names of their monitors", async () => {
  const scene = await operatorScene();
  await generatedPage(scene.service);
  const { monitors } = JSON.parse(await (await scene.get("/overview.json")).text());
  const [first] = monitors;
  const page = await (await scene.get("/changes?kind=page")).text();
  const words = page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(words).toMatch(/Component \d+ – Name: /);
  expect(words).toContain(`Monitor: ${first.name}`);
  expect(words).not.toMatch(/Monitor: \d+,/);
});

test("a label is logged by its own name, before and after, and an Undo says what it took back", async () => {
  const { get, post } = await operatorScene();
  const overview = await (await get("/")).text();
  const many = { form: formTokenIn(overview), monitor: "1", key: "Team.On-Call" };
  const set = async (value: string): Promise<string> =>
    (await post("/monitors/many", { ...many, act: "label", value })).headers.get("location") ?? "";
  await set("true");
  const undo = new URL(await set("[night]"), "http://x").searchParams.get("undo") ?? "";
  await post("/monitors/many/undo", { form: many.form, undo });
  const page = await (await get("/changes?kind=monitor")).text();
  const lines = [...page.matchAll(/<li class="change".*?<\/li>/gs)].map(([line]) =>
    line
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  expect(lines[0]).toContain("undid a change of monitor Shop Label Team.On-Call: [night] → true");
  expect(lines[0]).toContain("Label Team.On-Call [night] true");
  expect(lines[1]).toContain("changed monitor Shop Label Team.On-Call: true → [night]");
  expect(lines[2]).toContain("Label Team.On-Call – true");
  const { changes } = JSON.parse(await (await get("/changes.json?kind=monitor")).text());
  expect(changes.slice(0, 3).map(({ deed }: { deed: string }) => deed)).toEqual([
    "undone",
    "changed",
    "changed",
  ]);
});

test("a line of the audit log leads to its object, and says what changed: one field before and after, or which", async () => {
  const { get, post } = await operatorScene();
  const work = {
    form: formTokenIn(await (await get("/maintenances/new")).text()),
    from: "2026-11-24T22:00",
    to: "2026-11-24T23:00",
    time_zone: "UTC",
    repeat: "once",
    monitor_ids: "2",
    title: "Upgrade",
    message: "Read-only",
  };
  await post("/maintenances/new", work);
  await post("/maintenances/1/edit", { ...work, message: "All **off** <b>" });
  await post("/maintenances/1/edit", { ...work, message: "Off", title: "Off", monitor_ids: "1" });
  await post("/monitors/1/pause", { form: work.form });
  const page = await (await get("/changes")).text();
  const lines = [...page.matchAll(/<li class="change".*?<\/li>/gs)].map(([line]) => line);
  const words = lines.map((line) => line.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "));
  expect(lines[0]).toContain('href="/monitors/1" aria-label="Open monitor Shop"');
  expect(words[0]).toMatch(/changed monitor Shop Active/);
  expect(words[1]).toContain("changed maintenance Off Title, Message, Monitors");
  expect(words[2]).toContain("Message: Read-only → All **off** &lt;b&gt;");
  expect(words[3]).toMatch(/created maintenance Upgrade \d+ fields/);
});
