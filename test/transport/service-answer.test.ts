import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { WebSocketServer } from "ws";
import { expect, test } from "vitest";
import {
  HeartbeatResponseSchema,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import { connectControlPlane, type ConnectOptions } from "#transport/connect-control-plane";
import { ServiceError } from "#transport/control-plane";
import { websocketWatch } from "#transport/websocket-watch";
import { readAssignment } from "#wire/read-assignment";
import { type Answer, controlPlaneServer } from "../servers/control-plane-server.ts";
import { beat } from "../support/beat.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { wayWith } from "../support/service-way.ts";

/** Whatever the service sends, the agent takes no more of it than it can bear. */

function connectOptions(baseUrl: string): ConnectOptions {
  const clock = new FakeClock();
  const names = { id: "i", version: "1", hostname: "h", node: "", labels: {} };
  return {
    baseUrl,
    token: () => "pkt_loc_token",
    tokenHeader: "x-service-token",
    instance: { ...names, placement: "share" },
    way: wayWith({ clock }),
    clock,
  };
}

const message =
  (body: Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(200, { "content-type": "application/proto", ...headers });
    response.end(body);
  };

async function pulled(answer: Answer): Promise<unknown> {
  await using server = await controlPlaneServer({ Monitors: answer });
  const controlPlane = connectControlPlane(connectOptions(server.url));
  return await controlPlane
    .pull(null, new AbortController().signal)
    .catch((error: unknown) => error);
}

const tcpMonitors = (count: number, id: (index: number) => string): Uint8Array =>
  toBinary(
    MonitorsResponseSchema,
    create(MonitorsResponseSchema, {
      tcpMonitors: Array.from({ length: count }, (_, index) => ({ id: id(index) })),
    }),
  );

test("an assignment of twenty million empty monitors in a few kilobytes is refused before it is decoded", async () => {
  const body = gzipSync(Buffer.alloc(40_000_000, Buffer.of(0x0a, 0)));
  const before = process.memoryUsage().rss;
  const error = await pulled(message(body, { "content-encoding": "gzip" }));
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    reason: "oversized",
    message: `the service's answer has more than ${limits.assignmentElementsMax} elements`,
  });
  expect(process.memoryUsage().rss - before).toBeLessThan(500 * 1024 * 1024);
});

test("an assignment of one monitor too many is refused as a whole", async () => {
  const error = await pulled(
    message(tcpMonitors(checkLimits.monitorsPerAgentMax + 1, () => "same")),
  );
  expect(error).toMatchObject({
    reason: "oversized",
    message: "the service assigned 100001 monitors, more than the 100000 that one agent runs",
  });
});

test("what unpacks to more than an assignment may have is refused", async () => {
  const body = gzipSync(Buffer.alloc(limits.serviceAnswerBytesMax + 1));
  const error = await pulled(message(body, { "content-encoding": "gzip" }));
  expect(error).toMatchObject({ reason: "oversized" });
});

test("an error of fifty megabytes is known by its status, and one of a kilobyte is cut", async () => {
  const failing =
    (chars: number): Answer =>
    (_request, response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end(JSON.stringify({ code: "unavailable", message: "a".repeat(chars) }));
    };
  const long = await pulled(failing(50_000_000));
  expect(long).toMatchObject({ reason: "unavailable" });
  expect(String(long).length).toBeLessThan(200);
  const short = await pulled(failing(10_000));
  expect(short).toMatchObject({ reason: "unavailable" });
  expect(String(short).length).toBeLessThan(checkLimits.messageCharsMax + 100);
});

test("a name without end is cut, a revision without end is none, and an id without end is left out", () => {
  const long = "a".repeat(500_000);
  const { monitors, revision, region, remarks } = readAssignment(
    create(MonitorsResponseSchema, {
      revision: long,
      region: long,
      tcpMonitors: [{ id: long }, ...Array.from({ length: 5_000 }, () => ({ id: "same" }))],
    }),
  );
  expect(monitors.map(({ id }) => id)).toEqual(["same"]);
  expect(revision).toBeNull();
  expect(region.length).toBeLessThanOrEqual(checkLimits.nameCharsMax);
  expect(JSON.stringify(remarks).length).toBeLessThan(150_000);
});

test("a periodicity of 20 MB is a remark of a sentence", async () => {
  const body = toBinary(
    MonitorsResponseSchema,
    create(MonitorsResponseSchema, {
      tcpMonitors: [
        { id: "long", uri: "a.test:1", periodicity: "30s".padEnd(20_000_000, "s") },
        { id: "good", uri: "a.test:1", periodicity: "30s" },
      ],
    }),
  );
  const pull = await pulled(message(body));
  expect(pull).toMatchObject({ monitors: [{ id: "long" }, { id: "good", rejection: null }] });
  const { monitors, remarks } = readAssignment(fromBinary(MonitorsResponseSchema, body));
  expect(JSON.stringify([monitors, remarks]).length).toBeLessThan(10_000);
  expect(monitors[0]?.rejection?.message).toContain("periodicity");
});

test("the words of a heartbeat's answer are cut, made harmless and counted", async () => {
  const long = "\u001b[2J".repeat(20_000);
  const labels = Array.from({ length: 1_000 }, (_, n) => [
    `${n}${long.slice(0, 500)}`,
    long.slice(0, 500),
  ]);
  const answer = create(HeartbeatResponseSchema, {
    locationId: long,
    locationName: long,
    revision: long,
    locationMetadata: Object.fromEntries(labels),
  });
  await using server = await controlPlaneServer({
    Heartbeat: message(toBinary(HeartbeatResponseSchema, answer)),
  });
  const controlPlane = connectControlPlane(connectOptions(server.url));
  const heard = await controlPlane.heartbeat(beat, new AbortController().signal);
  const words = Object.entries(heard?.locationMetadata ?? {}).flat();
  expect(words).toHaveLength(2 * limits.metadataLabelsMax);
  for (const word of [heard?.locationId, heard?.locationName, ...words]) {
    expect(word?.length).toBeLessThanOrEqual(checkLimits.nameCharsMax);
    expect(word).not.toContain("\u001b");
  }
  expect(heard?.revision).toBeNull();
});

test("a newest audit entry that a heartbeat cannot name is not a proof", async () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  for (const number of [-1n, -(2n ** 63n), largest + 1n, 2n ** 63n - 1n, largest, 7n]) {
    const answer = create(HeartbeatResponseSchema, { audit: { number, chain: "head" } });
    await using server = await controlPlaneServer({
      Heartbeat: message(toBinary(HeartbeatResponseSchema, answer)),
    });
    const controlPlane = connectControlPlane(connectOptions(server.url));
    const signal = new AbortController().signal;
    const heard = await controlPlane.heartbeat(beat, signal);
    const isNumber = number === 7n || number === largest;
    expect(heard?.audit?.number).toBe(isNumber ? Number(number) : undefined);
    await controlPlane.heartbeat({ ...beat, auditKnown: heard?.audit?.number ?? 0 }, signal);
  }
});

test("a service that pushes without end is left", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    for (let count = 0; count <= limits.watchMessagesMax; count += 1)
      socket.send('{"assignmentChanged":{"revision":"r"}}');
  });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  let pushed = 0;
  const watch = websocketWatch(connectOptions(`http://127.0.0.1:${port}`));
  const listener = { opened: () => {}, pushed: () => void (pushed += 1) };
  const error = await watch.attend(listener, new AbortController().signal);
  server.close();
  expect(error).toMatchObject({
    reason: "garbage",
    message: "the service pushed more than 1000 messages in 10000 ms",
  });
  expect(pushed).toBe(limits.watchMessagesMax);
});
