import path from "node:path";
import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { kinds } from "#check/monitor";
import { type Database, integer, openDatabase } from "#service/database";
import { Locations } from "#service/locations";
import { Monitors } from "#service/monitors";
import { type IncomingResult, Results } from "#service/results";
import { openSecretBox } from "#service/secret-box";
import { epochMillis, millis } from "#units";
import { SteadyClock } from "#steady-clock";
import { FakeClock } from "../support/fake-clock.ts";
import { temporaryFolder } from "../support/running-service.ts";

interface Scene {
  readonly results: Results;
  readonly monitors: Monitors;
  readonly locations: Locations;
  readonly clock: FakeClock;
  readonly monitorId: string;
  readonly locationId: string;
  /** Stores results of slots from `from` on, in one transaction. */
  readonly fill: (from: number, count: number) => void;
}

function sceneIn(database: Database): Scene {
  const clock = new FakeClock();
  const box = openSecretBox(path.join(temporaryFolder(), "key"));
  const results = new Results(database, new SteadyClock(clock));
  const locations = new Locations(database, clock, box);
  const monitors = new Monitors(database, clock, (id) => locations.monitorChanged(id));
  const definition = { ...tcpDefaults, name: "db", uri: "db.test:5432", periodicity: "30s" };
  const { id: monitorId } = monitors.create(definition, "management");
  const wanted = { name: "office", monitorIds: [monitorId], metadata: {} };
  const { id: locationId } = locations.create(wanted);
  const fill = (from: number, count: number): void =>
    database.transaction(() => {
      for (let slot = from; slot < from + count; slot += 1)
        results.store(locationId, resultOf(monitorId, slot));
    });
  return { results, monitors, locations, clock, monitorId, locationId, fill };
}

const statuses = ["success", "degraded", "error"] as const;
const resultOf = (monitorId: string, slot: number): IncomingResult => ({
  id: String(slot),
  monitorId,
  slot: epochMillis(slot),
  kind: "tcp",
  status: statuses[slot % 3] ?? "error",
  message: "",
  latency: millis(1),
  startedAt: epochMillis(slot + 1),
  statusCode: 0,
  failureCode: "",
  failurePhase: "",
  uncertain: false,
  trigger: "cron",
  payload: new Uint8Array(),
});

const open = (): Database => openDatabase(path.join(temporaryFolder(), "results.sqlite"));
const everything = (locationId = "") => ({ monitorId: "", locationId, after: 0, limit: 100_000 });

test("counts follow every way in and out: stored, known already, forgotten, deleted with the monitor or location", () => {
  using database = open();
  const { results, monitors, locations, monitorId, locationId, clock, fill } = sceneIn(database);
  fill(0, 7);
  fill(0, 7);
  const counted = { monitorId, total: 7, success: 3, degraded: 2, error: 2 };
  expect(results.counts("")).toEqual([counted]);
  expect(results.counts(locationId)).toEqual([counted]);
  expect(results.counts("other")).toEqual([]);
  clock.suspend(8 * 24 * 3_600_000);
  fill(7, 1);
  expect(results.forgetSome()).toBe(7);
  expect(results.counts("")).toEqual([{ monitorId, total: 1, success: 0, degraded: 1, error: 0 }]);
  monitors.delete(monitorId);
  expect([results.counts(""), results.list(everything())]).toEqual([[], []]);
  const again = sceneIn(database);
  again.fill(0, 2);
  locations.delete(again.locationId);
  expect([results.counts(""), results.list(everything())]).toEqual([[], []]);
});

test("a location that is deleted takes its results out of sight at once, and out of the file some at a time", () => {
  using database = open();
  const { results, locations, monitorId, locationId, fill } = sceneIn(database);
  fill(0, 2_500);
  const stored = (): number =>
    integer(database.get("SELECT COUNT(*) AS n FROM results") ?? {}, "n");
  locations.delete(locationId);
  expect(stored()).toBe(2_500);
  expect([results.list(everything()), results.counts(""), results.lastSeen("").size]).toEqual([
    [],
    [],
    0,
  ]);
  const ever = { from: epochMillis(0), to: epochMillis(Number.MAX_SAFE_INTEGER) };
  expect(results.window(monitorId, ever, 10, 0)).toEqual([]);
  expect(results.tally(monitorId, epochMillis(0)).latencies).toEqual([]);
  const steps = Array.from({ length: 5 }, () => results.forgetSome());
  expect([steps, stored()]).toEqual([[1_000, 1_000, 500, 1, 0], 0]);
  for (const table of ["location_tokens", "location_monitors", "monitor_states", "instances"])
    expect(database.all(`SELECT * FROM ${table}`), table).toEqual([]);
  // Whatever else is deleted takes along what refers to it, as before.
  expect(database.get("PRAGMA foreign_keys")).toEqual({ foreign_keys: 1 });
});

test("of more results than are kept, the oldest are forgotten, a thousand at a time", () => {
  using database = open();
  const { results, fill, locationId } = sceneIn(database);
  fill(0, 21_500);
  expect([results.forgetSome(), results.forgetSome(), results.forgetSome()]).toEqual([
    1_000, 500, 0,
  ]);
  const kept = results.list(everything(locationId));
  expect([kept.length, kept[0]?.slot]).toEqual([20_000, 1_500]);
});

test("a slot that is stored is a duplicate under any other id, also within one transaction, and the first one stays", () => {
  using database = open();
  const { results, monitorId, locationId } = sceneIn(database);
  const first = resultOf(monitorId, 1);
  const stored = database.transaction(() =>
    [first, { ...first, id: "another" }, resultOf(monitorId, 2)].map((one) =>
      results.store(locationId, one),
    ),
  );
  expect(stored).toEqual(["accepted", "duplicate", "accepted"]);
  expect(results.store(locationId, { ...first, id: "a third" })).toBe("duplicate");
  expect(results.list(everything()).map(({ id }) => id)).toEqual(["1", "2"]);
});

test("a transaction that ends in the middle leaves nothing of it, so that nothing of it was acknowledged", () => {
  using database = open();
  const { results, monitorId, locationId } = sceneIn(database);
  expect(() =>
    database.transaction(() => {
      results.store(locationId, resultOf(monitorId, 1));
      throw new Error("the end");
    }),
  ).toThrow("the end");
  expect(results.list(everything())).toEqual([]);
  expect(results.store(locationId, resultOf(monitorId, 1))).toBe("accepted");
});

test("a kind that a later Picket stored is refused by name, and never read as another", () => {
  using database = open();
  const { results, monitorId, locationId } = sceneIn(database);
  for (const [slot, kind] of kinds.entries())
    results.store(locationId, { ...resultOf(monitorId, slot), kind });
  expect(results.list(everything()).map(({ kind }) => kind)).toEqual(kinds);
  database.run("UPDATE results SET kind = 'icmp' WHERE slot = 1");
  expect(() => results.list(everything())).toThrow(
    "the database holds a kind that this version of Picket does not know: icmp",
  );
});
