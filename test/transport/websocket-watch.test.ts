import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { ConnectOptions } from "#transport/connect-control-plane";
import type { ServiceError } from "#transport/control-plane";
import type { PushMessage } from "#transport/watch";
import { websocketWatch } from "#transport/websocket-watch";
import { answers, closedPort, type Script, tcpPeer } from "../servers/scripted.ts";
import { Authority } from "../support/authority.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { resultWith, wireMessage } from "../support/results.ts";
import { wayWith } from "../support/service-way.ts";
import { listenLocally } from "../servers/listen-locally.ts";

const path = "/private_location.v1.PrivateLocationService/Watch";

interface Attending {
  readonly clock: FakeClock;
  readonly pushed: readonly PushMessage[];
  readonly opened: Promise<void>;
  readonly ended: Promise<ServiceError>;
  readonly leave: AbortController;
}

function attend(baseUrl: string, more: Partial<ConnectOptions> = {}): Attending {
  const clock = new FakeClock();
  const pushed: PushMessage[] = [];
  const opened = Promise.withResolvers<void>();
  const leave = new AbortController();
  onTestFinished(() => leave.abort());
  const watch = websocketWatch({
    baseUrl,
    token: () => "pkt_loc_token",
    tokenHeader: "x-service-token",
    instance: {
      id: "instance-1",
      version: "1",
      hostname: "h",
      node: "",
      labels: {},
      placement: "share",
    },
    way: wayWith(),
    clock,
    ...more,
  });
  const ended = watch.attend(
    { opened: () => opened.resolve(), pushed: (what) => void pushed.push(what) },
    leave.signal,
  );
  return { clock, pushed, opened: opened.promise, ended, leave };
}

/** A service that takes the upgrade, and then does as the script says. */
async function watchServer(
  script: (socket: WebSocket, request: http.IncomingMessage) => void,
  { tls = null, autoPong = true }: { tls?: https.ServerOptions | null; autoPong?: boolean } = {},
): Promise<{ port: number } & AsyncDisposable> {
  const server = tls === null ? http.createServer() : https.createServer(tls);
  const sockets = new WebSocketServer({ server, autoPong });
  sockets.on("connection", (socket, request) => {
    socket.on("error", () => {});
    script(socket, request);
  });
  const port = await listenLocally(server);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      server.close();
      await once(server, "close");
    },
  };
}

const push = (socket: WebSocket, message: object): void => socket.send(JSON.stringify(message));

