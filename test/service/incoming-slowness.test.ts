import { expect, test } from "vitest";
import type { Result } from "#check/result";
import { asBatch, type IncomingResult, readIncoming } from "#service/agents/incoming";
import { epochMillis, millis, nanos } from "#base/units";
import { type Sighting, viewAfter } from "../support/view-after.ts";
import { httpOutcome, resultWith, wireMessage } from "../support/results.ts";

const bounds = {
  oldest: epochMillis(0),
  latest: epochMillis(Date.UTC(2026, 0, 1)),
  isDoubtful: false,
};

/** A check of a 0.9 s target with a threshold of 0.4 s. */
function checked(slot: number, status: Result["status"], errorBar: number): Result {
  const phases = { ...httpOutcome().phases, wait: nanos(895e6) };
  const outcome = httpOutcome({ phases, total: nanos(900e6), errorBar: nanos(errorBar * 1e6) });
  const latency = millis(900);
  return resultWith({ slot: epochMillis(slot), status, latency, degradedAt: millis(400), outcome });
}

const overTheWire = (result: Result): ReturnType<typeof readIncoming> =>
  readIncoming(wireMessage(result), bounds);

const sightingOf = ({ slot, status, failure, perhapsSlow }: IncomingResult): Sighting => ({
  slot,
  status,
  failurePhase: failure?.phase ?? "",
  uncertain: perhapsSlow,
});

test("a degraded monitor stays so in the service while its agent is too busy to tell", () => {
  const slow = overTheWire(checked(1, "degraded", 342));
  expect(slow).toMatchObject({
    perhapsSlow: false,
    detail: {
      message: "slow: 900 ± 342.0 ms, over the threshold of 400 ms; most of it was wait, 895 ms",
    },
  });
  const perhaps = overTheWire(checked(2, "success", 600));
  expect(perhaps).toMatchObject({ status: "success", perhapsSlow: true, detail: { message: "" } });
  const view = viewAfter(null, sightingOf(slow));
  expect(viewAfter(view, sightingOf(perhaps))?.status).toBe("degraded");
  expect(viewAfter(null, sightingOf(perhaps))?.status).toBe("success");
});

test("on the plain calls a degraded result has no message", () => {
  const { result } = wireMessage(checked(1, "degraded", 0));
  expect(readIncoming(asBatch(result), bounds)).toMatchObject({
    status: "degraded",
    detail: { message: "" },
  });
});
