import { expect, test } from "vitest";
import { gonePartsNamed } from "#limits/store-limits";
import { minutes } from "#base/units";
import { newSecretWords } from "#service/operator/changes/secret-words";
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
  expect(words).toMatch(/Component Shop – Name: Shop, /);
  expect(words).toContain(`Monitor: ${first.name}`);
  expect(words).not.toMatch(/Monitor: \d+,/);
  const form = formTokenIn(await (await scene.get("/status-pages/new")).text());
  await scene.post(`/monitors/${first.id}/delete`, { form });
  const later = await (await scene.get("/changes?kind=page")).text();
  expect(later).toContain(`Monitor: ${first.name}`);
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
  // Several acts of one minute are in their order by the seconds.
  expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d /);
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

test("an Undo of a pause says that, and one of a removed component which it was", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/")).text());
  const many = { form, monitor: "1", act: "pause" };
  const to = (await post("/monitors/many", many)).headers.get("location") ?? "";
  const undo = new URL(to, "http://x").searchParams.get("undo") ?? "";
  await post("/monitors/many/undo", { form, undo });
  expect(linesOf(await (await get("/changes?kind=monitor")).text())[0]).toMatch(
    / undid pausing monitor Shop$/,
  );
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  await post("/status-pages/1/parts", { form, name: "Mail" });
  await post("/status-pages/1/components/1/remove", { form });
  await post("/undo", { form, kind: "component", ids: "1" });
  expect(linesOf(await (await get("/changes?kind=page")).text())[0]).toMatch(
    / undid removing component Mail from status page Acme$/,
  );
});

test("an update of a report names the components that it says something of", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  for (const name of ["Shop", "Wiki"]) await post("/status-pages/1/parts", { form, name });
  await post("/status-pages/1/reports/new", {
    form,
    title: "Slow",
    status: "investigating",
    message: "We look.",
    components: "2",
    impact: "major_outage",
  });
  const log = await (await get("/changes?kind=report")).text();
  const words = log.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(words).toContain("Component: Wiki, Impact: Outage");
  expect(words).not.toContain("Component: 2");
});

test("what became of a secret is said as people say it", () => {
  const words = (field: string, before: string | null, after: string | null) =>
    newSecretWords({ is: "secret", field, before, after });
  expect([
    words("second factor", null, "a1"),
    words("second factor", "a1", null),
    words("password", null, "a1"),
    words("password", "a1", "b2"),
    words("token", "a1", "b2"),
    words("configuration", "a1", "b2"),
  ]).toEqual(["turned on", "turned off", "set", "changed", "a new one", "changed"]);
});

test("a key that is no longer good is revoked, as the page of keys says", async () => {
  const { get, post, service } = await operatorScene({ days: 0 });
  const { id } = await service.admin.createApiKey({ name: "deploys", scope: "read" });
  const form = formTokenIn(await (await get(`/settings/keys/${id}/revoke`)).text());
  expect((await post(`/settings/keys/${id}/revoke`, { form })).status).toBe(303);
  const page = (await (await get("/changes?kind=key")).text()).replaceAll(/<[^>]*>/g, " ");
  expect(page.replaceAll(/\s+/g, " ")).toMatch(/revoked API key “?deploys/);
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
  expect(words[0]).toMatch(/paused monitor Shop Field Before After Active yes no /);
  expect(words[1]).toContain("changed maintenance Off Title, Message, Monitors");
  expect(words[2]).toContain("Message: Read-only → All **off** &lt;b&gt;");
  expect(words[3]).toMatch(/created maintenance Upgrade Field Before After/);
});

/** The words of each line, the newest first. */
const linesOf = (page: string): readonly string[] =>
  [...page.matchAll(/<summary>.*?<\/summary>/gs)].map(([line]) =>
    line
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .replaceAll(/ (?=[:,.])/g, "")
      .replace(/^ [\d:]+ /, "")
      .trim(),
  );

