import { expect, test } from "vitest";
import type { PlannedWindow, ReportFacts } from "#service/status-page/page-facts";
import { latestOf, type PastEvent, pastDays, pastEvents } from "#service/status-page/report-days";
import { epochMillis, type EpochMillis } from "#base/units";

const at = (text: string): EpochMillis => epochMillis(Date.parse(`2026-11-${text}Z`));
const now = at("22T12:00:00");

/** Its updates are written from the first to the last. */
const report = (id: number, ...times: readonly string[]): ReportFacts => ({
  id,
  title: `r${id}`,
  status: "resolved",
  components: [],
  updates: times
    .map((time) => ({ id: 1, status: "resolved" as const, at: at(time), message: "", impacts: [] }))
    .toReversed(),
});

/** `22 21-19 18(1)` */
const shown = (past: readonly ReportFacts[], openReports: readonly ReportFacts[] = []): string =>
  shownEvents(
    past.map((report) => ({ of: "report", report })),
    openReports,
  );

const shownEvents = (
  past: readonly PastEvent[],
  openReports: readonly ReportFacts[] = [],
): string =>
  pastDays({ now, openReports }, past)
    .map(({ first, last, events }) => {
      const [from, to] = [last, first].map((day) => new Date(day).getUTCDate());
      const ids = events
        .map((one) => (one.of === "report" ? one.report.id : `m${one.window.id}`))
        .join(" ");
      return `${from === to ? from : `${from}-${to}`}${ids === "" ? "" : `(${ids})`}`;
    })
    .join(" ");

test("reports stand under the day of their last word, and days in a row without one are said as one", () => {
  expect(shown([report(1, "18T14:00:00")])).toBe("22-19 18(1) 17-8");
  expect(shown([report(2, "21T01:00:00"), report(1, "20T23:00:00", "21T00:00:00")])).toBe(
    "22 21(2 1) 19-8",
  );
  expect(shown([report(1, "22T11:00:00")])).toBe("22(1) 21-8");
});

test("days on which a report is open are not said to be without one", () => {
  expect(shown([report(1, "12T14:00:00")], [report(2, "20T10:00:00", "21T10:00:00")])).toBe(
    "19-13 12(1) 11-8",
  );
  expect(shown([report(1, "21T14:00:00")], [report(2, "20T10:00:00")])).toBe("21(1) 19-8");
});

test("days on which a past report was open are not said to be without one", () => {
  expect(shown([report(1, "15T23:00:00", "18T00:00:00")])).toBe("22-19 18(1) 14-8");
  expect(shown([report(1, "01T10:00:00", "10T10:00:00")])).toBe("22-11 10(1)");
  expect(shown([report(2, "16T10:00:00"), report(1, "15T10:00:00", "18T10:00:00")])).toBe(
    "22-19 18(1) 16(2) 14-8",
  );
});

test("an update that is announced for later counts for no day yet", () => {
  const one = report(1, "18T14:00:00", "23T10:00:00");
  expect(latestOf(one, now)).toBe(at("18T14:00:00"));
  expect(shown([one])).toBe("22-19 18(1) 17-8");
});

const work = (id: number, from: string, to: string): PlannedWindow => ({
  id,
  title: `m${id}`,
  message: "",
  components: [],
  from: at(from),
  to: at(to),
  repeats: { recurrence: "", timeZone: "UTC", begin: at(from) },
  series: null,
  createdAt: now,
  changedAt: now,
  updates: [],
});

test("maintenance that is over is under the day of its end among the reports, and two weeks long", () => {
  const past = pastEvents({
    now,
    pastReports: [report(1, "18T14:00:00"), report(2, "02T14:00:00")],
    pastWindows: [
      work(3, "20T23:00:00", "21T02:00:00"),
      work(4, "18T15:00:00", "18T16:00:00"),
      work(5, "07T10:00:00", "08T11:00:00"),
    ],
  });
  expect(shownEvents(past)).toBe("22 21(m3) 19 18(m4 1) 17-8");
});
