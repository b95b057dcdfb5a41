import { expect, test, vi } from "vitest";
import { tcpDefaults } from "#check/definition";
import { PrivateLocationStatus } from "#contract/openstatus/private_location/v1/private_location_pb";
import * as limits from "#limits/service-limits";
import { Locations } from "#service/agents/locations";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { runningService } from "../../support/running-service.ts";

/** A running service with monitors at one location, and what a person and an agent say and see there. */
async function scene(periodicities: readonly string[]) {
  const clock = new FakeClock();
  const service = await runningService({ clock });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const made = periodicities.map((periodicity, n) => {
    const target = { name: `m${n}`, uri: "db.test:5432", timeout: 1_000, retry: 0 };
    const definition = { ...tcpDefaults, ...target, periodicity, active: true };
    return service.admin.createMonitor(definition, "management");
  });
  const monitorIds = (await Promise.all(made)).map(({ id }) => id);
  const wanted = { name: "office", monitorIds, metadata: {} };
  const { id: locationId, token } = await service.admin.createPrivateLocation(wanted);
  const agent = service.agent(token);
  const statuses = async (): Promise<readonly string[]> => {
    const { monitors } = await service.monitors(key).summarizeResults({});
    return monitors.map(({ status }) => status);
  };
  const location = async () =>
    (await service.locations(key).getPrivateLocation({ id: locationId })).privateLocation;
  const result = (monitorId: string, requestStatus: string) => ({
    monitorId,
    requestStatus,
    timestamp: BigInt(clock.wall()),
    cronTimestamp: BigInt(clock.wall()),
  });
  const report = async (requestStatus: string, instanceId = "a"): Promise<void> => {
    const results = monitorIds.map((id) => ({
      result: { case: "tcp" as const, value: result(id, requestStatus) },
    }));
    await agent.ingestBatch({ instanceId, results });
  };
  const beat = (leaving = false) => agent.heartbeat({ instanceId: "a", leaving });
  return { service, clock, key, monitorIds, locationId, agent, statuses, location, report, beat };
}

test("a dead agent's monitors are unknown, its location an error after 90 s, and both are back at its return", async () => {
  const { service, clock, statuses, location, report, beat } = await scene(["30s", "10m"]);
  await using _running = service;
  expect(await statuses()).toEqual(["unknown", "unknown"]);
  await beat();
  await report("success");
  expect(await statuses()).toEqual(["active", "active"]);
  await clock.advance(90_000);
  expect(await statuses()).toEqual(["active", "active"]);
  // Two periods of the first, one check and half a minute are over; the second would count for longer, but its
  // location has been silent for 90 s.
  await clock.advance(10_000);
  expect(await statuses()).toEqual(["unknown", "unknown"]);
  expect(await location()).toMatchObject({
    status: PrivateLocationStatus.ERROR,
    statusMessage: "no agent has reported since 2026-01-01T00:00:00.000Z",
  });
  await beat();
  expect(await location()).toMatchObject({
    status: PrivateLocationStatus.ACTIVE,
    statusMessage: "",
  });
  // What the second monitor's last result said still counts; the first needs a new one.
  await clock.advance(5_000);
  expect(await statuses()).toEqual(["unknown", "active"]);
  await report("error");
  expect(await statuses()).toEqual(["error", "error"]);
});

test("a goodbye makes the location an error at once, what the agent still reports keeps it so, and its return ends it", async () => {
  const { service, clock, statuses, location, report, beat } = await scene(["1m"]);
  await using _running = service;
  await beat();
  await report("success");
  await clock.advance(1_000);
  await beat(true);
  const stopped = {
    status: PrivateLocationStatus.ERROR,
    statusMessage: "stopped as asked at 2026-01-01T00:00:01.000Z",
  };
  expect(await location()).toMatchObject(stopped);
  await clock.advance(1_000);
  await report("success");
  expect(await location()).toMatchObject(stopped);
  await clock.advance(5_000);
  expect(await statuses()).toEqual(["unknown"]);
  await beat();
  await report("success");
  expect(await location()).toMatchObject({ status: PrivateLocationStatus.ACTIVE });
  expect(await statuses()).toEqual(["active"]);
});

test("a goodbye of one agent of two changes nothing", async () => {
  const { service, agent, location, beat } = await scene(["1m"]);
  await using _running = service;
  await beat();
  await agent.heartbeat({ instanceId: "b" });
  await beat(true);
  expect(await location()).toMatchObject({ status: PrivateLocationStatus.ACTIVE });
});

