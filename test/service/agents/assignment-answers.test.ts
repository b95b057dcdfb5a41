import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { tcpDefaults } from "#check/definition";
import * as limits from "#limits/service-limits";
import { FairTurns } from "#service/edge/turns";
import { StoreFault } from "#service/store/store-fault";
import { type RunningService, runningService } from "../../support/running-service.ts";

/** A service with a location whose assignment has three portions, the last of them smaller. */
const folder = mkdtempSync(path.join(tmpdir(), "picket-assignments-"));
const count = 2 * limits.assignedReadAtOnce + 10;
let service: RunningService;
let token = "";
let monitorIds: readonly string[] = [];
beforeAll(async () => {
  service = await runningService({ database: path.join(folder, "service.sqlite") });
  const made = Array.from({ length: count }, (_, n) => {
    const target = { name: `m${n}`, uri: "db.test:5432", periodicity: "30s", active: true };
    return service.admin.createMonitor({ ...tcpDefaults, ...target }, "management");
  });
  monitorIds = (await Promise.all(made)).map(({ id }) => id);
  const wanted = { name: "office", monitorIds, metadata: {} };
  token = (await service.admin.createPrivateLocation(wanted)).token;
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const pull = (type: "proto" | "json", packing: string): Promise<Response> =>
  fetch(`${service.url}/private_location.v1.PrivateLocationService/Monitors`, {
    method: "POST",
    headers: {
      "content-type": `application/${type}`,
      "x-service-token": token,
      "accept-encoding": packing,
    },
    body: type === "json" ? "{}" : "",
  });

/** Has `instead` come before whoever pulls is given the portion of this number. */
function beforePortion(number: number, instead: () => Promise<void>): void {
  let given = 0;
  vi.spyOn(FairTurns.prototype, "take").mockImplementation(async (_, work) => {
    if (given === number) await instead();
    given += 1;
    return work();
  });
}

test("an assignment is sent while it is read: its first portion arrives before the last one is read", async () => {
  const arrived = Promise.withResolvers<void>();
  beforePortion(2, () => arrived.promise);
  const reader = (await pull("proto", "identity")).body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  arrived.resolve();
  while ((await reader?.read())?.done === false);
});

test.each(["gzip", "identity"])("all of it arrives in JSON, sent as %s", async (packing) => {
  const answer = await pull("json", packing);
  expect(answer.headers.get("content-encoding")).toBe(packing === "gzip" ? "gzip" : null);
  const said: unknown = await answer.json();
  expect(said).toMatchObject({ region: "office", unchanged: false, httpMonitors: [] });
  expect(said).toHaveProperty("tcpMonitors.length", count);
});

test("an agent has all of it in the order of ids, and nothing when it knows its revision", async () => {
  const { tcpMonitors, revision } = await service.agent(token).monitors({});
  expect(tcpMonitors.map(({ id }) => id)).toEqual(monitorIds);
  const again = await service.agent(token).monitors({ knownRevision: revision });
  expect(again).toMatchObject({ unchanged: true, revision, region: "office", tcpMonitors: [] });
});

const gone = (): Promise<void> => Promise.reject(new StoreFault("store_broken", "it is gone"));

test.each([
  ["JSON", () => pull("json", "gzip")],
  ["binary", () => pull("proto", "gzip")],
])("a failure at its beginning is answered with its reason in %s", async (_, pulled) => {
  beforePortion(0, gone);
  const answer = await pulled();
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "unavailable" });
});

test.each([
  ["sent as gzip", async () => (await pull("proto", "gzip")).arrayBuffer()],
  ["sent as it is", async () => (await pull("proto", "identity")).arrayBuffer()],
  ["to an agent", () => service.agent(token).monitors({})],
])(
  "a failure in its middle breaks the answer off, %s: no part is taken for the whole",
  async (_, pulled) => {
    beforePortion(1, gone);
    await expect(pulled()).rejects.toBeInstanceOf(Error);
  },
);
