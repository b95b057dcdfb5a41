import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  IngestBatchResponseSchema,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import { millis } from "#base/units";
import { batches, halfAnswer, newLedger } from "../../servers/batch-service.ts";
import {
  type Answer,
  bytes,
  controlPlaneServer,
  refusing,
} from "../../servers/control-plane-server.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { start } from "../../support/reports.ts";
import { expectInOrder, keysOf, names, reporting, slots } from "../../support/reporting.ts";
import { unauthenticated, unavailable } from "../../support/twins.ts";

/** Answers once, then as it should. */
const onceOf = (answer: Answer) => {
  const ledger = newLedger();
  return { ledger, ingest: batches(ledger, (_batch, call) => (call === 1 ? answer : null)) };
};

const garbage: Record<string, Answer> = {
  "an HTML page of a captive portal": bytes("<html>log in</html>", { "content-type": "text/html" }),
  "JSON instead of a message": bytes("{}", { "content-type": "application/json" }),
  "bytes that are no message": bytes("\xff\xff\xff\xff"),
  "too few receipts": bytes(""),
  "a packed answer that cannot be unpacked": bytes("no gzip", { "content-encoding": "gzip" }),
  "an answer that unpacks to more than an answer can be": bytes(gzipSync(Buffer.alloc(80 << 20)), {
    "content-encoding": "gzip",
  }),
  "a plain page with 400": (_request, response) =>
    void response.writeHead(400, { "content-type": "text/html" }).end("<html>"),
  "503 without a time": refusing(503, "unavailable"),
  "a plain 502 of a proxy": (_request, response) => void response.writeHead(502).end("bad gateway"),
  "500 of the whole service": refusing(500, "internal"),
  "no answer within the time of a call": () => {},
  "a connection that is reset": (request) => void request.socket.resetAndDestroy(),
};

test.each(Object.entries(garbage))("%s loses nothing and doubles nothing", async (what, answer) => {
  const { ledger, ingest } = onceOf(answer);
  await using server = await controlPlaneServer({ IngestBatch: ingest });
  const callTimeout = millis(what.startsWith("no answer") ? 500 : 8_000);
  const { reporter, spool, wait, until } = reporting(server.url, new FakeClock(), callTimeout);
  wait(["a", "b"], slots(3));
  await until("all is taken", () => spool.size === 0);
  expect(ledger.stored.toSorted()).toEqual(keysOf(["a", "b"], slots(3)));
  expectInOrder(ledger.stored);
  expect(reporter.counts).toEqual({
    accepted: 6,
    duplicate: 0,
    unassigned: 0,
    rejected: 0,
    givenUp: 0,
  });
});

test("half an answer is an answer that was lost: all is sent again, and the service knows it", async () => {
  const ledger = newLedger();
  await using server = await controlPlaneServer({
    IngestBatch: batches(ledger, (batch, call) => (call === 1 ? halfAnswer(ledger, batch) : null)),
  });
  const { reporter, spool, wait, until } = reporting(server.url);
  wait(["a"], slots(3));
  await until("all is settled", () => spool.size === 0);
  expect(ledger.stored).toEqual(keysOf(["a"], slots(3)));
  expect(ledger.duplicates).toEqual(keysOf(["a"], slots(3)));
  expect(reporter.counts).toMatchObject({ accepted: 0, duplicate: 3, rejected: 0, givenUp: 0 });
});

describe("a service that asks to wait", () => {
  const clockStart = new FakeClock().wall();
  test.each([
    ["429", "seconds", 429, "resource_exhausted", "120"],
    [
      "429",
      "an HTTP date",
      429,
      "resource_exhausted",
      new Date(clockStart + 120_000).toUTCString(),
    ],
    ["503", "seconds", 503, "unavailable", "120"],
    ["503", "an HTTP date", 503, "unavailable", new Date(clockStart + 120_000).toUTCString()],
  ])("with %s and %s is left alone until then", async (_status, _form, status, code, header) => {
    const clock = new FakeClock();
    const ledger = newLedger();
    const at: number[] = [];
    await using server = await controlPlaneServer({
      IngestBatch: batches(ledger, () => {
        at.push(clock.wall() - clockStart);
        return at.length === 1 ? refusing(status, code, { "retry-after": header }) : null;
      }),
    });
    const { spool, link, wait, until } = reporting(server.url, clock);
    wait(["a"], slots(3));
    await until("it has answered", () => at.length === 1);
    // Also when something else tells that it is there.
    link.succeeded();
    await until("all is taken", () => spool.size === 0);
    expect(at[1]).toBeGreaterThanOrEqual(119_000);
    expect(at[1]).toBeLessThan(130_000);
  });
});