describe("a push channel", () => {
  test("is asked for next to the calls, with the token in its header, and gives what it is pushed", async () => {
    const requests: http.IncomingMessage[] = [];
    await using server = await watchServer((socket, request) => {
      requests.push(request);
      push(socket, { assignmentChanged: { revision: "r2" }, fieldOfTomorrow: 1 });
      push(socket, { newsOfTomorrow: {} });
      push(socket, { checkNow: { requestId: "q", monitorId: "m" } });
      push(socket, { drain: {} });
      socket.close(1001, "stopping");
    });
    const { pushed, ended } = attend(`http://127.0.0.1:${server.port}/prefix/`);
    expect(await ended).toMatchObject({
      reason: "unavailable",
      message: "the service closed the push channel (1001: stopping)",
    });
    expect(pushed).toMatchObject([
      { kind: "changed", revision: "r2" },
      { kind: "check_now", asked: { of: "assigned", monitorId: "m" } },
      { kind: "drain" },
    ]);
    expect(requests[0]?.url).toBe(`/prefix${path}`);
    expect(requests[0]?.headers["x-service-token"]).toBe("pkt_loc_token");
  });

  test("carries answers back, and a sentence in place of one that is too large", async () => {
    const heard: unknown[] = [];
    const both = Promise.withResolvers<void>();
    await using server = await watchServer((socket) => {
      socket.on("message", (data: Buffer) => {
        if (heard.push(JSON.parse(data.toString())) === 2) both.resolve();
      });
      for (const requestId of ["a", "b"]) push(socket, { checkNow: { requestId, monitorId: "m" } });
      push(socket, { drain: {} });
    });
    const { pushed, opened } = attend(`http://127.0.0.1:${server.port}`);
    await opened;
    await expect.poll(() => pushed.length).toBe(3);
    const [first, second] = pushed;
    const result = wireMessage(resultWith());
    if (first?.kind === "check_now") first.answer({ ran: true, result });
    const large = wireMessage(resultWith());
    if (large.result.case === "http") large.result.value.body = "x".repeat(5_000_000);
    if (second?.kind === "check_now") second.answer({ ran: true, result: large });
    await both.promise;
    expect(heard).toMatchObject([
      {
        checkNowAnswer: {
          requestId: "a",
          instanceId: "instance-1",
          result: { http: { monitorId: "m" } },
        },
      },
      { checkNowAnswer: { requestId: "b", error: "the result is too large to be sent" } },
    ]);
  });

  test("is dropped when the service asks and asks and does not read the answers", async () => {
    await using server = await watchServer((socket) => {
      for (let asked = 0; asked < 20; asked += 1)
        push(socket, { checkNow: { requestId: `${asked}`, monitorId: "m" } });
      socket.pause();
    });
    const { pushed, ended } = attend(`http://127.0.0.1:${server.port}`);
    await expect.poll(() => pushed.length).toBe(20);
    const error = "x".repeat(3_000_000);
    for (const asked of pushed) if (asked.kind === "check_now") asked.answer({ ran: false, error });
    expect((await ended).message).toBe("the service does not read the answers that it requested");
  });

  test("is trusted by the same authorities as the calls", async () => {
    const authority = await Authority.create();
    const tls = await authority.issue({ altNames: ["127.0.0.1"] });
    await using server = await watchServer((socket) => push(socket, { drain: {} }), { tls });
    const stranger = attend(`https://127.0.0.1:${server.port}`);
    expect(await stranger.ended).toMatchObject({ reason: "untrusted" });
    const { opened } = attend(`https://127.0.0.1:${server.port}`, {
      way: wayWith({ authorities: authority.cert }),
    });
    await opened;
  });

  test("is left with a goodbye", async () => {
    const closed = Promise.withResolvers<number>();
    await using server = await watchServer((socket) =>
      socket.on("close", (code) => closed.resolve(code)),
    );
    const { opened, leave, ended } = attend(`http://127.0.0.1:${server.port}`);
    await opened;
    leave.abort();
    expect(await ended).toMatchObject({ reason: "cancelled" });
    expect(await closed.promise).toBe(1000);
  });
});

describe("a service, or a proxy before it, that gives no push channel", () => {
  const cases = [
    [400, "unsupported"],
    [404, "unsupported"],
    [405, "unsupported"],
    [426, "unsupported"],
    [501, "unsupported"],
    [200, "unsupported"],
    [302, "unsupported"],
    [401, "unauthenticated"],
    [403, "forbidden"],
    [429, "rate_limited"],
    [500, "unavailable"],
    [502, "unavailable"],
    [503, "unavailable"],
  ] as const;
  test.each(cases)("answers %i: %s", async (status, reason) => {
    await using server = await tcpPeer(
      answers(`HTTP/1.1 ${status} No\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nno`, "keep"),
    );
    expect(await attend(`http://127.0.0.1:${server.port}`).ended).toMatchObject({
      reason,
      retryAfter: 7_000,
    });
  });

  test("is not there", async () => {
    const { ended } = attend(`http://127.0.0.1:${await closedPort()}`);
    expect(await ended).toMatchObject({ reason: "unavailable" });
  });

  const odd: readonly (readonly [string, Script, string])[] = [
    ["speaks another protocol", answers("SSH-2.0-OpenSSH\r\n"), "garbage"],
    [
      "upgrades without having read the key",
      answers(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n",
        "keep",
      ),
      "garbage",
    ],
    ["closes at once", (socket) => socket.destroy(), "unavailable"],
  ];
  test.each(odd)("%s", async (_what, script, reason) => {
    await using server = await tcpPeer(script);
    expect((await attend(`http://127.0.0.1:${server.port}`).ended).reason).toBe(reason);
  });

  test("accepts the connection and is silent: it is aborted like any other call", async () => {
    const accepted = Promise.withResolvers<void>();
    await using server = await tcpPeer(() => accepted.resolve());
    const { clock, ended } = attend(`http://127.0.0.1:${server.port}`);
    await accepted.promise;
    await clock.advance(15_000);
    expect(await ended).toMatchObject({ reason: "timeout" });
  });
});

