import { describe, expect, test } from "vitest";
import type { ComponentDay, DayState } from "#service/status-page/component-days";
import type { PageState } from "#service/status-page/component-state";
import { pageDefaults, type PageConfiguration } from "#service/status-page/page-definition";
import type {
  ComponentFacts,
  MeasuredDay,
  MonitorFacts,
  PageFacts,
  PlannedWindow,
  ReportFacts,
  UpdateFacts,
} from "#service/status-page/page-facts";
import { componentsOf, headlineOf, pageModel } from "#service/status-page/page-model";
import { pageTexts } from "#service/status-page/texts/page-texts";
import type { Impact, ReportStatus } from "#service/status-page/report-words";
import { epochMillis, type EpochMillis, hours, minutes } from "#base/units";

const at = (text: string): EpochMillis => epochMillis(Date.parse(text));
const now = at("2026-11-22T12:00:00Z");
const today = at("2026-11-22T00:00:00Z");

const goodDay: MeasuredDay = {
  begin: today,
  success: 1440,
  degraded: 0,
  error: 0,
  known: hours(12),
  down: minutes(0),
};
const monitor = (changes: Partial<MonitorFacts> = {}): MonitorFacts => ({
  id: 1,
  status: "active",
  days: [goodDay],
  hours: [],
  isPublic: false,
  outages: [],
  ...changes,
});
const component = (changes: Partial<ComponentFacts> = {}): ComponentFacts => ({
  id: 1,
  name: "shop",
  description: "",
  order: 0,
  group: null,
  groupOrder: 0,
  createdAt: at("2026-01-01T00:00:00Z"),
  monitor: monitor(),
  ...changes,
});
const update = (
  status: ReportStatus,
  date: string,
  impact: Impact | null = null,
  of = 1,
): UpdateFacts => ({
  id: 1,
  status,
  at: at(date),
  message: "m",
  impacts: impact === null ? [] : [{ component: of, impact }],
});
/** Updates are written oldest first here, and are the newest first in the facts. */
const report = (...updates: UpdateFacts[]): ReportFacts => ({
  id: 1,
  title: "t",
  status: updates.at(-1)?.status ?? "investigating",
  components: [1],
  updates: updates.toReversed(),
});
const planned = (from: string, to: string, components: readonly number[] = [1]): PlannedWindow => ({
  id: 1,
  title: "p",
  message: "m",
  from: at(from),
  to: at(to),
  components,
  updates: [],
  repeats: { recurrence: "", begin: at(from), timeZone: "UTC" },
  series: null,
  createdAt: at(from),
  changedAt: at(from),
});
const facts = (
  changes: Partial<PageFacts> = {},
  configuration: Partial<PageConfiguration> = {},
): PageFacts => ({
  now,
  definition: {
    ...pageDefaults,
    title: "Acme",
    slug: "acme",
    configuration: { ...pageDefaults.configuration, days: 30, ...configuration },
  },
  components: [component()],
  groups: [],
  reports: [],
  windows: [],
  planned: changes.windows ?? [],
  ...changes,
});
const down = monitor({ status: "error" });
const statics = component({ id: 2, name: "desk", monitor: null });
const running = planned("2026-11-22T11:00:00Z", "2026-11-22T13:00:00Z");
const said = (impact: Impact | null): ReportFacts =>
  report(update("investigating", "2026-11-22T11:30:00Z", impact));

test.each([
  ["the first of any component", [20, 25], 30, 5],
  ["two weeks ago while the page is younger", [3, 1], 30, 16],
  ["the first of all that the page shows if it is older", [40], 30, 0],
  ["two weeks ago if nothing is known", [], 90, 76],
])("the first day that is drawn is %s", (_, known, days, first) => {
  const daysSince = (count: number): readonly MeasuredDay[] =>
    Array.from({ length: count }, (_of, ago) => ({
      ...goodDay,
      begin: epochMillis(today - ago * hours(24)),
    }));
  const components = [0, ...known].map((count) =>
    component({ monitor: monitor({ days: daysSince(count) }) }),
  );
  expect(pageModel(facts({ components }, { days })).firstDay).toBe(first);
});

