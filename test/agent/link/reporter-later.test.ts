import { create, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import {
  IngestBatchResponseSchema,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import { batches, newLedger } from "../../servers/batch-service.ts";
import { bytes, controlPlaneServer } from "../../servers/control-plane-server.ts";
import { expectInOrder, keysOf, reporting } from "../../support/reporting.ts";

/** A service with one database of several away: it takes results of monitor "there" only. */
async function withOneAway() {
  const ledger = newLedger();
  let isBack = false;
  const server = await controlPlaneServer({
    IngestBatch: batches(ledger, (batch) => {
      if (isBack) return null;
      const receipts = batch.map((key) => {
        if (!key.startsWith("there@")) return { receipt: Receipt.UNSPECIFIED, reason: "away" };
        ledger.stored.push(key);
        return { receipt: Receipt.ACCEPTED };
      });
      return bytes(
        toBinary(IngestBatchResponseSchema, create(IngestBatchResponseSchema, { receipts })),
      );
    }),
  });
  return { ledger, server, comesBack: (): void => void (isBack = true) };
}

test("monitors whose results the service takes later do not delay the others, and none is lost when it takes them", async () => {
  const { ledger, server, comesBack } = await withOneAway();
  await using _ = server;
  const { clock, reporter, spool, wait, until } = reporting(server.url);
  wait(["away"], [-3, -2, -1]);
  for (let slot = 0; slot < 60; slot += 1) {
    const at = clock.monotonic();
    wait(["there"], [slot * 1_000]);
    await until("the newest is taken", () => ledger.stored.length === slot + 1);
    // A report waits for its turn alone.
    expect(clock.monotonic() - at).toBeLessThan(2_000e6);
    await clock.advance(1_000);
  }
  const tries = ledger.calls.filter((batch) => batch.some((key) => key.startsWith("away@")));
  expect([spool.size, tries.length > 5, tries.length < 40]).toEqual([3, true, true]);
  comesBack();
  const since = clock.monotonic();
  await until("all is taken", () => spool.size === 0);
  expect(clock.monotonic() - since).toBeLessThan(15_000e6);
  expect(ledger.stored.filter((key) => key.startsWith("away@"))).toEqual(
    keysOf(["away"], [-3, -2, -1]),
  );
  expectInOrder(ledger.stored);
  expect(reporter.counts).toMatchObject({ accepted: 63, duplicate: 0, rejected: 0, givenUp: 0 });
});

test("an agent that ends sends what the service takes later until its patience is over", async () => {
  const { server, comesBack } = await withOneAway();
  await using _ = server;
  const { clock, spool, stop, wait, until } = reporting(server.url);
  wait(["away", "there"], [-2, -1]);
  await until("one of them is taken", () => spool.size === 2);
  const patience = new AbortController();
  const flushed = stop(patience.signal);
  let isFlushed = false;
  void flushed.then(() => (isFlushed = true));
  await clock.advance(5_000);
  expect(isFlushed).toBe(false);
  comesBack();
  await until("the rest is taken", () => isFlushed);
  expect([await flushed, spool.size]).toEqual([true, 0]);
});
