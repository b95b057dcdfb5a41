import { once } from "node:events";
import net from "node:net";
import { DatabaseSync } from "node:sqlite";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { tcpDefaults } from "#check/definition";
import { millis } from "#base/units";
import { answering, connected, type Told, watchPath } from "../../support/agent-channel.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { runningService, type RunningService } from "../../support/running-service.ts";

const definition = {
  ...tcpDefaults,
  name: "db",
  uri: "db.test:5432",
  periodicity: "1m",
  active: true,
};

async function scene() {
  const clock = new FakeClock();
  const service = await runningService({ clock });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const { id: monitorId } = await service.admin.createMonitor(definition, "management");
  const wanted = { name: "office", monitorIds: [monitorId], metadata: {} };
  const { id: locationId, token } = await service.admin.createPrivateLocation(wanted);
  const rename = (name: string): Promise<void> =>
    service.admin.updateMonitor(monitorId, { ...definition, name }, "management");
  return { clock, service, key, monitorId, locationId, token, rename };
}

async function refusal(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => expect.fail("the call was not refused"),
    (error: unknown) => ConnectError.from(error),
  );
}

const upgrading = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };

/** The answer to a request that is made by hand. */
async function answerTo(
  service: RunningService,
  head: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Promise<string> {
  const socket = net.connect(service.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const lines = Object.entries({ host: "a", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.write(`${[head, ...lines].join("\r\n")}\r\n\r\n${body}`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  return answer.toString();
}

describe("a monitor that is triggered", () => {
  test("is checked by every connected agent of its locations, and the results are stored as asked for", async () => {
    const { service, key, token, monitorId, clock } = await scene();
    await using _running = service;
    const other = { name: "home", monitorIds: [monitorId], metadata: {} };
    const { token: secondToken } = await service.admin.createPrivateLocation(other);
    const monitors = service.monitors(key);
    const nowhere = await refusal(monitors.triggerMonitor({ id: monitorId }));
    expect([nowhere.code, nowhere.rawMessage]).toEqual([
      Code.FailedPrecondition,
      expect.stringContaining("no agent that runs this monitor is connected"),
    ]);
    answering(await connected(service, token), "a", clock);
    answering(await connected(service, secondToken), "b", clock);
    expect(await monitors.triggerMonitor({ id: monitorId })).toMatchObject({ success: true });
    const { results } = await monitors.listResults({ monitorId });
    expect(results.map(({ privateLocationId }) => privateLocationId).toSorted()).toEqual([
      "1",
      "2",
    ]);
    for (const { slot } of results) expect(Date.parse(slot)).toBe(clock.wall());
    // A slot that was asked for is none from which another agent goes on.
    expect((await service.agent(token).monitors({})).newestSlots).toEqual({});
    expect(await service.statusOf(key, monitorId)).toBe("active");
  });

  test("is refused if it is switched off, and no success if no agent gives a result", async () => {
    const { service, key, token, monitorId } = await scene();
    await using _running = service;
    const channel = await connected(service, token);
    channel.socket.on("message", (data: Buffer) => {
      const { checkNow }: Told = JSON.parse(data.toString());
      const answer = { requestId: checkNow?.requestId, error: "not running it" };
      channel.socket.send(JSON.stringify({ checkNowAnswer: answer }));
    });
    const monitors = service.monitors(key);
    expect(await monitors.triggerMonitor({ id: monitorId })).toMatchObject({ success: false });
    await service.admin.updateMonitor(monitorId, { ...definition, active: false }, "management");
    const off = await refusal(monitors.triggerMonitor({ id: monitorId }));
    expect(off.rawMessage).toContain("is not active: set active to true first");
  });
});

describe("a request for a push channel", () => {
  test("is answered like any call if its token does not work, and nothing is upgraded", async () => {
    const { service } = await scene();
    await using _running = service;
    const headers = { ...upgrading, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
    const missing = await answerTo(service, `GET ${watchPath} HTTP/1.1`, headers);
    expect(missing).toMatch(/^HTTP\/1\.1 401 /);
    expect(missing).toContain('{"code":"unauthenticated","message":"the header with');
    const wrong = { ...headers, "x-service-token": "pkt_loc_wrong" };
    expect(await answerTo(service, `GET ${watchPath} HTTP/1.1`, wrong)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test("that asks for no WebSocket is asked to use one", async () => {
    const { service, token } = await scene();
    await using _running = service;
    const answer = await fetch(`${service.url}${watchPath}`, {
      headers: { "x-service-token": token },
    });
    expect([answer.status, answer.headers.get("upgrade")]).toEqual([426, "websocket"]);
  });

  test("is the only one that is upgraded: a client that offers HTTP/2 next to its call is answered", async () => {
    const { service, token } = await scene();
    await using _running = service;
    const headers = {
      connection: "Upgrade, HTTP2-Settings",
      upgrade: "h2c",
      "http2-settings": "AAMAAABkAAQAAP__",
      "content-type": "application/json",
      "content-length": "2",
      "x-service-token": token,
    };
    const call = "POST /private_location.v1.PrivateLocationService/Monitors HTTP/1.1";
    expect(await answerTo(service, call, headers, "{}")).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("is refused where too many agents of the location are connected", async () => {
    const { service, token } = await scene();
    await using _running = service;
    await Promise.all(Array.from({ length: 64 }, () => connected(service, token)));
    const one = new WebSocket(`${service.url}${watchPath}`, {
      headers: { "x-service-token": token },
    });
    one.on("error", () => {});
    const [, response] = await once(one, "unexpected-response");
    expect(response).toMatchObject({ statusCode: 429 });
    one.terminate();
  });
});

describe("a connected agent", () => {
  test("gets the revision, each change within a second, and many at once as one", async () => {
    const { clock, service, token, rename } = await scene();
    await using _running = service;
    const [one, other] = [await connected(service, token), await connected(service, token)];
    for (let times = 0; times < 50; times += 1) await rename(`db-${times}`);
    await clock.advance(1_000);
    await expect.poll(() => [one.told.length, other.told.length]).toEqual([2, 2]);
    const { revision } = await service.agent(token).monitors({});
    expect([one.told[1], other.told[1]]).toEqual(
      Array.from({ length: 2 }, () => ({ assignmentChanged: { revision } })),
    );
  });

  test("gets what another process changes in the same file, and nothing of other locations", async () => {
    const { clock, service, token, locationId } = await scene();
    await using _running = service;
    const elsewhere = await service.admin.createPrivateLocation({
      name: "elsewhere",
      monitorIds: [],
      metadata: {},
    });
    const here = await connected(service, token);
    const there = await connected(service, elsewhere.token);
    const file = new DatabaseSync(service.database, { timeout: 10_000 });
    file.prepare("UPDATE locations SET revision = 'by-another' WHERE id = ?").run(locationId);
    file.close();
    await clock.advance(1_000);
    await expect
      .poll(() => here.told.at(-1))
      .toEqual({ assignmentChanged: { revision: "by-another" } });
    expect(there.told).toHaveLength(1);
  });

  test("is let go when its token no longer works, and a rotated one works for its overlap", async () => {
    const { clock, service, key, token, locationId } = await scene();
    await using _running = service;
    const { closed, socket } = await connected(service, token);
    await service
      .locations(key)
      .rotatePrivateLocationToken({ id: locationId, overlapSeconds: 10n });
    await clock.advance(9_000);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    await clock.advance(2_000);
    expect(await closed).toEqual({ code: 1008, reason: "the location's token no longer works" });
  });

  test("is let go when its location is deleted", async () => {
    const { clock, service, key, token, locationId } = await scene();
    await using _running = service;
    const { closed } = await connected(service, token);
    await service.locations(key).deletePrivateLocation({ id: locationId });
    await clock.advance(1_000);
    expect((await closed).code).toBe(1008);
  });

  test("is dropped when it says nothing, not even to a ping", async () => {
    const { clock, service, token } = await scene();
    await using _running = service;
    const { closed, socket } = await connected(service, token, { autoPong: false });
    await clock.advance(30_000);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    await clock.advance(1_000);
    expect((await closed).code).toBe(1006);
  });

  test("is kept while it answers pings", async () => {
    const { clock, service, token, rename } = await scene();
    await using _running = service;
    const { socket, told } = await connected(service, token);
    for (let times = 1; times <= 4; times += 1) {
      const pinged = once(socket, "ping");
      await clock.advance(20_000);
      await pinged;
      // The pong leaves before what is asked for after it, so it has been read when that is answered.
      socket.ping();
      await once(socket, "pong");
    }
    await rename("still there");
    await clock.advance(1_000);
    await expect.poll(() => told.length).toBe(2);
  });

  test("is kept if the service was stopped for longer than an agent may be silent", async () => {
    const { clock, service, token, rename } = await scene();
    await using _running = service;
    const { socket, told } = await connected(service, token);
    const pinged = once(socket, "ping");
    clock.suspend(60_000);
    await clock.advance(1_000);
    await pinged;
    await rename("still there");
    await clock.advance(1_000);
    await expect.poll(() => told.length).toBe(2);
  });

  test("is dropped when it pings and pings and does not read what it gets", async () => {
    const { service, token } = await scene();
    await using _running = service;
    const socket = net.connect(service.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    const headers = { ...upgrading, host: "a", "x-service-token": token };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(
      `GET ${watchPath} HTTP/1.1\r\n${lines.join("\r\n")}\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    await once(socket, "data");
    socket.pause();
    // Masked pings of 125 bytes, eight thousand at a time: each is owed a pong of the same size.
    const ping = Buffer.concat([Buffer.from([0x89, 0xfd, 0, 0, 0, 0]), Buffer.alloc(125)]);
    const pings = Buffer.concat(Array.from({ length: 8_000 }, () => ping));
    let cut = false;
    for (let sent = 0; sent < 200 && !cut; sent += 1)
      cut = await new Promise((resolve) =>
        socket.write(pings, (error) => resolve(Error.isError(error))),
      );
    expect(cut).toBe(true);
  });

  test.each(["hello", '{"checkNowAnswer":7}', Buffer.from("{}")])(
    "is let go when it sends what is not a message",
    async (message) => {
      const { service, token } = await scene();
      await using _running = service;
      const { closed, socket } = await connected(service, token);
      socket.send(message);
      expect(await closed).toEqual({
        code: 1008,
        reason: "this is not a message of a push channel",
      });
    },
  );

  test("is sent away when the service stops, with a goodbye", async () => {
    const { service, token } = await scene();
    const { closed, told } = await connected(service, token);
    await service[Symbol.asyncDispose]();
    expect(await closed).toEqual({ code: 1001, reason: "the service is stopping" });
    expect(told.at(-1)).toEqual({ drain: {} });
  });

  test("that does not go holds the stop up for a second", async () => {
    const { clock, service, token } = await scene();
    const { socket, closed } = await connected(service, token);
    socket.pause();
    let ended = false;
    const stopped = service[Symbol.asyncDispose]().then(() => (ended = true));
    // What runs all the time has ended, and the goodbye is waited for.
    await expect.poll(() => clock.sleeping).toBe(1);
    await clock.advance(999);
    expect(ended).toBe(false);
    await clock.advance(1);
    await stopped;
    socket.resume();
    await closed;
  });
});

describe("a check now", () => {
  test("is answered by every connected agent of the location", async () => {
    const { service, clock, key, token, monitorId, locationId } = await scene();
    await using _running = service;
    answering(await connected(service, token), "a", clock);
    answering(await connected(service, token), "b", clock);
    const { answers } = await service
      .locations(key)
      .checkNow({ privateLocationId: locationId, monitorId });
    expect(answers.map(({ instanceId }) => instanceId).toSorted()).toEqual(["a", "b"]);
    expect(answers[0]?.result?.result).toMatchObject({
      case: "tcp",
      value: { monitorId, latency: 3n },
    });
    const stored = await service.monitors(key).listResults({ monitorId });
    expect(stored.results).toEqual([]);
  });

  test("has no body of what a server answered, which is for people on the pages", async () => {
    const { service, clock, key, token, monitorId, locationId } = await scene();
    await using _running = service;
    const { socket } = await connected(service, token);
    socket.on("message", (data: Buffer) => {
      const { checkNow }: Told = JSON.parse(data.toString());
      if (checkNow === undefined) return;
      const http = { monitorId, latency: "3", timestamp: String(clock.wall()), cronTimestamp: "0" };
      const detail = { totalNs: "3000000", answer: { body: "the inside", bodyBytes: "10" } };
      const result = { http: { ...http, requestStatus: "success", statusCode: "200" }, detail };
      const answer = { requestId: checkNow.requestId, instanceId: "a", result };
      socket.send(JSON.stringify({ checkNowAnswer: answer }));
    });
    const asked = { privateLocationId: locationId, monitorId };
    const { answers } = await service.locations(key).checkNow(asked);
    expect(answers[0]?.result?.detail?.totalNs).toBe(3_000_000n);
    expect(answers[0]?.result?.detail?.answer).toBeUndefined();
  });

  test("says of an agent that is lost or silent that it is", async () => {
    const { clock, service, key, token, monitorId, locationId } = await scene();
    await using _running = service;
    const [lost, silent] = [await connected(service, token), await connected(service, token)];
    const asked = service.locations(key).checkNow({ privateLocationId: locationId, monitorId });
    await Promise.all([lost, silent].map(({ socket }) => once(socket, "message")));
    lost.socket.terminate();
    for (let passed = 0; passed < 140; passed += 10) {
      // The silent one answers pings all the same.
      silent.socket.ping();
      await once(silent.socket, "pong");
      await clock.advance(10_000);
    }
    const { answers } = await asked;
    expect(answers.map(({ error }) => error)).toEqual([
      "the agent's connection was lost",
      "the agent did not answer in time",
    ]);
  });

  test("is refused with what to do: no agent, not assigned, not active, not there, a key that only reads", async () => {
    const { service, key, token, monitorId, locationId } = await scene();
    await using _running = service;
    const locations = service.locations(key);
    const ask = (monitor: string, location = locationId): Promise<ConnectError> =>
      refusal(locations.checkNow({ privateLocationId: location, monitorId: monitor }));
    const nobody = await ask(monitorId);
    expect(nobody.code).toBe(Code.FailedPrecondition);
    expect(nobody.rawMessage).toMatch(/^no agent of this location is connected: start one/);
    await connected(service, token);
    const { id: other } = await service.admin.createMonitor(definition, "management");
    expect((await ask(other)).rawMessage).toBe(
      'the monitor "db" is not assigned to "office": assign it first',
    );
    await service.admin.updateMonitor(monitorId, { ...definition, active: false }, "management");
    expect((await ask(monitorId)).rawMessage).toBe(
      'the monitor "db" is not active: set active to true first',
    );
    expect((await ask("nothing")).code).toBe(Code.NotFound);
    expect((await ask(monitorId, "nowhere")).code).toBe(Code.NotFound);
    const reader = await service.admin.createApiKey({ name: "reader", scope: "read" });
    const read = service
      .locations(reader.key)
      .checkNow({ privateLocationId: locationId, monitorId });
    expect((await refusal(read)).code).toBe(Code.PermissionDenied);
  });

  test("ends for a caller that stops waiting, and for all when the service stops", async () => {
    const { service, key, token, monitorId, locationId } = await scene();
    const channel = await connected(service, token);
    const question = { privateLocationId: locationId, monitorId };
    const impatient = service.locations(key).checkNow(question, { timeoutMs: millis(200) });
    expect((await refusal(impatient)).code).toBe(Code.DeadlineExceeded);
    const asked = once(channel.socket, "message");
    const patient = service.locations(key).checkNow(question);
    await asked;
    await service[Symbol.asyncDispose]();
    expect((await patient).answers).toMatchObject([{ error: "the service is stopping" }]);
  });
});
