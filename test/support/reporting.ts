import { onTestFinished } from "vitest";
import { Reporter } from "#agent/reporter";
import { ServiceLink } from "#agent/service-link";
import { connectControlPlane } from "#transport/connect-control-plane";
import type { ControlPlane } from "#transport/control-plane";
import { memorySpool } from "#transport/memory-spool";
import type { Spool } from "#transport/spool";
import { hours, mebibytes, millis } from "#units";
import { FakeClock } from "./fake-clock.ts";
import { reportWith } from "./reports.ts";
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
): Reporting {
  const log = memoryLog();
  const link = new ServiceLink(log, "http://service.test");
  const spool = memorySpool(clock, { bytesMax: mebibytes(64), ageMax: hours(24) });
  const controlPlane = typeof service === "string" ? connectedTo(service, clock) : service;
  const reporter = new Reporter({ controlPlane, spool, link, clock, log, chance: () => 0.5 });
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
    // Ten seconds of steps at least, for a call that times out by the real clock.
    const since = process.uptime();
    while (!holds()) {
      if (process.uptime() - since > 10)
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

const connectedTo = (baseUrl: string, clock: FakeClock): ControlPlane =>
  connectControlPlane({
    baseUrl,
    token: () => "pkt_loc_token",
    tokenHeader: "x-service-token",
    instance: { id: "i", version: "1", hostname: "h", node: "", labels: {}, placement: "share" },
    way: wayWith({ clock }),
    clock,
    callTimeout: millis(300),
  });
