import { describe, expect, test } from "vitest";
import { type Locale, locales } from "#service/status-page/page-definition";
import type { ComponentDay, DayState } from "#service/status-page/component-days";
import {
  dayShapes,
  daysBar as barsOf,
  type ShownBars,
  daysNote as noteOfBars,
} from "#service/status-site/view/days-bar";
import { groupDays } from "#service/status-page/group-days";
import { type PageWords, wordsIn } from "#service/status-site/view/words";
import { epochMillis, millis } from "#base/units";

const today = Date.parse("2026-11-22T00:00:00Z");
const daysOf = (...states: readonly DayState[]): readonly ComponentDay[] =>
  states.map((state, index) => ({
    begin: epochMillis(today - (states.length - 1 - index) * 86_400_000),
    state,
    down: millis(state === "down" ? 120_000 : 0),
    success: 1,
    degraded: 0,
    error: 0,
    known: millis(86_400_000),
    impact: null,
    reported: millis(0),
    planned: millis(state === "maintenance" ? 7_200_000 : 0),
    titles: [],
  }));

const daysBar = (
  days: ShownBars["days"],
  firstDay: number,
  words: PageWords,
): ReturnType<typeof barsOf> => barsOf({ days, firstDay, hours: null }, words);
const daysNote = (
  ...[components, firstDay, words]: [readonly (readonly ComponentDay[])[], number, PageWords]
): ReturnType<typeof noteOfBars> =>
  noteOfBars(components, firstDay, words, { hasGroup: false, areHours: false });

const rangeIn = (text: string): readonly string[] =>
  [...text.matchAll(/<span>(.*?)<\/span>/g)].map(([, words = ""]) => words);

