import { expect, test } from "vitest";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** A service with status pages that show the second monitor, by their titles; a sender of its forms. */
async function withPages({ get, post }: OperatorScene, ...titles: readonly string[]) {
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  const send = (path: string, fields: Record<string, string>) => post(path, { form, ...fields });
  for (const [index, title] of titles.entries()) {
    await send("/status-pages", { title, slug: `page-${index + 1}` });
    await send(`/status-pages/${index + 1}/monitors`, { monitors: "2" });
  }
  return send;
}

const work = {
  title: "Upgrade",
  message: "Read-only",
  from: "2026-11-23T22:00",
  to: "2026-11-23T23:00",
  time_zone: "UTC",
  repeat: "once",
  monitor_ids: "2",
};

const chosenPage = async ({ get }: OperatorScene, path: string): Promise<string | undefined> => {
  const page = await (await get(path)).text();
  const [list = ""] = /<select[^>]*name="page_id".*?<\/select>/s.exec(page) ?? [];
  return /value="(\d*)"\s+selected/.exec(list)?.[1];
};

test("new work is on the one page that shows its monitor, and without a monitor on the only page that there is", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene, "Acme");
  expect(await chosenPage(scene, "/maintenances/new?monitor=2")).toBe("1");
  expect(await chosenPage(scene, "/maintenances/new?monitor=1")).toBe("");
  expect(await chosenPage(scene, "/maintenances/new")).toBe("1");
  await send("/status-pages", { title: "Other", slug: "other" });
  await send("/status-pages/2/monitors", { monitors: "2" });
  expect(await chosenPage(scene, "/maintenances/new?monitor=2")).toBe("");
  expect(await chosenPage(scene, "/maintenances/new")).toBe("");
  const head = await (await scene.get("/status-pages/2")).text();
  const link = /href="([^"]*)">Plan maintenance/.exec(head)?.[1] ?? "";
  expect(await chosenPage(scene, link)).toBe("2");
  expect(await chosenPage(scene, "/maintenances/new?page=99")).toBe("");
  const form = wordsIn(await (await scene.get("/maintenances/new")).text());
  expect(form).toContain("If no page is chosen, readers do not see it.");
});

test("work that begins at once is said to be under way, and that none is planned for a whole list", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene);
  const now = { ...work, from: "2026-11-22T11:00" };
  const to = (await send("/maintenances/new", now)).headers.get("location") ?? "";
  const page = wordsIn(await (await scene.get(to)).text());
  expect(page).toContain(
    "Under way: nothing opens an incident until it ends. What was down before now stays downtime.",
  );
  expect(page).not.toContain("Planned: ");
  expect(wordsIn(await (await scene.get("/maintenances")).text())).toContain("Nothing is planned.");
});

test("planned work says which page shows it once it is saved, in the list, and if that is a draft or none", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene, "Acme <b>");
  const sentences = async (path: string, fields: Record<string, string>) => {
    const to = (await send(path, { ...work, ...fields })).headers.get("location") ?? "";
    const after = wordsIn(await (await scene.get(to)).text());
    const list = wordsIn(await (await scene.get("/maintenances")).text());
    const pattern = /(?:No status page|The status page “[^”]*”)[^.]*\./g;
    return [after.match(pattern), list.match(pattern)];
  };
  const none = "No status page shows it.";
  expect(await sentences("/maintenances/new", {})).toEqual([[none], [none]]);
  const draft =
    "The status page “Acme &lt;b&gt;” is a draft: publish it, and its readers see this.";
  const edit = "/maintenances/1/edit";
  expect(await sentences(edit, { page_id: "1" })).toEqual([[draft], [draft]]);
  await send("/status-pages/1/publish", {});
  const shown = "The status page “Acme &lt;b&gt;” shows it.";
  expect(await sentences(edit, { page_id: "1" })).toEqual([[shown], [shown]]);
});