test("results that the service does not take yet are kept, and go in order and once when it does", async () => {
  const ledger = newLedger();
  let takes = false;
  const reason = "timestamp lies 3600 s ahead of the service's clock";
  const notYet = (count: number): Uint8Array => {
    const receipts = Array.from({ length: count }, () => ({
      receipt: Receipt.UNSPECIFIED,
      reason,
    }));
    return toBinary(IngestBatchResponseSchema, create(IngestBatchResponseSchema, { receipts }));
  };
  await using server = await controlPlaneServer({
    IngestBatch: batches(ledger, (batch) => (takes ? null : bytes(notYet(batch.length)))),
  });
  const { clock, reporter, spool, link, log, wait, until } = reporting(server.url);
  // The clock of the agent is right: nothing is from ahead of it.
  wait(["a", "b"], [-3, -2, -1]);
  await until("it was tried for an hour", () => clock.monotonic() > 3_600e9);
  expect([spool.size, ledger.stored, link.state]).toEqual([6, [], "unknown"]);
  expect(ledger.calls.length).toBeLessThan(200);
  takes = true;
  await until("all is taken", () => spool.size === 0);
  expect(ledger.stored.toSorted()).toEqual(keysOf(["a", "b"], [-3, -2, -1]));
  expectInOrder(ledger.stored);
  expect(reporter.counts).toMatchObject({ accepted: 6, rejected: 0, givenUp: 0 });
  const sentence = "the service does not take results yet: they are kept and sent again";
  expect(log.said.find(({ level }) => level === "warn")).toMatchObject({
    message: sentence,
    fields: { "error.type": "not_yet", "error.message": reason },
  });
});

describe("a token that is refused", () => {
  test.each([
    [401, "unauthenticated"],
    [403, "permission_denied"],
  ])("with %i stops reports until a pull succeeds, and loses none", async (status, code) => {
    const ledger = newLedger();
    let known = false;
    await using server = await controlPlaneServer({
      IngestBatch: batches(ledger, () => (known ? null : refusing(status, code))),
    });
    const { spool, link, clock, wait, until } = reporting(server.url);
    wait(["a", "b"], slots(3));
    await until("it is refused", () => link.tokenRefused);
    known = true;
    link.failed(unavailable);
    await clock.advance(600_000);
    expect(ledger.calls).toHaveLength(1);
    expect(spool.size).toBe(6);
    link.succeeded();
    await until("all is taken", () => spool.size === 0);
    expectInOrder(ledger.stored);
  });
});

describe("one result that the service cannot bear", () => {
  const poison = `m0007@${start + 30_000}`;
  const answersToPoison: Record<string, [Answer, "rejected" | "givenUp"]> = {
    "500 to the whole batch": [refusing(500, "internal"), "givenUp"],
    "a plain 500 to the whole batch": [
      (_request, response) => void response.writeHead(500).end("panic"),
      "givenUp",
    ],
    "400 to the whole batch": [refusing(400, "invalid_argument"), "rejected"],
    "413 of a proxy": [(_request, response) => void response.writeHead(413).end(), "rejected"],
  };
  test.each(Object.entries(answersToPoison))(
    "by %s is found, and nothing else is lost with it",
    async (_what, [answer, end]) => {
      const ledger = newLedger();
      await using server = await controlPlaneServer({
        IngestBatch: batches(ledger, (batch) => (batch.includes(poison) ? answer : null)),
      });
      const { reporter, spool, wait, until } = reporting(server.url);
      wait(names(20), slots(3));
      // Results of the others go on coming: that is how it is known whose fault it is.
      let slot = 90_000;
      await until("the poison is done with", () => {
        if (spool.size < 10) wait(["other"], [(slot += 30_000)]);
        return reporter.counts[end] === 1;
      });
      await until("all is settled", () => spool.size === 0);
      const first = ledger.stored.filter((key) => !key.startsWith("other"));
      expect(first.toSorted()).toEqual(keysOf(names(20), slots(3)).filter((key) => key !== poison));
      expectInOrder(ledger.stored);
      expect(ledger.duplicates).toEqual([]);
      expect(reporter.counts).toMatchObject({ rejected: 0, givenUp: 0, [end]: 1 });
    },
  );

  test("delays the newest results of the others by no more than a moment", async () => {
    const ledger = newLedger();
    await using server = await controlPlaneServer({
      IngestBatch: batches(ledger, (batch) =>
        batch.includes(poison) ? refusing(500, "internal") : null,
      ),
    });
    const { clock, wait, until } = reporting(server.url);
    wait(names(20), slots(3));
    await until("all others are taken", () => ledger.stored.length === 58);
    for (const at of [600_000, 630_000, 660_000]) {
      const from = clock.monotonic();
      wait(["other"], [at]);
      await until("it is taken", () => ledger.stored.at(-1) === `other@${start + at}`);
      expect((clock.monotonic() - from) / 1e6).toBeLessThanOrEqual(2_000);
    }
  });
});

