import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type ControlPlane,
  ServiceError,
  type ServiceReason,
  type OnReceipt,
} from "#transport/control-plane";
import type { Report } from "#wire/report";
import { millis } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { reporting } from "../../support/reporting.ts";
import { TwinControlPlane } from "../../support/twins.ts";

/** What the service does with one call. `cut` takes everything, and loses the answer. */
type Move = "take" | "half" | "cut" | "hang" | Extract<ServiceReason, "rate_limited" | Fault>;
type Fault = "internal" | "unavailable" | "garbage" | "unauthenticated" | "rejected";
/** What it does for ever with one result, by `monitor@slot`. */
type Nature = "rejected" | "internal" | "hang" | "breaksBatch";

/** A service that follows a script, then takes all that it can bear. */
class FickleService extends TwinControlPlane implements ControlPlane {
  readonly #script: Move[];
  readonly #natures: ReadonlyMap<string, Nature>;
  readonly #clock: FakeClock;
  readonly stored: Report[] = [];
  readonly rejected = new Set<string>();
  calls = 0;

  constructor(script: readonly Move[], natures: ReadonlyMap<string, Nature>, clock: FakeClock) {
    super();
    this.#script = [...script];
    this.#natures = natures;
    this.#clock = clock;
  }

  override async report(
    reports: readonly Report[],
    onReceipt: OnReceipt,
    signal?: AbortSignal,
  ): Promise<void> {
    this.calls += 1;
    const move = this.#script.shift() ?? "take";
    if (move === "hang" || reports.some(({ id }) => this.#natures.get(id) === "hang")) {
      await this.#clock.sleep(millis(15_000), signal);
      throw new ServiceError(signal?.aborted === true ? "cancelled" : "timeout", "no answer");
    }
    if (reports.some(({ id }) => this.#natures.get(id) === "breaksBatch"))
      throw new ServiceError("internal", "it breaks everything");
    if (move === "cut") {
      for (const report of reports) this.#deal(report, () => {});
      throw new ServiceError("unavailable", "the connection was lost");
    }
    if (move !== "take" && move !== "half") throw new ServiceError(move, "a fault", retry[move]);
    const some = move === "half" ? reports.slice(0, Math.ceil(reports.length / 2)) : reports;
    const behind = new Set<string>();
    for (const report of some)
      if (!behind.has(report.monitorId) && !this.#deal(report, onReceipt))
        behind.add(report.monitorId);
  }

  /** False if those behind it have to wait. */
  #deal(report: Report, onReceipt: OnReceipt): boolean {
    switch (this.#natures.get(report.id)) {
      case "rejected":
        this.rejected.add(report.id);
        onReceipt(report, { outcome: "rejected", reason: "never", isUnassigned: false });
        return true;
      case "internal":
        onReceipt(report, {
          outcome: "retry",
          error: new ServiceError("internal", "not this one"),
        });
        return false;
      case "hang":
      case "breaksBatch":
      case undefined: {
        const known = this.stored.some(({ id }) => id === report.id);
        if (!known) this.stored.push(report);
        onReceipt(report, { outcome: known ? "duplicate" : "accepted" });
        return true;
      }
    }
  }
}

const retry: Partial<Record<Move, ReturnType<typeof millis>>> = { rate_limited: millis(20_000) };

const moves = fc.array(
  fc.constantFrom<Move>(
    "take",
    "half",
    "cut",
    "hang",
    "rate_limited",
    "internal",
    "unavailable",
    "garbage",
    "unauthenticated",
  ),
  { maxLength: 25 },
);
const monitorIds = ["a", "b", "c", "d"];
const natures = fc.array(
  fc.tuple(
    fc.constantFrom(...monitorIds),
    fc.nat({ max: 5 }),
    fc.constantFrom<Nature>("rejected", "internal", "hang", "breaksBatch"),
  ),
  { maxLength: 3 },
);

test("whatever a service does, each result ends in one way, in order, and what can be taken is taken", async () => {
  await fc.assert(
    fc.asyncProperty(moves, natures, fc.boolean(), async (script, bad, singly) => {
      const clock = new FakeClock();
      const natureOf = new Map(bad.map(([id, slot, nature]) => [`${id}@${slot * 30_000}`, nature]));
      const service = new FickleService(script, natureOf, clock);
      service.reportsSingly = singly;
      const { reporter, spool, link, wait, stop } = reporting(service, clock);
      let added = 0;
      for (let slot = 0; slot < 6; slot += 1) {
        wait(monitorIds, [slot * 30_000]);
        added += monitorIds.length;
        await clock.advance(30_000);
        link.succeeded();
      }
      // An hour, in which another monitor's results are taken and pulls succeed.
      for (let minute = 0; minute < 60; minute += 1) {
        wait(["other"], [180_000 + minute * 30_000]);
        added += 1;
        await clock.advance(60_000);
        link.succeeded();
      }
      const calls = service.calls;
      const { accepted, duplicate, rejected, givenUp } = reporter.counts;
      expect(accepted + duplicate + rejected + givenUp + spool.size).toBe(added);
      for (const [monitorId, stored] of Map.groupBy(service.stored, (one) => one.monitorId)) {
        const slots = stored.map(({ slot }) => slot);
        expect(slots, monitorId).toEqual(slots.toSorted((a, b) => a - b));
      }
      expect(rejected).toBe(service.rejected.size);
      // Only what hangs for ever still waits, and what is behind it.
      const hanging = new Set(
        [...natureOf].filter(([, nature]) => nature === "hang").map(([id]) => id.split("@")[0]),
      );
      expect([...spool.waiting.keys()].filter((id) => !hanging.has(id))).toEqual([]);
      const hopeless = [...natureOf.values()].filter(
        (one) => one === "internal" || one === "breaksBatch",
      );
      expect(givenUp).toBeLessThanOrEqual(hopeless.length);
      expect(calls).toBeLessThan(1_200);
      await stop(AbortSignal.abort());
    }),
    { numRuns: 40 },
  );
});
