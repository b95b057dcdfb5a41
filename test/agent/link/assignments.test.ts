import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { Assignments } from "#agent/link/assignments";
import { RunRecord } from "#agent/link/run-record";
import { ServiceLink } from "#agent/link/service-link";
import type { Logger } from "#base/log";
import { assignmentFile, type AssignmentMemory } from "#agent/state/assignment-file";
import { type ControlPlane, ServiceError } from "#transport/control-plane";
import { endpointScene } from "../../support/endpoint-scene.ts";
import { millis } from "#base/units";
import { checkerWith } from "../../support/checking.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { memoryLog, monitorWith, TwinControlPlane, TwinProber } from "../../support/twins.ts";

const assignmentsWith = (
  memory: AssignmentMemory,
  {
    controlPlane,
    clock,
    log,
  }: {
    readonly controlPlane: ControlPlane;
    readonly clock: FakeClock;
    readonly log: Logger;
  },
): Assignments => {
  const checker = checkerWith(new TwinProber(), clock, log);
  return new Assignments({
    controlPlane,
    memory,
    checker,
    runs: new RunRecord({ memory, checker, clock, log }),
    link: new ServiceLink(log, clock, "https://service.test"),
    clock,
    log,
    pollInterval: millis(60_000),
    chance: () => 0.5,
  });
};

test("an assignment that is refused leaves the one before it running; log, /status and /readyz say why", async () => {
  const { agent, clock, controlPlane, log, get } = await endpointScene({
    monitors: [monitorWith()],
  });
  await clock.advance(10_000);
  expect((await get("/readyz")).status).toBe(200);
  const pull = controlPlane.pull.bind(controlPlane);
  controlPlane.pull = () =>
    Promise.reject(new ServiceError("oversized", "the service assigned a million monitors"));
  await clock.advance(600_000);
  expect(agent.status).toMatchObject({ monitors: 1, link: "up" });
  const said = log.said.filter(({ message }) =>
    message.includes("the service's answer is refused"),
  );
  expect(said).toHaveLength(1);
  const ready = await get("/readyz");
  expect([ready.status, await ready.text()]).toEqual([
    503,
    expect.stringContaining("the service assigned a million monitors: assign fewer monitors"),
  ]);
  expect(await (await get("/status")).json()).toMatchObject({
    assignment_refused: expect.stringContaining("the service assigned a million monitors"),
    ready: { ok: false },
  });
  controlPlane.pull = pull;
  await clock.advance(600_000);
  expect((await get("/readyz")).status).toBe(200);
});

test("an assignment is logged as taken once it is on disk: an agent that is killed then starts with it", async () => {
  const file = path.join(temporaryFolder(), "assignment.json");
  const [clock, quiet] = [new FakeClock(), memoryLog()];
  const wasKept: boolean[] = [];
  const log: Logger = {
    ...quiet,
    info: (message) => {
      if (message === "assignment taken") wasKept.push(existsSync(file));
    },
  };
  const controlPlane = new TwinControlPlane();
  controlPlane.monitors = [monitorWith()];
  const assignments = assignmentsWith(assignmentFile(file, "o"), { controlPlane, clock, log });
  const stop = new AbortController();
  const running = assignments.run(stop.signal);
  await assignments.first;
  stop.abort();
  await running;
  expect(wasKept).toEqual([true]);
});

test("an assignment that could not be kept is kept by a later pull, also if that brings nothing new", async () => {
  const [clock, log, controlPlane] = [new FakeClock(), memoryLog(), new TwinControlPlane()];
  controlPlane.monitors = [monitorWith()];
  const saved: string[] = [];
  let isFull = true;
  const memory: AssignmentMemory = {
    load: async () => null,
    save: async ({ monitors }) => {
      if (isFull) throw new Error("the disk is full");
      saved.push(monitors.map(({ id }) => id).join(" "));
    },
    takesChanges: true,
    ran: null,
    saveRan: () => {},
  };
  const assignments = assignmentsWith(memory, { controlPlane, clock, log });
  const stop = new AbortController();
  const running = assignments.run(stop.signal);
  await clock.advance(130_000);
  isFull = false;
  await clock.advance(130_000);
  stop.abort();
  await running;
  expect(controlPlane.pulls).toEqual([null, "r1", "r1", "r1", "r1"]);
  expect(saved).toEqual([monitorWith().id]);
});

test("while the disk is full the whole is asked for, so that only the newest is left to keep", async () => {
  const [clock, log, controlPlane] = [new FakeClock(), memoryLog(), new TwinControlPlane()];
  controlPlane.monitors = [monitorWith()];
  const saved: (string | null)[] = [];
  const asked: (boolean | null)[] = [];
  let isFull = true;
  const memory: AssignmentMemory = {
    load: async () => null,
    save: async ({ revision }) => {
      if (isFull) throw new Error("the disk is full");
      saved.push(revision);
    },
    takesChanges: true,
    ran: null,
    saveRan: () => {},
  };
  const pull = controlPlane.pull.bind(controlPlane);
  controlPlane.pull = async (known) => {
    asked.push(known?.takesChanges ?? null);
    controlPlane.revision = `r${asked.length}`;
    return pull(known);
  };
  const assignments = assignmentsWith(memory, { controlPlane, clock, log });
  const stop = new AbortController();
  const running = assignments.run(stop.signal);
  await clock.advance(130_000);
  isFull = false;
  await clock.advance(130_000);
  stop.abort();
  await running;
  expect(asked).toEqual([null, false, false, false, true]);
  expect(saved).toEqual(["r4", "r5"]);
});