test("a service that fails on everything with 500 costs no result, however long it lasts", async () => {
  const ledger = newLedger();
  let broken = true;
  await using server = await controlPlaneServer({
    IngestBatch: batches(ledger, () => (broken ? refusing(500, "internal") : null)),
  });
  const { clock, reporter, spool, wait, until } = reporting(server.url);
  wait(names(20), slots(3));
  for (let minute = 0; minute < 60; minute += 1) await clock.advance(60_000);
  await until("it was asked often", () => ledger.calls.length > 20);
  // One in two seconds, over the hour: halves of batches, and single results that are tried alone.
  expect(ledger.calls.length).toBeLessThan(1_800);
  expect(spool.size).toBe(60);
  broken = false;
  await until("all is taken", () => spool.size === 0);
  expect(reporter.counts).toMatchObject({ accepted: 60, givenUp: 0, rejected: 0 });
  expectInOrder(ledger.stored);
});

describe("after an outage", () => {
  test("a reporter that waits continues as soon as something else reached the service", async () => {
    const ledger = newLedger();
    let away = true;
    await using server = await controlPlaneServer({
      IngestBatch: batches(ledger, () => (away ? refusing(503, "unavailable") : null)),
    });
    const { clock, link, spool, wait, until } = reporting(server.url);
    wait(["a"], slots(3));
    await until("it waits long", () => ledger.calls.length >= 10);
    away = false;
    const from = clock.monotonic();
    link.succeeded();
    await until("all is taken", () => spool.size === 0);
    expect((clock.monotonic() - from) / 1e6).toBeLessThan(3_000);
  });

  test("live results go first, and the backlog no faster than two thousand a second", async () => {
    const ledger = newLedger();
    await using server = await controlPlaneServer({ IngestBatch: batches(ledger) });
    const { clock, spool, wait, until } = reporting(server.url);
    wait(names(300), slots(30));
    const from = clock.monotonic();
    await until("some is taken", () => ledger.stored.length >= 2_000);
    wait(["live"], [3_000_000]);
    const calls = ledger.calls.length;
    await until("all is taken", () => spool.size === 0);
    expect(ledger.calls[calls]?.[0]).toBe(`live@${start + 3_000_000}`);
    expect((clock.monotonic() - from) / 1e9).toBeGreaterThanOrEqual(3);
    expectInOrder(ledger.stored);
    expect(ledger.duplicates).toEqual([]);
  });

  test("a call carries no more than 4 MiB, unless one result alone does", async () => {
    const ledger = newLedger();
    const sizes: number[] = [];
    const ingest = batches(ledger);
    await using server = await controlPlaneServer({
      IngestBatch: (request, response, body) => {
        sizes.push(body.byteLength);
        ingest(request, response, body);
      },
    });
    const { spool, wait, until } = reporting(server.url);
    wait(names(200), slots(1), 64 * 1024);
    wait(["large"], slots(1), 5 << 20);
    await until("all is taken", () => spool.size === 0);
    const limit = 4.1 * 2 ** 20;
    expect(sizes.filter((size) => size > limit)).toHaveLength(1);
    expect(sizes.length).toBeGreaterThanOrEqual(4);
    expect(ledger.stored).toHaveLength(201);
  });
});

describe("a stop", () => {
  test("continues for a service that is away until its patience ends, and has no pace", async () => {
    const ledger = newLedger();
    let away = true;
    await using server = await controlPlaneServer({
      IngestBatch: batches(ledger, () => (away ? refusing(503, "unavailable") : null)),
    });
    const { clock, wait, until, stop } = reporting(server.url);
    wait(names(200), slots(30));
    let flushed: boolean | null = null;
    const stopping = stop(new AbortController().signal).then((done) => (flushed = done));
    await until("it has tried often", () => ledger.calls.length >= 5);
    expect(flushed).toBeNull();
    away = false;
    const from = clock.monotonic();
    await until("it is done", () => flushed !== null);
    expect(await stopping).toBe(true);
    // The pause that it was in is the only one.
    expect((clock.monotonic() - from) / 1e9).toBeLessThan(20);
    expect(ledger.stored).toHaveLength(6_000);
  });

  test("does not try a token that is refused, nor a service again that fails on all that is left", async () => {
    const ledger = newLedger();
    await using server = await controlPlaneServer({
      IngestBatch: batches(ledger, () => refusing(500, "internal")),
    });
    const refused = reporting(server.url);
    refused.wait(["a"], slots(3));
    refused.link.failed(unauthenticated);
    expect(await refused.stop(new AbortController().signal)).toBe(false);
    expect(ledger.calls).toEqual([]);
    const failing = reporting(server.url);
    failing.wait(["a"], slots(1));
    let flushed: boolean | null = null;
    void failing.stop(new AbortController().signal).then((done) => (flushed = done));
    await failing.until("it ends", () => flushed !== null);
    expect(flushed).toBe(false);
    expect(failing.spool.size).toBe(1);
  });
});
