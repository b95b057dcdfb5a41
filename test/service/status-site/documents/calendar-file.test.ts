import ICAL from "ical.js";
import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { statusScene, type StatusScene } from "../status-scene.ts";

/** The calendar of a page as a real parser reads it, and as it is written. */
async function calendarOf(here: Pick<StatusScene, "get">) {
  const answer = await here.get("/status/acme/calendar.ics");
  const text = (await answer.text()).replaceAll("\r\n ", "");
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents("vtimezone"))
    ICAL.TimezoneService.register(
      new ICAL.Timezone(zone),
      String(zone.getFirstPropertyValue("tzid")),
    );
  const all = calendar.getAllSubcomponents("vevent").map((one) => new ICAL.Event(one));
  const lines = (name: string): readonly string[] =>
    text.split("\r\n").filter((line) => line.startsWith(name));
  return { all, lines };
}

/** The first times of an event, as a calendar shows them. */
function timesOf(event: ICAL.Event | undefined, count: number): readonly string[] {
  if (event === undefined) return [];
  const times = event.iterator();
  return Array.from({ length: count }, () => {
    const next: ICAL.Time | null = times.next() ?? null;
    if (next === null) return "none";
    const { startDate, endDate } = event.getOccurrenceDetails(next);
    return [startDate, endDate].map((one) => one.toJSDate().toISOString().slice(0, 16)).join("/");
  });
}

async function planned(here: StatusScene, work: object): Promise<void> {
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("AddMonitorComponent", { pageId: "1", monitorId: "1" });
  await here.call("CreateMaintenance", {
    title: "Upgrade",
    message: "m",
    pageId: "1",
    pageComponentIds: ["1"],
    ...work,
  });
}

const once = { from: "2026-11-23T22:00:00Z", to: "2026-11-23T23:30:00Z" };

test("work that is moved stays the same event of a calendar, in a newer version", async () => {
  await using here = await statusScene();
  await planned(here, once);
  const made = here.clock.wall();
  const [before] = (await calendarOf(here)).all;
  await here.clock.advance(5_000);
  await here.call("UpdateMaintenance", {
    id: "1",
    from: "2026-11-24T21:00:00Z",
    to: "2026-11-24T22:00:00Z",
  });
  const { all } = await calendarOf(here);
  expect(all).toHaveLength(1);
  expect(all[0]?.uid).toBe(before?.uid);
  expect(all[0]?.uid).toBe(`maintenance-1-${made}@picket`);
  expect([before?.sequence, all[0]?.sequence]).toEqual([0, 5]);
  expect(timesOf(all[0], 1)).toEqual(["2026-11-24T21:00/2026-11-24T22:00"]);
});

test("an event leads to its maintenance on the status page", async () => {
  await using here = await statusScene();
  await planned(here, once);
  const [line = ""] = (await calendarOf(here)).lines("URL:");
  const page = await here.get(new URL(line.slice("URL:".length)).pathname);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<h1>Upgrade")]);
});

test("work that repeats is one event with its rule, by the clock of its zone", async () => {
  await using here = await statusScene();
  await planned(here, {
    // A Monday, before the first Tuesday; the clocks of Berlin go forward on 28 March 2027.
    from: "2027-03-15T21:00:00Z",
    to: "2027-03-15T22:30:00Z",
    timeZone: "Europe/Berlin",
    recurrence: "FREQ=WEEKLY;BYDAY=TU;UNTIL=20270406",
  });
  const { all, lines } = await calendarOf(here);
  expect(all).toHaveLength(1);
  expect(lines("RRULE")).toEqual(["RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20270406T215959Z"]);
  expect(timesOf(all[0], 5)).toEqual([
    "2027-03-16T21:00/2027-03-16T22:30",
    "2027-03-23T21:00/2027-03-23T22:30",
    "2027-03-30T20:00/2027-03-30T21:30",
    "2027-04-06T20:00/2027-04-06T21:30",
    "none",
  ]);
});

test("a time of it that was extended has its own end, and the others have theirs", async () => {
  const here = await operatorScene();
  const form = formTokenIn(await (await here.get("/maintenances/new")).text());
  await here.post("/status-pages", { form, title: "Acme", slug: "acme" });
  await here.post("/status-pages/1/publish", { form });
  const work = { title: "Upgrade", message: "m", page_id: "1", repeat: "rule" };
  const times = { from: "2026-11-22T11:00", to: "2026-11-22T13:00", time_zone: "UTC" };
  const rule = { recurrence: "daily, 3 times" };
  await here.post("/maintenances/new", { form, ...work, ...times, ...rule });
  await here.post("/maintenances/1/extend", { form, length: "30m" });
  const [series, one, ...others] = (await calendarOf(here)).all;
  expect([one?.isRecurrenceException(), others]).toEqual([true, []]);
  if (one !== undefined) series?.relateException(one);
  expect(timesOf(series, 4)).toEqual([
    "2026-11-22T11:00/2026-11-22T13:30",
    "2026-11-23T11:00/2026-11-23T13:00",
    "2026-11-24T11:00/2026-11-24T13:00",
    "none",
  ]);
});
