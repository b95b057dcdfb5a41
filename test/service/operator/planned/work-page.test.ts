import { expect, test } from "vitest";
import { after, hours, minutes } from "#base/units";
import { actingAs } from "#service/store/audit/actor";
import { operatorScene } from "../../../support/operator-scene.ts";
import { reading } from "../../../support/reading-pages.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { alertedOffice, plannedWork } from "../../alerts/alerted-office.ts";

/** It is 12:00 on 22 November: a service with planned work, and who sends its forms. */
async function workScene(fields: Readonly<Record<string, string>> = {}) {
  const scene = await operatorScene();
  const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
  const post = (path: string, typed: Readonly<Record<string, string>> = {}) =>
    scene.post(path, { form, ...typed });
  await post("/status-pages", { title: "Acme", slug: "acme" });
  await post("/status-pages/1/monitors", { monitors: "2" });
  const made = await post("/maintenances/new", { ...underWay, ...fields });
  const text = async (path: string) => (await scene.get(path)).text();
  const words = async (path: string) => wordsIn(await text(path));
  return { ...scene, post, text, words, made };
}

const underWay = {
  title: "New disks",
  message: "The **primary** moves.\n\n- reads stay\n- <script>writes</script> wait",
  from: "2026-11-22T11:30",
  to: "2026-11-22T14:00",
  time_zone: "UTC",
  repeat: "once",
  monitor_ids: "2",
  page_id: "1",
};

const wordsIn = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("\u00a0", " ")
    .replaceAll(/\s+/g, " ");

test("the page of one has its times, what it covers, its message, who made it, and the acts; all else leads there", async () => {
  const { text, words, made, get } = await workScene();
  expect(made.headers.get("location")).toBe("/maintenances/1?notice=under-way");
  const page = await text("/maintenances/1");
  // Its beginning may be judged before the page is asked for, or after it.
  expect(wordsIn(page)).toMatch(
    /New disks Now 2 h left of 2 h 30 min End now Extend New disks by .* Extend Post an update Edit ⋯ More for New disks Delete Began Sun 22 Nov, 11:30 UTC planned in UTC Ends Sun 22 Nov, 14:00 UTC Status page Acme a draft: no reader sees it Planned 22 Nov, 12:00:00 UTC by a person on this machine What it covers Monitors Billing API Components Billing API They open no incident while it is under way\. Message The primary moves\. reads stay &lt;script&gt;writes&lt;\/script&gt; wait (Notifications Channels of what it covers are notified when it begins and ends|Who was notified No one was notified: when it began, no channel that it concerns asked)/,
  );
  expect(page).toContain("<strong>primary</strong>");
  for (const path of ["/maintenances", "/changes?kind=maintenance", "/monitors/2"])
    expect(await text(path), path).toMatch(/href="\/maintenances\/1"/);
  expect(await words("/monitors/2")).toMatch(
    /New disks , until [^(]*\([^)]* more\)\. .*The announcement says: The primary moves\./,
  );
  expect(JSON.parse(await text("/maintenances/1.json"))).toMatchObject({
    id: "1",
    title: "New disks",
    status_page: "1",
    components: ["1"],
    updates: [],
  });
  expect((await get("/maintenances/9")).status).toBe(404);
});

test("work that repeats says its rule and its next windows, and this time of it has an end to move", async () => {
  const { words } = await workScene({ repeat: "daily", page_id: "" });
  expect(await words("/maintenances/1")).toMatch(
    /Post an update Edit .* Repeats every day, 11:30 UTC Status page none shows it .* Coming dates Mon 23 Nov, 11:30 to 14:00 UTC Skip this date .* Tue 24 Nov, .* Wed 25 Nov, /,
  );
  expect(await words("/maintenances/1")).toMatch(/ End now Extend New disks, this time only by /);
});