test("the headline says partly while nothing is down as a whole, and says of a report what it says", () => {
  const texts = pageTexts.en;
  const headline = (changes: Partial<PageFacts>): string =>
    headlineOf(pageModel(facts(changes)), texts);
  expect(headline({ reports: [said("partial_outage")] })).toBe("Some systems are partly down");
  expect(headline({ reports: [said("degraded_performance")] })).toBe(texts.overall.degraded);
  const other = component({ id: 3, monitor: down });
  expect(headline({ components: [component(), other] })).toBe("Some systems are down");
  expect(headline({ components: [other] })).toBe("All systems are down");
  // Its monitors are down, and others have no data, maintenance or no monitor.
  const blind = component({ id: 4, monitor: monitor({ status: "unknown" }) });
  expect(headline({ components: [component(), blind] })).toBe(
    "All systems with data are operational",
  );
  expect(headline({ components: [component(), statics] })).toBe("All systems are operational");
  for (const one of [blind, statics]) {
    const model = pageModel(facts({ components: [other, one] }));
    expect([model.overall, headlineOf(model, texts)]).toEqual([
      "major_outage",
      "Some systems are down",
    ]);
  }
});

describe("the state of a component and of its page", () => {
  test.each<readonly [what: string, changes: Partial<PageFacts>, own: PageState, all: PageState]>([
    ["a good monitor", {}, "operational", "operational"],
    [
      "a slow monitor",
      { components: [component({ monitor: monitor({ status: "degraded" }) })] },
      "degraded",
      "degraded",
    ],
    [
      "the only monitor down",
      { components: [component({ monitor: down })] },
      "major_outage",
      "major_outage",
    ],
    [
      "nothing known",
      { components: [component({ monitor: monitor({ status: "unknown" }) })] },
      "unknown",
      "unknown",
    ],
    [
      "one of two down",
      { components: [component({ monitor: down }), component({ id: 2 })] },
      "major_outage",
      "partial_outage",
    ],
    [
      "one down, of the other nothing is known",
      {
        components: [
          component({ monitor: down }),
          component({ id: 2, monitor: monitor({ status: "unknown" }) }),
        ],
      },
      "major_outage",
      "major_outage",
    ],
    [
      "all monitors down beside a static one",
      { components: [component({ monitor: down }), statics] },
      "major_outage",
      "major_outage",
    ],
    ["a static one alone", { components: [statics] }, "operational", "operational"],
    [
      "maintenance over a monitor that is down",
      { components: [component({ monitor: down })], windows: [running] },
      "maintenance",
      "maintenance",
    ],
    [
      "maintenance of the whole page",
      { windows: [{ ...running, components: [] }] },
      "operational",
      "maintenance",
    ],
    [
      "maintenance that ends at this instant",
      { windows: [planned("2026-11-22T11:00:00Z", "2026-11-22T12:00:00Z")] },
      "operational",
      "operational",
    ],
    [
      "a report that knows better that it is down",
      { reports: [said("major_outage")] },
      "major_outage",
      "major_outage",
    ],
    [
      "a report that says partly",
      { reports: [said("partial_outage")] },
      "partial_outage",
      "partial_outage",
    ],
    [
      "a report that says that a monitor which is down works",
      { components: [component({ monitor: down })], reports: [said("operational")] },
      "operational",
      "operational",
    ],
    [
      "a report over maintenance",
      { windows: [running], reports: [said("degraded_performance")] },
      "degraded",
      "degraded",
    ],
    ["a report that names nothing", { reports: [said(null)] }, "operational", "degraded"],
    [
      "a report that is resolved",
      {
        reports: [
          report(
            update("investigating", "2026-11-22T10:00:00Z", "major_outage"),
            update("resolved", "2026-11-22T11:00:00Z"),
          ),
        ],
      },
      "operational",
      "operational",
    ],
    [
      "a later update that says nothing of it",
      {
        reports: [
          report(
            update("investigating", "2026-11-22T10:00:00Z", "major_outage"),
            update("identified", "2026-11-22T11:00:00Z"),
          ),
        ],
      },
      "major_outage",
      "major_outage",
    ],
    [
      "a report that is dated later",
      { reports: [report(update("investigating", "2026-11-22T13:00:00Z", "major_outage"))] },
      "operational",
      "operational",
    ],
    [
      "two reports: the worse counts",
      { reports: [said("degraded_performance"), said("major_outage")] },
      "major_outage",
      "major_outage",
    ],
    ["a page without components", { components: [] }, "unknown", "unknown"],
  ])("%s", (_what, changes, own, all) => {
    const model = pageModel(facts(changes));
    const [first] = componentsOf(model);
    expect([first?.state ?? "unknown", model.overall]).toEqual([own, all]);
  });
});

