import {
  closeSync,
  existsSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { create } from "@bufbuild/protobuf";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type BatchResult,
  BatchResultSchema,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import { Periodicity } from "#contract/openstatus/monitor/v1/monitor_pb";
import { PrivateLocationStatus } from "#contract/openstatus/private_location/v1/private_location_pb";
import * as processLimits from "#limits/process-limits";
import * as limits from "#limits/service-limits";
import { openStore } from "#service/store/open-store";
import { listenLocally } from "../servers/listen-locally.ts";
import { FakeClock } from "../support/fake-clock.ts";
import {
  type RunningService,
  runningService,
  temporaryFolder,
} from "../support/running-service.ts";
import { canMount, smallDisk } from "../support/small-disk.ts";

/** What the service's clock and its file may do to it: nothing is deleted, believed or acknowledged that should not be. */

/** With the threads that ship: a file that is locked stops the thread that waits for it. */
const opensStore = openStore;

interface Scene {
  readonly service: RunningService;
  readonly clock: FakeClock;
  readonly key: string;
  readonly token: string;
  readonly locationId: string;
  readonly monitorId: string;
}

async function scene(options: { database?: string } = {}): Promise<Scene> {
  const clock = new FakeClock();
  const service = await runningService({ opensStore, ...options, clock });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const periodicity = Periodicity.PERIODICITY_1M;
  const monitor = { name: "db", uri: "db.internal:5432", periodicity };
  const response = await service.monitors(key).createTCPMonitor({ monitor });
  const monitorId = response.monitor?.id ?? "";
  const { id: locationId, token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [monitorId],
    metadata: {},
  });
  return { service, clock, key, token, locationId, monitorId };
}

const resultAt = (monitorId: string, at: number): BatchResult =>
  create(BatchResultSchema, {
    result: {
      case: "tcp",
      value: {
        id: `r${at}`,
        monitorId,
        latency: 1n,
        timestamp: BigInt(at),
        cronTimestamp: BigInt(at),
        requestStatus: "success",
      },
    },
  });

async function report({ service, token }: Scene, ...results: BatchResult[]) {
  const { receipts } = await service.agent(token).ingestBatch({ instanceId: "a", results });
  return receipts.map(({ receipt, reason }) => ({ receipt, reason }));
}

const kept = async ({ service, key, monitorId }: Scene): Promise<number> =>
  (await service.monitors(key).listResults({ monitorId })).results.length;

const statusOf = async ({ service, key, locationId }: Scene) =>
  (await service.locations(key).getPrivateLocation({ id: locationId })).privateLocation?.status;

const beat = ({ service, token }: Scene) => service.agent(token).heartbeat({ instanceId: "a" });

/** An agent says what time it is by its clock. */
const tellsTime = ({ service, token, clock }: Scene, { instanceId = "a", ahead = 0 } = {}) =>
  service.agent(token).heartbeat({ instanceId, sentAt: BigInt(clock.wall() + ahead) });

