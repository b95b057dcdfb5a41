import { describe, expect, test } from "vitest";
import { Agent } from "#agent/agent";
import type { AgentEnd } from "#agent/stop";
import { failure } from "#check/failure";
import type { Monitor } from "#check/monitor";
import { remarksLoggedMax } from "#limits/agent-limits";
import { type HeartbeatAnswer, type Receipt, ServiceError } from "#transport/control-plane";
import { type AssignmentMemory, noAssignmentMemory } from "#agent/state/assignment-file";
import { memorySpool } from "#agent/spool/memory-spool";
import { epochMillis, hours, mebibytes, millis, nanos } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";
import {
  hanging,
  internal,
  memoryLog,
  monitorWith,
  passed,
  TwinControlPlane,
  TwinProber,
  unauthenticated,
  unavailable,
} from "../support/twins.ts";
import { checkerWith } from "../support/checking.ts";

function scene(
  monitors: readonly Monitor[] = [monitorWith()],
  prepare: (controlPlane: TwinControlPlane) => void = () => {},
  memory: AssignmentMemory = noAssignmentMemory,
) {
  const clock = new FakeClock();
  const controlPlane = new TwinControlPlane();
  controlPlane.monitors = monitors;
  prepare(controlPlane);
  const prober = new TwinProber();
  const log = memoryLog();
  const spool = memorySpool(clock, { bytesMax: mebibytes(1), ageMax: hours(24) });
  const drain = new AbortController();
  const abandon = new AbortController();
  const agent = new Agent({
    checker: checkerWith(prober, clock, log, 10),
    controlPlane,
    watch: null,
    spool,
    memory,
    clock,
    log,
    serviceUrl: "http://127.0.0.1:1",
    pollInterval: millis(60_000),
    heartbeatInterval: millis(30_000),
    drainTimeout: millis(30_000),
    chance: () => 0.5,
  });
  const ended: Promise<AgentEnd> = agent.run(drain.signal, abandon.signal);
  const said = (level: string): readonly string[] =>
    log.said.filter((one) => one.level === level).map(({ message }) => message);
  return { clock, controlPlane, prober, log, said, spool, agent, drain, abandon, ended };
}

const plainAnswer: HeartbeatAnswer = {
  serverTime: epochMillis(0),
  locationId: "l1",
  locationName: "office",
  locationMetadata: {},
  revision: null,
  nextHeartbeat: null,
  audit: null,
};