describe("the bar of today", () => {
  const day = (changes: Partial<MeasuredDay>) =>
    component({ monitor: monitor({ days: [{ ...goodDay, ...changes }] }) });
  test.each<
    readonly [string, Partial<PageFacts>, Partial<PageConfiguration>, DayState, minutes: number]
  >([
    ["good checks", {}, {}, "operational", 0],
    ["no check", { components: [component({ monitor: monitor({ days: [] }) })] }, {}, "empty", 0],
    [
      "one failed check of a quarter of a minute",
      { components: [day({ error: 1, down: minutes(0.25) })] },
      {},
      "operational",
      0.25,
    ],
    ["a minute down", { components: [day({ error: 2, down: minutes(1) })] }, {}, "down", 1],
    [
      "half a minute of what is known of ten",
      { components: [day({ down: minutes(0.5), known: minutes(10) })] },
      {},
      "down",
      0.5,
    ],
    ["many slow checks", { components: [day({ degraded: 100 })] }, {}, "degraded", 0],
    [
      "an incident, which says no other time than what was measured",
      {
        components: [
          component({
            monitor: monitor({
              days: [{ ...goodDay, down: minutes(50) }],
              outages: [
                { number: 1, from: at("2026-11-21T23:50:00Z"), to: at("2026-11-22T00:10:00Z") },
              ],
            }),
          }),
        ],
      },
      {},
      "down",
      50,
    ],
    [
      "an incident next to maintenance, which whole hours are left out for",
      {
        components: [
          component({
            monitor: monitor({
              outages: [
                { number: 1, from: at("2026-11-22T11:50:00Z"), to: at("2026-11-22T12:00:00Z") },
              ],
            }),
          }),
        ],
        windows: [planned("2026-11-22T11:00:00Z", "2026-11-22T11:56:00Z")],
      },
      {},
      "down",
      4,
    ],
    [
      "an incident in another hour than maintenance, which changes nothing of it",
      {
        components: [
          component({
            monitor: monitor({
              days: [{ ...goodDay, down: minutes(3) }],
              outages: [
                { number: 1, from: at("2026-11-22T08:00:00Z"), to: at("2026-11-22T08:02:09Z") },
              ],
            }),
          }),
        ],
        windows: [planned("2026-11-22T10:30:00Z", "2026-11-22T10:40:00Z")],
      },
      {},
      "down",
      3,
    ],
    [
      "an incident before maintenance of the same hour that has not begun",
      {
        components: [
          component({
            monitor: monitor({
              days: [{ ...goodDay, down: minutes(3) }],
              outages: [
                { number: 1, from: at("2026-11-22T11:50:00Z"), to: at("2026-11-22T11:52:09Z") },
              ],
            }),
          }),
        ],
        windows: [planned("2026-11-22T12:00:00Z", "2026-11-22T12:40:00Z")],
      },
      {},
      "down",
      3,
    ],
    [
      "an incident in maintenance",
      {
        components: [
          component({
            monitor: monitor({
              outages: [{ number: 1, from: at("2026-11-22T11:10:00Z"), to: null }],
            }),
          }),
        ],
        windows: [running],
      },
      {},
      "maintenance",
      0,
    ],
    [
      "an hour of maintenance on a day with many slow checks",
      {
        components: [day({ degraded: 100 })],
        windows: [planned("2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z")],
      },
      {},
      "maintenance",
      0,
    ],
    [
      "some minutes of maintenance, which do not hide many slow checks",
      {
        components: [day({ degraded: 100 })],
        windows: [planned("2026-11-22T10:30:00Z", "2026-11-22T10:40:00Z")],
      },
      {},
      "degraded",
      0,
    ],
    [
      "planned work on a day without results",
      {
        components: [component({ monitor: monitor({ days: [] }) })],
        windows: [running],
      },
      {},
      "empty",
      0,
    ],
    ["a report of an outage over good checks", { reports: [said("major_outage")] }, {}, "down", 0],
    ["a report of slowness", { reports: [said("degraded_performance")] }, {}, "degraded", 0],
    [
      "by reports alone, a monitor that was down",
      { components: [day({ down: minutes(5) })] },
      { bar: "manual" },
      "operational",
      5,
    ],
    ["a static component", { components: [statics] }, {}, "operational", 0],
    [
      "a static component of tomorrow",
      { components: [{ ...statics, createdAt: at("2026-11-23T00:00:00Z") }] },
      {},
      "empty",
      0,
    ],
  ])("%s", (_what, changes, configuration, state, lost) => {
    const [first] = componentsOf(pageModel(facts(changes, configuration)));
    const last = first?.days.at(-1);
    expect([last?.state, (last?.down ?? 0) / 60_000, first?.days.length]).toEqual([
      state,
      lost,
      30,
    ]);
  });
});

