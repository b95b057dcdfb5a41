import { expect, test } from "vitest";
import { draftOfNow } from "#service/operator/publishing/report-draft";
import type { MonitorStatus } from "#check/monitor-status";
import { type Locale, locales, pageDefaults } from "#service/status-page/page-definition";
import type { ComponentFacts, PageFacts } from "#service/status-page/page-facts";
import { epochMillis } from "#base/units";

const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));

const componentOf = (id: number, name: string, status: MonitorStatus): ComponentFacts => ({
  id,
  name,
  description: "",
  order: id,
  group: null,
  groupOrder: 0,
  createdAt: now,
  monitor: { id, isPublic: false, status, days: [], hours: [], outages: [] },
});

const factsOf = (
  components: readonly ComponentFacts[],
  defaultLocale: Locale = "en",
  reports: PageFacts["reports"] = [],
): PageFacts => ({
  now,
  definition: { ...pageDefaults, title: "Acme", slug: "acme", defaultLocale },
  components,
  groups: [],
  reports,
  windows: [],
  planned: [],
});

const shop = componentOf(1, "Shop", "error");
const wiki = componentOf(2, "Wiki", "degraded");
const desk = componentOf(3, "Desk", "active");

test("a new report offers what is down, or else what is slow, with its impact, a title and a first text", () => {
  expect(draftOfNow(factsOf([shop, wiki, desk]))).toMatchObject({
    title: "Shop is not available",
    message: "We are investigating why Shop is not available.",
    components: [1],
    impact: "major_outage",
    status: "investigating",
  });
  expect(draftOfNow(factsOf([wiki, desk]))).toMatchObject({
    title: "Wiki is slow",
    components: [2],
    impact: "degraded_performance",
  });
  expect(draftOfNow(factsOf([desk]))).toMatchObject({
    title: "",
    message: "We are investigating the problem.",
    components: [],
    impact: "",
  });
  const many = Array.from({ length: 6 }, (_, at) => componentOf(at + 1, `Shop ${at}`, "error"));
  expect(draftOfNow(factsOf(many)).title).toBe("6 components are not available");
});

test("what an open report is about already is not offered again", () => {
  const impacts = [{ component: 1, impact: "major_outage" }] as const;
  const update = { id: 1, at: now, status: "investigating", message: "m", impacts } as const;
  const report = {
    id: 1,
    title: "t",
    status: "investigating",
    components: [1],
    updates: [update],
  } as const;
  expect(draftOfNow(factsOf([shop, wiki], "en", [report])).components).toEqual([2]);
});

test("a page in another language gets its first words in that language", () => {
  expect(
    locales.map((locale) => draftOfNow(factsOf([shop, { ...shop, id: 4 }], locale)).title),
  ).toEqual([
    "Shop and Shop are not available",
    "Panne\u00a0: Shop et Shop",
    "Ausfall: Shop und Shop",
    "Kesinti: Shop ve Shop",
    "रुकावट: Shop और Shop",
    "장애: Shop 및 Shop",
  ]);
});
