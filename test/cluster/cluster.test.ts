import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { clusterFindings } from "#cli/service/cluster-findings";
import { minutes } from "#base/units";
import { bigintHash } from "#service/store/postgres/bigint-hash";
import { openStore } from "#service/store/open-store";
import { poolOf } from "#service/store/postgres/pool";
import type { Store } from "#service/store/store";
import { alertsConform } from "../service/store/conformance/alerts.ts";
import { configurationConforms } from "../service/store/conformance/configuration.ts";
import { endedHolder, endedHolderOf } from "../service/store/conformance/ended-holder.ts";
import { downtimesConform } from "../service/store/conformance/downtimes.ts";
import { monitorChangesConform } from "../service/store/conformance/monitor-changes.ts";
import { pagesConform } from "../service/store/conformance/pages.ts";
import { resultsConform } from "../service/store/conformance/results.ts";
import {
  assigned,
  noon,
  openQuietly,
  slotAfter,
  someResult,
} from "../service/store/conformance/scene.ts";
import { stateConforms } from "../service/store/conformance/state.ts";
import { trashConforms } from "../service/store/conformance/trash.ts";
import { type CitusCluster, citusPrograms, startCitus } from "./citus-cluster.ts";

const programs = citusPrograms();
const distributedTables = "SELECT COUNT(*) FROM pg_dist_partition WHERE partmethod = 'h'";

