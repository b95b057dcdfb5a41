import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const wordsIn = (page: string): string =>
  page
    .replaceAll(/<style.*?<\/style>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("\u00a0", " ")
    .replaceAll(/\s+/g, " ");

const at = (time: string): string => String(Date.parse(`2026-11-${time}:00Z`));
const back = "/maintenances/1";

/** It is 12:00 on 22 November: work every day at 22:00, from a day on, on a published status page. */
async function scene(day: string) {
  const here = await operatorScene();
  const form = formTokenIn(await (await here.get("/maintenances/new")).text());
  const send = (path: string, fields: Record<string, string> = {}) =>
    here.post(path, { form, ...fields });
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/monitors", { monitors: "1", group: "" });
  await send("/status-pages/1/publish");
  const times = { from: `2026-11-${day}T22:00`, to: `2026-11-${day}T23:30`, time_zone: "UTC" };
  const work = { title: "Upgrade", message: "m", page_id: "1", components: "1", repeat: "daily" };
  await send("/maintenances/new", { ...work, ...times });
  const words = async (path: string) => wordsIn(await (await here.get(path)).text());
  const document = async (path: string) => JSON.parse(await (await here.get(path)).text());
  return { ...here, send, words, document };
}

test.each(["22", "24"])(
  "the next date of work that repeats from %s November on begins by one press, and its other dates stay",
  async (day) => {
    const { send, words, document, clock, get } = await scene(day);
    expect(await words(back)).toContain("Begin now");
    const answer = await send(`${back}/begin`, { back });
    const begun = await words(answer.headers.get("location") ?? "");
    expect(begun).toContain("This date lasts as long as planned, and its other dates stay");
    expect(begun).toContain(`was to begin at ${day} Nov, 22:00 UTC`);
    expect(begun).toContain("End now");
    expect(await words("/status/acme")).toContain("22 Nov 2026, 12:00 – 13:30 UTC");
    expect(await document("/maintenances/1.json")).toMatchObject({
      next_from: "2026-11-22T12:00:00.000Z",
      moved_ends: [{ from: `2026-11-${day}T22:00:00.000Z`, began: "2026-11-22T12:00:00.000Z" }],
    });
    const calendar = await (await get("/status/acme/calendar.ics")).text();
    expect(calendar).toContain(
      `RECURRENCE-ID:202611${day}T220000Z\r\nDTSTART:20261122T120000Z\r\nDTEND:20261122T133000Z`,
    );
    clock.suspend(minutes(100));
    expect(await words(back)).toContain("began early: it was planned from");
    const { next_from: next } = await document("/maintenances/1.json");
    expect(next).toBe(`2026-11-${Number(day) + 1}T22:00:00.000Z`);
    expect(await words("/changes")).toMatch(
      new RegExp(`the time from ${day} Nov.* begins 22 Nov.* and ends 22 Nov`),
    );
  },
);

test("a date that began early ends now, is extended, keeps its planned end, or begins again when it was to", async () => {
  const { send, words, document, clock } = await scene("22");
  await send(`${back}/begin`, { back });
  const began = { seen: at("22T12:00"), end: at("22T13:30") };
  const planned = { to: at("22T22:00"), until: at("22T23:30"), back };
  clock.suspend(minutes(1));
  await send(`${back}/extend`, { length: "1h", back });
  expect(await words(back)).toContain("It ends at 22 Nov, 14:30 UTC");
  const late = await send(`${back}/begin/undo`, { ...began, ...planned });
  expect(late.headers.get("location")).toContain("begin-meanwhile");
  const end = { from: at("22T12:00"), seen: at("22T14:30"), to: at("22T23:30"), back };
  await send(`${back}/end/undo`, end);
  expect(await words(back)).toContain("It ends at 22 Nov, 23:30 UTC");
  const again = { seen: at("22T12:00"), end: at("22T23:30"), ...planned };
  const undone = await send(`${back}/begin/undo`, again);
  expect(undone.headers.get("location")).toContain("begin-undone");
  expect(await document("/maintenances/1.json")).toMatchObject({
    next_from: "2026-11-22T22:00:00.000Z",
    moved_ends: [],
  });
  await send(`${back}/begin`, { back });
  clock.suspend(minutes(5));
  await send(`${back}/end`, { back });
  expect(await words(back)).toMatch(/began early: .* It ended at 22 Nov, 12:06 UTC/);
  expect(
    (await send(`${back}/skip`, { from: at("22T22:00"), back })).headers.get("location"),
  ).toContain("meanwhile");
});
