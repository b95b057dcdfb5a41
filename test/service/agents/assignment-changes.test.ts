import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { asyncProperty, assert, array, constantFrom, nat, record } from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assignments } from "#agent/link/assignments";
import { RunRecord } from "#agent/link/run-record";
import { ServiceLink } from "#agent/link/service-link";
import type { Checker } from "#agent/prober/checker";
import { assignmentFile } from "#agent/state/assignment-file";
import { millis } from "#base/units";
import * as storeLimits from "#limits/store-limits";
import { type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
  type MonitorsRequestSchema,
  type MonitorsResponse,
  MonitorsResponseSchema,
  Placement,
} from "#contract/private_location/v1/private_location_pb";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { connectControlPlane } from "#transport/connect-control-plane";
import type { ControlPlane, Pull } from "#transport/control-plane";
import { readAssignment } from "#wire/read-assignment";
import { checkerWith } from "../../support/checking.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import {
  type RunningService,
  runningService,
  temporaryFolder,
} from "../../support/running-service.ts";
import { wayWith } from "../../support/service-way.ts";
import { memoryLog, TwinProber, unavailable } from "../../support/twins.ts";
import { noon, openQuietly, someLocation, someMonitor } from "../store/conformance/scene.ts";
import { hashCredential } from "#service/edge/credential";

/** What becomes of an answer on its way: it arrives, it is lost, or the one before it arrives once more. */
type Fate = "arrives" | "is lost" | "is an older one";

/** A real agent's assignment, with its file, pulled when the test says so. */
class Puller {
  readonly #clock = new FakeClock();
  readonly #checker: Checker;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  readonly #calls = new Set<Promise<unknown>>();
  readonly id: string;
  fate: Fate = "arrives";
  /** How many answers were the whole, and how many were changes of it. */
  readonly answers = { whole: 0, changes: 0 };