describe("an agent", () => {
  test("says how many of its figures are uncertain, and how late it may have been since it last said so", async () => {
    const { clock, controlPlane, prober, drain, ended } = scene();
    prober.script = ({ kind }) => ({ ...passed(kind), errorBar: nanos(2e6) });
    await clock.advance(70_000);
    prober.script = ({ kind }) => ({ ...passed(kind), errorBar: nanos(300) });
    await clock.advance(100_000);
    const told = controlPlane.beats.map(({ uncertainResults, errorBarMax }) => ({
      uncertainResults,
      errorBarMax,
    }));
    const checkedBusy = Math.max(...told.map(({ uncertainResults }) => uncertainResults));
    expect(checkedBusy).toBeGreaterThanOrEqual(1);
    expect(told.some(({ errorBarMax }) => errorBarMax === 2e6)).toBe(true);
    expect(told.at(-1)).toEqual({ uncertainResults: checkedBusy, errorBarMax: 300 });
    drain.abort();
    await ended;
  });
  test("pulls, checks, reports and says that it lives", async () => {
    const { clock, controlPlane, agent, drain, ended } = scene();
    await clock.advance(120_000);
    expect(controlPlane.reported.length).toBeGreaterThanOrEqual(4);
    expect(controlPlane.beats.length).toBeGreaterThanOrEqual(4);
    expect(controlPlane.beats[0]).toMatchObject({ monitorCount: 1 });
    expect(agent.status).toMatchObject({
      state: "running",
      link: "up",
      watch: "off",
      region: "office",
      revision: "r1",
      monitors: 1,
    });
    drain.abort();
    await clock.advance(1_000);
    expect(await ended).toBe("drained");
    expect(agent.status.state).toBe("stopped");
  });

  test("asks with the revision that it knows, about once a poll interval", async () => {
    const { clock, controlPlane, drain, ended } = scene();
    await clock.advance(185_000);
    expect(controlPlane.pulls).toEqual([null, "r1", "r1", "r1"]);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("pulls at once when a heartbeat's answer names another revision", async () => {
    const { clock, controlPlane, drain, ended } = scene();
    await clock.advance(10_000);
    controlPlane.revision = "r2";
    controlPlane.monitors = [monitorWith(), monitorWith({ id: "new" })];
    controlPlane.heartbeatAnswer = { ...plainAnswer, revision: "r2" };
    await clock.advance(26_000);
    expect(controlPlane.pulls).toEqual([null, "r1"]);
    expect(controlPlane.reported.some(({ monitorId }) => monitorId === "new")).toBe(true);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("does not take a heartbeat without an answer for a service that hides its audit log", async () => {
    const { clock, controlPlane, agent, said, drain, ended } = scene();
    const head = { number: 3, chain: "head at 3" };
    controlPlane.heartbeatAnswer = { ...plainAnswer, audit: { ...head, hashes: [] } };
    await clock.advance(40_000);
    controlPlane.heartbeatAnswer = null;
    const before = controlPlane.beats.length;
    await clock.advance(3_600_000);
    expect(controlPlane.beats.length).toBeGreaterThan(before + 100);
    expect(agent.status.audit).toEqual({ head, fault: null });
    expect(said("error")).toEqual([]);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("lets a service ask for more heartbeats than it would send, but not for fewer", async () => {
    const { clock, controlPlane, drain, ended } = scene();
    const asking = (every: number): void => {
      controlPlane.heartbeatAnswer = { ...plainAnswer, nextHeartbeat: millis(every) };
    };
    asking(10_000);
    await clock.advance(60_000);
    expect(controlPlane.beats.length).toBeGreaterThanOrEqual(6);
    asking(3_600_000);
    await clock.advance(10_000);
    const before = controlPlane.beats.length;
    await clock.advance(60_000);
    expect(controlPlane.beats.length).toBe(before + 2);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("keeps checking while the service is away, says it once, and reports everything when it is back", async () => {
    const { clock, controlPlane, prober, said, drain, ended } = scene();
    await clock.advance(40_000);
    const before = controlPlane.reported.length;
    controlPlane.fault = unavailable;
    await clock.advance(300_000);
    expect(prober.probed.length).toBeGreaterThanOrEqual(before + 9);
    expect(controlPlane.reported.length).toBe(before);
    controlPlane.fault = null;
    await clock.advance(120_000);
    expect(controlPlane.reported.length).toBe(prober.probed.length);
    const slots = controlPlane.reported.map(({ slot }) => slot);
    expect(slots).toEqual(slots.toSorted((a, b) => a - b));
    expect(said("warn")).toEqual([
      expect.stringMatching(/^the service cannot be reached: .*; known monitors keep running/),
    ]);
    expect(said("info").filter((message) => message === "the service is back")).toHaveLength(1);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("starts before its service, finds it with fast backoff, and then runs", async () => {
    const { clock, controlPlane, drain, ended } = scene([monitorWith()], (away) => {
      away.fault = unavailable;
    });
    await clock.advance(3_000);
    expect(controlPlane.pulls.length).toBeGreaterThanOrEqual(3);
    controlPlane.fault = null;
    await clock.advance(15_000);
    expect(controlPlane.reported.length).toBeGreaterThanOrEqual(1);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("says once that its token is refused, keeps checking, and reports again only after a pull", async () => {
    const { clock, controlPlane, said, spool, drain, ended } = scene();
    await clock.advance(40_000);
    controlPlane.fault = unauthenticated;
    await clock.advance(200_000);
    expect(spool.size).toBeGreaterThanOrEqual(6);
    expect(said("error")).toHaveLength(1);
    expect(said("error")[0]).toMatch(/^the service refuses the token/);
    controlPlane.fault = null;
    await clock.advance(120_000);
    expect(spool.size).toBeLessThanOrEqual(1);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("drops what the service rejects, keeps what it fails on, and gives a hopeless result up", async () => {
    const { clock, controlPlane, agent, drain, ended } = scene([
      monitorWith({ id: "good" }),
      monitorWith({ id: "bad" }),
      monitorWith({ id: "moved" }),
      monitorWith({ id: "failing" }),
    ]);
    const reason = "latency must be at least 0";
    controlPlane.receipt = ({ monitorId }) =>
      monitorId === "good"
        ? { outcome: "accepted" }
        : monitorId === "failing"
          ? { outcome: "retry", error: internal }
          : { outcome: "rejected", reason, isUnassigned: monitorId === "moved" };
    await clock.advance(2_000_000);
    const beat = controlPlane.beats.at(-1);
    expect(beat).toMatchObject({ missedSlotsOwn: 0 });
    expect(beat?.resultsUnassigned).toBe((beat?.resultsRejected ?? 0) / 2);
    expect(controlPlane.reported.every(({ monitorId }) => monitorId === "good")).toBe(true);
    expect(agent.status.reports.rejected).toBeGreaterThan(10);
    expect(agent.status.reports.givenUp).toBeGreaterThan(0);
    drain.abort();
    await clock.advance(60_000);
    await ended;
  });

  const reason = "lies ahead of the service's clock";
  test.each<Receipt>([
    { outcome: "rejected", reason, isUnassigned: false },
    { outcome: "retry", error: new ServiceError("not_yet", reason) },
  ])(
    "is taken again when its clock, which was an hour ahead and $outcome, is right again",
    async (refusal) => {
      const { clock, controlPlane, drain, ended } = scene();
      let ahead = 0;
      controlPlane.receipt = ({ slot }) =>
        slot > clock.wall() - ahead + 300_000 ? refusal : { outcome: "accepted" };
      ahead = 3_600_000;
      clock.stepWall(ahead);
      await clock.advance(120_000);
      expect(controlPlane.reported).toEqual([]);
      clock.stepWall(-ahead);
      ahead = 0;
      await clock.advance(90_000);
      expect(controlPlane.reported.length).toBeGreaterThanOrEqual(2);
      drain.abort();
      await ended;
    },
  );

  test("waits as long as Retry-After says", async () => {
    const { clock, controlPlane, drain, ended } = scene();
    await clock.advance(6_000);
    const before = controlPlane.reported.length;
    controlPlane.fault = new ServiceError("rate_limited", "slow down", millis(60_000));
    await clock.advance(35_000);
    controlPlane.fault = null;
    await clock.advance(20_000);
    expect(controlPlane.reported.length).toBe(before);
    await clock.advance(60_000);
    expect(controlPlane.reported.length).toBeGreaterThan(before);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("reports an error for a monitor that cannot be run, and runs the others", async () => {
    const { id, name, kind, uri, periodicity } = monitorWith({ id: "bad" });
    const rejection = failure("invalid_uri", "config", "Invalid configuration: uri has port 0");
    const { clock, controlPlane, said, drain, ended } = scene([
      { id, name, kind, uri, periodicity, rejection },
      monitorWith({ id: "good" }),
    ]);
    await clock.advance(40_000);
    const first = (id: string) =>
      controlPlane.messages.find(({ result }) => result.value?.monitorId === id)?.result.value;
    expect(first("bad")).toMatchObject({
      requestStatus: "error",
      message: "Invalid configuration: uri has port 0",
    });
    expect(first("good")).toMatchObject({ requestStatus: "success" });
    expect(said("warn")).toEqual(["a monitor cannot be run and reports why at each of its slots"]);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });
});

describe("what was left out of an assignment", () => {
  const remark = (n: number) => ({
    monitorId: `m${n}`,
    monitorName: "shop",
    field: "periodicity",
    message: 'is "other": the monitor is not run',
  });

  test("is logged once, also when the service says it by turns, and is in the status", async () => {
    const { clock, controlPlane, agent, log, said, drain, ended } = scene(
      [monitorWith()],
      (service) => {
        service.revision = null;
        service.remarks = [remark(1)];
      },
    );
    await clock.advance(10_000);
    expect(agent.status.remarks).toEqual([remark(1)]);
    await clock.advance(60_000);
    const { monitorName, field, message } = remark(1);
    expect(controlPlane.beats.at(-1)?.remarks).toEqual([`${monitorName}: ${field} ${message}`]);
    for (let turn = 0; turn < 6; turn += 1) {
      controlPlane.remarks = turn % 2 === 0 ? [] : [remark(1)];
      await clock.advance(70_000);
    }
    const event = "part of the assignment is left out or changed; the rest runs";
    expect(said("warn")).toEqual([event]);
    expect(log.said.find(({ message }) => message === event)?.fields).toEqual({
      monitor: "m1",
      name: "shop",
      field: "periodicity",
      remark: 'periodicity is "other": the monitor is not run',
    });
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("does not fill the log, however much it is", async () => {
    const { clock, controlPlane, said, drain, ended } = scene([monitorWith()], (service) => {
      service.revision = null;
    });
    for (let turn = 0; turn < 5; turn += 1) {
      controlPlane.remarks = Array.from({ length: 1_000 }, (_, n) => remark(turn * 1_000 + n));
      await clock.advance(70_000);
    }
    expect(said("warn").length).toBeLessThanOrEqual(5 * (remarksLoggedMax + 1));
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });
});

describe("stopping", () => {
  test("lets checks in flight end and reports them, with a last heartbeat", async () => {
    const { clock, controlPlane, prober, agent, drain, ended } = scene();
    const checking = Promise.withResolvers<void>();
    prober.script = async () => {
      await checking.promise;
      return new TwinProber().script({ kind: "tcp", host: "a", port: 1 }, drain.signal);
    };
    await clock.advance(6_000);
    expect(agent.status.checksInFlight).toBe(1);
    drain.abort();
    await clock.advance(1_000);
    expect(agent.status.state).toBe("draining");
    const beats = controlPlane.beats.length;
    checking.resolve();
    await clock.advance(1_000);
    expect(await ended).toBe("drained");
    expect(controlPlane.reported).toHaveLength(1);
    expect(controlPlane.beats.length).toBe(beats + 1);
  });

  test("says at its beginning that it leaves, so that others take over while its checks end", async () => {
    const { clock, controlPlane, prober, agent, drain, abandon, ended } = scene();
    prober.script = (target, signal) => hanging(target.kind, signal);
    await clock.advance(6_000);
    expect(controlPlane.beats.map(({ leaving }) => leaving)).toEqual([false]);
    drain.abort();
    await clock.advance(1);
    expect(agent.status.checksInFlight).toBe(1);
    expect(controlPlane.beats.map(({ leaving }) => leaving)).toEqual([false, true]);
    abandon.abort();
    await clock.advance(1);
    await ended;
  });

  test("gives checks up when the drain timeout is over: they are missed, not downtime", async () => {
    const { clock, controlPlane, prober, agent, drain, ended } = scene();
    prober.script = (target, signal) => hanging(target.kind, signal);
    await clock.advance(6_000);
    drain.abort();
    await clock.advance(29_000);
    expect(agent.status.state).toBe("draining");
    await clock.advance(2_000);
    await ended;
    expect(controlPlane.reported).toEqual([]);
    expect(agent.status.schedule.missed.drained).toBe(1);
  });

  test("is cut short by a second signal", async () => {
    const { clock, prober, drain, abandon, agent, ended } = scene();
    prober.script = (target, signal) => hanging(target.kind, signal);
    await clock.advance(6_000);
    drain.abort();
    await clock.advance(100);
    abandon.abort();
    await clock.advance(100);
    await ended;
    expect(agent.status.state).toBe("stopped");
  });

  test("with a service that is away tries on for what is in memory only, until its patience ends", async () => {
    const { clock, controlPlane, agent, said, drain, ended } = scene();
    await clock.advance(40_000);
    controlPlane.fault = unavailable;
    await clock.advance(60_000);
    drain.abort();
    await clock.advance(29_000);
    expect(agent.status.state).toBe("draining");
    await clock.advance(2_000);
    expect(await ended).toBe("abandoned");
    expect(agent.status.resultsWaiting).toBeGreaterThan(0);
    expect(said("info")).toContain(
      "stopping: waits at most 30 s for the service to take the results, which are in memory only",
    );
  });

  test("says that it waits for nothing, if nothing is under way", async () => {
    const { clock, said, drain, ended } = scene([]);
    await clock.advance(6_000);
    drain.abort();
    await clock.advance(100);
    expect(await ended).toBe("drained");
    expect(said("info")).toContain("stopping: no check is in flight, and no result waits");
  });
});

test("a fault of our own in one loop stops the agent loudly", async () => {
  const { clock, ended } = scene([], (broken) => {
    broken.pull = async () => {
      throw new TypeError("our bug");
    };
  });
  const outcome = ended.catch((error: unknown) => error);
  await clock.advance(5_000);
  expect(await outcome).toBeInstanceOf(TypeError);
});

describe("an agent that remembers its assignment", () => {
  test("runs what it ran last within 5 s when the service is away, and continues when it is back", async () => {
    const { controlPlane: source } = scene([monitorWith()]);
    const pulled = await source.pull(null);
    if (pulled.unchanged) throw new Error("nothing was assigned");
    const saved: string[] = [];
    const memory: AssignmentMemory = {
      load: async () => ({ ...pulled, region: "office", revision: "r0" }),
      save: async ({ revision }) => void saved.push(revision ?? ""),
      takesChanges: true,
      ran: null,
      saveRan: () => {},
    };
    const away = (plane: TwinControlPlane): void => {
      plane.fault = unavailable;
    };
    const { clock, controlPlane, prober, said, agent, drain, ended } = scene([], away, memory);
    await clock.advance(5_001);
    expect(prober.probed.length).toBe(1);
    expect(agent.status).toMatchObject({ link: "down", monitors: 1, revision: "r0" });
    expect(said("info")).toContain(
      "assignment read from disk: it runs until the service sends another",
    );
    controlPlane.fault = null;
    controlPlane.monitors = [monitorWith({ id: "other" })];
    await clock.advance(60_000);
    expect(controlPlane.reported.length).toBeGreaterThanOrEqual(1);
    expect(controlPlane.pulls.at(0)).toBe("r0");
    expect(saved).toEqual(["r1"]);
    expect(agent.status).toMatchObject({ link: "up", monitors: 1, revision: "r1" });
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });

  test("says once that its assignment cannot be kept or used, and runs anyway", async () => {
    const memory: AssignmentMemory = {
      load: () => Promise.reject(new Error("a.json holds a damaged assignment")),
      save: () => Promise.reject(new Error("ENOSPC")),
      takesChanges: true,
      ran: null,
      saveRan: () => {},
    };
    const { clock, controlPlane, prober, said, drain, ended } = scene(
      [monitorWith()],
      undefined,
      memory,
    );
    controlPlane.revision = null;
    await clock.advance(130_000);
    expect(prober.probed.length).toBeGreaterThanOrEqual(4);
    expect(said("warn")).toEqual([
      "the kept assignment cannot be used: monitors run once the service answers",
      "the assignment cannot be kept on disk: after a restart monitors run once the service answers",
    ]);
    drain.abort();
    await clock.advance(1_000);
    await ended;
  });
});
