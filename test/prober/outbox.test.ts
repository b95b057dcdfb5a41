import { expect, test } from "vitest";
import { decidedOf } from "#prober/checks/decided-check";
import { type Batch, Outbox } from "#prober/outbox";
import { failure } from "#check/failure";
import * as limits from "#limits/prober-limits";
import { epochMillis, millis } from "#units";
import { FakeClock } from "../support/fake-clock.ts";
import { httpOutcome, resultWith } from "../support/results.ts";
import { monitorWith } from "../support/twins.ts";

const refused = failure("connection_refused", "connect", "refused");

/** An outbox, and how many milliseconds after the start which results crossed. */
function scene() {
  const clock = new FakeClock();
  const crossed: string[] = [];
  const now = (): number => clock.monotonic() / 1e6;
  const send = ({ decided, missed }: Batch): void => {
    const ids = decided.map(({ result }) => result.monitorId);
    crossed.push(`${now()}: ${[...ids, ...missed.map(() => "missed")].join(" ")}`);
  };
  const outbox = new Outbox(clock, send, () => 1, { unsent: () => {} });
  const decide = (monitorId: string, status: "success" | "error" = "success"): void => {
    const result = resultWith({ monitorId, status, failure: status === "error" ? refused : null });
    outbox.decided(decidedOf(result, { monitor: monitorWith(), due: epochMillis(1000) }));
  };
  return { clock, crossed, outbox, decide };
}

test("successes wake the other thread twice a second, and one after a pause soon", async () => {
  const { clock, crossed, decide } = scene();
  for (let n = 0; n < 12; n += 1) {
    decide(`${n}`);
    await clock.advance(100);
  }
  await clock.advance(1_000);
  decide("late");
  await clock.advance(1_000);
  expect(crossed).toEqual([
    "100: 0",
    "600: 1 2 3 4 5",
    "1100: 6 7 8 9 10",
    "1600: 11",
    "2300: late",
  ]);
});

test("a failure and a missed slot take along what waits, and do not wait for long", async () => {
  const { clock, crossed, outbox, decide } = scene();
  decide("a");
  await clock.advance(150);
  decide("b");
  await clock.advance(10);
  decide("c", "error");
  await clock.advance(10);
  decide("d");
  await clock.advance(300);
  decide("e");
  outbox.missed({ monitorId: "f", slot: epochMillis(1), count: 1, reason: "busy" });
  await clock.advance(2_000);
  expect(crossed).toEqual(["100: a", "260: b c d", "570: e missed"]);
});

test("what is flushed crosses once, and a full batch at once", async () => {
  const { clock, crossed, outbox, decide } = scene();
  decide("a");
  outbox.flush();
  outbox.flush();
  for (let n = 0; n < limits.crossingBatchMax; n += 1) decide("b");
  await clock.advance(millis(2_000));
  expect(crossed.map((one) => one.split(" ").length - 1)).toEqual([1, limits.crossingBatchMax]);
});

test("of the headers of a success only that one crosses which metrics show; a failure keeps all of them", () => {
  const headers = [
    ["Server", "a"],
    ["Content-Length", "5"],
  ] as const;
  const { response } = httpOutcome();
  const outcome = httpOutcome({ response: response === null ? null : { ...response, headers } });
  const crossed: unknown[] = [];
  const send = ({ decided }: Batch): void =>
    void crossed.push(
      ...decided.map(({ result: { outcome: one } }) => one?.kind === "http" && one.response),
    );
  const outbox = new Outbox(new FakeClock(), send, () => 1, { unsent: () => {} });
  for (const status of ["success", "degraded", "error"] as const) {
    const result = resultWith({ status, failure: status === "error" ? refused : null, outcome });
    outbox.decided(decidedOf(result, { monitor: monitorWith(), due: epochMillis(1000) }));
  }
  outbox.flush();
  expect(crossed).toMatchObject([{ headers: [["Content-Length", "5"]] }, { headers }, { headers }]);
});