test("a preview says which components of the page are under maintenance, and a script is answered with it alone", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene, "Acme");
  const wanted = { ...work, page_id: "1" };
  const whole = await (await send("/maintenances/new", { ...wanted, preview: "yes" })).text();
  const part = await (await send("/maintenances/new", { ...wanted, preview: "part" })).text();
  expect([whole.includes('name="monitor_ids"'), part.includes('name="monitor_ids"')]).toEqual([
    true,
    false,
  ]);
  expect(part.startsWith('<div id="preview" data-preview')).toBe(true);
  expect(whole).toContain(part);
  const [list = ""] = /<ul class="affected">.*?<\/ul>/s.exec(part) ?? [];
  expect(wordsIn(list).trim()).toMatch(/^Maintenance \S/);
  const other = await (
    await send("/maintenances/new", { ...wanted, monitor_ids: "1", preview: "part" })
  ).text();
  expect(wordsIn(other)).toContain("No component of the page is chosen or has these monitors");
});

test("work on a status page past those that the form offers is previewed as shown there, and keeps it", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene, "A first");
  for (let number = 2; number <= 202; number += 1)
    await send("/status-pages", { title: `Page ${number}`, slug: `page-${number}` });
  const listed = await (await scene.get("/maintenances/new")).text();
  const offered = new Set([...listed.matchAll(/<option value="(\d+)"/g)].map(([, id]) => id));
  const beyond = Array.from({ length: 202 }, (_, index) => String(index + 1)).find(
    (id) => !offered.has(id),
  );
  const page_id = beyond ?? "";
  const part = await (
    await send("/maintenances/new", { ...work, page_id, preview: "part" })
  ).text();
  expect(wordsIn(part)).toContain("The page is a draft: publish it, and its readers see this.");
  await send("/maintenances/new", { ...work, page_id });
  const edited = await (await scene.get("/maintenances/1/edit")).text();
  expect(edited).toMatch(
    new RegExp(`<option value="${page_id}"\\s+selected\\s*>\\s*Page ${page_id}`),
  );
});

test("work that repeats is ended and extended for this time only, and that can be undone", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene);
  const now = { from: "2026-11-22T11:30", to: "2026-11-22T14:00" };
  await send("/maintenances/new", { ...work, ...now, repeat: "daily" });
  const list = wordsIn(await (await scene.get("/maintenances")).text());
  expect(list).toMatch(/Now Now Upgrade .* End now .* Extend Post an update Edit Delete/);
  const read = async () => JSON.parse(await (await scene.get("/maintenances/1.json")).text());
  const press = async (path: string, fields: Record<string, string>) => {
    const answer = await send(path, { back: "/maintenances/1", ...fields });
    const text = await (await scene.get(answer.headers.get("location") ?? "")).text();
    const hidden = (name: string): string =>
      new RegExp(`name="${name}" value="(\\d+)"`).exec(text)?.[1] ?? "";
    const undo = { from: hidden("from"), seen: hidden("seen"), to: hidden("to") };
    return { words: wordsIn(text).replaceAll("\u00a0", " "), undo };
  };
  const longer = await press("/maintenances/1/extend", { length: "1h" });
  expect(longer.words).toContain("Extended this time; its other times stay as they are.");
  expect(longer.words).toContain(
    "The time that began 22 Nov, 11:30 UTC was extended. It ends at 22 Nov, 15:00 UTC instead of 14:00 UTC .",
  );
  expect(await read()).toMatchObject({ to: onTime("22T14:00"), next_to: onTime("22T15:00") });
  await press("/maintenances/1/end/undo", longer.undo);
  expect(await read()).toMatchObject({ next_to: onTime("22T14:00"), moved_ends: [] });
  const ended = await press("/maintenances/1/end", {});
  expect(ended.words).toContain("Ended this time: monitors open incidents again.");
  expect(ended.words).toMatch(
    /ended early, at 22 Nov, 12:00 UTC \. It was planned until 14:00 UTC/,
  );
  expect(await read()).toMatchObject({ to: onTime("22T14:00"), next_from: onTime("23T11:30") });
  const after = wordsIn(await (await scene.get("/maintenances")).text());
  expect(after).toMatch(
    /Nothing is under way .* Planned Planned Upgrade .* The time that began 22 Nov, 11:30 UTC ended early/,
  );
  const late = await send("/maintenances/1/end", {});
  expect(late.headers.get("location")).toBe("/maintenances?notice=not-ended");
  expect((await press("/maintenances/1/end/undo", ended.undo)).words).toContain("2 h left of");
});

const onTime = (time: string): string => `2026-11-${time}:00.000Z`;