  constructor(id: string, file: string, planes: (fate: Fate) => ControlPlane) {
    this.id = id;
    const log = memoryLog();
    this.#checker = checkerWith(new TwinProber(), this.#clock, log);
    let older: Pull | null = null;
    const pull: ControlPlane["pull"] = async (known, signal) => {
      const { fate } = this;
      const calling = planes(fate).pull(known, signal);
      this.#calls.add(calling);
      const came = await calling.finally(() => this.#calls.delete(calling));
      const before = older;
      older = came;
      if (!came.unchanged) this.answers[came.changes === null ? "whole" : "changes"] += 1;
      if (fate === "is lost") throw unavailable;
      return fate === "is an older one" && before !== null && hasChanges(before) ? before : came;
    };
    const controlPlane: ControlPlane = {
      pull,
      report: () => Promise.reject(unavailable),
      reportsSingly: false,
      heartbeat: async () => null,
    };
    const tools = { memory: assignmentFile(file, "o"), checker: this.#checker };
    const assignments = new Assignments({
      ...tools,
      controlPlane,
      runs: new RunRecord({ ...tools, clock: this.#clock, log }),
      link: new ServiceLink(log, this.#clock, "https://service.test"),
      clock: this.#clock,
      log,
      pollInterval: millis(60_000),
      chance: () => 0.5,
    });
    this.#ended = assignments.run(this.#stop.signal);
  }

  async pull(fate: Fate = "arrives"): Promise<void> {
    this.fate = fate;
    // After some failures an agent waits for up to half an hour.
    await this.#clock.advance(3_600_000);
    await this.#quiet();
    this.fate = "arrives";
  }

  async #quiet(): Promise<void> {
    for (let calm = 0; calm < 3; calm += 1) {
      if (this.#calls.size > 0) calm = 0;
      await Promise.allSettled(this.#calls);
      await this.#clock.advance(0);
    }
  }

  get runs(): string {
    return written([...this.#checker.monitors.values()]);
  }

  async end(): Promise<void> {
    await this.#quiet();
    this.#stop.abort();
    await this.#ended;
  }
}

const hasChanges = (pull: Pull): boolean => !pull.unchanged && pull.changes !== null;
const written = (monitors: readonly { readonly id: string }[]): string =>
  monitors
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map((one) => JSON.stringify(one))
    .join("\n");

/** One location of a service, whose monitors change. */
class Office {
  readonly #store: Store;
  readonly #services: readonly RunningService[];
  readonly #unnoted: Opened["unnoted"];
  readonly location: LocationId;
  readonly #token: string;
  readonly #monitors: MonitorId[] = [];
  #changes = 0;
  #calls = 0;

  private constructor({ store, services, unnoted }: Opened, token: string, id: LocationId) {
    this.#store = store;
    this.#services = services;
    this.#unnoted = unnoted;
    this.#token = token;
    this.location = id;
  }

  static async open(opened: Opened, monitors: number): Promise<Office> {
    offices += 1;
    const token = `token ${offices}`;
    const hash = hashCredential(token);
    const location = await opened.store.state.locations.create(someLocation(), {
      hash,
      sealed: "",
      at: noon,
    });
    const office = new Office(opened, token, location);
    for (let made = 0; made < monitors; made += 1) await office.change("make", made);
    return office;
  }

  puller(id: string, file = path.join(temporaryFolder(), "assignment.json")): Puller {
    const planes = () =>
      this.#services.map(({ url }) =>
        connectControlPlane({
          baseUrl: url,
          token: () => this.#token,
          tokenHeader: "x-service-token",
          instance: { id, version: "1", hostname: id, node: "", labels: {}, placement: "share" },
          way: wayWith(),
          clock: new FakeClock(),
        }),
      );
    const [own, lossy] = [planes(), planes()];
    // Each call goes to the next replica. An answer that is lost comes to no one: a plane would remember it.
    return new Puller(id, file, (fate) => {
      this.#calls += 1;
      const plane = (fate === "is lost" ? lossy : own)[this.#calls % own.length];
      if (plane === undefined) throw new RangeError("there is no service");
      return plane;
    });
  }

  /** What an agent of an older version is given: always the whole. */
  async whole(id: string): Promise<string> {
    return written(readAssignment(await this.ask({ instanceId: id })).monitors);
  }

  ask(request: MessageInitShape<typeof MonitorsRequestSchema>): Promise<MonitorsResponse> {
    const [service] = this.#services;
    return service!.agent(this.#token).monitors({ ...request, placement: Placement.SHARE });
  }

  /** As a replica of a version leaves it that notes no changes: the location has another revision, and nothing says why. */
  async changeByAnOlderReplica(kind: ChangeKind, which: number): Promise<void> {
    await this.change(kind, which);
    await this.#unnoted(this.location);
  }

  async change(kind: ChangeKind, which: number): Promise<void> {
    const { monitors, locations } = this.#store.state;
    this.#changes += 1;
    const name = `m${this.#changes}`;
    const id = this.#monitors[which % Math.max(1, this.#monitors.length)];
    const made = (active: boolean) => {
      const { definition, ...rest } = someMonitor();
      return { ...rest, definition: { ...definition, name, active } };
    };
    if (kind === "make") {
      const here = { locations: [this.location], channels: [] };
      this.#monitors.push(await monitors.create(made(which % 5 !== 4), here));
    }
    if (id === undefined) return;
    const here = (assigned: boolean) =>
      ({ kind: "location", location: this.location, assigned }) as const;
    switch (kind) {
      case "make":
        return;
      case "edit":
        await monitors.update(id, made(true));
        return;
      case "pause":
        await monitors.changeEach([id], { kind: "active", active: which % 2 === 0 }, noon);
        return;
      case "take away":
        await monitors.changeEach([id], here(false), noon);
        return;
      case "give back":
        await monitors.changeEach([...this.#monitors.slice(0, 3), id], here(true), noon);
        return;
      case "delete":
        await monitors.delete(id);
        return;
      case "rename the location":
        await locations.update(this.location, { ...nothingElse, name, monitors: null });
        return;
      case "give others": {
        const some = this.#monitors.filter((_, index) => index % 3 !== which % 3);
        await locations.update(this.location, { ...nothingElse, name: null, monitors: some });
      }
    }
  }
}

let offices = 0;
const nothingElse = { metadata: null, ownership: null, at: noon };
const changeKinds = [
  "make",
  "edit",
  "pause",
  "take away",
  "give back",
  "delete",
  "rename the location",
  "give others",
] as const;
type ChangeKind = (typeof changeKinds)[number];

interface Opened {
  readonly store: Store;
  readonly services: readonly RunningService[];
  /** Forgets how a location came to its newest revision. */
  readonly unnoted: (location: LocationId) => Promise<void>;
}

const forgettingNewest = (location: LocationId): string =>
  `DELETE FROM assignment_changes WHERE location = ${location}
   AND number = (SELECT MAX(number) FROM assignment_changes WHERE location = ${location})`;

const onSqlite = async (folder: string): Promise<Opened> => {
  let store: Store | null = null;
  const service = await runningService({
    database: path.join(folder, "service.sqlite"),
    opensStore: async (place) => (store = await openStoreHere(place)),
  });
  if (store === null) throw new Error("the service opened no store");
  const unnoted = async (location: LocationId): Promise<void> => {
    using database = new DatabaseSync(path.join(folder, "service.sqlite"), { timeout: 1_000 });
    database.exec(forgettingNewest(location));
  };
  return { store, services: [service], unnoted };
};

let server: PostgresServer | null = null;
const isServerHere = isPostgresInstalled();
/** Two replicas share it. */
const onPostgres = async (folder: string): Promise<Opened> => {
  server = await startPostgres();
  const url = server.fresh();
  const replica = (): Promise<RunningService> =>
    runningService({
      database: url,
      secretFile: path.join(folder, "service.key"),
      opensStore: () => openQuietly(url),
    });
  const unnoted = async (location: LocationId): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(forgettingNewest(location));
    await client.end();
  };
  return { store: await openQuietly(url), services: [await replica(), await replica()], unnoted };
};

describe("an agent of a service on SQLite", () => {
  changesArrive(onSqlite);
});
describe.skipIf(!isServerHere)("an agent of two replicas on PostgreSQL", () => {
  changesArrive(onPostgres);
});

function changesArrive(open: (folder: string) => Promise<Opened>): void {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-changes-"));
  let opened: Opened;
  beforeAll(async () => {
    opened = await open(folder);
  });
  afterAll(async () => {
    for (const service of opened.services) await service[Symbol.asyncDispose]();
    await opened.store[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
    server = null;
    rmSync(folder, { recursive: true });
  });
  const office = (monitors: number): Promise<Office> => Office.open(opened, monitors);

  test("that knows a revision is sent what changed since, and runs the same as one that is sent the whole", async () => {
    const one = await office(20);
    const agent = one.puller("a");
    await agent.pull();
    expect(agent.runs).toBe(await one.whole("a"));
    expect(agent.answers).toEqual({ whole: 1, changes: 0 });
    for (const kind of changeKinds) {
      await one.change(kind, 7);
      await agent.pull();
      expect(agent.runs).toBe(await one.whole("a"));
    }
    expect(agent.answers).toEqual({ whole: 1, changes: changeKinds.length });
    await agent.end();
  });

  test("that missed more changes than are kept is sent the whole, and so is one whose revision a backup does not know", async () => {
    const one = await office(3);
    const agent = one.puller("a");
    await agent.pull();
    for (let n = 0; n <= storeLimits.assignmentChangesMax; n += 8)
      await Promise.all(Array.from({ length: 8 }, () => one.change("edit", n)));
    await opened.store.state.locations.forgetChanges();
    await agent.pull();
    expect(agent.answers).toEqual({ whole: 2, changes: 0 });
    await one.change("edit", 1);
    await agent.pull();
    expect(agent.answers).toEqual({ whole: 2, changes: 1 });
    expect(await opened.store.state.locations.changesSince(one.location, "of later")).toBeNull();
    await agent.end();
  });

  test("is sent the whole once for what a replica of an older version changed, before, between and behind other changes", async () => {
    const one = await office(20);
    const agent = one.puller("a");
    await agent.pull();
    const wholes = async (...changes: readonly (() => Promise<void>)[]): Promise<number> => {
      const before = agent.answers.whole;
      for (const change of changes) await change();
      await agent.pull();
      expect(agent.runs).toBe(await one.whole("a"));
      return agent.answers.whole - before;
    };
    const older = () => one.changeByAnOlderReplica("edit", 3);
    const newer = () => one.change("edit", 5);
    expect(await wholes(older)).toBe(1);
    // The log goes on from a revision that is not in it.
    expect(await wholes(newer)).toBe(1);
    expect(await wholes(newer)).toBe(0);
    expect(await wholes(older, newer)).toBe(1);
    expect(await wholes(newer, older)).toBe(1);
    expect(await wholes(newer, older, newer)).toBe(1);
    expect(await wholes(() => one.changeByAnOlderReplica("delete", 7))).toBe(1);
    await agent.end();
  });

  test("is sent less than a kilobyte for a change of one monitor among many", async () => {
    const one = await office(60);
    const { revision } = await one.ask({ instanceId: "a" });
    await one.change("edit", 31);
    const changes = await one.ask({ instanceId: "a", knownRevision: revision, takesChanges: true });
    expect(toBinary(MonitorsResponseSchema, changes).length).toBeLessThan(1_024);
    expect(changes).toMatchObject({ changedSince: revision, httpMonitors: [{}], removed: [] });
    const older = await one.ask({ instanceId: "a", knownRevision: revision });
    expect(older.httpMonitors.length).toBeGreaterThan(40);
    await one.change("delete", 31);
    const after = { instanceId: "a", knownRevision: changes.revision, takesChanges: true };
    expect(await one.ask(after)).toMatchObject({ httpMonitors: [], removed: [expect.any(String)] });
  });

  test("runs the same whatever changed, and whatever answers are lost or come again, also next to another agent and after restarts", async () => {
    const step = record({
      kind: constantFrom(...changeKinds, ...changeKinds, "restart", "nothing"),
      which: nat(30),
      by: constantFrom(0, 1),
      fate: constantFrom<Fate>("arrives", "arrives", "is lost", "is an older one"),
    });
    const history = record({ agents: constantFrom(1, 2), steps: array(step, { maxLength: 25 }) });
    const kept = { changes: 0 };
    const property = asyncProperty(history, async ({ agents, steps }) => {
      const one = await office(8);
      const files = Array.from({ length: agents }, () =>
        path.join(temporaryFolder(), "assignment.json"),
      );
      const started = files.map((file, n) => one.puller(`agent-${n}`, file));
      for (const { kind, which, by, fate } of steps) {
        const n = by % agents;
        if (kind === "restart") {
          await started[n]!.end();
          started[n] = one.puller(`agent-${n}`, files[n]);
        } else if (kind !== "nothing") await one.change(kind, which);
        if (which % 3 > 0) await started[n]!.pull(fate);
      }
      // One that is new is given its share once the other says what it runs, and says that it runs it one call later. Only
      // then the other leaves that share to it: with the first call of both, and the last that changes nothing, six.
      for (let round = 0; round < 6; round += 1) for (const agent of started) await agent.pull();
      for (const agent of started) {
        expect(agent.runs).toBe(await one.whole(agent.id));
        kept.changes += agent.answers.changes;
        await agent.end();
      }
    });
    const late = { kind: "make", which: 0, by: 0, fate: "arrives" } as const;
    const slowest = { agents: 2 as const, steps: [late] };
    await assert(property, { numRuns: 15, seed: 31, examples: [[slowest]] });
    // Else the property would say nothing of changes.
    expect(kept.changes).toBeGreaterThan(15);
  });
}