test("how long a day was reported as down is that of the reports, counted once if two say so", () => {
  const one = report(
    update("investigating", "2026-11-22T10:00:00Z", "major_outage"),
    update("resolved", "2026-11-22T10:12:00Z"),
  );
  const other = report(
    update("investigating", "2026-11-22T10:06:00Z", "major_outage"),
    update("identified", "2026-11-22T10:20:00Z", "partial_outage"),
    update("resolved", "2026-11-22T11:00:00Z"),
  );
  const [first] = componentsOf(pageModel(facts({ reports: [one, other] })));
  const last = first?.days.at(-1);
  expect([last?.state, last?.reported, last?.impact]).toEqual([
    "down",
    minutes(20),
    "major_outage",
  ]);
});

describe("uptime in hundredths of a percent", () => {
  const days: readonly MeasuredDay[] = [
    { ...goodDay, success: 5, degraded: 3, error: 2, known: hours(10), down: hours(1) },
  ];
  const measured = component({ monitor: monitor({ days }) });
  const outage = report(
    update("investigating", "2026-11-22T06:00:00Z", "major_outage"),
    update("identified", "2026-11-22T09:00:00Z", "partial_outage"),
    update("resolved", "2026-11-22T11:00:00Z"),
  );
  const since = (text: string) => component({ createdAt: at(text), monitor: null });
  test.each<readonly [string, Partial<PageFacts>, Partial<PageConfiguration>, number | null]>([
    ["of the time", { components: [measured] }, { metric: "duration" }, 9_000],
    [
      "of the checks: a slow one is good",
      { components: [measured] },
      { metric: "requests" },
      8_000,
    ],
    [
      "by reports: 3 h whole and 2 h half of 12",
      { components: [since("2026-11-22T00:00:00Z")], reports: [outage] },
      { metric: "manual" },
      6_666,
    ],
    [
      "by reports: from the first one, which was written after the component was made",
      { components: [since("2026-11-22T11:57:00Z")], reports: [outage] },
      { metric: "manual" },
      3_333,
    ],
    [
      "by reports, without maintenance",
      {
        components: [since("2026-11-22T00:00:00Z")],
        reports: [outage],
        windows: [planned("2026-11-22T06:00:00Z", "2026-11-22T09:00:00Z")],
      },
      { metric: "manual" },
      8_888,
    ],
    [
      "two reports of one time count once",
      { components: [since("2026-11-22T00:00:00Z")], reports: [outage, { ...outage, id: 2 }] },
      { metric: "manual" },
      6_666,
    ],
    [
      "never all with one failed check",
      {
        components: [
          component({ monitor: monitor({ days: [{ ...goodDay, success: 1e6, error: 1 }] }) }),
        ],
      },
      { metric: "requests" },
      9_999,
    ],
    ["nothing known", { components: [component({ monitor: monitor({ days: [] }) })] }, {}, null],
    ["none shown", {}, { showUptime: false }, null],
  ])("%s", (_what, changes, configuration, uptime) => {
    const [first] = componentsOf(pageModel(facts(changes, configuration)));
    expect(first?.uptime).toBe(uptime);
  });
});

test("a component without a monitor has a past from the first report that names it, and none before", () => {
  const shop = component({ createdAt: at("2026-11-22T11:57:00Z"), monitor: null });
  const outage = report(
    update("investigating", "2026-11-20T10:00:00Z", "major_outage"),
    update("resolved", "2026-11-20T11:30:00Z"),
  );
  const of = (...reports: ReportFacts[]) =>
    componentsOf(pageModel(facts({ components: [shop], reports }, { metric: "duration" })))[0];
  const [reported, without] = [of(outage), of()];
  expect(reported?.days.slice(-4).map(({ state }) => state)).toEqual([
    "empty",
    "down",
    "operational",
    "operational",
  ]);
  // 1 h 30 min of 50 h.
  expect([reported?.since, reported?.uptime]).toEqual([at("2026-11-20T10:00:00Z"), 9_700]);
  expect([without?.since, without?.uptime]).toEqual([shop.createdAt, 10_000]);
});

