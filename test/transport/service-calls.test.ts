import { brotliCompressSync, gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import {
  HeartbeatResponseSchema,
  PrivateLocationService,
} from "#contract/private_location/v1/private_location_pb";
import { ServiceError } from "#transport/control-plane";
import { ServiceCalls } from "#transport/service-calls";
import type { ServiceWay } from "#transport/service-dialer";
import { type Millis, millis } from "#base/units";
import {
  type Answer,
  bytes,
  controlPlaneServer,
  refusing,
  unknownCall,
} from "../servers/control-plane-server.ts";
import { openProxy } from "../servers/proxies.ts";
import { closedPort } from "../servers/scripted.ts";
import { Authority } from "../support/authority.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { wayWith } from "../support/service-way.ts";

const { ingestHTTP, ingestTCP, ingestDNS, heartbeat } = PrivateLocationService.method;
const message = Buffer.from("\x0a\x01a");
const never = new AbortController().signal;

const calls = (
  baseUrl: string,
  callTimeout: Millis = millis(60_000),
  way: ServiceWay = wayWith({ clock: systemClock }),
): ServiceCalls =>
  new ServiceCalls({
    baseUrl,
    way,
    credentials: () => ({ "x-service-token": "t" }),
    callTimeout,
  });

const failureOf = (sent: Promise<void>): Promise<ServiceError | null> =>
  sent.then(
    () => null,
    (error: unknown) => {
      if (error instanceof ServiceError) return error;
      throw error;
    },
  );

const json = { "content-type": "application/json" };
const status =
  (code: number, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response.writeHead(code, headers).end(body);

/** Every kind of answer, and what the agent makes of it; null is that the result was taken. */
const answers: Readonly<Record<string, readonly [Answer, string | null]>> = {
  "nothing in a message": [bytes("", { "content-length": "0" }), null],
  "nothing, of an unknown length": [bytes(""), null],
  "a message with a field that we do not know": [bytes("\x08\x01"), null],
  "nothing, packed": [bytes(gzipSync(""), { "content-encoding": "gzip" }), null],
  "bytes that are no message": [bytes("\xff\xff\xff\xff"), "garbage"],
  "a page": [bytes("<html></html>", { "content-type": "text/html" }), "unavailable"],
  "an empty page": [
    bytes("", { "content-type": "text/html", "content-length": "0" }),
    "unavailable",
  ],
  "a message in JSON": [bytes("{}", { "content-type": "application/json" }), "garbage"],
  "a message, packed as we did not ask for": [
    bytes("x", { "content-encoding": "zstd" }),
    "garbage",
  ],
  "a message that cannot be unpacked": [bytes("x", { "content-encoding": "gzip" }), "garbage"],
  "a message that is long once it is unpacked": [
    bytes(gzipSync(Buffer.alloc(2 ** 21 + 1)), { "content-encoding": "gzip" }),
    "oversized",
  ],
  "a refusal": [refusing(400, "invalid_argument"), "rejected"],
  "an unknown token": [refusing(401, "unauthenticated"), "unauthenticated"],
  "a failure": [refusing(500, "internal"), "internal"],
  "a failure without a reason": [refusing(500, "unknown"), "internal"],
  "a failure that is packed": [
    status(500, gzipSync(`{"code":"unavailable"}`), { ...json, "content-encoding": "gzip" }),
    "unavailable",
  ],
  "a failure in words that are no error": [status(503, "[]", json), "unavailable"],
  "a failure in JSON that is cut off": [status(429, `{"code":"interna`, json), "rate_limited"],
  "a failure of more than an error may have": [
    status(401, `{"code":"internal","message":"${"x".repeat(2 ** 16)}"}`, json),
    "unauthenticated",
  ],
  "a proxy's limit": [status(413, "too large"), "rejected"],
  "a proxy's 400": [status(400, "bad request"), "garbage"],
  "a proxy's 502": [status(502, "bad gateway"), "unavailable"],
  "another place": [status(302, "", { location: "/" }), "unavailable"],
  "a plain 404": [unknownCall, "unsupported"],
  "a closed connection": [(request) => request.socket.destroy(), "unavailable"],
  "an answer that is longer than any may be": [bytes("x".repeat(2 ** 21 + 1)), "oversized"],
  "an answer that is not HTTP": [
    (request) => request.socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
    "unavailable",
  ],
  "half an answer": [
    (_request, response) => {
      response.writeHead(500, { "content-type": "application/json", "content-length": "500" });
      response.write("{");
      response.destroy();
    },
    "unavailable",
  ],
};

test.each(Object.entries(answers))(
  "%s: what the agent makes of it",
  async (_name, [answer, reason]) => {
    await using server = await controlPlaneServer({ IngestTCP: answer });
    const failed = await failureOf(calls(server.url).send(ingestTCP, message, never));
    expect(failed?.reason ?? null).toBe(reason);
  },
);

test("a result goes as the bytes that it is, below the path of the service, with the token", async () => {
  const heard: unknown[] = [];
  const taking: Answer = (request, response, body) => {
    heard.push([request.url, request.headers["x-service-token"], String(body)]);
    bytes("")(request, response, body);
  };
  await using server = await controlPlaneServer({ IngestDNS: taking });
  await calls(`${server.url}/prefix/`).send(ingestDNS, message, never);
  const path = "/prefix/private_location.v1.PrivateLocationService/IngestDNS";
  expect(heard).toEqual([[path, "t", String(message)]]);
});

/** An answer that takes every call, and the ports of the connections that they came over. */
function countedConnections(headers: Readonly<Record<string, string>>) {
  const ports = new Set<number | undefined>();
  const taking: Answer = (request, response, body) => {
    ports.add(request.socket.remotePort);
    bytes("", { "content-length": "0", ...headers })(request, response, body);
  };
  return { ports, taking };
}

test("calls one after another share a connection", async () => {
  const { ports, taking } = countedConnections({});
  await using server = await controlPlaneServer({ IngestHTTP: taking });
  const plain = calls(server.url);
  for (let n = 0; n < 5; n += 1) await plain.send(ingestHTTP, message, never);
  expect(ports.size).toBe(1);
});

test("a connection is not used again whose end the service announces", async () => {
  const { ports, taking } = countedConnections({ connection: "close" });
  await using server = await controlPlaneServer({ IngestHTTP: taking });
  const plain = calls(server.url);
  for (let n = 0; n < 2; n += 1) await plain.send(ingestHTTP, message, never);
  expect(ports.size).toBe(2);
});

test("a connection that was idle for long is not used again: the service may be closing it", async () => {
  const { ports, taking } = countedConnections({});
  await using server = await controlPlaneServer({ IngestHTTP: taking });
  const clock = new FakeClock();
  const plain = calls(server.url, undefined, wayWith({ clock }));
  for (const pause of [3_000, 5_000, 0]) {
    await plain.send(ingestHTTP, message, never);
    await clock.advance(pause);
  }
  expect(ports.size).toBe(2);
});

test("a result goes over TLS and through a proxy, as every call does", async () => {
  const authority = await Authority.create();
  const answer = { IngestHTTP: bytes("", { "content-length": "0" }) };
  await using server = await controlPlaneServer(answer, undefined, await authority.issue());
  await using proxy = await openProxy();
  const by = { proxy: `http://127.0.0.1:${proxy.port}`, clock: systemClock };
  const trusting = calls(server.url, undefined, wayWith({ ...by, authorities: authority.cert }));
  for (let n = 0; n < 2; n += 1) await trusting.send(ingestHTTP, message, never);
  expect(proxy.asked).toHaveLength(1);
  const strange = calls(server.url, undefined, wayWith(by));
  const failed = await failureOf(strange.send(ingestHTTP, message, never));
  expect(failed?.reason).toBe("untrusted");
});

test("calls at the same time have a connection each, and later ones use those", async () => {
  const ports = new Set<number | undefined>();
  const waiting: (() => void)[] = [];
  const together: Answer = (request, response, body) => {
    ports.add(request.socket.remotePort);
    waiting.push(() => bytes("", { "content-length": "0" })(request, response, body));
    if (waiting.length === 3) for (const answer of waiting.splice(0)) answer();
  };
  await using server = await controlPlaneServer({ IngestDNS: together });
  const plain = calls(server.url);
  for (let n = 0; n < 3; n += 1)
    await Promise.all([1, 2, 3].map(() => plain.send(ingestDNS, message, never)));
  expect(ports.size).toBe(3);
});

test("a call fails in words of the way if no one listens, if its time is over, and if it is ended", async () => {
  const nowhere = calls(`http://127.0.0.1:${await closedPort()}`);
  expect(await failureOf(nowhere.send(ingestTCP, message, never))).toMatchObject({
    reason: "unavailable",
    message: expect.stringContaining("connection refused"),
  });
  await using silent = await controlPlaneServer({ IngestTCP: () => {} });
  const hasty = calls(silent.url, millis(20)).send(ingestTCP, message, never);
  expect((await failureOf(hasty))?.reason).toBe("timeout");
  const stop = new AbortController();
  const sent = failureOf(calls(silent.url).send(ingestTCP, message, stop.signal));
  stop.abort();
  expect((await sent)?.reason).toBe("cancelled");
});

test("a longer answer may come packed, and a short one is not asked to be", async () => {
  const asked: unknown[] = [];
  const packing =
    (encoding: string, packed: Buffer): Answer =>
    (request, response, body) => {
      asked.push(request.headers["accept-encoding"]);
      bytes(packed, { "content-encoding": encoding })(request, response, body);
    };
  const answer = toBinary(
    HeartbeatResponseSchema,
    create(HeartbeatResponseSchema, { revision: "r" }),
  );
  for (const [encoding, packed] of [
    ["gzip", gzipSync(answer)],
    ["br", brotliCompressSync(answer)],
    ["identity", Buffer.from(answer)],
  ] as const) {
    await using server = await controlPlaneServer({
      Heartbeat: packing(encoding, packed),
      IngestTCP: packing("gzip", gzipSync("")),
    });
    expect((await calls(server.url).call(heartbeat, {}, never)).revision).toBe("r");
    await calls(server.url).send(ingestTCP, message, never);
  }
  expect(asked).toEqual([1, 2, 3].flatMap(() => ["gzip,br", undefined]));
});

test("an error says what its service wrote, and one without words says its status", async () => {
  const said = async (answer: Answer): Promise<string | undefined> => {
    await using server = await controlPlaneServer({ IngestTCP: answer });
    return (await failureOf(calls(server.url).send(ingestTCP, message, never)))?.message;
  };
  expect(await said(refusing(400, "invalid_argument"))).toBe("it is invalid_argument");
  expect(await said(status(400, `{"code":"invalid_argument"}`, json))).toBe("HTTP 400");
  expect(await said(status(503, "<html>", { "content-type": "text/html" }))).toBe("HTTP 503");
  expect(await said(status(200, "<html>", { "content-type": "text/html" }))).toBe(
    "the service's answer is not a message: its content type is text/html",
  );
});

test("an answer that came while the process was stopped is taken, however long that was", async () => {
  await using server = await controlPlaneServer({ IngestHTTP: bytes("") });
  const patience = millis(2_000);
  const agent = calls(server.url, patience);
  // The connection is there when the process is stopped.
  await agent.send(ingestHTTP, message, never);
  const sent = failureOf(agent.send(ingestHTTP, message, never));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience + 500);
  expect(await sent).toBeNull();
});