test("a window that was announced has a number among the incidents, which leads to its work and calls it no outage", async () => {
  const office = await alertedOffice();
  const read = await reading(office);
  const words = async (path: string) => (await read(path)).replaceAll("\u00a0", " ");
  await office.channel("ops", "slack", { events: ["maintenance"] });
  const now = office.clock.wall();
  const work = plannedWork(office, { from: after(now, minutes(1)), to: after(now, minutes(31)) });
  const { maintenances } = office.store.alerts;
  const id = await maintenances.create({ ...work, message: "The **primary** moves." }, false);
  await office.until(() => office.mailbox.words("ops").length === 1);
  // The page of the work, to which the number leads.
  expect(await words("/incidents/1")).toMatch(
    /update Now (29|30) min left of 30 min .* Message The primary moves\. Who was notified Sent ops Began, 12:01:\d\d : sent/,
  );
  expect(await words("/channels/1")).toContain("1 update Began");
  expect(await words("/incidents")).toContain("No incident yet.");
  expect(JSON.parse(await read("/jump.json?text=ack+1"))).toMatchObject({ acts: [], places: [] });
  await actingAs({ kind: "command", name: "test", from: "", at: office.clock.wall() }, () =>
    maintenances.delete(id),
  );
  // It can be put back for ten minutes.
  await office.until(() => office.mailbox.words("ops").length === 2, 660);
  const gone = await words("/incidents/1");
  expect(gone).toMatch(
    /update Cancelled This maintenance was deleted\. Began 12 Aug, 12:01 UTC Planned end 12 Aug, 12:31 UTC Covered m0 Message The primary moves\. Who was notified Sent ops Ended, .* Sent ops Began, /,
  );
  expect(gone).not.toMatch(/recovered|degraded|Opened|Closed|No result|Incident \d/);
});

test("an end is moved by one press and taken back by another, on the page where it was pressed", async () => {
  const { post, text, words } = await workScene();
  const ends = async () => JSON.parse(await text("/maintenances/1.json")).to;
  for (const [act, back, fields] of [
    ["end", "/maintenances/1", {}],
    ["end", "/maintenances", {}],
    ["extend", "/maintenances/1", { length: "4h" }],
  ] as const) {
    const answer = await post(`/maintenances/1/${act}`, { back, ...fields });
    const to = answer.headers.get("location") ?? "";
    expect(to).toMatch(new RegExp(`^${back}\\?notice=(ended|longer)&moved=1\\.`));
    expect(await ends()).not.toBe("2026-11-22T14:00:00.000Z");
    const page = await text(to);
    expect(wordsIn(page)).toContain("New disks was to end at 22 Nov, 14:00 UTC . Undo");
    const hidden = (name: string) =>
      new RegExp(`name="${name}" value="(\\d+)"`).exec(page)?.[1] ?? "";
    const undo = {
      from: hidden("from"),
      seen: hidden("seen"),
      to: hidden("to"),
      until: hidden("until"),
      back,
    };
    const undone = await post("/maintenances/1/end/undo", undo);
    expect(undone.headers.get("location")).toBe(`${back}?notice=end-undone`);
    expect(await ends()).toBe("2026-11-22T14:00:00.000Z");
    // Once: it is not as it was seen any more.
    const again = await post("/maintenances/1/end/undo", undo);
    expect(again.headers.get("location")).toBe(`${back}?notice=meanwhile`);
    expect(await text(to)).not.toContain("was to end at");
  }
  expect(await words("/changes?kind=maintenance")).toContain("undid a change of");
});

test("work that is planned for later begins by one press, keeps its end, and the press is taken back by another", async () => {
  const { post, text, words } = await workScene({ from: "2026-11-22T13:00" });
  const times = async () => {
    const { from, to } = JSON.parse(await text("/maintenances/1.json"));
    return [from, to].map((time: string) => time.slice(11, 16));
  };
  expect(await words("/maintenances/1")).toMatch(/Planned .* Begin now Post an update/);
  for (const back of ["/maintenances/1", "/maintenances"]) {
    const answer = await post("/maintenances/1/begin", { back });
    const to = answer.headers.get("location") ?? "";
    expect(to).toMatch(new RegExp(`^${back}\\?notice=begun&begun=1\\.`));
    expect(await times()).toEqual(["12:00", "13:00"]);
    const page = await text(to);
    expect(wordsIn(page)).toMatch(
      /Begun: .*New disks was to begin at 22 Nov, 13:00 UTC and to end at 22 Nov, 14:00 UTC \. Undo Keep its planned end/,
    );
    expect(wordsIn(page)).toContain("End now");
    expect(await words("/maintenances/1/updates?fill=begun")).toMatch(
      /Maintenance has begun: 22 Nov 2026, 12:00\s*–\s*13:00 UTC/,
    );
    const twice = await post("/maintenances/1/begin", { back });
    expect(twice.headers.get("location")).toBe(`${back}?notice=not-begun`);
    const hidden = (name: string) =>
      new RegExp(`name="${name}" value="(\\d+)"`).exec(page)?.[1] ?? "";
    const undo = {
      seen: hidden("seen"),
      end: hidden("end"),
      to: hidden("to"),
      until: hidden("until"),
      back,
    };
    const undone = await post("/maintenances/1/begin/undo", undo);
    expect(undone.headers.get("location")).toBe(`${back}?notice=begin-undone`);
    expect(await times()).toEqual(["13:00", "14:00"]);
    const again = await post("/maintenances/1/begin/undo", undo);
    expect(again.headers.get("location")).toBe(`${back}?notice=begin-meanwhile`);
    expect(await text(to)).not.toContain("was to begin at");
  }
  expect(await words("/changes?kind=maintenance")).toContain("undid a change of");
});

