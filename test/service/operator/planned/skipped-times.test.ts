import { expect, test } from "vitest";
import { hours } from "#base/units";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const wordsIn = (page: string): string =>
  page
    .replaceAll(/<style.*?<\/style>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("\u00a0", " ")
    .replaceAll(/\s+/g, " ");

const at = (time: string): string => String(Date.parse(`2026-11-${time}:00Z`));

/** It is 12:00 on 22 November: work every day at 22:00, on a published status page. */
async function scene() {
  const here = await operatorScene();
  const form = formTokenIn(await (await here.get("/maintenances/new")).text());
  const send = (path: string, fields: Record<string, string> = {}) =>
    here.post(path, { form, ...fields });
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/publish");
  const times = { from: "2026-11-22T22:00", to: "2026-11-22T23:30", time_zone: "UTC" };
  const work = { title: "Upgrade", message: "m", page_id: "1", repeat: "daily", ...times };
  await send("/maintenances/new", work);
  const text = async (path: string) => (await here.get(path)).text();
  const words = async (path: string) => wordsIn(await text(path));
  const skip = (time: string) =>
    send("/maintenances/1/skip", { from: at(time), back: "/maintenances/1" });
  return { ...here, send, work, text, words, skip };
}

test("a date of work that repeats is skipped: pages, the status page, its feed and its calendar say so", async () => {
  const { skip, text, words } = await scene();
  expect(await words("/maintenances/1")).toMatch(/Coming dates Sun 22 Nov, .* Skip this date/);
  const answer = await skip("22T22:00");
  const after = await words(answer.headers.get("location") ?? "");
  expect(after).toContain("Skipped: it does not take place on that date.");
  expect(after).toMatch(/Upgrade was to be on Sun 22 Nov, 22:00 UTC/);
  expect(after).toMatch(/Begins Mon 23 Nov, 22:00 UTC/);
  expect(after).toMatch(/Sun 22 Nov, 22:00 to 23:30 UTC ?: does not take place/);
  expect(await words("/maintenances")).toMatch(/Skipped: Sun 22 Nov, 22:00 UTC/);
  const json = JSON.parse(await text("/maintenances/1.json"));
  expect(json).toMatchObject({ next_from: expect.stringContaining("2026-11-23"), moved_ends: [] });
  expect(json.skipped).toEqual([
    { from: expect.stringContaining("22T22:00"), to: expect.stringContaining("22T23:30") },
  ]);
  expect(await words("/status/acme")).toMatch(
    /Does not take place: 22 Nov 2026, 22:00\s*–\s*23:30/,
  );
  expect(await words("/status/acme/de")).toMatch(/Findet nicht statt: /);
  expect(await text("/status/acme/feed/atom")).toContain("Does not take place: ");
  expect(await text("/status/acme/calendar.ics")).toContain("EXDATE:20261122T220000Z");
});

test("a skipped date is put back, and stays skipped when other things of the work are changed", async () => {
  const { skip, send, work, text, words } = await scene();
  await skip("23T22:00");
  await send("/maintenances/1/edit", { ...work, title: "Upgrade 2", to: "2026-11-22T23:45" });
  expect(await words("/maintenances/1")).toMatch(/23:45 UTC ?: does not take place/);
  const back = { seen: at("23T22:00"), to: at("23T23:45"), back: "/maintenances/1" };
  const undone = await send("/maintenances/1/end/undo", { from: at("23T22:00"), ...back });
  const page = await words(undone.headers.get("location") ?? "");
  expect(page).toContain("Undone: it takes place on that date.");
  expect(page).not.toContain("does not take place");
  expect(JSON.parse(await text("/maintenances/1.json")).skipped).toEqual([]);
});

test.each([
  ["another time of day", { from: "2026-11-22T21:00", to: "2026-11-22T22:00" }, "23T21:00"],
  ["another zone", { time_zone: "Europe/Berlin" }, "23T21:00"],
  ["a rule that has the day", { repeat: "weekly", from: "2026-11-23T22:00" }, "23T22:00"],
])("a date stays skipped if the work has %s", async (_what, changed, begin) => {
  const { skip, send, work, text, words } = await scene();
  await skip("23T22:00");
  await send("/maintenances/1/edit", { ...work, to: "2026-11-23T23:30", ...changed });
  expect(await words("/maintenances/1")).toMatch(
    /Mon 23 Nov, [^:]*:\d\d to [^?]*: does not take place/,
  );
  expect(JSON.parse(await text("/maintenances/1.json")).skipped).toEqual([
    expect.objectContaining({ from: expect.stringContaining(begin) }),
  ]);
});

test("a skipped date that the work is on no more is forgotten", async () => {
  const { skip, send, work, text } = await scene();
  await skip("23T22:00");
  await send("/maintenances/1/edit", { ...work, repeat: "weekly" });
  expect(JSON.parse(await text("/maintenances/1.json")).skipped).toEqual([]);
  await send("/maintenances/1/edit", work);
  expect(JSON.parse(await text("/maintenances/1.json")).skipped).toEqual([]);
});

test("a date that the work does not have, or that has begun, is not skipped", async () => {
  const { skip, send, work, words } = await scene();
  const other = await skip("22T21:00");
  expect(other.headers.get("location")).toContain("notice=meanwhile");
  await send("/maintenances/1/edit", { ...work, from: "2026-11-22T11:00" });
  const begun = await skip("22T11:00");
  expect(await words(begun.headers.get("location") ?? "")).toContain(
    "It has begun already on that date. End it instead.",
  );
});

test("subscribers are offered an update that a date does not take place, in the words of the page", async () => {
  const { skip, text } = await scene();
  await skip("22T22:00");
  expect(await text(`/maintenances/1/updates?fill=skipped.${at("22T22:00")}`)).toMatch(
    /Does not take place: 22 Nov 2026, 22:00\s*–\s*23:30 UTC/,
  );
});

test("an update of work is laid out as one of a report, and a date that it names is not said again above it", async () => {
  const { skip, send, text, words } = await scene();
  await skip("22T22:00");
  const line = /Does not take place: 22 Nov 2026, 22:00/g;
  expect((await words("/status/acme")).match(line)).toHaveLength(1);
  const form = await text(`/maintenances/1/updates?fill=skipped.${at("22T22:00")}`);
  const [, message = ""] = /<textarea[^>]*name="message"[^>]*>([^<]*)</.exec(form) ?? [];
  await send("/maintenances/1/updates", { message });
  const page = await text("/status/acme");
  expect(wordsIn(page).match(line)).toHaveLength(1);
  const [updates = ""] = /<ol class="updates">[^]*?<\/ol>/.exec(page) ?? [];
  expect(wordsIn(updates)).toMatch(
    /^ Update 22 Nov 2026, 12:00 UTC Does not take place: .* Announced 22 Nov 2026, 12:00 UTC m $/,
  );
  expect((await words("/status/acme/de")).match(/Findet nicht statt: /g)).toHaveLength(1);
});

test("any date is skipped by its day in the zone of the work, and a day without one is not", async () => {
  const { send, words, text } = await scene();
  const skipOn = async (day: string) => {
    const answer = await send("/maintenances/1/skip", { day, back: "/maintenances/1" });
    return words(answer.headers.get("location") ?? "");
  };
  expect(await words("/maintenances/1")).toContain("Another date (UTC) Skip that date");
  expect(await skipOn("2027-03-31")).toContain("Skipped: it does not take place on that date.");
  expect(await words("/maintenances/1")).toMatch(
    /Wed 31 Mar 2027, 22:00 to 23:30 UTC ?: does not take place/,
  );
  expect(JSON.parse(await text("/maintenances/1.json")).skipped).toHaveLength(1);
  expect(await skipOn("2027-03-31")).toContain("It is skipped on that date already.");
  for (const day of ["2026-11-21", "2027-02-30", "soon", "9999-12-31x"])
    expect(await skipOn(day)).toContain("It does not begin on that day, so nothing was skipped.");
});

test("calls skip any date and put it back, and refuse a day without one by its field", async () => {
  const { service, clock } = await scene();
  const { key } = await service.admin.createApiKey({ name: "dates", scope: "write" });
  const call = async (name: string, date: string): Promise<Readonly<Record<string, unknown>>> => {
    const path = `openstatus.maintenance.v1.MaintenanceService/${name}`;
    const answer = await fetch(`${service.url}/rpc/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify({ maintenanceId: "1", date }),
    });
    return JSON.parse(await answer.text());
  };
  const skipped = (...skippedDates: string[]) => ({ maintenance: { skippedDates } });
  const [skip, restore] = ["SkipMaintenanceDate", "RestoreMaintenanceDate"];
  expect(await call(skip, "2027-03-31")).toMatchObject(skipped("2027-03-31"));
  expect(await call(skip, "2026-11-22")).toMatchObject(skipped("2026-11-22", "2027-03-31"));
  expect(await call(skip, "2026-11-22")).toMatchObject(skipped("2026-11-22", "2027-03-31"));
  expect(await call(restore, "2027-03-31")).toMatchObject(skipped("2026-11-22"));
  expect(await call(restore, "2027-03-31")).toMatchObject(skipped("2026-11-22"));
  for (const [name, date, message] of [
    [skip, "2026-11-21", "date must be a day on which it begins, for example 2026-12-24"],
    [restore, "tomorrow", "date must be a day on which it begins, for example 2026-12-24"],
  ] as const)
    expect((await call(name, date))["message"]).toBe(message);
  clock.suspend(hours(12));
  expect((await call(restore, "2026-11-22"))["message"]).toBe("date must be one that is not over");
  clock.suspend(hours(22.5));
  expect((await call(skip, "2026-11-23"))["message"]).toBe("date must be one that has not begun");
});
