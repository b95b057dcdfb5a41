import { beforeEach, expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { forms, pages } from "#service/operator/page-routes";
import { applyFile } from "../../support/applied-file.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { samplePath } from "../../support/sample-path.ts";
import { formsIn } from "../../support/sent-form.ts";
import { formTokenIn } from "../../support/signed-in.ts";

/*
 * What the pages do with objects of a file: each form about one, from the routes. What would change the object is refused
 * with the owner's name, and no page offers it. A form that is in neither list fails.
 */

/** A file has these change there. */
const ofFiles = [
  "/channels/1/delete",
  "/channels/1/edit",
  "/channels/1/secret",
  "/locations/1/delete",
  "/locations/1/edit",
  "/maintenances/1/begin",
  "/maintenances/1/begin/undo",
  "/maintenances/1/delete",
  "/maintenances/1/edit",
  "/maintenances/1/end",
  "/maintenances/1/end/undo",
  "/maintenances/1/extend",
  "/maintenances/1/skip",
  "/monitors/1/delete",
  "/monitors/1/edit",
  "/monitors/1/pause",
  "/monitors/1/resume",
  "/status-pages/1",
  "/status-pages/1/access",
  "/status-pages/1/components/1",
  "/status-pages/1/components/1/move",
  "/status-pages/1/components/1/remove",
  "/status-pages/1/delete",
  "/status-pages/1/groups",
  "/status-pages/1/groups/1",
  "/status-pages/1/groups/1/move",
  "/status-pages/1/groups/1/remove",
  "/status-pages/1/look",
  "/status-pages/1/monitors",
  "/status-pages/1/parts",
  "/status-pages/1/publish",
  "/status-pages/1/withdraw",
];
/** What no file says, so people do it here. */
const ofPeople = [
  "/channels/1/test",
  "/locations/1/agents/remove",
  "/locations/1/token",
  "/locations/1/token/revoke",
  "/maintenances/1/updates",
  "/maintenances/1/updates/1/remove",
  "/monitors/1/check",
  "/monitors/1/silence",
  "/status-pages/1/reports/new",
  "/status-pages/1/subscribers",
  "/status-pages/1/subscribers/1/edit",
  "/status-pages/1/subscribers/1/remove",
  "/status-pages/1/subscribers/1/resume",
  "/status-pages/1/subscribers/1/test",
  "/status-pages/1/templates/1/edit",
  "/status-pages/1/templates/1/remove",
  "/status-pages/1/templates/new",
];
const kinds = /^\/(monitors|locations|channels|maintenances|status-pages)\//;
const aboutOne = forms
  .filter(({ path }) => path.source.includes("(?<id>\\d"))
  .map(({ path }) => samplePath(path, "1"))
  .filter((path) => kinds.test(path));

const configuration = {
  owner: "team-shop",
  monitors: [
    {
      config: { http: { name: "shop", url: "https://shop.test/", periodicity: "PERIODICITY_1M" } },
    },
  ],
  locations: [{ name: "Berlin", metadata: {}, monitors: [{ kind: "http", name: "shop" }] }],
  channels: [
    {
      name: "ops",
      provider: "NOTIFICATION_PROVIDER_WEBHOOK",
      data: { webhook: { endpoint: "https://hook.test/x" } },
    },
  ],
  maintenances: [
    {
      title: "New switch",
      message: "We change it.",
      from: "2026-11-22T11:00:00Z",
      to: "2026-11-22T13:00:00Z",
      monitors: [{ kind: "http", name: "shop" }],
    },
  ],
  pages: [
    {
      page: { title: "Acme", slug: "acme" },
      groups: [{ name: "Web" }],
      components: [{ name: "Shop", monitor: { kind: "http", name: "shop" }, group: "Web" }],
    },
  ],
};

let scene: OperatorScene;
let form: string;
beforeEach(async () => {
  scene = await operatorScene({ days: 0 });
  await applyFile(scene.service, configuration);
  form = formTokenIn(await (await scene.get("/locations/new")).text());
});

test("every form about an object of a file is in one of the two lists", () => {
  expect([...ofFiles, ...ofPeople].toSorted()).toEqual(aboutOne.toSorted());
});

test("a form that would change what a file says is refused, with the owner's name", async () => {
  const answers: [string, string][] = [];
  for (const path of aboutOne) {
    const answer = await scene.post(path, { form, act: "pause", overlap: "1h", length: "1h" });
    const words = (await answer.text()).replaceAll(/\s+/g, " ");
    const names = /(is )?managed by the files of team-shop: change it there/i.test(words);
    answers.push([path, answer.status >= 400 && answer.status < 500 && names ? "refused" : "in"]);
  }
  expect(answers.filter(([, word]) => word === "refused").map(([path]) => path)).toEqual(
    aboutOne.filter((path) => ofFiles.includes(path)),
  );
});

test("no page offers a form or a link that a file refuses, and each names the owner", async () => {
  const offered: string[] = [];
  const silent: string[] = [];
  const dead = new Set(ofFiles.filter((path) => path.endsWith("/delete")));
  for (const { path } of pages) {
    const address = samplePath(path, "1");
    const answer = await scene.get(address);
    if (answer.status !== 200) continue;
    const page = await answer.text();
    for (const { action, text } of formsIn(page))
      if (ofFiles.includes(action) && !/<fieldset\s+disabled/.test(text))
        offered.push(`${address} has a form for ${action}`);
    for (const [, to = ""] of page.matchAll(/href="([^"]*)"/g))
      if (dead.has(to)) offered.push(`${address} leads to ${to}`);
    if (
      /^\/(monitors|locations|channels|status-pages)\/1(\/edit|\/delete|\/access|\/look|\/settings)?$/.test(
        address,
      )
    )
      if (!/managed by the files of (<strong>)?team-shop/i.test(page)) silent.push(address);
  }
  expect(offered).toEqual([]);
  expect(silent).toEqual([]);
});

test("the overview names the owner at the monitor, and says what cannot be done with it", async () => {
  const page = await (await scene.get("/")).text();
  expect(page).toContain('title="Managed by the files of team-shop">from files</span>');
  expect(page).toContain('aria-label="Select shop, managed by the files of team-shop"');
  expect(page).toContain("Files manage what you selected: change it in the files.");
  expect(page).toContain("picket import monitor NAME --release --from team-shop</code");
});

test("every list names what is from files in the same words", async () => {
  for (const list of ["/", "/channels", "/locations", "/maintenances", "/status-pages"])
    expect(await (await scene.get(list)).text(), list).toContain(">from files</span>");
});

test("the overview offers no location of files to assign monitors to", async () => {
  expect(await (await scene.get("/")).text()).not.toContain('value="assign"');
  await scene.service.admin.createPrivateLocation({ name: "ours", monitorIds: [], metadata: {} });
  const page = (await (await scene.get("/")).text()).replaceAll(/\s+/g, " ");
  expect(page).toContain('value="assign"');
  expect(page).toContain("1 location from files: change it there.");
});

test("monitors that run at a location of files are not moved away from it", async () => {
  const { admin } = scene.service;
  await admin.createMonitor(
    { ...httpDefaults, name: "ours", url: "https://ours.test/", periodicity: "1m", active: true },
    "management",
  );
  await admin.createPrivateLocation({ name: "Office", monitorIds: [], metadata: {} });
  const monitors = ["shop", "ours"].map((name) => ({ kind: "http", name }));
  await applyFile(scene.service, {
    ...configuration,
    locations: [{ name: "Berlin", metadata: {}, monitors }],
  });
  const fields = { form, act: "move", location: "2", monitor: "2", query: "" };
  const refused = await scene.post("/monitors/many", fields);
  expect(await refused.text()).toMatch(
    /the location &quot;Berlin&quot; is managed by the files of team-shop/i,
  );
  expect(await (await scene.get("/?location=2")).text()).not.toContain("Select ours");
});

test("what files deleted is not put back by an undo, which names them; the rest of the same undo is", async () => {
  await applyFile(scene.service, { owner: "team-shop" }, { prune: true });
  const refused = await scene.post("/undo", { form, kind: "monitor", ids: "1" });
  expect([refused.status, await refused.text()]).toEqual([
    409,
    expect.stringContaining("The files of team-shop deleted it: put it back in the files"),
  ]);
  expect(await (await scene.get("/?deleted=monitor.1")).text()).not.toContain('action="/undo"');
  await scene.service.admin.createMonitor(
    { ...httpDefaults, name: "ours", url: "https://ours.test", periodicity: "1m" },
    "management",
  );
  await scene.post("/monitors/2/delete", { form });
  const partly = await scene.post("/undo", { form, kind: "monitor", ids: "2 1 99" });
  expect(partly.headers.get("location")).toBe("/?restored=monitor.1.gone.1.owned.1&picked=1-1.2p");
  const said = await (await scene.get(partly.headers.get("location") ?? "")).text();
  expect(said).toContain(
    "The monitor is restored. Not restored now: 1 monitor deleted more than ten minutes ago. " +
      "Not restored now: 1 monitor deleted by files, which alone can put it back.",
  );
  const again = await scene.post("/undo", { form, kind: "monitor", ids: "2" });
  expect(await again.text()).toContain("It is restored already. Reload the page to see it.");
});

test("one time of repeating work of a file is ended here and stays so after an apply; work that happens once says why it cannot be", async () => {
  const words = async (path: string) =>
    (await (await scene.get(path)).text())
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll("\u00a0", " ")
      .replaceAll(/\s+/g, " ");
  const once = await words("/maintenances/1");
  expect(once).toContain("To end it now or later, change its end in the files and apply them");
  expect(once).not.toContain("End now");
  const [work] = configuration.maintenances;
  const nightly = { ...work, title: "Backup", recurrence: "FREQ=DAILY", time_zone: "UTC" };
  const daily = { ...configuration, maintenances: [...configuration.maintenances, nightly] };
  await applyFile(scene.service, daily);
  expect(await words("/maintenances/2")).toMatch(
    /End now .* You can end or extend this time here\./,
  );
  const back = "/maintenances/2";
  const ended = await scene.post("/maintenances/2/end", { form, back });
  expect(ended.headers.get("location")).toMatch(/^\/maintenances\/2\?notice=ended-once&moved=2\./);
  await applyFile(scene.service, {
    ...daily,
    maintenances: [...configuration.maintenances, { ...nightly, message: "Changed." }],
  });
  expect(await words("/maintenances/2")).toMatch(/Changed\..*ended early, at 22 Nov, 12:00 UTC/);
  const to = ended.headers.get("location") ?? "";
  expect(await words(to)).toMatch(/Backup was to end at .* Undo/);
});