describe("a service that breaks the rules of the channel is left at once", () => {
  const cases: readonly (readonly [string, (socket: WebSocket) => void])[] = [
    ["what is no JSON", (socket) => socket.send("hello")],
    ["JSON of another kind", (socket) => socket.send('{"checkNow":7}')],
    ["a binary message", (socket) => socket.send(Buffer.from("{}"))],
    ["a message of 10 MB", (socket) => socket.send("x".repeat(10_000_000))],
  ];
  test.each(cases)("%s", async (_what, script) => {
    await using server = await watchServer(script);
    const { ended, pushed } = attend(`http://127.0.0.1:${server.port}`);
    expect(await ended).toMatchObject({ reason: "garbage" });
    expect(pushed).toEqual([]);
  });
});

describe("a connection that is held", () => {
  test("is pinged, and kept while the pings are answered", async () => {
    // What the service says after its pong shows that the pong was read.
    await using server = await watchServer((socket) =>
      socket.on("ping", () => push(socket, { drain: {} })),
    );
    const { clock, pushed, opened, ended } = attend(`http://127.0.0.1:${server.port}`);
    let over = false;
    void ended.then(() => (over = true));
    await opened;
    for (let times = 1; times <= 5; times += 1) {
      await clock.advance(20_000);
      await expect.poll(() => pushed.length).toBe(times);
    }
    expect(over).toBe(false);
  });

  test("is kept if the agent was stopped for longer than a ping's answer may take", async () => {
    const pinged = Promise.withResolvers<WebSocket>();
    await using server = await watchServer(
      (socket) => socket.on("ping", () => pinged.resolve(socket)),
      {
        autoPong: false,
      },
    );
    const { clock, pushed, opened, ended } = attend(`http://127.0.0.1:${server.port}`);
    let over = false;
    void ended.then(() => (over = true));
    await opened;
    await clock.advance(20_000);
    const socket = await pinged.promise;
    clock.suspend(60_000);
    await clock.advance(0);
    socket.pong();
    push(socket, { drain: {} });
    await expect.poll(() => pushed.length).toBe(1);
    expect(over).toBe(false);
  });

  test("is dropped when the way to the service forwards nothing any more, though TCP still stands", async () => {
    await using server = await watchServer(() => {});
    await using middle = await forwarding(server.port);
    const { clock, opened, ended } = attend(`http://127.0.0.1:${middle.port}`);
    await opened;
    middle.stopForwarding();
    await clock.advance(29_999);
    let over = false;
    void ended.then(() => (over = true));
    await clock.advance(0);
    expect(over).toBe(false);
    await clock.advance(1);
    expect(await ended).toMatchObject({
      reason: "timeout",
      message: "a ping was not answered in 10000 ms",
    });
  });
});

/** A TCP proxy that can fall silent in both directions and keep its connections. */
async function forwarding(
  to: number,
): Promise<{ port: number; stopForwarding: () => void } & AsyncDisposable> {
  let forwards = true;
  const ends: net.Socket[] = [];
  const peer = await tcpPeer((socket) => {
    const onward = net.connect(to, "127.0.0.1");
    ends.push(onward);
    onward.on("error", () => {});
    socket.on("data", (chunk: Buffer) => forwards && onward.write(chunk));
    onward.on("data", (chunk: Buffer) => forwards && socket.write(chunk));
  });
  return {
    port: peer.port,
    stopForwarding: () => (forwards = false),
    [Symbol.asyncDispose]: async () => {
      for (const end of ends) end.destroy();
      await peer[Symbol.asyncDispose]();
    },
  };
}