describe.skipIf(programs === null)(
  "on a cluster of Citus (PICKET_CITUS_PROGRAMS says where it is)",
  () => {
    let cluster: CitusCluster;
    beforeAll(async () => {
      cluster = await startCitus(programs ?? "");
    });
    afterAll(() => cluster[Symbol.asyncDispose]());
    const open = async (): Promise<Store> => openQuietly(await cluster.fresh());

    describe("results", () => {
      resultsConform(open);
      downtimesConform(open);
    });
    describe("state", () => {
      stateConforms(open);
    });
    describe("changes of monitors", () => {
      monitorChangesConform(open);
    });
    describe("what was deleted", () => {
      trashConforms(open);
    });
    describe("alerts", () => {
      alertsConform(open);
    });
    describe("status pages", () => {
      pagesConform(open);
    });
    describe("configuration", () => {
      configurationConforms(open);
    });

    test("what a replica had that is killed is another's at once, whatever its leases say", async () => {
      expect(await endedHolderOf(await cluster.fresh())).toEqual(endedHolder);
    });

    test("results and what is made of them lie by monitor on the workers, new days too, and all else on the coordinator", async () => {
      const database = await cluster.fresh();
      await using store = await openQuietly(database);
      await store.results.forget({ results: noon, details: noon, hours: noon, days: noon });
      const ask = (statement: string): Promise<string> => cluster.ask(database, statement);
      const tables = await ask(
        "SELECT logicalrelid::text FROM pg_dist_partition WHERE partmethod = 'h' AND logicalrelid::text !~ '_[0-9]{8}$'",
      );
      const whole =
        "daily gaps hourly packed_details packed_results result_details results results_rest series";
      expect(tables.split("\n").toSorted().join(" ")).toBe(whole);
      const days = await ask(
        "SELECT COUNT(*) FROM pg_inherits WHERE inhparent = 'results'::regclass",
      );
      expect(Number(days)).toBeGreaterThan(10);
      expect(
        await ask(
          "SELECT COUNT(*) FROM pg_dist_partition WHERE partmethod = 'h' AND logicalrelid::text LIKE 'results_%'",
        ),
      ).toBe(days);
      expect(
        await ask(
          "SELECT COUNT(DISTINCT colocationid) FROM pg_dist_partition WHERE partmethod = 'h'",
        ),
      ).toBe("1");
    });

    test("what is asked or written of one monitor goes to one shard", async () => {
      const database = await cluster.fresh();
      await using _store = await openQuietly(database);
      const statements = [
        ["a result", "SELECT * FROM results WHERE monitor = 7 AND location = 1 AND slot = 3"],
        [
          "a window of results",
          "SELECT * FROM results LEFT JOIN failures ON failures.id = results.failure WHERE monitor = 7 ORDER BY slot DESC LIMIT 50",
        ],
        [
          "a detail",
          "SELECT * FROM result_details WHERE monitor = 7 AND location = 1 AND slot = 3",
        ],
        ["a series", "SELECT * FROM series WHERE monitor = 7 AND location = 1"],
        ["hours of a monitor", "SELECT * FROM hourly WHERE monitor = 7 AND bucket > 0"],
        [
          "a gap",
          "SELECT * FROM gaps WHERE monitor = 7 AND location = 1 AND slot <= 9 ORDER BY slot DESC LIMIT 1",
        ],
        ["a result that is stored", "INSERT INTO series SELECT * FROM series WHERE monitor = 7"],
      ] as const;
      for (const [what, statement] of statements) {
        const plan = await cluster.ask(database, `EXPLAIN ${statement}`);
        expect(`${what}: ${/Task Count: \d+/.exec(plan)?.[0]}`).toBe(`${what}: Task Count: 1`);
      }
    });

    test("a database with results that becomes a cluster is distributed with all that it holds when the service starts", async () => {
      const database = await cluster.fresh();
      await cluster.ask(
        database,
        "SELECT citus_set_node_property(nodename, nodeport, 'shouldhaveshards', false) FROM pg_dist_node",
      );
      const before = await openQuietly(database);
      const { location, monitors, append } = await assigned(before, 20);
      for (const monitor of monitors) await append(someResult(monitor, slotAfter(1)));
      await before[Symbol.asyncDispose]();
      expect(await cluster.ask(database, distributedTables)).toBe("0");
      await cluster.ask(
        database,
        "SELECT citus_set_node_property(nodename, nodeport, 'shouldhaveshards', true) FROM pg_dist_node WHERE groupid > 0",
      );
      await using after = await openQuietly(database);
      expect(Number(await cluster.ask(database, distributedTables))).toBeGreaterThan(5);
      expect((await after.results.newestSlots(location, monitors)).size).toBe(20);
      const again = {
        location,
        storedAt: noon,
        results: monitors.map((one) => someResult(one, slotAfter(1))),
      };
      expect(new Set((await after.results.append(again)).map(({ kind }) => kind))).toEqual(
        new Set(["duplicate"]),
      );
    });

    test("a replica that starts while another one distributes the tables waits for that, and says so", async () => {
      const database = await cluster.fresh();
      const pid = cluster.pids.get("worker-2") ?? 0;
      const said: string[] = [];
      const open = (onProgress: (sentence: string) => void) =>
        openStore({ database, use: "service", onProgress });
      const distributing = Promise.withResolvers<void>();
      const first = open(() => {
        process.kill(pid, "SIGSTOP");
        distributing.resolve();
      });
      try {
        await distributing.promise;
        await expect(
          openStore({ database, use: "command", onProgress: () => {} }),
        ).rejects.toMatchObject({ code: "store_locked" });
        const second = open((sentence) => void said.push(sentence));
        await vi.waitFor(() => expect(said).toHaveLength(1), 20_000);
        process.kill(pid, "SIGCONT");
        await using one = await first;
        await using other = await second;
        expect([await one.health(), await other.health()]).toEqual([null, null]);
        expect(said).toEqual([expect.stringContaining("another replica")]);
      } finally {
        process.kill(pid, "SIGCONT");
      }
    });

    test("a replica starts while a worker is silent and a day is to be made", async () => {
      const database = await cluster.fresh();
      await using first = await openQuietly(database);
      expect(await first.health()).toBeNull();
      const days =
        "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relname ~ '^results_2' ORDER BY 1 DESC LIMIT 1";
      await cluster.ask(database, `DROP TABLE ${await cluster.ask(database, days)}`);
      const pid = cluster.pids.get("worker-2") ?? 0;
      const said: string[] = [];
      process.kill(pid, "SIGSTOP");
      try {
        const onProgress = (sentence: string): void => void said.push(sentence);
        await using second = await openStore({ database, use: "service", onProgress });
        expect(said).toEqual([expect.stringMatching(/^the days ahead are not made yet: /)]);
        expect(await second.health()).toBeNull();
      } finally {
        process.kill(pid, "SIGCONT");
      }
    });

    test("while a worker is away its results are not acknowledged and the others are, and once it is back each is there once", async () => {
      const database = await cluster.fresh();
      await using store = await openQuietly(database);
      const { location, monitors } = await assigned(store, 40);
      const send = (round: number) =>
        store.results.append({
          location,
          storedAt: slotAfter(round),
          results: monitors.map((one) => someResult(one, slotAfter(round))),
        });
      const kinds = async (round: number) => (await send(round)).map(({ kind }) => kind).join(" ");
      const all = (kind: string) => monitors.map(() => kind).join(" ");
      expect(await kinds(1)).toBe(all("accepted"));
      await cluster.killWorker();
      const away = await send(2);
      const later = monitors.filter((_, index) => away[index]?.kind === "later");
      const taken = monitors.filter((_, index) => away[index]?.kind === "accepted");
      expect([later.length > 5, taken.length > 5, later.length + taken.length]).toEqual([
        true,
        true,
        40,
      ]);
      const { views, unread } = await store.results.seen(monitors);
      expect([...unread].toSorted((a, b) => a - b)).toEqual(later);
      expect(new Set(views.map(({ newestSlot }) => newestSlot))).toEqual(new Set([slotAfter(2)]));
      expect((await store.results.newestSlots(location, monitors)).size).toBe(taken.length);
      const onlyAway = later.map((one) => someResult(one, slotAfter(2)));
      const refused = { location, storedAt: slotAfter(2), results: onlyAway };
      const none = await store.results.append(refused);
      expect(new Set(none.map(({ kind }) => kind))).toEqual(new Set(["later"]));
      const excuse = { causeId: "c1", sentence: "the gateway does not answer" };
      const gone = { slot: slotAfter(2), period: minutes(1), excuse };
      const missed = later.map((monitor) => ({ monitor, ...gone }));
      await store.results.miss({ location, storedAt: slotAfter(2), missed });
      expect(await store.results.seen(later)).toEqual({ views: [], unread: new Set(later) });
      expect((await store.results.newestSlots(location, later)).size).toBe(0);
      expect(await store.health()).toBeNull();
      await openQuietly(database).then((another) => another[Symbol.asyncDispose]());
      await cluster.startWorker();
      await vi.waitFor(async () => expect(await kinds(1)).toBe(all("duplicate")), 100_000);
      expect(await kinds(2)).toBe(
        monitors.map((one) => (later.includes(one) ? "accepted" : "duplicate")).join(" "),
      );
      expect((await store.results.seen(monitors)).unread.size).toBe(0);
      expect(
        await cluster.ask(
          database,
          "SELECT COUNT(*) AS a, COUNT(DISTINCT (monitor, slot)) AS b FROM results",
        ),
      ).toBe("80 80");
      expect(
        await cluster.ask(database, "SELECT SUM(success) AS a, SUM(kept) AS b FROM series"),
      ).toBe("80 80");
      expect(await cluster.ask(database, "SELECT SUM(success) FROM hourly")).toBe("80");
    });

    test("the doctor says what is distributed, how each server is, and which cannot be reached", async () => {
      const database = await cluster.fresh();
      const words = async () =>
        (await clusterFindings(database)).map(
          ({ level, says }) =>
            `${level}: ${says.replace(/127.0.0.1:\d+/, "HOST").replace(/\d+ MB/, "N MB")}`,
        );
      expect((await clusterFindings(database))[0]?.says).toContain("not distributed: results,");
      await using store = await openQuietly(database);
      const coordinator = "fine: coordinator HOST: N MB";
      const worker = "fine: worker HOST: N MB, 4 of 8 shards";
      const distributed = "fine: the results are distributed: 8 shards";
      expect(await words()).toEqual([distributed, coordinator, worker, worker]);
      // The size is the coordinator's, also if a worker is asked.
      await cluster.ask(
        database,
        "CREATE TABLE ballast AS SELECT repeat('x', 500) FROM generate_series(1, 50000)",
      );
      const says = async (asked: string) => (await clusterFindings(asked)).map((one) => one.says);
      expect(await says(cluster.atWorker(database))).toEqual(await says(database));
      await cluster.killWorker();
      const away =
        "failed: worker HOST cannot be reached: results of its monitors wait at their agents (Connection refused)";
      expect((await words()).toSorted()).toEqual(
        [away, coordinator, distributed, worker].toSorted(),
      );
      expect(store.serversAway).toBe(0);
      const { monitors } = await assigned(store, 40);
      expect((await store.results.seen(monitors)).unread.size).toBeGreaterThan(0);
      expect(store.serversAway).toBe(1);
      await cluster.startWorker();
    });

    test("the doctor says within its time which worker is silent, and which one's extension is older than its programs", async () => {
      const database = await cluster.fresh();
      await using store = await openQuietly(database);
      const failures = async () =>
        (await clusterFindings(database)).flatMap(({ level, says, next }) =>
          level === "failed" ? [`${says.replace(/127.0.0.1:\d+/, "HOST")} → ${next}`] : [],
        );
      const pid = cluster.pids.get("worker-2") ?? 0;
      process.kill(pid, "SIGSTOP");
      try {
        const [silent, ...others] = await failures();
        expect(silent).toMatch(
          /^worker HOST cannot be reached: results of its monitors wait at their agents → start it,/,
        );
        expect(others).toEqual([]);
      } finally {
        process.kill(pid, "SIGCONT");
      }
      const setVersion = (version: string) =>
        `UPDATE pg_extension SET extversion = '${version}' WHERE extname = 'citus'`;
      const version = await cluster.ask(
        database,
        "SELECT extversion FROM pg_extension WHERE extname = 'citus'",
      );
      await cluster.askWorker(database, setVersion("12.1-1"));
      expect(await failures()).toEqual([
        "worker HOST has an extension that is older than its programs: results of its monitors wait at their agents → run ALTER EXTENSION citus UPDATE in this database on that server",
      ]);
      await cluster.askWorker(database, setVersion(version));
      expect(await failures()).toEqual([]);
      expect(await store.health()).toBeNull();
      await cluster.ask(database, setVersion("12.1-1"));
      const says = "Citus was updated on a server, and its extension was not";
      expect((await failures()).join()).toMatch(
        `the coordinator cannot say how its servers are: ${says}`,
      );
      // As after a restart of the server: sessions that are older do not look again.
      await using another = await openQuietly(database);
      expect((await another.health())?.message).toContain(says);
    });

    test("a worker counts as away until it answers or has no results, even if no call is for it", async () => {
      const database = await cluster.fresh();
      await using store = await openQuietly(database);
      const { monitors } = await assigned(store, 40);
      await cluster.killWorker();
      const { unread } = await store.results.seen(monitors);
      const others = monitors.filter((one) => !unread.has(one));
      const awayAfterCall = async () => {
        await store.results.seen(others);
        return store.serversAway;
      };
      expect(await awayAfterCall()).toBe(1);
      await cluster.startWorker();
      await vi.waitFor(async () => expect(await awayAfterCall()).toBe(0), 60_000);
      await cluster.killWorker();
      await store.results.seen([...unread]);
      expect(await awayAfterCall()).toBe(1);
      await cluster.ask(
        database,
        "UPDATE pg_dist_placement SET groupid = 1 FROM pg_dist_shard AS s WHERE s.shardid = pg_dist_placement.shardid AND shardminvalue <> ''",
      );
      await vi.waitFor(async () => expect(await awayAfterCall()).toBe(0), 60_000);
      await cluster.startWorker();
    });

    test("a lock that another session holds makes no worker away", async () => {
      const database = await cluster.fresh();
      await using store = await openQuietly(database);
      const { location, monitors } = await assigned(store, 2);
      const results = monitors.map((one) => someResult(one, slotAfter(1)));
      await using pool = poolOf(database);
      await pool.use(async (query) => {
        await query("BEGIN");
        await query("SELECT 1 FROM locations FOR UPDATE");
        const stored = store.results.append({ location, storedAt: noon, results });
        await expect(stored).rejects.toMatchObject({ code: "store_locked" });
        await query("ROLLBACK");
      });
      expect(store.serversAway).toBe(0);
    });

    test("the shares of a batch are those of Citus", async () => {
      const database = await cluster.fresh();
      await using _store = await openQuietly(database);
      const ids = [1, 7, 123_456, 5_000_000_000, Number.MAX_SAFE_INTEGER];
      const hashes = await cluster.ask(
        database,
        `SELECT worker_hash(id) FROM unnest(ARRAY[${ids.join(",")}]::bigint[]) id`,
      );
      expect(ids.map(bigintHash).join("\n")).toBe(hashes);
    });
  },
);
