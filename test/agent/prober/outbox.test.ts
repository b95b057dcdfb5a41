import { expect, test } from "vitest";
import { decidedOf } from "#agent/prober/checks/decided-check";
import { LocalChecker } from "#agent/prober/local-checker";
import { type Batch, Outbox } from "#agent/prober/outbox";
import { failure } from "#check/failure";
import type { Outcome } from "#check/outcome";
import * as limits from "#limits/prober-limits";
import { epochMillis, millis } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { httpOutcome, resultWith } from "../../support/results.ts";
import { hanging, memoryLog, monitorWith, passed, TwinProber } from "../../support/twins.ts";

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

test("a failure and a missed slot take along waiting results, and do not wait for long", async () => {
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

test("waiting results cross when no check runs any more, and no sooner than twice a second", async () => {
  const { clock, crossed, outbox, decide } = scene();
  decide("a");
  outbox.idle();
  await clock.advance(200);
  decide("b");
  outbox.idle();
  await clock.advance(250);
  decide("c");
  outbox.idle();
  outbox.idle();
  await clock.advance(2_000);
  expect(crossed).toEqual(["0: a", "450: b c"]);
});

test("a checker says when its last check has ended, behind the result of that", async () => {
  const [clock, prober, said] = [new FakeClock(), new TwinProber(), new Array<string>()];
  const hung = Promise.withResolvers<Outcome>();
  prober.script = (target, signal) =>
    target.kind === "tcp" && target.host === "slow"
      ? Promise.race([hung.promise, hanging("tcp", signal)])
      : passed();
  const idle = (): void => void said.push("idle");
  const tools = { prober, clock, log: memoryLog(), concurrency: 9, chance: () => 0.5, idle };
  await using checker = new LocalChecker(tools);
  checker.attend({ decided: ({ monitor }) => said.push(monitor.id), missed: () => {} });
  const monitors = ["quick", "slow"].map((id) =>
    monitorWith({ id, target: { kind: "tcp", host: id, port: 1 } }),
  );
  checker.apply({ start: monitors, change: [], stop: [] });
  const stop = new AbortController();
  const running = checker.run(stop.signal);
  // The first one runs alone at first, and again beside the other.
  await clock.advance(36_000);
  stop.abort();
  await running;
  expect(said).toEqual(["quick", "idle", "quick"]);
  hung.resolve(passed());
  await checker.settled();
  await clock.advance(0);
  expect(said).toEqual(["quick", "idle", "quick", "slow", "idle"]);
});

test("of the headers of a success only that one crosses which metrics show; a failure keeps all of them, and its body", () => {
  const headers = [
    ["Server", "a"],
    ["Content-Length", "5"],
  ] as const;
  const { response } = httpOutcome();
  const body = new TextEncoder().encode("away");
  const outcome = httpOutcome({
    response: response === null ? null : { ...response, headers, body },
  });
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
  const none = new Uint8Array();
  expect(crossed).toMatchObject([
    { headers: [["Content-Length", "5"]], body: none },
    { headers, body: none },
    { headers, body },
  ]);
});
