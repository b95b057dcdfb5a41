import { expect, onTestFinished } from "vitest";
import { Reporter } from "#agent/link/reporter";
import { ServiceLink } from "#agent/link/service-link";
import { connectControlPlane } from "#transport/connect-control-plane";
import type { ControlPlane } from "#transport/control-plane";
import { memorySpool } from "#agent/spool/memory-spool";
import type { Spool } from "#agent/spool/spool";
import { hours, mebibytes, type Millis, seconds } from "#base/units";
import { FakeClock } from "./fake-clock.ts";
import { reportWith, start } from "./reports.ts";
import { wayWith } from "./service-way.ts";
import { memoryLog } from "./twins.ts";

export interface Reporting {
  readonly clock: FakeClock;
  readonly spool: Spool;
  readonly link: ServiceLink;
  readonly reporter: Reporter;
  readonly controlPlane: ControlPlane;
  readonly log: ReturnType<typeof memoryLog>;
  /** Ends the reporting, then sends what is left for as long as `patience` lasts. */
  readonly stop: (patience: AbortSignal) => Promise<boolean>;
  /** Adds a report of each slot, in ms after the start, to each monitor. */
  readonly wait: (monitorIds: readonly string[], slots: readonly number[], body?: number) => void;
  /** Moves the clock on, in small steps, until this holds. */
  readonly until: (what: string, holds: () => boolean) => Promise<void>;
}

/** A reporter with a clock of the test's, which runs against a real service, or against a twin. */
export function reporting(
  service: string | ControlPlane,
  clock: FakeClock = new FakeClock(),
  callTimeout: Millis = seconds(8),
): Reporting {
  const log = memoryLog();
  const link = new ServiceLink(log, clock, "http://service.test");
  const spool = memorySpool(clock, { bytesMax: mebibytes(64), ageMax: hours(24) });
  const controlPlane =
    typeof service === "string" ? connectedTo(service, clock, callTimeout) : service;
  const reporter = new Reporter({
    controlPlane,
    spool,
    link,
    clock,
    log,
    chance: () => 0.5,
    monitorFields: (id) => ({ monitor: id }),
    rejected: () => {},
    roundsOver: () => {},
  });
  const end = new AbortController();
  const running = reporter.run(end.signal);
  onTestFinished(async () => {
    end.abort();
    await reporter.flush(AbortSignal.abort());
    await running;
  });
  const wait: Reporting["wait"] = (monitorIds, slots, body = 0) => {
    for (const at of slots)
      for (const monitorId of monitorIds) spool.add(reportWith({ monitorId, at, body }));
  };
  const until: Reporting["until"] = async (what, holds) => {
    // By the real clock, for a call that times out.
    const since = process.uptime();
    while (!holds()) {
      if (process.uptime() - since > 15)
        throw new Error(`it did not come to this: ${what} ${JSON.stringify(log.said)}`);
      await clock.advance(50);
    }
  };
  const stop = (patience: AbortSignal): Promise<boolean> => {
    end.abort();
    return reporter.flush(patience);
  };
  return { stop, clock, spool, link, reporter, controlPlane, log, wait, until };
}

const connectedTo = (baseUrl: string, clock: FakeClock, callTimeout: Millis): ControlPlane =>
  connectControlPlane({
    baseUrl,
    token: () => "pkt_loc_token",
    tokenHeader: "x-service-token",
    instance: { id: "i", version: "1", hostname: "h", node: "", labels: {}, placement: "share" },
    way: wayWith({ clock }),
    clock,
    callTimeout,
  });

/** So many slots of 30 s, from the start on. */
export const slots = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index * 30_000);
/** So many monitors. */
export const names = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `m${String(index).padStart(4, "0")}`);
/** What a ledger calls these. */
export const keysOf = (monitorIds: readonly string[], at: readonly number[]): readonly string[] =>
  monitorIds.flatMap((id) => at.map((slot) => `${id}@${start + slot}`));

/** What was taken of each monitor is in ascending slot order. */
export function expectInOrder(stored: readonly string[]): void {
  for (const [monitorId, keys] of Map.groupBy(stored, (key) => key.split("@")[0]))
    expect(keys, monitorId).toEqual(keys.toSorted());
}
