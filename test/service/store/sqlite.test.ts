import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { epochMillis, hours } from "#base/units";
import { daysLookedUpMax } from "#limits/store-limits";
import { dayColumns } from "#service/store/day-table";
import type { Sql } from "#service/store/sql";
import { sqlOn } from "#service/store/sqlite/sqlite-sql";
import type { Store } from "#service/store/store";
import { history } from "#service/store/verbs/history";
import { alertsConform } from "./conformance/alerts.ts";
import { auditChainConforms, auditConforms } from "./conformance/audit.ts";
import { channelsConform } from "./conformance/channels.ts";
import { configurationConforms } from "./conformance/configuration.ts";
import { downtimesConform } from "./conformance/downtimes.ts";
import { monitorChangesConform } from "./conformance/monitor-changes.ts";
import { pagesConform } from "./conformance/pages.ts";
import { peopleConform } from "./conformance/people.ts";
import { resultsConform } from "./conformance/results.ts";
import { placesRefused } from "./conformance/places-refused.ts";
import { noon, openQuietly } from "./conformance/scene.ts";
import { stateConforms } from "./conformance/state.ts";
import { pathsConform } from "./conformance/paths.ts";
import { trashConforms } from "./conformance/trash.ts";
import { filledDays, wideReadsConform } from "./conformance/wide-reads.ts";
import { subscribersConform } from "./conformance/subscribers.ts";

const folder = mkdtempSync(path.join(tmpdir(), "picket-store-"));
afterAll(() => rmSync(folder, { recursive: true }));
let opened = 0;
const openFresh = (): Promise<Store> => {
  opened += 1;
  return openQuietly(path.join(folder, `${opened}.db`));
};

describe("results on SQLite", () => {
  resultsConform(openFresh);
  downtimesConform(openFresh);
});
describe("reads of many locations and monitors on SQLite", () => {
  const openToChange = async () => {
    const store = await openFresh();
    const file = path.join(folder, `${opened}.db`);
    const change = async (statement: string) => {
      using database = new DatabaseSync(file);
      database.exec(statement);
    };
    return { store, file, change };
  };
  wideReadsConform(openToChange);

  test("a month of many monitors is one statement for their days, their medians, or their sums", async () => {
    const { store, file, change } = await openToChange();
    const monitors = await filledDays({ store, change }, daysLookedUpMax, 31);
    await store[Symbol.asyncDispose]();
    using database = new DatabaseSync(file, { readOnly: true });
    const sql = sqlOn(database, () => {});
    const asked: string[] = [];
    const counted: Sql = {
      ...sql,
      all: (text, values) => (asked.push(text), sql.all(text, values)),
    };
    const month = { monitors, from: epochMillis(noon - hours(24 * 31)), to: epochMillis(noon + 1) };
    const days = await history.days.work(counted, month);
    expect(days).toHaveLength(monitors.length * 31 * dayColumns.length);
    const since = epochMillis(month.from - hours(24 * 31));
    const sums = await history.sums.work(counted, { ...month, since });
    expect([sums.size, sums.get(monitors[0]!)?.checks]).toEqual([monitors.length, 31]);
    expect((await history.medians.work(counted, month)).size).toBe(monitors.length);
    const ofDays = asked.filter((text) => text.includes("FROM daily"));
    // Those of the month before are one for sums, and so are today's for sums and for days.
    expect(ofDays).toHaveLength(6);
    // Of one location each row is a day that ended: to group them, or to sort them by monitor, takes half as long again.
    const today = ofDays.find((text) => text.includes("GROUP BY"));
    expect(ofDays.filter((text) => text !== today && text.includes("GROUP BY"))).toEqual([]);
    // Monitors that lie next to each other are a range of each day: to look up each of them takes twice as long.
    expect(ofDays.every((text) => text.includes("monitor BETWEEN"))).toBe(true);
    // With most of them left out, those that are asked for are looked up.
    asked.length = 0;
    const few = monitors.filter((_, index) => index % 3 === 0);
    expect((await history.medians.work(counted, { ...month, monitors: few })).size).toBe(
      few.length,
    );
    expect(asked.filter((text) => text.includes("monitor BETWEEN"))).toEqual([]);
  });
});
describe("state on SQLite", () => {
  stateConforms(openFresh);
});
describe("changes of monitors on SQLite", () => {
  monitorChangesConform(openFresh);
});
describe("places that SQLite refuses", () => {
  placesRefused(async () => {
    const store = await openFresh();
    const refuse = async (table: string) => {
      using file = new DatabaseSync(path.join(folder, `${opened}.db`));
      file.exec(`CREATE TRIGGER refused BEFORE INSERT ON ${table}
        BEGIN SELECT RAISE(ABORT, 'the test refuses it'); END`);
    };
    return { store, refuse };
  });
});
describe("alerts on SQLite", () => {
  alertsConform(openFresh);
});
describe("the log of changes on SQLite", () => {
  auditConforms(openFresh);
  auditChainConforms(async () => {
    const store = await openFresh();
    const change = async (statement: string) => {
      using file = new DatabaseSync(path.join(folder, `${opened}.db`));
      file.exec(statement);
    };
    return { store, change };
  });
});
describe("what was deleted on SQLite", () => {
  trashConforms(openFresh);
});
describe("paths on SQLite", () => {
  pathsConform(openFresh);
});
describe("channels on SQLite", () => {
  channelsConform(openFresh);
});
describe("status pages on SQLite", () => {
  pagesConform(openFresh);
});
describe("a configuration on SQLite", () => {
  configurationConforms(openFresh);
});
describe("people on SQLite", () => {
  peopleConform(openFresh);
});
describe("subscribers on SQLite", () => {
  subscribersConform(openFresh);
});