describe("a result from another time", () => {
  test("that lies ahead is refused by itself, says why, and what is right next to it is taken", async () => {
    const at = await scene();
    await using _service = at.service;
    await tellsTime(at);
    const now = at.clock.wall();
    const ahead = now + 12 * 365 * 86_400_000;
    const receipts = await report(
      at,
      resultAt(at.monitorId, ahead),
      resultAt(at.monitorId, now + limits.resultAheadMax),
    );
    expect(receipts).toEqual([
      {
        receipt: Receipt.REJECTED,
        reason: expect.stringMatching(/ lies 378432000 s ahead of the service's clock: check/),
      },
      { receipt: Receipt.ACCEPTED, reason: "" },
    ]);
  });

  const hour = 3_600_000;

  test("that lies ahead is left to its agent while no agent's clock agrees with the service's, and taken once that is right", async () => {
    const at = await scene();
    await using service = at.service;
    const early = resultAt(at.monitorId, at.clock.wall() + hour);
    const known = resultAt(at.monitorId, at.clock.wall() - 60_000);
    const apart = expect.stringMatching(
      /^timestamp lies 3600 s ahead of the service's clock, and no agent's clock agrees with the service's: set both clocks by NTP$/,
    );
    for (const instanceId of ["a", "b"]) await tellsTime(at, { instanceId, ahead: hour });
    expect(await report(at, early, known)).toEqual([
      { receipt: Receipt.UNSPECIFIED, reason: apart },
      { receipt: Receipt.ACCEPTED, reason: "" },
    ]);
    // An agent that knows the plain calls alone keeps what is not refused for good.
    const plain = await service.post(
      "/private_location.v1.PrivateLocationService/IngestTCP",
      {
        id: "r",
        monitorId: at.monitorId,
        timestamp: String(at.clock.wall() + hour),
        cronTimestamp: String(at.clock.wall() + hour),
        requestStatus: "success",
      },
      { "x-service-token": at.token },
    );
    expect([plain.status, plain.headers.get("retry-after")]).toEqual([503, "30"]);
    at.clock.stepWall(hour);
    expect(await report(at, early)).toEqual([{ receipt: Receipt.ACCEPTED, reason: "" }]);
    expect(await kept(at)).toBe(2);
  });

  test("that lies ahead is the fault of its agent's clock if another agent's agrees with the service's", async () => {
    const at = await scene();
    await using _service = at.service;
    const early = resultAt(at.monitorId, at.clock.wall() + hour);
    await tellsTime(at, { ahead: hour });
    await tellsTime(at, { instanceId: "b" });
    expect(await report(at, early)).toMatchObject([{ receipt: Receipt.REJECTED }]);
    await at.clock.advance(limits.heartbeatLostAfter + 1_000);
    expect(await report(at, resultAt(at.monitorId, at.clock.wall() + hour))).toMatchObject([
      { receipt: Receipt.UNSPECIFIED },
    ]);
  });

  test("that is older than what is kept is refused by itself", async () => {
    const at = await scene();
    await using _service = at.service;
    await tellsTime(at);
    const now = at.clock.wall();
    const reason =
      "timestamp is older than the 14 days for which results are kept: check the clocks of both machines";
    const receipts = await report(
      at,
      resultAt(at.monitorId, Date.UTC(1986, 0, 1)),
      resultAt(at.monitorId, now - limits.resultsKeptFor - 1),
      resultAt(at.monitorId, now - limits.resultsKeptFor),
    );
    expect(receipts).toEqual([
      { receipt: Receipt.REJECTED, reason },
      { receipt: Receipt.REJECTED, reason },
      { receipt: Receipt.ACCEPTED, reason: "" },
    ]);
    expect(await kept(at)).toBe(1);
  });

  test("has no part in what an agent hears of the time while the service's clock is being set", async () => {
    const at = await scene();
    await using _service = at.service;
    at.clock.stepWall(hour);
    const { serverTime } = await tellsTime(at);
    expect(Number(serverTime)).toBe(at.clock.wall());
  });

  test("is from now if only the service's own clock was set back", async () => {
    const at = await scene();
    await using _service = at.service;
    const now = at.clock.wall();
    at.clock.stepWall(-3_600_000);
    expect(await report(at, resultAt(at.monitorId, now))).toMatchObject([
      { receipt: Receipt.ACCEPTED },
    ]);
  });
});

describe("the machine's clock", () => {
  test("set eight days ahead for a moment, or for long, deletes no result", async () => {
    const at = await scene();
    await using _service = at.service;
    await report(at, resultAt(at.monitorId, at.clock.wall()));
    at.clock.stepWall(8 * 86_400_000);
    await at.clock.advance(2_500);
    await at.clock.advance(limits.forgetEvery);
    expect(await kept(at)).toBe(1);
    await at.clock.advance(processLimits.wallStepTakenAfter + 2 * limits.forgetEvery);
    expect(await kept(at)).toBe(1);
  });

  test.each([3_600_000, -3_600_000])("set by %d ms makes no live agent dead", async (by) => {
    const at = await scene();
    await using _service = at.service;
    await beat(at);
    at.clock.stepWall(by);
    for (let waited = 0; waited < processLimits.wallStepTakenAfter + 60_000; waited += 30_000) {
      expect(await statusOf(at)).toBe(PrivateLocationStatus.ACTIVE);
      await at.clock.advance(30_000);
      await beat(at);
    }
    expect(await statusOf(at)).toBe(PrivateLocationStatus.ACTIVE);
  });

  test("set an hour back keeps no dead agent alive, also once the new time is taken over", async () => {
    const at = await scene();
    await using _service = at.service;
    await beat(at);
    at.clock.stepWall(-3_600_000);
    await at.clock.advance(limits.heartbeatLostAfter + 1_000);
    expect(await statusOf(at)).toBe(PrivateLocationStatus.ERROR);
    await beat(at);
    await at.clock.advance(processLimits.wallStepTakenAfter - limits.heartbeatLostAfter);
    await beat(at);
    await at.clock.advance(limits.heartbeatLostAfter + 1_000);
    expect(await statusOf(at)).toBe(PrivateLocationStatus.ERROR);
  });

  test("that was ahead before a restart keeps no dead agent alive after it", async () => {
    const database = path.join(temporaryFolder(), "service.sqlite");
    const first = await scene({ database });
    await beat(first);
    await first.service[Symbol.asyncDispose]();
    const clock = new FakeClock(first.clock.wall() - 3_600_000);
    await using service = await runningService({ opensStore, database, clock });
    await clock.advance(limits.heartbeatLostAfter + 1_000);
    expect(await statusOf({ ...first, service })).toBe(PrivateLocationStatus.ERROR);
  });
});

/** Overwrites the page in which a table begins. */
function damage(database: string, table: string): void {
  using sqlite = new DatabaseSync(database);
  const find = sqlite.prepare(
    "SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = ?",
  );
  const row = find.get(table);
  const size = Number(row?.["page_size"]);
  using file = openFile(database);
  writeSync(
    file.descriptor,
    Buffer.alloc(size, 0x5a),
    0,
    size,
    (Number(row?.["rootpage"]) - 1) * size,
  );
}

function openFile(name: string): Disposable & { readonly descriptor: number } {
  const descriptor = openSync(name, "r+");
  return { descriptor, [Symbol.dispose]: () => closeSync(descriptor) };
}

describe("the database's file", () => {
  const healthOf = async ({ service, clock }: Scene): Promise<{ status: number; text: string }> => {
    await clock.advance(limits.serviceHealthEvery);
    const response = await fetch(`${service.url}/healthz`);
    return { status: response.status, text: await response.text() };
  };

  test("is one service's: a second one is refused with a sentence, and the first is left alone", async () => {
    const at = await scene();
    await using service = at.service;
    await expect(runningService({ opensStore, database: service.database })).rejects.toThrow(
      /^another service uses the database .*: end that one, or give this one another file/,
    );
    await beat(at);
    expect(await healthOf(at)).toMatchObject({ status: 200 });
  });

  test.each(["no database at all", "cut in its middle"])(
    "that is %s is refused with a sentence",
    async (how) => {
      const database = path.join(temporaryFolder(), "service.sqlite");
      if (how === "cut in its middle") {
        const { service } = await scene({ database });
        await service[Symbol.asyncDispose]();
        truncateSync(database, 5_000);
      } else writeFileSync(database, "hello ".repeat(1_000));
      await expect(runningService({ opensStore, database })).rejects.toThrow(
        /service\.sqlite cannot be used \(.*\): look at the disk and the kernel's log, or restore a backup/,
      );
    },
  );

  test("that is gone while its key is there is not made again without a word", async () => {
    const database = path.join(temporaryFolder(), "service.sqlite");
    await (await scene({ database })).service[Symbol.asyncDispose]();
    for (const end of ["", "-wal", "-shm"]) rmSync(`${database}${end}`, { force: true });
    await expect(runningService({ opensStore, database })).rejects.toThrow(
      /^the database .*service\.sqlite is missing, but its key .*service\.sqlite\.key exists: put the database back, or restore a backup to its place; to begin with an empty one, move the key away$/,
    );
    expect(existsSync(database)).toBe(false);
    rmSync(`${database}.key`);
    await using _service = await runningService({ opensStore, database });
  });

  test("that is moved, or replaced, takes nothing more: health and every call say 503", async () => {
    const at = await scene();
    await using service = at.service;
    renameSync(service.database, `${service.database}.away`);
    const result = resultAt(at.monitorId, at.clock.wall());
    await expect(report(at, result)).rejects.toThrow("[unavailable]");
    const health = await healthOf(at);
    expect(health.status).toBe(503);
    expect(health.text).toContain(
      "was moved or deleted while the service ran: put it back, or restart the service",
    );
    writeFileSync(service.database, "");
    await expect(report(at, result)).rejects.toThrow("[unavailable]");
    renameSync(`${service.database}.away`, service.database);
    expect(await report(at, result)).toMatchObject([{ receipt: Receipt.ACCEPTED }]);
    expect((await healthOf(at)).status).toBe(200);
  });

  test("with a damaged page says so by health as soon as a call meets it, and no heartbeat goes out", async () => {
    const database = path.join(temporaryFolder(), "service.sqlite");
    const { service: before, ...at } = await scene({ database });
    await before[Symbol.asyncDispose]();
    damage(database, "api_keys");
    let heartbeats = 0;
    const watcher = createServer((_request, response) => {
      heartbeats += 1;
      response.end();
    });
    const heartbeatUrl = `http://127.0.0.1:${await listenLocally(watcher)}/`;
    onTestFinished(() => void watcher.close());
    const { clock } = at;
    await using service = await runningService({ opensStore, database, clock, heartbeatUrl });
    const minute = async (): Promise<number> => {
      await clock.advance(limits.outgoingHeartbeatEvery);
      await healthOf({ ...at, service });
      return heartbeats;
    };
    await expect.poll(minute).toBeGreaterThan(0);
    expect(await healthOf({ ...at, service })).toMatchObject({ status: 200 });

    const call = service.monitors(at.key).getMonitor({ id: at.monitorId });
    await expect(call).rejects.toThrow(
      "[unavailable] the service's database cannot be used just now",
    );
    const { status, text } = await healthOf({ ...at, service });
    expect([status, JSON.parse(text).message]).toEqual([
      503,
      "nothing can be kept: the database is damaged: restore a backup, the service's log says more",
    ]);
    const sent = heartbeats;
    for (let minutes = 0; minutes < 3; minutes += 1) await minute();
    expect(heartbeats).toBe(sent);
  });

  test("that another process has locked fails every call that waits for it, to be made again", async () => {
    const at = await scene();
    await using service = at.service;
    const other = new DatabaseSync(service.database, { timeout: 10_000 });
    other.exec("BEGIN IMMEDIATE");
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        service.post(
          "/private_location.v1.PrivateLocationService/Heartbeat",
          { instanceId: "a" },
          { "x-service-token": at.token },
        ),
      ),
    );
    other.close();
    for (const { status, headers } of answers)
      expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
    // Each waited for two seconds before, one after the other.
    expect((await healthOf(at)).status).toBe(200);
  });

  test.skipIf(!canMount())(
    "on a full disk is said by health, until there is room again",
    async () => {
      const disk = smallDisk("4m");
      const at = await scene({ database: path.join(disk.folder, "service.sqlite") });
      await using _service = at.service;
      const filler = path.join(disk.folder, "filler");
      for (let size = 4 * 1024 * 1024; size >= 1; size = Math.floor(size / 2))
        try {
          writeFileSync(filler, Buffer.alloc(size), { flag: "a" });
        } catch {
          // What does not fit is tried by half.
        }
      const message = "a".repeat(4_000);
      const many = (from: number): BatchResult[] =>
        Array.from({ length: 100 }, (_, index) => {
          const result = resultAt(at.monitorId, at.clock.wall() - (from + index) * 1_000);
          if (result.result.case === "tcp") result.result.value.message = message;
          return result;
        });
      const fill = async (): Promise<void> => {
        for (let from = 0; from < 1_000; from += 100) await report(at, ...many(from));
      };
      await expect(fill()).rejects.toThrow("[unavailable]");
      expect(await healthOf(at)).toMatchObject({ status: 503 });
      truncateSync(filler, 0);
      expect(await healthOf(at)).toMatchObject({ status: 200 });
      await report(at, resultAt(at.monitorId, at.clock.wall()));
    },
  );
});
