import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { locationLabelsMax, monitorsPerAgentMax } from "#limits/check-limits";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { lockWaits } from "../../support/lock-waits.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { noon, openQuietly, someLocation, someMonitor, someToken } from "./conformance/scene.ts";

const rounds = 6;
const named = (name: string) => {
  const { definition, ...rest } = someMonitor();
  return { ...rest, definition: { ...definition, name } };
};
const given = (monitors: readonly MonitorId[]) => ({
  name: null,
  metadata: null,
  ownership: null,
  at: noon,
  monitors,
});

/** What an agent runs that is sent changes, read as the service reads them. */
class Follower {
  readonly #store: Store;
  readonly #location: LocationId;
  #revision = "";
  #runs = new Map<MonitorId, string>();

  constructor(store: Store, location: LocationId) {
    this.#store = store;
    this.#location = location;
  }

  async pull(): Promise<void> {
    const { locations } = this.#store.state;
    const revision = (await locations.get(this.#location))?.revision ?? "";
    if (revision === this.#revision) return;
    const changes = await locations.changesSince(this.#location, this.#revision);
    if (changes === null) this.#runs = await this.whole();
    else {
      for (const { monitor } of changes) this.#runs.delete(monitor);
      const running = changes.filter(({ runs }) => runs).map(({ monitor }) => monitor);
      for (const [id, name] of await this.#names(running)) this.#runs.set(id, name);
    }
    this.#revision = revision;
  }

  async whole(): Promise<Map<MonitorId, string>> {
    return this.#names(await this.#store.state.monitors.activeIds(this.#location));
  }

  async #names(ids: readonly MonitorId[]): Promise<Map<MonitorId, string>> {
    const rows = await this.#store.state.monitors.among(ids);
    return new Map(rows.map(({ id, definition }) => [id, definition.name ?? ""]));
  }

  get runs(): readonly (readonly [MonitorId, string])[] {
    return [...this.#runs].toSorted(([a], [b]) => a - b);
  }
}

describe.skipIf(!isPostgresInstalled())("locations and monitors that two replicas change", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("at the same time leave agents that are sent changes with the same as the whole", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using other = await openQuietly(database);
    const monitors: MonitorId[] = [];
    for (let n = 0; n < 12; n += 1) monitors.push(await one.state.monitors.create(named("first")));
    const places: LocationId[] = [];
    for (let n = 0; n < 3; n += 1)
      places.push(await one.state.locations.create(someLocation({ monitors }), someToken()));
    const agents = places.map((place, n) => new Follower(n === 0 ? one : other, place));
    for (let round = 0; round < rounds; round += 1) {
      const [full, filling, moving] = places;
      const pulling = { ends: false };
      const pulls = agents.map(async (agent) => {
        while (!pulling.ends) await agent.pull();
      });
      const half = monitors.filter((_, n) => n % 2 === round % 2);
      const some = { kind: "location", location: moving!, assigned: round % 2 === 0 } as const;
      const changed = monitors.map((id, n) =>
        other.state.monitors.update(id, named(`round ${round}, ${n}`)),
      );
      await Promise.all([
        ...changed,
        one.state.locations.update(full!, given(monitors)),
        one.state.locations.update(filling!, given(half)),
        one.state.monitors.changeEach(half.slice(0, 3), some, noon),
        one.state.locations.update(full!, given(monitors.toReversed())),
      ]);
      pulling.ends = true;
      await Promise.all(pulls);
      for (const agent of agents) {
        await agent.pull();
        expect(agent.runs).toEqual([...(await agent.whole())].toSorted(([a], [b]) => a - b));
      }
    }
  });

  test("an undo that meets another person's change leaves that change, whichever comes first", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using other = await openQuietly(database);
    const id = await one.state.monitors.create(named("first"));
    const label = (value: string) => ({ kind: "label", key: "team", value }) as const;
    for (let round = 0; round < 4 * rounds; round += 1) {
      await one.state.monitors.changeEach([id], label("shop"), noon);
      await Promise.all([
        other.state.monitors.changeEach([id], label("pay"), noon),
        one.state.monitors.changeEach([id], label("web"), noon, label("shop")),
      ]);
      expect((await one.state.monitors.get(id))?.definition.labels).toEqual({ team: "pay" });
    }
  });

  test("an undo and another person's label leave a monitor with as many labels as it may have", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using other = await openQuietly(database);
    const { definition, ...rest } = named("first");
    const others = Array.from({ length: locationLabelsMax - 1 }, (_, n) => [`label-${n}`, "x"]);
    const full = { ...rest, definition: { ...definition, labels: Object.fromEntries(others) } };
    const id = await one.state.monitors.create(full);
    const label = (key: string, value: string | null) => ({ kind: "label", key, value }) as const;
    for (let round = 0; round < 4 * rounds; round += 1) {
      const done = await Promise.all([
        other.state.monitors.changeEach([id], label("more", "x"), noon),
        one.state.monitors.changeEach([id], label("team", "web"), noon, label("team", null)),
      ]);
      expect(done.flat()).toEqual([id]);
      const { labels = {} } = (await one.state.monitors.get(id))?.definition ?? {};
      expect(Object.keys(labels)).toHaveLength(locationLabelsMax);
      for (const key of ["more", "team"])
        await one.state.monitors.changeEach([id], label(key, null), noon);
    }
  });

  test("two people who assign to a location that has room for one monitor leave it with as many as it may have", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using other = await openQuietly(database);
    const first = await one.state.monitors.create(named("first"));
    const place = await one.state.locations.create(someLocation(), someToken());
    const client = new Client(database);
    await client.connect();
    await client.query(
      `INSERT INTO monitors (uid, kind, active, definition, owner, labels, revision, created_at, updated_at)
       SELECT '', kind, active, definition, owner, labels, 1, created_at, updated_at FROM monitors,
         generate_series(1, $1::int) WHERE id = $2`,
      [monitorsPerAgentMax, first],
    );
    await client.query(
      `INSERT INTO assignments (location, monitor)
       SELECT $1::bigint, id FROM monitors WHERE id > $2 ORDER BY id LIMIT $3::int`,
      [place, first, monitorsPerAgentMax - 1],
    );
    const newest = await client.query("SELECT MAX(id)::int AS id FROM monitors");
    await client.end();
    const assigned = { kind: "location", location: place, assigned: true } as const;
    const last = monitorId(newest.rows[0].id);
    const done = await Promise.all([
      one.state.monitors.changeEach([first], assigned, noon),
      other.state.monitors.changeEach([last], assigned, noon),
    ]);
    expect(done.flat()).toHaveLength(1);
    const { monitors } = (await one.state.locations.get(place)) ?? { monitors: [] };
    expect(monitors).toHaveLength(monitorsPerAgentMax);
  });

  test("a monitor that is changed while its location is saved is sent anew to the location's agents", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using other = await openQuietly(database);
    const monitors: MonitorId[] = [];
    for (let n = 0; n < 3; n += 1) monitors.push(await one.state.monitors.create(named("first")));
    const place = await one.state.locations.create(someLocation({ monitors }), someToken());
    const agent = new Follower(one, place);
    await agent.pull();
    const [changed, deleted] = monitors;
    for (const change of [
      () => other.state.monitors.update(changed!, named("second")),
      () => other.state.monitors.delete(deleted!),
    ]) {
      const client = new Client(database);
      await client.connect();
      // A save waits here with all its work done, and before it is committed.
      await client.query("BEGIN");
      await client.query("SELECT number FROM audit_head FOR UPDATE");
      const saved = one.state.locations.update(place, {
        ...given(monitors),
        name: `renamed ${agent.runs.map(([, name]) => name).join()}`,
      });
      await lockWaits(client, 1);
      const done = change();
      await lockWaits(client, 2);
      await client.query("COMMIT");
      await Promise.all([saved, done]);
      await client.end();
      await agent.pull();
      expect(agent.runs).toEqual([...(await agent.whole())].toSorted(([a], [b]) => a - b));
    }
    expect(agent.runs.map(([, name]) => name)).toEqual(["second", "first"]);
  });
});
