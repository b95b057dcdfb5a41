import { expect, test, vi } from "vitest";
import { systemClock } from "#base/clock";
import { epochMillis } from "#base/units";
import { clusterFindings } from "#cli/service/cluster-findings";
import { databaseFindings } from "#cli/service/database-findings";
import { openQuietly, period, someResult } from "../service/store/conformance/scene.ts";
import { citusPrograms, startCitus } from "./citus-cluster.ts";
import { twentyShops } from "./twenty-shops.ts";

const programs = citusPrograms();

test.skipIf(programs === null)(
  "the service runs as a role that is not a superuser and has a password: it and the doctor name the one right that it needs, and a password that is missing",
  async () => {
    await using cluster = await startCitus(programs ?? "");
    const database = await cluster.fresh("may make none");
    const rolesAbove =
      "SELECT COUNT(*) FROM pg_roles WHERE rolname = 'picket' AND (rolsuper OR rolcreaterole OR rolcreatedb)";
    expect(await cluster.ask(database, rolesAbove)).toBe("0");
    const statement = "GRANT USAGE, CREATE ON SCHEMA public TO picket";
    await expect(twentyShops(database)).rejects.toThrow(statement);
    expect((await databaseFindings(database)).map(({ next }) => next)).toEqual([
      `run as a superuser in this database: ${statement}`,
    ]);
    await cluster.ask(database, statement);
    {
      await using shops = await twentyShops(database);
      const { ids, location, store } = shops;
      const now = systemClock.wall();
      const before = epochMillis(now - (now % period) - 10 * period);
      const batch = { location, storedAt: now, results: ids.map((one) => someResult(one, before)) };
      const kinds = async () => [
        ...new Set((await store.results.append(batch)).map(({ kind }) => kind)),
      ];
      expect(await kinds()).toEqual(["accepted"]);
      expect(await kinds()).toEqual(["duplicate"]);
      const levels = async () =>
        [...(await databaseFindings(database)), ...(await clusterFindings(database))].map(
          ({ level }) => level,
        );
      expect(new Set(await levels())).toEqual(new Set(["fine"]));
      // Sessions that the coordinator has are kept; a new one needs the password.
      cluster.keepPassword(false);
      const refused = (await clusterFindings(database)).filter(({ level }) => level === "failed");
      const says =
        "worker HOST does not let the coordinator in: results of its monitors wait at their agents (fe_sendauth: no password supplied)";
      expect(refused.map((one) => one.says.replace(/127\.0\.0\.1:\d+/, "HOST"))).toEqual([
        says,
        says,
      ]);
      expect(refused[0]?.next).toContain(".pgpass");
      await using another = await openQuietly(database);
      const received = await another.results.append(batch);
      expect(new Set(received.map(({ kind }) => kind))).toEqual(new Set(["later"]));
      cluster.keepPassword(true);
      await vi.waitFor(
        async () =>
          expect(new Set((await another.results.append(batch)).map(({ kind }) => kind))).toEqual(
            new Set(["duplicate"]),
          ),
        60_000,
      );
      expect(new Set(await levels())).toEqual(new Set(["fine"]));
    }
  },
);
