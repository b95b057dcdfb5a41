import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import net from "node:net";
import { text } from "node:stream/consumers";
import tls from "node:tls";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "#base/clock";
import { millis } from "#base/units";
import { dropSlowClients, handshakeTimeoutMax, noTimeouts } from "#web/slow-clients";
import { listenLocally } from "../servers/listen-locally.ts";
import { Authority, type Identity } from "../support/authority.ts";
import { FakeClock } from "../support/fake-clock.ts";

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n";
const lookEvery = millis(20);

let identity: Identity;
beforeAll(async () => {
  identity = await (await Authority.create()).issue();
});

/** A server whose clients have three looks for a request and five for an answer, and one of them that is connected. */
async function connected(
  clock: Clock,
  answer: (response: ServerResponse) => void,
  server: Server | TlsServer = createServer(noTimeouts),
) {
  server.on("request", (_request, response: ServerResponse) => answer(response));
  const port = await listenLocally(server);
  const dropping = dropSlowClients(server, { lookEvery, requestLooks: 3, answerLooks: 5 }, clock);
  const client = net.connect(port, "127.0.0.1");
  client.on("error", () => {});
  const [connection]: net.Socket[] = await once(server, "connection");
  onTestFinished(async () => {
    client.destroy();
    server.close();
    connection?.destroy();
    await dropping;
  });
  return { server, client, isDropped: () => connection?.destroyed };
}

/** After how many looks a client is dropped. */
async function looksUntil(isDropped: () => boolean | undefined, clock: FakeClock): Promise<number> {
  for (let looks = 0; looks < 20; looks += 1) {
    await clock.advance(lookEvery);
    if (isDropped() === true) return looks;
  }
  return Infinity;
}

test("a request that came while the process was stopped is answered, however long that was", async () => {
  const { client } = await connected(systemClock, (response) => response.end("well"));
  const said = text(client);
  client.write(get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  // Nothing of this thread runs: its timers are due long before the request can be read.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * lookEvery);
  expect(await said).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*well/);
});

describe("a client is dropped", () => {
  test("that sends nothing for its looks, before its first request and after an answer, which says for how long it may wait", async () => {
    const clock = new FakeClock();
    const ended = Promise.withResolvers<void>();
    const { client, isDropped } = await connected(clock, (response) => {
      expect(response.getHeader("keep-alive")).toBe("timeout=0");
      response.once("close", ended.resolve).end("well");
    });
    client.resume();
    await clock.advance(3 * lookEvery);
    client.write(get);
    await ended.promise;
    expect(await looksUntil(isDropped, clock)).toBe(3);
  });

  test("that has sent a request's head and does not send the rest within as many looks", async () => {
    const clock = new FakeClock();
    const asked = Promise.withResolvers<void>();
    const { client, isDropped } = await connected(clock, () => asked.resolve());
    await clock.advance(3 * lookEvery);
    client.write(post);
    await asked.promise;
    expect(await looksUntil(isDropped, clock)).toBe(3);
  });

  test("that has not read its answer within its looks", async () => {
    const clock = new FakeClock();
    const asked = Promise.withResolvers<void>();
    const { client, isDropped } = await connected(clock, () => asked.resolve());
    client.write(get);
    await asked.promise;
    expect(await looksUntil(isDropped, clock)).toBe(5);
  });

  test("that connects and does not speak TLS, and the same looks count on a connection that does", async () => {
    const clock = new FakeClock();
    const asked = Promise.withResolvers<void>();
    const { cert, key } = identity;
    const options = { ...noTimeouts, cert, key, handshakeTimeout: handshakeTimeoutMax };
    const server = createTlsServer(options);
    const { client, isDropped } = await connected(clock, () => asked.resolve(), server);
    await clock.advance(3 * lookEvery);
    const secure = tls.connect({ socket: client, rejectUnauthorized: false });
    secure.on("error", () => {});
    secure.write(get);
    await asked.promise;
    expect(await looksUntil(isDropped, clock)).toBe(5);
  });
});
