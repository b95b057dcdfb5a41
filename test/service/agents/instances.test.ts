import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pullNotedEvery } from "#limits/service-limits";
import { Instances } from "#service/agents/instances";
import type { InstanceRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { CountedStore } from "../../support/counted-store.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { quickFolder } from "../../support/running-service.ts";
import { openQuietly, someLocation, someToken } from "../store/conformance/scene.ts";

const isThere = isPostgresInstalled();
let server: PostgresServer;
beforeAll(async () => {
  if (isThere) server = await startPostgres();
});
afterAll(async () => {
  if (isThere) await server[Symbol.asyncDispose]();
});

const counted = new CountedStore();
const open = (database: string): Promise<Store> =>
  counted.open({ database, use: "service", onProgress: () => {} });

/** A location, how one replica keeps its agents, and how another shows them. */
async function scene(engine: "SQLite" | "PostgreSQL") {
  const clock = new FakeClock();
  const database =
    engine === "SQLite" ? path.join(quickFolder(), "service.sqlite") : server.fresh();
  const store = await open(database);
  // A file has one service.
  const other = engine === "SQLite" ? store : await openQuietly(database);
  const location = await store.state.locations.create(someLocation(), someToken());
  const one = new Instances(store, clock);
  const called = (changes: Partial<InstanceRow> = {}) =>
    one.change(location, async () => ({
      kept: [{ ...agent, lastSeenAt: clock.wall(), ...changes }],
      answer: "yes",
    }));
  return {
    clock,
    called,
    shown: () => new Instances(other, clock).of(location),
    [Symbol.asyncDispose]: async () => {
      if (other !== store) await other[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

const agent = {
  id: "a",
  left: false,
  revision: "r",
  wanted: true,
  settled: true,
  steadyFrom: null,
  placement: "share",
  report: null,
} as const;

const written = (): number => counted.count("instances.keep");

describe.each(["SQLite", "PostgreSQL"] as const)("the agents of a location on %s", (engine) => {
  test.skipIf(engine === "PostgreSQL" && !isThere)(
    "are live at another replica while they do nothing but pull, and their last sign is never ten seconds old",
    async () => {
      await using all = await scene(engine);
      const { clock, called, shown } = all;
      const before = written();
      for (let second = 0; second < 120; second += 1) {
        expect(await called()).toEqual({ answer: "yes", live: ["a"] });
        const [seen] = await shown();
        expect(seen).toMatchObject({ id: "a", live: true });
        expect(clock.wall() - (seen?.lastSeenAt ?? 0)).toBeLessThan(pullNotedEvery);
        clock.suspend(1_000);
      }
      expect(written() - before).toBe(120_000 / pullNotedEvery);
    },
  );

  test.skipIf(engine === "PostgreSQL" && !isThere)(
    "are written at once if anything else of them is new",
    async () => {
      await using all = await scene(engine);
      const { clock, called, shown } = all;
      await called();
      const changes: readonly Partial<InstanceRow>[] = [
        { left: true },
        { revision: "s" },
        { wanted: false },
        { settled: false },
        { steadyFrom: clock.wall() },
        { placement: "everywhere" },
        { id: "b" },
      ];
      for (const change of changes) {
        await called();
        const before = written();
        clock.suspend(1);
        await called(change);
        expect(written() - before, JSON.stringify(change)).toBe(1);
        expect(await shown()).toContainEqual(
          expect.objectContaining({ ...change, lastSeenAt: clock.wall() }),
        );
      }
    },
  );

  test.skipIf(engine === "PostgreSQL" && !isThere)(
    "are written again once the clock was set back far",
    async () => {
      await using all = await scene(engine);
      const { clock, called, shown } = all;
      await called();
      clock.stepWall(-60_000);
      await called();
      expect(await shown()).toMatchObject([{ lastSeenAt: clock.wall() }]);
    },
  );
});
