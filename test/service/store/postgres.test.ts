import { describe, expect, test } from "vitest";
import { migrations } from "#service/store/migrations";
import { statementsOf } from "#service/store/sql";
import { openPostgres } from "#service/store/postgres/postgres-engine";
import type { Connections } from "#service/store/postgres/connections";
import { storeOn } from "#service/store/store-calls";
import type { Store } from "#service/store/store";
import type { IncidentChange } from "#service/store/alert-store";
import { hours } from "#base/units";
import { filePostgres, storeOver } from "../../support/file-postgres.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { alertsConform, channelSnapshot } from "./conformance/alerts.ts";
import { auditChainConforms, auditConforms } from "./conformance/audit.ts";
import { channelsConform } from "./conformance/channels.ts";
import { configurationConforms } from "./conformance/configuration.ts";
import { downtimesConform } from "./conformance/downtimes.ts";
import { monitorChangesConform } from "./conformance/monitor-changes.ts";
import { pagesConform } from "./conformance/pages.ts";
import { peopleConform } from "./conformance/people.ts";
import { resultsConform } from "./conformance/results.ts";
import { placesRefused } from "./conformance/places-refused.ts";
import { assigned, noon, openQuietly, period, slotAfter, someResult } from "./conformance/scene.ts";
import { stateConforms } from "./conformance/state.ts";
import { pathsConform } from "./conformance/paths.ts";
import { trashConforms } from "./conformance/trash.ts";
import { wideReadsConform } from "./conformance/wide-reads.ts";
import { subscribersConform } from "./conformance/subscribers.ts";

/** What is kept of a monitor that goes down. */
const opening = (monitor: number): IncidentChange => ({
  incident: {
    subject: { kind: "monitor", id: monitor },
    severity: "error",
    worst: "error",
    startedAt: noon,
    openedAt: noon,
    ended: null,
    openings: [noon],
    flapping: null,
    noDataSince: null,
    unwatchedSince: null,
    notBefore: null,
    well: [],
    passedSince: null,
    passes: [],
    acknowledged: null,
  },
  name: "shop",
  cause: "",
  at: noon,
  snapshot: channelSnapshot,
  events: [],
});

/** A machine without PostgreSQL has one in this process, so that the suite runs everywhere. */
const { isServer, server, connections } = filePostgres();

const open = async (): Promise<Store> => {
  const database = server()?.fresh();
  return database === undefined ? storeOver(await connections()) : openQuietly(database);
};