test("work that began early ends when it was to end at first, if a person wants that", async () => {
  const { post, words, text } = await workScene({ from: "2026-11-22T13:00" });
  const begun = await post("/maintenances/1/begin", { back: "/maintenances/1" });
  const path = begun.headers.get("location") ?? "";
  const page = await text(path);
  const field = (name: string) =>
    new RegExp(`/end/undo".*?name="${name}" value="(\\d+)"`, "s").exec(page)?.[1] ?? "";
  const [from, seen, to] = ["from", "seen", "to"].map(field);
  const end = { from: from ?? "", seen: seen ?? "", to: to ?? "", back: path };
  const kept = await post("/maintenances/1/end/undo", end);
  expect(kept.headers.get("location")).toContain("notice=end-undone");
  const row = JSON.parse(await text("/maintenances/1.json"));
  expect([row.from, row.to].map((time: string) => time.slice(11, 16))).toEqual(["12:00", "14:00"]);
  // Its beginning can be taken back still.
  expect(await words(path)).toMatch(/was to begin at 22 Nov, 13:00 UTC .* Undo(?! Keep)/);
});

test("a beginning that has passed is not put back", async () => {
  const { post, clock } = await workScene({ from: "2026-11-22T13:00" });
  await post("/maintenances/1/begin");
  clock.suspend(hours(1.5));
  const [seen, to, end] = [12, 13, 14].map((hour) => `${Date.UTC(2026, 10, 22, hour)}`);
  const late = await post("/maintenances/1/begin/undo", {
    seen: seen ?? "",
    to: to ?? "",
    until: end ?? "",
    end: to ?? "",
  });
  expect(late.headers.get("location")).toBe("/maintenances?notice=unbegun-late");
});

test("an end that would be over by now is not put back", async () => {
  const { post, text, clock } = await workScene();
  await post("/maintenances/1/extend", { length: "24h" });
  const { to } = JSON.parse(await text("/maintenances/1.json"));
  clock.suspend(hours(3));
  const undo = {
    from: String(Date.parse(`${underWay.from}Z`)),
    seen: String(Date.parse(to)),
    to: String(Date.parse(`${underWay.to}Z`)),
    back: "/",
  };
  const late = await post("/maintenances/1/end/undo", undo);
  expect(late.headers.get("location")).toBe("/?notice=undone-late");
  expect(JSON.parse(await text("/maintenances/1.json")).to).toBe(to);
});

test("planned work that is deleted can be restored for ten minutes, from the list and from its own address", async () => {
  const { post, words, text } = await workScene();
  expect(await words("/maintenances/1/delete")).toContain("You can undo this for ten minutes.");
  const gone = await post("/maintenances/1/delete");
  const list = gone.headers.get("location") ?? "";
  expect(list).toBe("/maintenances?deleted=maintenance.1");
  for (const path of [list, "/maintenances", "/", "/maintenances/1"])
    expect(await words(path), path).toMatch(/New disks .*You can undo this until/);
  const back = await post("/undo", { kind: "maintenance", ids: "1" });
  expect(back.headers.get("location")).toBe("/maintenances/1?restored=maintenance.1");
  expect(await words("/maintenances/1?restored=maintenance.1")).toMatch(
    /The maintenance is restored\..* New disks Now 2 h left/,
  );
  expect(await text("/changes?kind=maintenance")).toContain("restored");
});