test("a day has the titles of what was reported and planned for its component", () => {
  const reports = [
    { ...said("major_outage"), title: "Cards fail" },
    report(update("investigating", "2026-11-21T11:30:00Z", "operational")),
  ];
  const windows = [
    { ...running, title: "Disk swap" },
    { ...planned("2026-11-22T15:00:00Z", "2026-11-22T16:00:00Z"), title: "Later" },
  ];
  const [first] = componentsOf(pageModel(facts({ reports, windows })));
  expect(first?.days.slice(-2).map(({ titles }) => titles)).toEqual([
    [],
    ["Cards fail", "Disk swap"],
  ]);
});

test("groups stand by their first component, open if something in them is wrong, and in their own order", () => {
  const model = pageModel(
    facts({
      groups: [
        { id: 7, name: "Web", defaultOpen: false },
        { id: 8, name: "Data", defaultOpen: false },
        { id: 9, name: "Empty", defaultOpen: true },
      ],
      components: [
        component({ id: 1, order: 0, group: 8 }),
        component({ id: 2, order: 1, group: 7, groupOrder: 2, monitor: down }),
        component({ id: 3, order: 2 }),
        component({ id: 4, order: 3, group: 7, groupOrder: 1 }),
      ],
    }),
  );
  const shown = model.sections.map((section) =>
    section.kind === "component"
      ? section.component.facts.id
      : [
          section.name,
          section.isOpen,
          section.state,
          section.components.map(({ facts: { id } }) => id),
        ],
  );
  expect(shown).toEqual([
    ["Data", false, "operational", [1]],
    ["Web", true, "major_outage", [4, 2]],
    3,
  ]);
});

test("a group has the lowest uptime of its components, and each day the worst that one of them was", () => {
  const day = (changes: Partial<MeasuredDay>): MeasuredDay => ({ ...goodDay, ...changes });
  const yesterday = epochMillis(today - hours(24));
  const of = (id: number, ...days: readonly MeasuredDay[]): ComponentFacts =>
    component({ id, name: `c${id}`, group: 7, monitor: monitor({ days }) });
  const [section] = pageModel(
    facts(
      {
        groups: [{ id: 7, name: "Web", defaultOpen: false }],
        components: [
          of(1, day({ down: minutes(12) })),
          of(2, day({ degraded: 1440 }), day({ begin: yesterday, down: minutes(30) })),
          of(3),
        ],
        reports: [said("degraded_performance")],
      },
      { metric: "duration" },
    ),
  ).sections;
  if (section?.kind !== "group") throw new Error("The page has no group.");
  expect(section.components.map(({ uptime }) => uptime)).toEqual([9833, 9791, null]);
  expect([section.lowest.facts.id, section.lowest.uptime]).toEqual([2, 9791]);
  expect(section.days.slice(-3).map(({ state, down: length }) => [state, length])).toEqual([
    ["empty", 0],
    ["down", minutes(30)],
    ["down", minutes(12)],
  ]);
  const last = section.days.at(-1);
  expect(last?.titles).toEqual(["t"]);
  expect(last?.parts.map(({ name, day: { state } }) => [name, state])).toEqual([
    ["c1", "down"],
    ["c2", "degraded"],
    ["c3", "empty"],
  ]);
});

test("days are counted by UTC, and a day of 23 or 25 hours elsewhere moves none", () => {
  const autumn = at("2026-10-26T12:00:00Z");
  const [first] = componentsOf(pageModel(facts({ now: autumn })));
  const begins = first?.days.map(({ begin }: ComponentDay) =>
    new Date(begin).toISOString().slice(8, 13),
  );
  expect(begins?.slice(-3)).toEqual(["24T00", "25T00", "26T00"]);
});

test("a page that has data of two days at most has its newest hours, 24 or 48 of all components", () => {
  const hour = (date: string): MeasuredDay => ({ ...goodDay, begin: at(date), known: hours(1) });
  const shownOf = (monitors: readonly MonitorFacts[]): readonly (number | null)[] => {
    const components = monitors.map((one, index) => component({ id: index + 1, monitor: one }));
    return componentsOf(pageModel(facts({ components }))).map((one) => one.hours?.length ?? null);
  };
  const lately = monitor({ hours: [hour("2026-11-22T10:00:00Z")] });
  expect(shownOf([lately, monitor()])).toEqual([24, 24]);
  const since = monitor({ hours: [hour("2026-11-21T05:00:00Z")] });
  expect(shownOf([lately, since])).toEqual([48, 48]);
  const old = monitor({ days: [goodDay, { ...goodDay, begin: at("2026-11-20T00:00:00Z") }] });
  expect(shownOf([lately, old])).toEqual([null, null]);
  expect(shownOf([monitor()])).toEqual([null]);
});
