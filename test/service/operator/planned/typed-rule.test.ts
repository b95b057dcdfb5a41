import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

const work = {
  title: "Upgrade",
  from: "2026-11-30T00:45",
  to: "2026-11-30T02:15",
  time_zone: "UTC",
  repeat: "rule",
  monitor_ids: "2",
};

async function sender() {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  const send = (path: string, fields: Record<string, string>) =>
    post(path, { form, ...work, ...fields });
  return { get, send };
}

test("a rule that is not understood is said in the preview, and by the script at its field", async () => {
  const { send } = await sender();
  const asked = { recurrence: "jeden Dienstag", preview: "part" };
  const part = await (await send("/maintenances/new", asked)).text();
  expect(part).toContain('data-at="recurrence" data-note="The rule is not understood: write');
  expect(wordsIn(part)).toContain("The rule is not understood: write for example “second");
  const other = await (await send("/maintenances/new", { ...asked, repeat: "daily" })).text();
  expect(other).not.toContain("not understood");
});

test("a rule that ends before the work begins is refused in the preview, as by the save", async () => {
  const { send } = await sender();
  const asked = { recurrence: "every Tuesday until 31 March 2025" };
  const part = await (await send("/maintenances/new", { ...asked, preview: "part" })).text();
  expect(part).toContain('data-at="recurrence" data-note="The rule never occurs: it ends before');
  expect(wordsIn(part)).not.toContain("as the rule says");
  const saved = await send("/maintenances/new", asked);
  expect(saved.status).toBe(422);
  expect(wordsIn(await saved.text())).toContain(
    "Rule never occurs: it ends before the work begins",
  );
});

test("work begins at the time of its rule, as its preview says before", async () => {
  const { get, send } = await sender();
  const recurrence = "weekdays at 3";
  const part = await send("/maintenances/new", { recurrence, preview: "part" });
  const words = wordsIn(await part.text());
  expect(words).toContain(
    "It begins at 03:00, as the rule says: this takes the place of “Begins”.",
  );
  expect(words).toMatch(/30 Nov 2026, 03:00\s*–\s*04:30/);
  expect((await send("/maintenances/new", { recurrence })).status).toBe(303);
  const form = await (await get("/maintenances/1/edit")).text();
  expect(form).toContain('value="2026-11-30T03:00"');
  expect(form).toContain('value="2026-11-30T04:30"');
});

test("work by quarters begins on its next day, and its form has the rule, its end and the day", async () => {
  const { get, send } = await sender();
  const recurrence = "first Sunday of each quarter at 22:00 until 2028";
  const part = await send("/maintenances/new", { recurrence, preview: "part" });
  const words = wordsIn(await part.text());
  expect(words).toContain("It begins on 3 January 2027 at 22:00, as the rule says");
  expect(words).not.toContain("counts from the month");
  expect((await send("/maintenances/new", { recurrence })).status).toBe(303);
  const form = await (await get("/maintenances/1/edit")).text();
  expect(form).toContain('value="2027-01-03T22:00"');
  expect(form).toContain('value="every 3 months on the 1st Sunday until 31 December 2028"');
});

test("the form of planned work has its rule in words, and saves the same rule from them", async () => {
  const { get, send } = await sender();
  await send("/maintenances/new", { recurrence: "every second Tuesday until 31 March" });
  const form = await (await get("/maintenances/1/edit")).text();
  const [, words = ""] = /name="recurrence"[^>]*value="([^"]*)"/.exec(form) ?? [];
  expect(words).toBe("every 2 weeks on Tuesday until 31 March 2027");
  expect(form).toContain('name="from"');
  expect(form).toContain('value="2026-12-01T00:45"');
  const [from, to] = ["2026-12-01T00:45", "2026-12-01T02:15"];
  await send("/maintenances/1/edit", { recurrence: words, from, to });
  expect(wordsIn(await (await get("/maintenances/1")).text())).toContain(
    "every 2 weeks on Tuesday, 00:45, until 31 March 2027",
  );
});

test("the form of work by a rule has its first time, and says the next one and the rule", async () => {
  const { get, send } = await sender();
  const october = { from: "2026-10-05T22:00", to: "2026-10-05T23:00" };
  await send("/maintenances/new", { ...october, recurrence: "every Tuesday" });
  const form = await (await get("/maintenances/1/edit")).text();
  expect(form).toContain('value="2026-10-06T22:00"');
  expect(wordsIn(form)).toContain(
    "This is its first time. The next one is 24 Nov 2026, 22:00, by its rule: every Tuesday, 22:00.",
  );
});

test("an empty message stays empty in the form, and does not keep the old title after another one is saved", async () => {
  const { get, send } = await sender();
  const once = { repeat: "once", message: "" };
  await send("/maintenances/new", once);
  const form = await (await get("/maintenances/1/edit")).text();
  expect(/<textarea[^>]*name="message"[^>]*>([^<]*)</.exec(form)?.[1]?.trim()).toBe("");
  await send("/maintenances/1/edit", { ...once, title: "Quarterly patch" });
  const page = wordsIn(await (await get("/maintenances/1")).text());
  expect(page).toContain("Quarterly patch");
  expect(page).not.toContain("Upgrade");
});

test("a press of “Now, for 1 h” puts the cursor into an empty title or message, else to the monitors", async () => {
  const { send } = await sender();
  const cursor = async (title: string, message: string): Promise<readonly string[]> => {
    const page = await (await send("/maintenances/new", { title, message, now: "1h" })).text();
    return [...page.matchAll(/<(?:input|textarea|fieldset)[^>]*autofocus/g)].map(
      ([field]) => /(?:name|aria-describedby)="([^"]*)"/.exec(field)?.[1] ?? "",
    );
  };
  expect(await cursor("", "")).toEqual(["title"]);
  expect(await cursor("Hotfix", "")).toEqual(["message"]);
  expect(await cursor("Hotfix", "We restart.")).toEqual(["field-monitor_ids-help"]);
});

test("times of day in a rule are those of the work, and the preview of a series has its next time", async () => {
  const { get, send } = await sender();
  const recurrence = "2nd Tuesday of the month 22:00-23:30 for 6 months";
  await send("/maintenances/new", { recurrence });
  const page = wordsIn(await (await get("/maintenances/1")).text());
  expect(page).toContain("every month on the 2nd Tuesday, 22:00, until 31 May 2027");
  expect(page).toMatch(/Begins Tue 8 Dec, 22:00 UTC Ends Tue 8 Dec, 23:30 UTC/);
  const begun = { from: "2026-10-05T22:00", to: "2026-10-05T23:00", preview: "part" };
  const part = await send("/maintenances/new", { ...begun, recurrence: "every Tuesday" });
  expect(wordsIn(await part.text())).toMatch(
    /24 Nov 2026, 22:00\s*–\s*23:00.* This is the next time\./,
  );
});