test("repeating work that has ended says when its last window ended, not its first", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene);
  const ended = { from: "2026-11-01T10:00", to: "2026-11-01T11:00", repeat: "rule" };
  const sent = { ...work, ...ended, recurrence: "FREQ=DAILY;COUNT=20" };
  const asked = await (await send("/maintenances/new", sent)).text();
  expect(wordsIn(asked)).toContain("Its last time is in the past.");
  const known = /name="known" value="([^"]+)"/.exec(asked)?.[1] ?? "";
  await send("/maintenances/new", { ...sent, known });
  const list = wordsIn(await (await scene.get("/maintenances")).text());
  expect(list).toMatch(/Completed Upgrade .* 2 d 1 h ago, for 1 h/);
  expect(list).toContain("20 Nov, 10:00 to 11:00 UTC");
});

test("a rule that is typed next to another choice is refused at its field, and one that was saved can be left there", async () => {
  const send = await withPages(await operatorScene());
  const recurrence = "FREQ=WEEKLY;BYDAY=SU";
  for (const [path, repeat, said] of [
    ["/maintenances/new", "once", "Does not repeat"],
    ["/maintenances/new", "daily", "Every day at this time"],
  ] as const) {
    const answer = await send(path, { ...work, repeat, recurrence });
    expect([answer.status, wordsIn(await answer.text())]).toEqual([
      422,
      expect.stringContaining(
        `Rule needs “By a rule” at “Repeats”, which says “${said}”: choose it, or empty the rule`,
      ),
    ]);
  }
  const edit = "/maintenances/1/edit";
  const typed = { ...work, recurrence: "FREQ=MONTHLY;BYDAY=-1SU" };
  expect((await send("/maintenances/new", { ...typed, repeat: "rule" })).status).toBe(303);
  expect((await send(edit, { ...typed, recurrence })).status).toBe(422);
  expect((await send(edit, { ...typed, repeat: "once" })).status).toBe(303);
});

test("a rule that ends on a day that no calendar has is refused at its field", async () => {
  const send = await withPages(await operatorScene());
  const recurrence = "FREQ=DAILY;UNTIL=20261399";
  const answer = await send("/maintenances/new", { ...work, repeat: "rule", recurrence });
  expect([answer.status, wordsIn(await answer.text())]).toEqual([
    422,
    expect.stringContaining("It needs an UNTIL like 20261231T235959Z."),
  ]);
});

test("a button fills the times of new work that begins now, in its zone, and keeps what was typed", async () => {
  const { get, post } = await operatorScene();
  const shown = await (await get("/maintenances/new")).text();
  const form = formTokenIn(shown);
  expect([...shown.matchAll(/name="now"\s+value="(\w+)"/g)].map(([, value]) => value)).toEqual([
    "30m",
    "1h",
    "2h",
  ]);
  const typed = { ...work, title: "Hotfix", time_zone: "Asia/Tokyo", now: "30m", form };
  const answer = await post("/maintenances/new", typed);
  const filled = await answer.text();
  const value = (name: string) =>
    new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(filled)?.[1];
  expect([answer.status, value("title"), value("from"), value("to")]).toEqual([
    200,
    "Hotfix",
    "2026-11-22T21:00",
    "2026-11-22T21:30",
  ]);
  expect(JSON.parse(await (await get("/maintenances.json")).text())).toMatchObject({ total: 0 });
});

test.each([
  ["2026-11-23T21:00", "It ends before it begins: choose an end after 2026-11-23 22:00."],
  ["2026-11-23T22:00", "It ends when it begins: choose an end after 2026-11-23 22:00."],
  ["2026-11-23T22:01", null],
  ["", null],
])("the preview of work from 22:00 until %j says %j", async (to, fault) => {
  const send = await withPages(await operatorScene());
  const part = await (await send("/maintenances/new", { ...work, to, preview: "part" })).text();
  expect(/class="wrong-line"\s*>\s*([^<]*?)\s*</.exec(part)?.[1] ?? null).toBe(fault);
});

test.each([
  ["weekly", "", "23 Nov 2026", "It repeats every Monday, 22:00 (UTC)"],
  [
    "rule",
    "FREQ=MONTHLY;BYDAY=2TU",
    "8 Dec 2026",
    "It repeats every month on the 2nd Tuesday, 22:00 (UTC)",
  ],
  ["once", "", "23 Nov 2026", null],
])(
  "the preview of work that repeats %s %s has its first time on %s",
  async (repeat, recurrence, day, words) => {
    const send = await withPages(await operatorScene());
    const asked = { ...work, repeat, recurrence, preview: "part" };
    const part = wordsIn(await (await send("/maintenances/new", asked)).text());
    expect(part).toContain(day);
    expect(/It repeats[^.]*/.exec(part)?.[0] ?? null).toBe(words);
  },
);

