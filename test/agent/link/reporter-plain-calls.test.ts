import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { IngestHTTPRequestSchema } from "#contract/private_location/v1/private_location_pb";
import { newLedger, receipts } from "../../servers/batch-service.ts";
import {
  type Answer,
  bytes,
  controlPlaneServer,
  refusing,
  unknownCall,
} from "../../servers/control-plane-server.ts";
import { start } from "../../support/reports.ts";
import { expectInOrder, names, reporting, slots } from "../../support/reporting.ts";

describe("plain calls", () => {
  const plain = (answerTo: (key: string) => Answer | null) => {
    const ledger = newLedger();
    const ingest: Answer = (request, response, body) => {
      const { monitorId, cronTimestamp } = fromBinary(IngestHTTPRequestSchema, body);
      const key = `${monitorId}@${cronTimestamp}`;
      const other = answerTo(key);
      ledger.calls.push([key]);
      if (other === null) receipts(ledger, [key]);
      (other ?? bytes(""))(request, response, body);
    };
    return { ledger, answers: { IngestHTTP: ingest } };
  };

  test("settle each result at once, also when a later one of the round never ends", async () => {
    const held = Promise.withResolvers<void>();
    const { ledger, answers } = plain((key) =>
      key.startsWith("z@") ? () => held.resolve() : null,
    );
    await using server = await controlPlaneServer(answers);
    const { spool, wait, until } = reporting(server.url);
    wait(["a", "z"], slots(1));
    await until("one is held", () => ledger.calls.some(([key]) => key?.startsWith("z@")));
    await held.promise;
    await until("the other is settled", () => !spool.waiting.has("a"));
    expect([...spool.waiting.keys()]).toEqual(["z"]);
  });

  test("that answer 500 to a monitor end with its results dropped, one after another; the others continue", async () => {
    const { ledger, answers } = plain((key) =>
      key.startsWith("gone@") ? refusing(500, "internal") : null,
    );
    await using server = await controlPlaneServer(answers);
    const { reporter, spool, wait, until } = reporting(server.url);
    wait(["gone", "good"], slots(3));
    let slot = 90_000;
    await until("it is given up", () => {
      if (!spool.waiting.has("good")) wait(["good"], [(slot += 30_000)]);
      return !spool.waiting.has("gone");
    });
    expect(reporter.counts).toMatchObject({ givenUp: 3, rejected: 0 });
    expect(ledger.calls.filter(([key]) => key === `gone@${start}`)).toHaveLength(9);
    expectInOrder(ledger.stored);
  });

  test("take a plain 404 for a service that is away: a default backend answers like that", async () => {
    let away = true;
    const { ledger, answers } = plain(() => (away ? unknownCall : null));
    await using server = await controlPlaneServer(answers);
    const { reporter, spool, link, wait, until } = reporting(server.url);
    wait(["a"], slots(3));
    await until("it was tried", () => ledger.calls.length >= 3);
    expect(link.state).toBe("down");
    away = false;
    await until("all is taken", () => spool.size === 0);
    expect(reporter.counts).toMatchObject({ accepted: 3, rejected: 0 });
  });

  test("drop what is 400 or not found by name, count it, and say why once", async () => {
    const { ledger, answers } = plain((key) =>
      key.startsWith("bad@")
        ? refusing(400, "invalid_argument")
        : key.startsWith("unknown@")
          ? refusing(404, "not_found")
          : null,
    );
    await using server = await controlPlaneServer(answers);
    const { reporter, spool, log, wait, until } = reporting(server.url);
    wait(["bad", "good", "unknown"], slots(3));
    await until("all is settled", () => spool.size === 0);
    expect(reporter.counts).toMatchObject({ accepted: 3, rejected: 6 });
    expect(log.said.filter(({ level }) => level === "warn")).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/rejects results.*check the reason that it gives/),
      }),
    ]);
    expectInOrder(ledger.stored);
  });

  test("go at most a hundred backlog results a second", async () => {
    const { ledger, answers } = plain(() => null);
    await using server = await controlPlaneServer(answers);
    const { clock, spool, wait, until } = reporting(server.url);
    wait(names(20), slots(30));
    const from = clock.monotonic();
    await until("all is taken", () => spool.size === 0);
    expect((clock.monotonic() - from) / 1e9).toBeGreaterThanOrEqual(5);
    expect(ledger.stored).toHaveLength(600);
  });
});
