import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageComponentsMax } from "#limits/status-limits";
import { pageDefaults } from "#service/status-page/page-definition";
import { actingAs } from "#service/store/audit/actor";
import type { Store } from "#service/store/store";
import { epochMillis } from "#base/units";
import { lockWaits } from "../../support/lock-waits.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { noon, openQuietly, someMonitor } from "./conformance/scene.ts";

const since = epochMillis(noon - 1);
const deleting = <T>(work: () => T): T =>
  actingAs({ kind: "person", name: "ann", from: "", at: noon }, work);

/** A page with one component, which shows a monitor. */
async function scene({ state, pages }: Store) {
  const monitor = await state.monitors.create(someMonitor());
  const definition = { ...pageDefaults, title: "Acme", slug: "acme" };
  const made = { uid: "acme", definition, sealed: "", owner: "", labels: {}, at: noon };
  const page = Number(await pages.pages.create(made));
  const place = { page, group: null, order: null, at: noon };
  const shop = { ...place, monitor, name: "Shop", description: "" };
  const component = Number(await pages.components.create(shop));
  return { monitor, component };
}

/** Does the second while the first has all its work done, and is not committed. */
async function overlapping<One, Other>(
  database: string,
  first: () => Promise<One>,
  second: () => Promise<Other>,
): Promise<readonly [One, Other]> {
  const client = new Client(database);
  await client.connect();
  await client.query("BEGIN");
  await client.query("SELECT number FROM audit_head FOR UPDATE");
  const one = first();
  await lockWaits(client, 1);
  const other = second();
  await lockWaits(client, 2);
  await client.query("COMMIT");
  await client.end();
  return Promise.all([one, other]);
}

describe.skipIf(!isPostgresInstalled())("a component that is removed", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("while its monitor is deleted is kept with the monitor alone, and can be removed again", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using other = await openQuietly(database);
    const { monitor, component } = await scene(one);
    const done = await overlapping(
      database,
      () => deleting(() => one.state.monitors.delete(monitor)),
      () => deleting(() => other.pages.components.delete(component)),
    );
    expect(done).toEqual([true, false]);
    expect(await one.trash.get("component", component, since)).toBeNull();
    expect(await one.trash.restore("monitor", monitor, since)).toBe("restored");
    expect(await one.pages.components.get(component)).toMatchObject({ monitor });
    expect(await deleting(() => one.pages.components.delete(component))).toBe(true);
    expect(await one.trash.restore("component", component, since)).toBe("restored");
  });

  test("just before its monitor is deleted can be removed again once both came back", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using other = await openQuietly(database);
    const { monitor, component } = await scene(one);
    await overlapping(
      database,
      () => deleting(() => one.pages.components.delete(component)),
      () => deleting(() => other.state.monitors.delete(monitor)),
    );
    expect(await one.trash.restore("monitor", monitor, since)).toBe("restored");
    expect(await one.pages.components.get(component)).toMatchObject({ monitor });
    expect(await deleting(() => one.pages.components.delete(component))).toBe(true);
    expect(await one.trash.restore("component", component, since)).toBe("restored");
  });
});

/** Two monitors that were deleted with their components of one page, which has room for one of the two now. */
async function fullScene(database: string, store: Store) {
  const { monitor, component } = await scene(store);
  const other = await store.state.monitors.create(someMonitor());
  const page = (await store.pages.components.get(component))?.page ?? 0;
  const place = { page, group: null, order: null, at: noon, name: "Mail", description: "" };
  await store.pages.components.create({ ...place, monitor: other });
  for (const one of [monitor, other]) await deleting(() => store.state.monitors.delete(one));
  const client = new Client(database);
  await client.connect();
  await client.query(
    `INSERT INTO page_components (page, name, description, place, group_place, created_at, updated_at)
     SELECT $1, 'Part', '', place, 0, $2, $2 FROM generate_series(2, $3::integer) AS place`,
    [page, noon, pageComponentsMax],
  );
  await client.end();
  return { place, monitor, other };
}

describe.skipIf(!isPostgresInstalled())("a monitor that is put back", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("while another one is takes no place on their page that the other one has", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using another = await openQuietly(database);
    const { place, monitor, other } = await fullScene(database, one);
    const done = await overlapping(
      database,
      () => one.trash.restore("monitor", monitor, since),
      () => another.trash.restore("monitor", other, since),
    );
    expect(done).toEqual(["restored", "partly"]);
    expect(await one.pages.components.countOf(place.page)).toBe(pageComponentsMax);
  });

  test("while a component is added to its page takes no place that this one has", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using another = await openQuietly(database);
    const { place, monitor } = await fullScene(database, one);
    const [, restored] = await overlapping(
      database,
      () => one.pages.components.create({ ...place, monitor: null }),
      () => another.trash.restore("monitor", monitor, since),
    );
    expect(restored).toBe("partly");
    expect(await one.pages.components.countOf(place.page)).toBe(pageComponentsMax);
  });
});

describe.skipIf(!isPostgresInstalled())("planned work that is put back", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("while its page is deleted stays deleted, or goes with the page and comes back with it", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using another = await openQuietly(database);
    const { page, work } = await plannedScene(one);
    const first = await overlapping(
      database,
      () => deleting(() => one.pages.pages.delete(page)),
      () => another.trash.restore("maintenance", work, since),
    );
    expect(first).toEqual([true, "gone"]);
    expect(await one.alerts.maintenances.get(work)).toBeNull();
    expect(await one.trash.restore("page", page, since)).toBe("restored");
    const second = await overlapping(
      database,
      () => one.trash.restore("maintenance", work, since),
      () => deleting(() => another.pages.pages.delete(page)),
    );
    expect(second).toEqual(["restored", true]);
    expect(await one.alerts.maintenances.get(work)).toBeNull();
    expect(await one.trash.restore("page", page, since)).toBe("restored");
    expect(await one.alerts.maintenances.get(work)).toMatchObject({ page: String(page) });
  });
});

/** A page, and planned work of it that was deleted. */
async function plannedScene(store: Store) {
  const { component } = await scene(store);
  const page = (await store.pages.components.get(component))?.page ?? 0;
  const made = {
    title: "Move",
    message: "",
    from: noon,
    to: epochMillis(noon + 3_600_000),
    recurrence: "",
    timeZone: "UTC",
    page: String(page),
    components: [],
    monitors: [],
    locations: [],
    owner: "",
    notify: true,
    at: noon,
  };
  const work = await store.alerts.maintenances.create(made, false);
  await deleting(() => store.alerts.maintenances.delete(work));
  return { page, work };
}

describe.skipIf(!isPostgresInstalled())("a page that has room for one component", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("takes one of two that are added at once", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using another = await openQuietly(database);
    const { place } = await fullScene(database, one);
    const added = await overlapping(
      database,
      () => one.pages.components.create({ ...place, monitor: null }),
      () => another.pages.components.create({ ...place, monitor: null }),
    );
    expect(added).toEqual([expect.any(Number), "full"]);
    expect(await one.pages.components.countOf(place.page)).toBe(pageComponentsMax);
  });
});
