import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { PrivateLocationStatus } from "#contract/openstatus/private_location/v1/private_location_pb";
import { Placement } from "#contract/private_location/v1/private_location_pb";
import { tcpDefaults } from "#check/definition";
import { CountedStore } from "../../support/counted-store.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { runningService, type RunningService } from "../../support/running-service.ts";

interface Scene {
  readonly service: RunningService;
  readonly clock: FakeClock;
  readonly key: string;
  readonly locationId: string;
  readonly token: string;
  readonly monitorIds: readonly string[];
}

async function scene(count = 30, opensStore?: CountedStore["open"]): Promise<Scene> {
  const clock = new FakeClock();
  const service = await runningService({ clock, ...(opensStore && { opensStore }) });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const made = Array.from({ length: count }, (_, n) => {
    const name = `m${n}`;
    const uri = `${name}.test:1`;
    const definition = { ...tcpDefaults, name, uri, periodicity: "30s", active: true };
    return service.admin.createMonitor(definition, "management");
  });
  const monitorIds = (await Promise.all(made)).map(({ id }) => id);
  const location = { name: "office", monitorIds, metadata: {} };
  const { id: locationId, token } = await service.admin.createPrivateLocation(location);
  return { service, clock, key, locationId, token, monitorIds };
}

/** An agent that does by hand what the real one does in its loops. */
class Hand {
  readonly #client: ReturnType<RunningService["agent"]>;
  readonly #id: string;
  readonly #placement: Placement;
  revision = "";
  runs: readonly string[] = [];
  pulls = 0;
  /** It says that its gateway is gone. */
  isCutOff = false;
  /** It says that one of its name servers is. */
  isWarned = false;

  constructor(
    { service, token }: Pick<Scene, "service" | "token">,
    id: string,
    placement = Placement.SHARE,
  ) {
    this.#client = service.agent(token);
    this.#id = id;
    this.#placement = placement;
  }

  async pull() {
    const asked = {
      instanceId: this.#id,
      placement: this.#placement,
      knownRevision: this.revision,
    };
    const answer = await this.#client.monitors(asked);
    this.pulls += 1;
    this.revision = answer.revision;
    if (!answer.unchanged) this.runs = answer.tcpMonitors.map(({ id }) => id);
    return answer;
  }

  /** A heartbeat, and the pull that another revision asks for. */
  async beat({ leaving = false } = {}) {
    const scope = this.isCutOff ? ["gateway"] : [];
    const answer = await this.#client.heartbeat({
      instanceId: this.#id,
      placement: this.#placement,
      revision: this.revision,
      monitorCount: BigInt(this.runs.length),
      labels: { site: "north" },
      hostname: `host-${this.#id}`,
      leaving,
      conditions: scope.map((one) => ({
        cause: { scope: one, subject: "10.0.0.1", certainty: "proven", causeId: "c1" },
      })),
      warnings: this.isWarned ? [{ cause: { scope: "resolver", subject: "10.0.0.53" } }] : [],
    });
    if (answer.revision !== this.revision && !leaving) await this.pull();
    return answer;
  }
}

/** Everybody's heartbeats, every ten seconds. */
async function beats(clock: FakeClock, seconds: number, hands: readonly Hand[]): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    clock.suspend(10_000);
    for (const hand of hands) await hand.beat();
  }
}

const together = (hands: readonly Hand[]): readonly string[] =>
  hands.flatMap(({ runs }) => runs).toSorted();

async function instances({ service, key, locationId }: Scene) {
  const { privateLocation } = await service.locations(key).getPrivateLocation({ id: locationId });
  return privateLocation?.instances ?? [];
}

test("a heartbeat reads the agents of its location once", async () => {
  const store = new CountedStore();
  const all = await scene(3, store.open);
  await using _running = all.service;
  const hands = ["a", "b"].map((id) => new Hand(all, id));
  for (const hand of hands) await hand.beat();
  await hands[0]!.pull();
  const before = store.count("instances.of");
  expect(await hands[0]!.beat()).toMatchObject({ instanceIndex: 0, instanceCount: 2 });
  expect(store.count("instances.of") - before).toBe(1);
});

