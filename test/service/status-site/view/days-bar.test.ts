import { describe, expect, test } from "vitest";
import { type Locale, locales } from "#service/status-page/page-definition";
import type { ComponentDay, DayState } from "#service/status-page/component-days";
import { daysBar } from "#service/status-site/view/days-bar";
import { wordsIn } from "#service/status-site/view/words";
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
  }));

describe("the bar of a component's days", () => {
  test("says since when there is data, and draws the days before in another way than a gap", () => {
    const { text } = daysBar(
      daysOf("empty", "empty", "operational", "empty", "down"),
      wordsIn("en"),
    );
    expect(text).toContain("Data since: 20 Nov 2026");
    expect(text).toContain('class="before" d="M0 15h20"');
    expect(text).toContain('class="none" d="M30 23h10"');
    expect(text).toContain("Days: 3. Operational: 1. Down: 1 (2 mins). No data: 1.");
  });
  test("says that there is no data yet, in the language of the page", () => {
    const days = daysOf("empty", "empty");
    expect(daysBar(days, wordsIn("en")).text).toContain('aria-label="No data yet"');
    expect(daysBar(days, wordsIn("ko")).text).toContain("아직 데이터 없음");
  });
  test("says below from when to when it is, in each language", () => {
    const days = daysOf("operational", "degraded", "operational", "down");
    const rangeIn = (locale: Locale): readonly string[] =>
      [...daysBar(days, wordsIn(locale)).text.matchAll(/<span>(.*?)<\/span>/g)].map(
        ([, words = ""]) => words,
      );
    expect(rangeIn("en")).toEqual(["3 days ago", "Today"]);
    expect(rangeIn("de")).toEqual(["Vor 3 Tagen", "Heute"]);
    const ranges = locales.map((locale) => rangeIn(locale).join());
    expect(new Set(ranges).size).toBe(locales.length);
  });
  test("says nothing of the kind if each day has data", () => {
    expect(daysBar(daysOf("operational", "degraded"), wordsIn("en")).text).not.toMatch(/since|yet/);
  });
});