test("an agent that only pulls and reports is waited for by the period of its monitors", async () => {
  const { service, clock, agent, monitorIds, location } = await scene(["10m"]);
  await using _running = service;
  await agent.monitors({});
  expect(await location()).toMatchObject({ status: PrivateLocationStatus.ACTIVE });
  await agent.ingestTCP({
    monitorId: monitorIds[0] ?? "",
    requestStatus: "success",
    timestamp: BigInt(clock.wall()),
    cronTimestamp: BigInt(clock.wall()),
  });
  await clock.advance(20 * 60_000);
  expect(await location()).toMatchObject({ status: PrivateLocationStatus.ACTIVE });
  await clock.advance(1);
  expect(await location()).toMatchObject({ status: PrivateLocationStatus.ERROR });
});

test("an empty pull says nothing of a location whose agents send heartbeats", async () => {
  const { service, clock, agent, location, beat } = await scene(["1m"]);
  await using _running = service;
  await beat();
  await clock.advance(91_000);
  await agent.monitors({});
  expect(await location()).toMatchObject({ status: PrivateLocationStatus.ERROR });
});

test("a monitor that is switched off, or taken from its location, is unknown", async () => {
  const { service, clock, key, locationId, statuses, report, beat } = await scene(["1m"]);
  await using _running = service;
  await beat();
  await report("error");
  expect(await statuses()).toEqual(["error"]);
  await service.locations(key).updatePrivateLocation({ id: locationId, updateMonitorIds: true });
  await clock.advance(5_000);
  expect(await statuses()).toEqual(["unknown"]);
});

test("results that come many at a time do not have the judge look through all locations each time", async () => {
  const looks = vi.spyOn(Locations.prototype, "all");
  const { service, clock, report, beat, statuses } = await scene(["1m", "1m"]);
  await using _running = service;
  await beat();
  for (let times = 0; times < 20; times += 1) {
    await clock.advance(10);
    await report(times % 2 === 0 ? "success" : "error");
  }
  expect(await statuses()).toEqual(["error", "error"]);
  // One look at the start, and one when this replica has taken its parts of the work.
  expect(looks.mock.calls.length).toBeLessThanOrEqual(2);
  await clock.advance(limits.judgeEvery);
  await expect.poll(() => looks.mock.calls.length).toBeGreaterThanOrEqual(2);
  looks.mockRestore();
});

test("a look through the locations reads the monitors of those alone that have fallen silent or are back", async () => {
  const looks = vi.spyOn(Locations.prototype, "all");
  const reads = vi.spyOn(Locations.prototype, "monitorsOf");
  const { service, clock, locationId, beat } = await scene(["1m", "1m"]);
  await using _running = service;
  /** What was read until a second look begins: by then the first one has seen what is now, and is done. */
  const readByLooks = async (meanwhile: () => Promise<unknown>): Promise<readonly string[]> => {
    const further = looks.mock.calls.length + 2;
    const look = async (): Promise<number> => {
      await meanwhile();
      await clock.advance(limits.judgeEvery);
      return looks.mock.calls.length;
    };
    await expect.poll(look).toBeGreaterThanOrEqual(further);
    const read = reads.mock.calls.flatMap(([ids]) => ids.map(String));
    reads.mockClear();
    return read;
  };
  const nothing = (): Promise<void> => Promise.resolve();
  await beat();
  expect(await readByLooks(beat)).toContain(locationId);
  expect(await readByLooks(beat)).toEqual([]);
  await beat(true);
  expect(await readByLooks(nothing)).toEqual([locationId]);
  expect(await readByLooks(nothing)).toEqual([]);
  await beat();
  expect(await readByLooks(beat)).toEqual([locationId]);
  looks.mockRestore();
  reads.mockRestore();
});

test("monitors are judged a portion after the other, so that results find a connection", async () => {
  const waiting = { now: 0, most: 0, all: 0 };
  const service = await runningService({
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      const seen: typeof store.results.seen = async (ids) => {
        // The judge's own looks at so many have another order.
        const first = ids[0] ?? 0;
        const isListed =
          ids.length === limits.judgedAtOnce && ids.every((id, index) => id === first + index);
        if (!isListed) return store.results.seen(ids);
        waiting.all += 1;
        waiting.now += 1;
        waiting.most = Math.max(waiting.most, waiting.now);
        return store.results.seen(ids).finally(() => (waiting.now -= 1));
      };
      return { ...store, results: { ...store.results, seen } };
    },
  });
  await using _running = service;
  const { key } = await service.admin.createApiKey({ name: "test", scope: "read" });
  const target = { uri: "db.test:5432", timeout: 1_000, retry: 0, periodicity: "1m", active: true };
  const made = Array.from({ length: 2 * limits.judgedAtOnce }, (_, n) =>
    service.admin.createMonitor({ ...tcpDefaults, ...target, name: `m${n}` }, "management"),
  );
  await Promise.all(made);
  const listed = await service.post(
    "/picket.v1.MonitorStateService/ListMonitorStates",
    {},
    { "x-service-key": key },
  );
  expect(listed.status).toBe(200);
  expect(waiting).toEqual({ now: 0, most: 1, all: 2 });
});