describe("the bar of a component's days", () => {
  test("draws the page's days, and counts from the first data on alone", () => {
    const { text } = daysBar(
      daysOf("empty", "empty", "empty", "operational", "empty", "down"),
      2,
      wordsIn("en"),
    );
    expect(rangeIn(text)).toEqual(["3 days ago", "Today"]);
    expect(text).toContain('viewBox="0 0 79.65 24"');
    expect(text).toContain('class="before" d="M0 22h20"');
    expect(text).toContain('class="none" d="M40 23h20"');
    expect(text).toContain("Days: 3. Operational: 1. Down: 1 (2 min). No data: 1.");
  });
  test("is blue of a day with an hour of maintenance, and says of less how long it was", () => {
    const [work] = daysOf("maintenance");
    const barOf = (minutes: number): string =>
      work === undefined
        ? ""
        : daysBar([{ ...work, planned: millis(minutes * 60_000) }], 0, wordsIn("en")).text;
    expect(barOf(60)).toContain('class="planned"');
    expect(barOf(60)).toContain("Maintenance (1 hr)");
    expect(barOf(1)).not.toContain('class="planned"');
    expect(barOf(1)).toContain('class="up"');
    expect(barOf(1)).toContain("Maintenance (1 min)");
  });
  test("draws many days with half the width", () => {
    const { text } = daysBar(
      daysOf(...Array.from({ length: 90 }, () => "operational" as const)),
      0,
      wordsIn("en"),
    );
    expect(text).toContain('class="uptime"\nviewBox="0 0 897 24"');
    expect(text).toContain('class="up" d="M0 15h900"');
  });
  test.each([3, 14, 45, 90])("ends where the last of %i days has its round corners", (count) => {
    const days = daysOf(...Array.from({ length: count }, () => "operational" as const));
    const [, end] = /viewBox="0 0 ([\d.]+) 24"/.exec(daysBar(days, 0, wordsIn("en")).text) ?? [];
    const [, step, width] =
      /<pattern[^>]* width="(\d+)"[^]*?<rect\s+width="([\d.]+)"/.exec(dayShapes(count).text) ?? [];
    expect(Number(end)).toBeCloseTo((count - 1) * Number(step) + Number(width), 2);
  });
  test("says that there is no data yet, in the language of the page", () => {
    const days = daysOf("empty", "empty");
    expect(daysBar(days, 0, wordsIn("en")).text).toContain('aria-label="No data yet"');
    expect(daysBar(days, 0, wordsIn("ko")).text).toContain("아직 데이터 없음");
  });
  test("says below from when to when it is, in each language", () => {
    const whole = daysOf("operational", "degraded", "operational", "down");
    const young = daysOf("empty", "operational", "operational", "down");
    const ranges = (days: readonly ComponentDay[]) => (locale: Locale) =>
      rangeIn(daysBar(days, 0, wordsIn(locale)).text);
    expect(locales.map(ranges(whole))).toEqual([
      ["3 days ago", "Today"],
      ["Il y a 3 jours", "Aujourd’hui"],
      ["Vor 3 Tagen", "Heute"],
      ["3 gün önce", "Bugün"],
      ["3 दिन पहले", "आज"],
      ["3일 전", "오늘"],
    ]);
    // The same below all bars, whatever is known of each.
    expect(locales.map(ranges(young))).toEqual(locales.map(ranges(whole)));
  });
  test("says of each day under the pointer what it was, and of good days in a row as one", () => {
    const days = daysOf("operational", "operational", "down", "operational", "maintenance");
    const titles = (locale: Locale): readonly string[] =>
      [...daysBar(days, 0, wordsIn(locale)).text.matchAll(/<title>(.*?)<\/title>/g)].map(
        ([, words = ""]) => words,
      );
    expect(titles("en")).toEqual([
      "18 Nov – 19 Nov: Operational",
      "20 Nov: down for 2 minutes",
      "21 Nov: Operational",
      "22 Nov: Maintenance (2 hr)",
    ]);
    const text = daysBar(daysOf("empty", "empty", "down"), 1, wordsIn("en")).text;
    // What was before the first data is not said.
    expect(text.match(/class="said" d="[^"]+"/g)).toEqual(['class="said" d="M20 12h20"']);
    expect(locales.map((locale) => titles(locale)[1])).toEqual([
      "20 Nov: down for 2 minutes",
      "20 nov.\u00a0: en panne pendant 2 minutes",
      "20. Nov.: ausgefallen für 2 Minuten",
      "20 Kas: 2 dakika kesinti",
      "20 नव॰: 2 मिनट तक बंद",
      "11월 20일: 2분 동안 중단",
    ]);
  });
  test("says of a day also what was reported, under the pointer and in the list of bad days", () => {
    const titles = [[], [], ["Cards fail"], ["Disk swap"], ["Disk swap"]];
    const days = daysOf("operational", "operational", "down", "maintenance", "maintenance");
    const { text } = daysBar(
      days.map((day, index) => ({ ...day, titles: titles[index] ?? [] })),
      0,
      wordsIn("en"),
    );
    expect([...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, words]) => words)).toEqual([
      "18 Nov – 19 Nov: Operational",
      "20 Nov: down for 2 minutes · Cards fail",
      "21 Nov – 22 Nov: Maintenance (2 hr) · Disk swap",
    ]);
    expect(text).toContain("<li>20 Nov 2026: down for 2 minutes · Cards fail</li>");
  });
  test("is light red of a short outage, measured or reported, and wholly red of a long one; a bad day is cut", () => {
    const drawn = (changes: Partial<ComponentDay>): readonly string[] => {
      const days = daysOf("down").map((day) => ({ ...day, ...changes }));
      const { text } = daysBar(days, 0, wordsIn("en"));
      return [...text.matchAll(/<path class="([^"]+)/g)].map(([, look = ""]) => look);
    };
    const down = (hours: number) => ({ down: millis(hours * 3_600_000) });
    expect([0.2, 0.9, 1, 20].map((hours) => drawn(down(hours)))).toEqual([
      ["partly", "cut", "said"],
      ["partly", "cut", "said"],
      ["down", "cut", "said"],
      ["down", "cut", "said"],
    ]);
    const reported = (hours: number) => ({
      ...down(0.2),
      impact: "major_outage" as const,
      reported: millis(hours * 3_600_000),
    });
    expect(drawn(reported(0.9))).toEqual(["partly", "cut", "said"]);
    expect(drawn(reported(1))).toEqual(["down", "cut", "said"]);
    expect(drawn({ state: "degraded", down: millis(0) })).toEqual(["slow", "cut", "said"]);
    expect(drawn({ state: "operational", down: millis(0) })).toEqual(["up", "said"]);
  });
  test("says of a group's bad day what each component was, the longest outage first, and never how long all were down", () => {
    const parts = ["Web", "API", "Mail", "DNS", "Shop", "Desk"].map((name, index) => ({
      name,
      days: daysOf("operational", index === 5 ? "operational" : "down").map((day) => ({
        ...day,
        down: millis(day.down * (index + 1)),
        titles: day.state === "down" ? ["Cards fail"] : [],
      })),
    }));
    const { text } = daysBar(groupDays(parts), 0, wordsIn("en"));
    expect([...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, words]) => words)).toEqual([
      "21 Nov: Operational",
      "22 Nov: Shop: down for 10 minutes · DNS: down for 8 minutes · Mail: down for 6 minutes · API: down for 4 minutes · +1 · Cards fail",
    ]);
    expect(text).toContain('aria-label="Days: 2. Operational: 1. Down: 1."');
  });
  test("says nothing of the kind if each day has data", () => {
    expect(daysBar(daysOf("operational", "degraded"), 0, wordsIn("en")).text).not.toMatch(/yet/i);
  });
});