test("a pull that brings nothing asks the store two questions, and writes once in ten seconds", async () => {
  const store = new CountedStore();
  const all = await scene(3, store.open);
  await using _running = all.service;
  const hands = ["a", "b"].map((id) => new Hand(all, id));
  await beats(all.clock, 40, hands);
  const pulled = async (): Promise<readonly string[]> => {
    const before = store.counts();
    expect(await hands[0]!.pull()).toMatchObject({ unchanged: true });
    return [...store.counts()].flatMap(([name, count]) =>
      Array.from({ length: count - (before.get(name) ?? 0) }, () => name),
    );
  };
  // This one says that it runs what it was given last.
  await pulled();
  expect(await pulled()).toEqual(["locations.ofToken", "instances.of"]);
  all.clock.suspend(9_999);
  expect(await pulled()).toEqual(["locations.ofToken", "instances.of"]);
  all.clock.suspend(1);
  expect(await pulled()).toContain("instances.keep");
  expect(await pulled()).not.toContain("instances.keep");
  // A heartbeat says how the agent is: each is kept.
  const before = store.count("instances.keep");
  for (const _ of [1, 2]) await hands[0]!.beat();
  expect(store.count("instances.keep") - before).toBe(2);
});

describe("agents that share", () => {
  test("run each monitor once between them, and learn so without further pulls", async () => {
    const all = await scene();
    await using _running = all.service;
    const hands = ["a", "b", "c"].map((id) => new Hand(all, id));
    await hands[0]!.pull();
    expect(hands[0]!.runs).toEqual(all.monitorIds);
    for (const hand of hands) await hand.pull();
    await beats(all.clock, 40, hands);
    expect(together(hands)).toEqual(all.monitorIds.toSorted());
    for (const { runs } of hands) expect(runs.length).toBeGreaterThan(0);
    const before = hands.map(({ pulls }) => pulls);
    await beats(all.clock, 300, hands);
    expect(hands.map(({ pulls }) => pulls)).toEqual(before);
    expect(await hands[1]!.pull()).toMatchObject({ unchanged: true, tcpMonitors: [] });
  });

  test("are asked for heartbeats every 10 s, one alone and one that runs everything every 30 s", async () => {
    const all = await scene();
    await using _running = all.service;
    const [a, b] = [new Hand(all, "a"), new Hand(all, "b")];
    await a.pull();
    expect(await a.beat()).toMatchObject({
      nextHeartbeatMs: 30_000n,
      instanceIndex: 0,
      instanceCount: 1,
    });
    await b.pull();
    expect(await b.beat()).toMatchObject({
      nextHeartbeatMs: 10_000n,
      instanceIndex: 1,
      instanceCount: 2,
    });
    expect(await a.beat()).toMatchObject({
      nextHeartbeatMs: 10_000n,
      instanceIndex: 0,
      instanceCount: 2,
    });
    const vantage = new Hand(all, "v", Placement.EVERYWHERE);
    expect(await vantage.beat()).toMatchObject({ nextHeartbeatMs: 30_000n, instanceCount: 3 });
  });

  test("take over from one that falls silent after 45 s; the location and the list keep their 90 s", async () => {
    const all = await scene();
    await using _running = all.service;
    const [a, b] = [new Hand(all, "a"), new Hand(all, "b")];
    for (const hand of [a, b]) await hand.pull();
    await beats(all.clock, 40, [a, b]);
    expect(b.runs.length).toBeLessThan(all.monitorIds.length);
    await beats(all.clock, 40, [b]);
    expect(b.runs.length).toBeLessThan(all.monitorIds.length);
    await beats(all.clock, 10, [b]);
    expect(b.runs).toEqual(all.monitorIds);
    expect((await instances(all)).map(({ id, live }) => [id, live])).toEqual([
      ["a", true],
      ["b", true],
    ]);
    await beats(all.clock, 50, [b]);
    expect((await instances(all)).map(({ id, live }) => [id, live])).toEqual([
      ["b", true],
      ["a", false],
    ]);
    const { privateLocation } = await all.service
      .locations(all.key)
      .getPrivateLocation({ id: all.locationId });
    expect(privateLocation?.status).toBe(PrivateLocationStatus.ACTIVE);
  });

  test("take over at once from one that says goodbye", async () => {
    const all = await scene();
    await using _running = all.service;
    const [a, b] = [new Hand(all, "a"), new Hand(all, "b")];
    for (const hand of [a, b]) await hand.pull();
    await beats(all.clock, 40, [a, b]);
    expect(await a.beat({ leaving: true })).toMatchObject({ instanceIndex: -1, instanceCount: 1 });
    await b.beat();
    expect(b.runs).toEqual(all.monitorIds);
    expect((await instances(all)).map(({ id, live }) => [id, live])).toEqual([
      ["b", true],
      ["a", false],
    ]);
  });

  test("take over from one that cannot see, and the location stays active", async () => {
    const all = await scene();
    await using _running = all.service;
    const [a, b] = [new Hand(all, "a"), new Hand(all, "b")];
    for (const hand of [a, b]) await hand.pull();
    await beats(all.clock, 40, [a, b]);
    expect(b.runs.length).toBeLessThan(all.monitorIds.length);
    // What hides nothing takes nothing away.
    a.isWarned = true;
    await beats(all.clock, 40, [a, b]);
    expect(a.runs.length).toBeGreaterThan(0);
    a.isCutOff = true;
    await beats(all.clock, 40, [a, b]);
    expect([a.runs, b.runs]).toEqual([[], all.monitorIds]);
    const { privateLocation } = await all.service
      .locations(all.key)
      .getPrivateLocation({ id: all.locationId });
    expect(privateLocation?.status).toBe(PrivateLocationStatus.ACTIVE);
    a.isCutOff = false;
    await beats(all.clock, 180, [a, b]);
    expect(a.runs.length + b.runs.length).toBe(all.monitorIds.length);
    expect(a.runs.length).toBeGreaterThan(0);
  });

  test("keep what they have from one that comes back, until it has been there for two minutes", async () => {
    const all = await scene();
    await using _running = all.service;
    const [a, b] = [new Hand(all, "a"), new Hand(all, "b")];
    for (const hand of [a, b]) await hand.pull();
    await beats(all.clock, 40, [a, b]);
    await beats(all.clock, 60, [b]);
    const again = new Hand(all, "a");
    await again.pull();
    expect(again.runs).toEqual([]);
    await beats(all.clock, 110, [again, b]);
    expect([again.runs.length, b.runs.length]).toEqual([0, all.monitorIds.length]);
    await beats(all.clock, 40, [again, b]);
    expect(again.runs.length).toBeGreaterThan(0);
    expect(together([again, b])).toEqual(all.monitorIds.toSorted());
  });

  test("are not sent the whole for the name that a replica of the release before has for their share", async () => {
    const all = await scene();
    await using _running = all.service;
    const hands = ["a", "b"].map((id) => new Hand(all, id));
    for (const hand of hands) await hand.pull();
    await beats(all.clock, 40, hands);
    for (const hand of hands) {
      const [whole = ""] = hand.revision.split(".");
      const word = createHash("sha256").update(hand.runs.join("\n")).digest("base64url");
      hand.revision = `${whole}.${word.slice(0, 12)}`;
    }
    const before = hands.map(({ pulls, revision }) => [pulls, revision]);
    await beats(all.clock, 60, hands);
    expect(hands.map(({ pulls, revision }) => [pulls, revision])).toEqual(before);
    expect(await hands[0]!.pull()).toMatchObject({ unchanged: true });
  });

  test("keep their shares across a restart of the service, and see a change of a monitor in each", async () => {
    const { service, ...rest } = await scene();
    const hands = ["a", "b"].map((id) => new Hand({ service, ...rest }, id));
    for (const hand of hands) await hand.pull();
    await beats(rest.clock, 40, hands);
    await service[Symbol.asyncDispose]();
    rest.clock.suspend(300_000);
    await using again = await runningService({ clock: rest.clock, database: service.database });
    const moved = hands.map((hand, index) => {
      const one = new Hand({ service: again, ...rest }, index === 0 ? "a" : "b");
      one.revision = hand.revision;
      return one;
    });
    for (const one of moved) expect(await one.pull()).toMatchObject({ unchanged: true });
    await again.admin.updatePrivateLocation(rest.locationId, {
      monitorIds: rest.monitorIds.slice(1),
    });
    await beats(rest.clock, 10, moved);
    expect(together(moved)).toEqual(rest.monitorIds.slice(1).toSorted());
  });
});

