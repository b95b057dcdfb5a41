import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import net from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "#clock";
import { dropSlowReaders } from "#endpoint/slow-readers";
import { millis } from "#units";
import { listenLocally } from "../servers/listen-locally.ts";
import { FakeClock } from "../support/fake-clock.ts";

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const lookEvery = millis(20);

/** A server whose readers have three looks for a request and five for an answer, and one of them that is connected. */
async function connected(clock: Clock, answer: (response: ServerResponse) => void) {
  const server = createServer({ headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 });
  server.on("request", (_request, response) => answer(response));
  const port = await listenLocally(server);
  const dropping = dropSlowReaders(server, { lookEvery, requestLooks: 3, answerLooks: 5 }, clock);
  const reader = net.connect(port, "127.0.0.1");
  const [connection]: net.Socket[] = await once(server, "connection");
  onTestFinished(async () => {
    reader.destroy();
    server.close();
    server.closeAllConnections();
    await dropping;
  });
  return { server, reader, isDropped: () => connection?.destroyed };
}

test("a request that came while the process was stopped is answered, however long that was", async () => {
  const { reader } = await connected(systemClock, (response) => response.end("well"));
  const said = text(reader);
  reader.write(get.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  // Nothing of this thread runs: its timers are due long before the request can be read.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * lookEvery);
  expect(await said).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*well/);
});

test("a reader is dropped that sends nothing for its looks, before its first request and after an answer", async () => {
  const clock = new FakeClock();
  const ended = Promise.withResolvers<void>();
  const { reader, isDropped } = await connected(clock, (response) => {
    response.once("close", ended.resolve).end("well");
  });
  reader.resume();
  await clock.advance(3 * lookEvery);
  reader.write(get);
  await ended.promise;
  await clock.advance(3 * lookEvery);
  expect(isDropped()).toBe(false);
  await clock.advance(lookEvery);
  expect(isDropped()).toBe(true);
});

test("a reader is dropped that has not read its answer within its looks", async () => {
  const clock = new FakeClock();
  const asked = Promise.withResolvers<void>();
  const { reader, isDropped } = await connected(clock, () => asked.resolve());
  reader.write(get);
  await asked.promise;
  await clock.advance(5 * lookEvery);
  expect(isDropped()).toBe(false);
  await clock.advance(lookEvery);
  expect(isDropped()).toBe(true);
});