test("below all bars it is said once that days are UTC, and since when there is data if they begin before", () => {
  const whole = daysOf("operational", "degraded", "operational");
  const young = daysOf("empty", "operational", "operational");
  const noteOf = (locale: Locale, ...all: readonly (readonly ComponentDay[])[]): string =>
    daysNote(all, 0, wordsIn(locale)).text.replaceAll(/<[^>]+>/g, "");
  expect(noteOf("en", whole, young)).toBe("All days on this page begin at midnight UTC.");
  expect(noteOf("en", daysOf("empty", "empty"))).toBe(
    "Counting begins with the first result. All days on this page begin at midnight UTC.",
  );
  const newest = daysOf("empty", "empty", "operational");
  expect(noteOf("en", newest, daysOf("empty", "empty", "empty"))).toBe(
    "Counting began today: each day adds a bar. All days on this page begin at midnight UTC.",
  );
  expect(noteOf("hi", newest)).toBe(
    "गिनती आज शुरू हुई: हर दिन एक पट्टी जुड़ती है। इस पृष्ठ पर हर दिन UTC की आधी रात से शुरू होता है।",
  );
  expect(daysNote([young], 1, wordsIn("en")).text).not.toContain("since");
  const younger = daysOf("empty", "empty", "operational");
  expect(locales.map((locale) => noteOf(locale, younger, young).split(" · ")[0])).toEqual([
    "Data since 21 Nov",
    "Données depuis le 21 nov.",
    "Daten seit 21. Nov.",
    "Verilerin başlangıcı: 21 Kas",
    "डेटा 21 नव॰ से",
    "11월 21일부터 데이터 있음",
  ]);
});

test("the bars of a young page are hours, with the hour under the pointer and bad days below", () => {
  const hoursOf = daysOf("empty", "operational", "operational", "down").map((one, index) => ({
    ...one,
    begin: epochMillis(today + (index + 8) * 3_600_000),
  }));
  const shown = { days: daysOf("empty", "down"), firstDay: 0, hours: hoursOf };
  const { text } = barsOf(shown, wordsIn("en"));
  expect(rangeIn(text)).toEqual(["4 hours ago", "Now"]);
  expect(text).toContain('aria-label="Hours: 3. Operational: 2. Down: 1 (2 min)."');
  expect([...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, words]) => words)).toEqual([
    "22 Nov 2026, 09:00 – 11:00 UTC: Operational",
    "22 Nov 2026, 11:00 – 12:00 UTC: down for 2 minutes",
  ]);
  // A script says the same in the zone of a reader.
  expect(text).toContain(
    'data-from="2026-11-22T09:00:00.000Z" data-until="2026-11-22T11:00:00.000Z" data-rest=": Operational"',
  );
  expect(text).toContain("<summary>Hours with trouble: 1</summary>");
  expect(text.replaceAll(/<time[^>]*>|<\/time\s*>/g, "")).toContain(
    "<li>22 Nov 2026, 11:00 – 12:00 UTC: down for 2 minutes</li>",
  );
  expect(text).toContain(
    'datetime="2026-11-22T11:00:00.000Z" data-until="2026-11-22T12:00:00.000Z"',
  );
  expect(rangeIn(barsOf(shown, wordsIn("de")).text)).toEqual(["Vor 4 Stunden", "Jetzt"]);
});
