import { expect, test } from "vitest";
import { epochMillis, hours, minutes } from "#base/units";
import { htmlAnswer } from "#service/edge/page-answer";
import { whyNotActive } from "#service/operator/locations/silent-location";
import { zonedPage } from "#service/operator/zones/zoned-page";
import { monthDay } from "#web/page/format";
import { timeAxis } from "#web/page/chart/time-axis";
import { html } from "#web/page/html";
import { minutesFromTo } from "#web/page/moment";
import { clockMark, timeMark } from "#web/page/time-mark";
import { operatorScene } from "../../../support/operator-scene.ts";

const now = epochMillis(Date.parse("2026-11-22T23:30:00Z"));
const inBerlin = (body: string): string =>
  zonedPage(htmlAnswer(body), { kind: "local", formToken: "", timeZone: "Europe/Berlin" }, now)
    .body;
const textOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

test("sentences have their instants in the reader's zone: until when an undo is possible, who saved, and when an agent stopped", () => {
  const at = epochMillis(Date.parse("2026-11-22T07:30:06Z"));
  const until = html`Undo this until ${clockMark(now)}, or ${timeMark(at)}.`;
  expect(textOf(inBerlin(until.text))).toBe(
    "Undo this until 00:30:00 CET, or 22 Nov, 08:30:06 CET.",
  );
  const state = {
    status: "error" as const,
    message: "stopped as asked at 2026-11-22T07:30:06.000Z",
    refused: null,
  };
  expect(textOf(inBerlin(whyNotActive(state, [])?.text ?? ""))).toBe(
    "Stopped as asked at 22 Nov, 08:30:06 CET.",
  );
});

test("the axis of a chart has the times of the reader's zone, also at midnight of UTC; one of days stays", () => {
  const ticksOf = (from: number, length: number): string[] => {
    const span = { from: epochMillis(from), to: epochMillis(from + length) };
    const axis = inBerlin(timeAxis(span, 0, monthDay, "UTC").text);
    return [...axis.matchAll(/<text[^>]*>([^<]*)<\/text/g)].map(([, one = ""]) => one);
  };
  expect(ticksOf(now, minutes(4))).toContain("00:34 CET");
  expect(ticksOf(now, hours(1))).toContain("01:00");
  expect(ticksOf(now, hours(240)).join()).toContain("Nov");
});

test("a page that is printed has its day in every zone, and on the screen the time alone", async () => {
  const { get } = await operatorScene({ days: 0 });
  for (const zone of ["", "Asia/Tokyo"]) {
    const page = await (await get("/settings", { cookie: `picket-zone=${zone}` })).text();
    const words = (look: string): string =>
      new RegExp(`class="${look}"[^>]*>([^<]*)</time`).exec(page)?.[1] ?? "";
    expect(words("printed")).toMatch(/^\d{1,2}\u00a0\w{3}, \d\d:\d\d \S+$/);
    expect(words("unprinted")).toMatch(/^\d\d:\d\d:\d\d \S+$/);
  }
});

test("a time that is not of this year has its year in every zone, and planned work its day of the week", () => {
  const at = (iso: string) => epochMillis(Date.parse(iso));
  const inUtc = (body: string): string =>
    zonedPage(htmlAnswer(body), { kind: "local", formToken: "", timeZone: "" }, now).body;
  const past = html`${timeMark(at("2020-11-29T20:00:00Z"))}`.text;
  expect(textOf(inUtc(past))).toBe("29 Nov 2020, 20:00:00 UTC");
  expect(textOf(inBerlin(past))).toBe("29 Nov 2020, 21:00:00 CET");
  // A new year begins earlier in Berlin.
  const eve = html`${timeMark(at("2026-12-31T23:30:00Z"))}`.text;
  expect(textOf(inUtc(eve))).toBe("31 Dec, 23:30:00 UTC");
  expect(textOf(inBerlin(eve))).toBe("1 Jan 2027, 00:30:00 CET");
  const window = minutesFromTo(at("2020-11-29T23:30:00Z"), at("2020-11-29T23:45:00Z")).text;
  expect(textOf(inUtc(window))).toBe("Sun 29 Nov 2020, 23:30 to 23:45 UTC");
  expect(textOf(inBerlin(window))).toBe("Mon 30 Nov 2020, 00:30 to 00:45 CET");
});