test("deleting work says that incidents open again at once only while it is under way", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene);
  const made = [work, { ...work, from: "2026-11-22T11:00" }].map((one) =>
    send("/maintenances/new", one),
  );
  const [planned = "", underWay = ""] = (await Promise.all(made)).map(
    ({ headers }) => /^\/maintenances\/\d+/.exec(headers.get("location") ?? "")?.[0] ?? "",
  );
  const asked = async (path: string): Promise<string> =>
    wordsIn(await (await scene.get(`${path}/delete`)).text());
  const again = "Monitors that it covers open incidents again at once.";
  expect(await asked(planned)).toContain("It goes from this list.");
  expect(await asked(planned)).not.toContain(again);
  expect(await asked(underWay)).toContain(again);
});

test("all that is wrong with planned work or a report is said at once, each at its field", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene, "Acme");
  const said = async (path: string, fields: Record<string, string>) => {
    const answer = await send(path, fields);
    const links = /<div\s+class="mistakes".*?<\/div>/s.exec(await answer.text()) ?? [""];
    return [answer.status, ...[...links[0].matchAll(/href="#([^"]*)"/g)].map(([, at]) => at)];
  };
  const ends = { from: work.from, to: "2026-11-23T21:00", time_zone: "UTC", repeat: "once" };
  expect(await said("/maintenances/new", ends)).toEqual([
    422,
    "field-title",
    "field-to",
    "field-monitor_ids",
  ]);
  expect(await said("/maintenances/new", { ...ends, page_id: "1" })).toEqual([
    422,
    "field-title",
    "field-message",
    "field-to",
  ]);
  expect(await said("/status-pages/1/reports/new", { status: "investigating" })).toEqual([
    422,
    "field-title",
    "field-message",
  ]);
});

test("work that is over before it is planned is asked about once, and has its year and its zone", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene);
  const past = {
    ...work,
    from: "2020-11-29T21:00",
    to: "2020-11-29T22:00",
    time_zone: "Europe/Berlin",
  };
  const asked = await (await send("/maintenances/new", past)).text();
  expect(wordsIn(asked)).toContain(
    "Not saved yet. Press Save anyway to keep it as it is. The window is in the past: it was from 2020-11-29 21:00 to 2020-11-29 22:00, Europe/Berlin. Check the year and the day.",
  );
  expect(asked).toContain("Schedule it anyway");
  const known = /name="known" value="([^"]+)"/.exec(asked)?.[1] ?? "";
  // Another day is another question.
  const other = { ...past, from: "2021-11-29T21:00", to: "2021-11-29T22:00", known };
  expect((await send("/maintenances/new", other)).status).toBe(200);
  const saved = await send("/maintenances/new", { ...past, known });
  expect(saved.headers.get("location")).toBe("/maintenances/1?notice=planned");
  const page = wordsIn(await (await scene.get("/maintenances/1")).text()).replaceAll("\u00a0", " ");
  expect(page).toContain("Began Sun 29 Nov 2020, 20:00 UTC planned in Europe/Berlin");
  // Other words for what is over are no question.
  const edit = await send("/maintenances/1/edit", { ...past, title: "Upgrade of 2020" });
  expect(edit.status).toBe(303);
});

test("a rule that is typed in words is kept, and one that is not understood is refused with words that are", async () => {
  const scene = await operatorScene();
  const send = await withPages(scene);
  const typed = { ...work, repeat: "rule", recurrence: "every second Sunday" };
  expect((await send("/maintenances/new", typed)).status).toBe(303);
  const { maintenances } = JSON.parse(await (await scene.get("/maintenances.json")).text());
  expect(JSON.stringify(maintenances)).toContain("FREQ=WEEKLY;INTERVAL=2;BYDAY=SU");
  const answer = await send("/maintenances/new", { ...typed, recurrence: "whenever" });
  expect([answer.status, wordsIn(await answer.text())]).toEqual([
    422,
    expect.stringContaining(
      "Rule is not understood: write for example “second Tuesday of the month”, “weekly on Tuesday and Thursday 22:00-23:30”",
    ),
  ]);
});