describe("an agent that does not share", () => {
  test("runs everything and takes nothing: by its own will, because it is older, or because it has no name", async () => {
    const all = await scene();
    await using _running = all.service;
    const [a, b] = [new Hand(all, "a"), new Hand(all, "b")];
    const others = [
      new Hand(all, "vantage", Placement.EVERYWHERE),
      new Hand(all, "older", Placement.UNSPECIFIED),
    ];
    for (const hand of [a, b, ...others]) await hand.pull();
    await beats(all.clock, 40, [a, b, ...others]);
    expect(together([a, b])).toEqual(all.monitorIds.toSorted());
    for (const other of others) expect(other.runs).toEqual(all.monitorIds);
    const nameless = await all.service.agent(all.token).monitors({});
    expect(nameless.tcpMonitors).toHaveLength(all.monitorIds.length);
    expect(nameless.revision).toBe(others[0]!.revision);
  });
});

describe("an assignment", () => {
  test("is not read again for an agent that is new, however many come", async () => {
    const counted = new CountedStore();
    const all = await scene(30, counted.open);
    await using _running = all.service;
    await new Hand(all, "first").beat();
    const read = counted.count("monitors.activeIds");
    const newcomers = Array.from({ length: 8 }, (_, n) => new Hand(all, `new-${n}`));
    for (const one of newcomers) await one.beat();
    expect(counted.count("monitors.activeIds")).toBe(read);
  });

  test("names the newest slot of each of its monitors that has a result, and of no other", async () => {
    const all = await scene(3);
    await using _running = all.service;
    const [first = "", second = ""] = all.monitorIds;
    const agent = all.service.agent(all.token);
    await all.clock.advance(10_000);
    const now = BigInt(all.clock.wall());
    for (const [monitorId, slot] of [
      [first, now - 4_000n],
      [first, now - 5_000n],
      [second, now - 1_000n],
    ] as const)
      await agent.ingestTCP({
        id: `${slot}`,
        monitorId,
        timestamp: slot,
        cronTimestamp: slot,
        requestStatus: "error",
      });
    expect((await agent.monitors({})).newestSlots).toEqual({
      [first]: now - 4_000n,
      [second]: now - 1_000n,
    });
    await all.service.admin.updatePrivateLocation(all.locationId, { monitorIds: [second] });
    expect((await agent.monitors({})).newestSlots).toEqual({ [second]: now - 1_000n });
  });

  test("names no slot of before a monitor was resumed, so that its agent checks it at once", async () => {
    const all = await scene(1);
    await using _running = all.service;
    const [monitorId = ""] = all.monitorIds;
    const agent = all.service.agent(all.token);
    const check = async () => {
      await all.clock.advance(10_000);
      const slot = BigInt(all.clock.wall());
      const requestStatus = "error";
      await agent.ingestTCP({
        id: `${slot}`,
        monitorId,
        timestamp: slot,
        cronTimestamp: slot,
        requestStatus,
      });
      return slot;
    };
    const before = await check();
    expect((await agent.monitors({})).newestSlots).toEqual({ [monitorId]: before });
    await all.clock.advance(10_000);
    const definition = { ...tcpDefaults, name: "m0", uri: "m0.test:1", periodicity: "30s" };
    for (const active of [false, true])
      await all.service.admin.updateMonitor(monitorId, { ...definition, active }, "management");
    expect((await agent.monitors({})).newestSlots).toEqual({});
    const after = await check();
    expect((await agent.monitors({})).newestSlots).toEqual({ [monitorId]: after });
  });
});

describe("the agents of a location", () => {
  test("are shown with what they reported, from their first pull on", async () => {
    const all = await scene();
    await using _running = all.service;
    const [a, v] = [new Hand(all, "a"), new Hand(all, "v", Placement.EVERYWHERE)];
    await a.pull();
    expect(await instances(all)).toMatchObject([
      { id: "a", hostname: "", live: true, monitorCount: 0n },
    ]);
    await a.beat();
    all.clock.suspend(5_000);
    await v.pull();
    await v.beat();
    expect(await instances(all)).toMatchObject([
      {
        id: "a",
        hostname: "host-a",
        labels: { site: "north" },
        monitorCount: 30n,
        placement: Placement.SHARE,
        lastSeenAt: new Date(all.clock.wall() - 5_000).toISOString(),
      },
      { id: "v", placement: Placement.EVERYWHERE, monitorCount: 30n, live: true },
    ]);
    const { privateLocations } = await all.service.locations(all.key).listPrivateLocations({});
    expect(privateLocations).toMatchObject([
      { lastSeenAt: new Date(all.clock.wall()).toISOString() },
    ]);
  });
});