describe("results on PostgreSQL", () => {
  resultsConform(open);
  downtimesConform(open);
});
describe("reads of many locations and monitors on PostgreSQL", () => {
  wideReadsConform(async () => {
    const pool = await connections();
    const store = await storeOver(pool);
    const change = (statement: string) => pool.use(async (query) => void (await query(statement)));
    return { store, change };
  });
});
describe("state on PostgreSQL", () => {
  stateConforms(open);
});
describe("changes of monitors on PostgreSQL", () => {
  monitorChangesConform(open);
});
describe("places that PostgreSQL refuses", () => {
  placesRefused(async () => {
    const pool = await connections();
    const store = await storeOver(pool);
    const refuse = (table: string) =>
      pool.use(async (query) => {
        await query(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'the test refuses it'; END $$`);
        await query(`CREATE TRIGGER refused BEFORE INSERT ON ${table}
          FOR EACH ROW EXECUTE FUNCTION refuse()`);
      });
    return { store, refuse };
  });
});
describe("alerts on PostgreSQL", () => {
  alertsConform(open);
});
describe("the log of changes on PostgreSQL", () => {
  auditConforms(open);
  auditChainConforms(async () => {
    const pool = await connections();
    const store = await storeOver(pool);
    const change = (statement: string) => pool.use(async (query) => void (await query(statement)));
    return { store, change };
  });
});
describe("what was deleted on PostgreSQL", () => {
  trashConforms(open);
});
describe("paths on PostgreSQL", () => {
  pathsConform(open);
});
describe("channels on PostgreSQL", () => {
  channelsConform(open);
});
describe("status pages on PostgreSQL", () => {
  pagesConform(open);
});
describe("a configuration on PostgreSQL", () => {
  configurationConforms(open);
});
describe("people on PostgreSQL", () => {
  peopleConform(open);
});
describe("subscribers on PostgreSQL", () => {
  subscribersConform(open);
});

test("an older PostgreSQL database is brought to the newest shape, and each step is said", async () => {
  const older = await connections();
  const steps = migrations.length;
  await older.use(async (query) => {
    for (const step of migrations.slice(0, -1))
      for (const statement of statementsOf(step, "postgres")) await query(statement);
    await query("CREATE TABLE results_rest PARTITION OF results DEFAULT");
    await query("CREATE TABLE store_steps (id BIGINT PRIMARY KEY, done BIGINT NOT NULL)");
    await query("INSERT INTO store_steps (id, done) VALUES (1, $1)", [steps - 1]);
  });
  const said: string[] = [];
  await using store = storeOn(
    await openPostgres(
      older,
      (sentence) => said.push(sentence),
      () => {},
    ),
  );
  expect(said).toEqual([`the database gets its new shape: step ${steps} of ${steps}`]);
  expect(await store.state.monitors.count()).toBe(0);
});

/** The same connections; each statement of a call is said before it is sent. */
const watching = (pool: Connections, onStatement: (text: string) => void): Connections => ({
  ...pool,
  use: (work) =>
    pool.use((query) =>
      work((text, values) => {
        onStatement(text);
        return query(text, values);
      }),
    ),
});

test("a start that is ended while it makes the days of results makes no further one", async () => {
  const [ended, why] = [new AbortController(), new Error("it is stopped")];
  const days: string[] = [];
  const watched = watching(await connections(), (text) => {
    if (!/CREATE TABLE IF NOT EXISTS results_2/.test(text)) return;
    days.push(text);
    ended.abort(why);
  });
  const quiet = (): void => {};
  await expect(openPostgres(watched, quiet, quiet, true, ended.signal)).rejects.toBe(why);
  expect(days).toHaveLength(1);
});

const slotsOfADay = hours(24) / period;

test("a portion of what is forgotten is a short transaction, however many monitors have something old", async () => {
  const statements: string[] = [];
  const watched = watching(await connections(), (text) => void statements.push(text));
  await using store = await storeOver(watched);
  const { location, monitors } = await assigned(store, 50);
  const results = monitors.map((monitor) => someResult(monitor, noon, { status: "error" }));
  await store.results.append({ location, storedAt: noon, results });
  const before = { details: slotAfter(1), results: slotAfter(1), hours: noon, days: noon };
  let [longest, portions, isMore] = [0, 0, true];
  while (isMore) {
    statements.length = 0;
    isMore = await store.results.forget(before);
    portions += 1;
    longest = Math.max(longest, statements.length);
    // Others work in between, on the next day: what they add to an hour or day that is old is soon forgotten again.
    const newer = someResult(monitors[portions % 50]!, slotAfter(slotsOfADay + portions));
    const receipts = await store.results.append({ location, storedAt: noon, results: [newer] });
    expect(receipts).toEqual([{ kind: "accepted" }]);
  }
  expect(longest).toBeLessThan(100);
  expect(portions).toBeGreaterThanOrEqual(4);
  const totals = await store.results.totals(location, monitors);
  expect(totals).toHaveLength(50);
  const key = { monitor: monitors[0]!, location, slot: noon };
  expect(await store.results.result(key)).toBeNull();
});

test.skipIf(!isServer)(
  "the numbers of incidents have no gap after a crash of PostgreSQL",
  async () => {
    await using crashing = await startPostgres();
    await using store = await openQuietly(crashing.fresh());
    await store.state.leases.hold("a", ["judge"], hours(1));
    const opened = async (monitor: number): Promise<number | undefined> => {
      await store.alerts.incidents.keep("judge", "a", {
        states: [],
        incidents: [opening(monitor)],
      });
      return (await store.alerts.incidents.newest("monitor", [monitor]))[0]?.number;
    };
    expect([await opened(1), await opened(2)]).toEqual([1, 2]);
    await crashing.crash();
    await crashing.start();
    await expect.poll(() => opened(3).catch(() => null)).toBe(3);
    expect(await opened(4)).toBe(4);
  },
);