test("components that are added at once are one line of the audit log, which unfolds to each", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/status-pages/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  const monitors = ["1", "2", "3", "4", "5"].map((id) => ["monitors", id]);
  await post("/status-pages/1/monitors", new URLSearchParams([["form", form], ...monitors]));
  await post("/status-pages/1/parts", { form, name: "Post office" });
  const page = await (await get("/changes?kind=page")).text();
  const { monitors: all } = JSON.parse(await (await get("/overview.json")).text());
  const nameOf = (id: number): string =>
    all.find((one: { id: string; name: string }) => one.id === String(id)).name;
  const who = "a person on this machine";
  const [fold, newest] = linesOf(page);
  expect(fold).toBe(
    `${who} added 6 components to status page Acme: ${nameOf(1)}, ${nameOf(2)}, ${nameOf(3)} and 3 more`,
  );
  expect(newest).toBe(`${who} added component Post office to status page Acme`);
  expect(linesOf(page).at(-1)).toBe(`${who} created status page Acme`);
  expect(page).toContain('href="/status-pages/1" aria-label="Open status page Acme"');
});

test("what was moved on a status page is said by its name, and what was removed keeps its name", async () => {
  const { get, post, clock } = await operatorScene();
  const form = formTokenIn(await (await get("/status-pages/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  for (const name of ["Web", "Mail", "API"]) await post("/status-pages/1/parts", { form, name });
  const move = async (part: string, to: string): Promise<void> => {
    clock.suspend(minutes(2));
    const [, seen = ""] =
      /name="seen" value="([^"]*)"/.exec(await (await get("/status-pages/1")).text()) ?? [];
    await post(`/status-pages/1/components/${part}/move`, { form, to, seen });
  };
  await move("3", "1");
  await move("3", "down");
  await post("/status-pages/1/components/2/remove", { form });
  const [removed, down, up] = linesOf(await (await get("/changes?kind=page")).text());
  const who = "a person on this machine";
  expect(up).toBe(`${who} moved API above Web on status page Acme`);
  expect(down).toMatch(/moved (API below Web|Web above API) on status page Acme$/);
  expect(removed).toBe(`${who} removed component Mail from status page Acme`);
});

test("however many components are gone, the audit log has the names that its entries say", async () => {
  const { service, get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/status-pages/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  for (let part = 0; part <= gonePartsNamed; part += 1)
    await post("/status-pages/1/parts", { form, name: `Part ${part}.` });
  const { key } = await service.admin.createApiKey({ name: "pages", scope: "write" });
  const calls = `${service.url}/openstatus.status_report.v1.StatusReportService/CreateStatusReport`;
  const parts = Array.from({ length: gonePartsNamed + 1 }, (_, part) => String(part + 1));
  const report = {
    title: "All are slow",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "We look into it.",
    date: "2026-11-22T10:40:00Z",
    pageId: "1",
    pageComponentIds: parts,
  };
  const made = await fetch(calls, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-key": key },
    body: JSON.stringify(report),
  });
  expect(await made.text()).toContain("All are slow");
  await post("/status-pages/1/delete", { form });
  const page = await (await get("/changes")).text();
  const [, added = ""] = /Added: ([^<]*Part 0\.[^<]*)</.exec(page) ?? [];
  expect(added.split(", ")).toEqual(parts.map((_, part) => `Part ${part}.`));
});

test("what people do to monitors, incidents and silences has its own words in the audit log", async () => {
  const { get, post, clock } = await operatorScene();
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  await post("/monitors/1/silence", { form, length: "1h", reason: "Deploy" });
  await post("/silences/1/end", { form });
  await post("/monitors/2/pause", { form });
  clock.suspend(minutes(1));
  await post("/incidents/1/acknowledge", { form });
  const many = [["form", form], ["act", "pause"], ...["3", "4"].map((id) => ["monitor", id])];
  await post("/monitors/many", new URLSearchParams(many));
  const page = await (await get("/changes")).text();
  const lines = linesOf(page).join("\n");
  expect(lines).toContain("silenced Shop");
  expect(lines).toContain("ended the silence of Shop");
  expect(lines).toMatch(/paused monitor \S/);
  expect(lines).toMatch(/paused 2 monitors: \S.* and \S/);
  expect(lines).toMatch(/acknowledged incident \S/);
  expect(lines).not.toMatch(/silence 1|Labels of its file/);
});

test("what was done to several monitors at once says what, and how many, and unfolds to each", async () => {
  const { get, post, clock } = await operatorScene();
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  const act = async (ids: readonly string[], ...fields: [string, string][]): Promise<void> => {
    clock.suspend(minutes(1));
    const many = [["form", form], ...ids.map((id) => ["monitor", id]), ...fields];
    await post("/monitors/many", new URLSearchParams(many));
  };
  const label = (value: string): [string, string][] => [
    ["act", "label"],
    ["key", "env"],
    ["value", value],
  ];
  await act(["1"], ...label("test"));
  await act(["3", "4"], ...label("prod"));
  await act(["1", "3", "5"], ...label("live"));
  await act(["1", "3"], ["act", "unlabel"], ["key", "env"]);
  await act(["1", "2"], ["act", "pause"]);
  const page = await (await get("/changes?kind=monitor")).text();
  const who = "a person on this machine ";
  const lines = linesOf(page).flatMap((line) =>
    line.startsWith(who) ? [line.slice(who.length)] : [],
  );
  expect(lines.filter((line) => / \d+ monitors/.test(line))).toEqual([
    expect.stringMatching(/^paused 2 monitors: \S.* and \S/),
    expect.stringMatching(/^removed label env from 2 monitors: \S.* and \S/),
    expect.stringMatching(/^set label env:live on 3 monitors: \S/),
    expect.stringMatching(/^added label env:prod to 2 monitors: \S/),
  ]);
  expect(lines).toContain("added label env:test to monitor Shop");
});

test("a monitor that is made with its places is one line of the audit log, which unfolds to what it changed", async () => {
  const { get, post } = await operatorScene();
  const before = (await linesIn(get)).length;
  const form = formTokenIn(await (await get("/monitors/new")).text());
  const target = { kind: "http", method: "GET", url: "https://shop.example/" };
  const made = { form, ...target, name: "Basket", periodicity: "1m", timeout: "10 s" };
  const { status } = await post("/monitors/new", { ...made, active: "yes", locations: "1" });
  expect(status).toBe(303);
  const lines = await linesIn(get);
  expect(lines.length).toBe(before + 1);
  expect(lines[0]).toContain("created monitor Basket");
  const location = (await (await get("/changes?kind=location")).text()).replaceAll(/<[^>]*>/g, " ");
  expect(location.replaceAll(/\s+/g, " ")).toContain("Monitors: added Basket");
});

/** The lines of the log, without those that unfold from another. */
async function linesIn(get: (path: string) => Promise<Response>): Promise<readonly string[]> {
  const page = await (await get("/changes")).text();
  const list = page.replaceAll(/<\/summary>\s*<ol class="plain changes-list">.*?<\/ol>/gs, "");
  return [...list.matchAll(/<li class="change".*?<\/li>/gs)].map(([line]) =>
    line.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " "),
  );
}

test("a label without a value is its key alone, in the list, on its monitor and in the audit log", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/")).text());
  await post("/monitors/many", { form, monitor: "1", act: "label", key: "tier", value: "" });
  for (const path of ["/", "/monitors/1"]) {
    const page = (await (await get(path)).text()).replaceAll(/\s+/g, " ");
    expect(page).toMatch(/<a class="chip" href="[^"]*label=tier%3A[^"]*" ?>tier<\/a/);
  }
  for (const path of ["/", "/uptime"])
    expect(await (await get(path)).text()).toMatch(/<option value="tier:"\s*>tier<\/option>/);
  expect(await (await get("/uptime?label=tier%3A")).text()).toMatch(/2026: [^<]*\btier\s*<\/p>/);
  const log = (await (await get("/changes?kind=monitor")).text()).replaceAll(/<[^>]*>/g, " ");
  expect(log.replaceAll(/\s+/g, " ")).toContain("added label tier to monitor Shop");
});
