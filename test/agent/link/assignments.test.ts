import { existsSync } from "node:fs";
import path from "node:path";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { Assignments } from "#agent/link/assignments";
import type { LocalChecker } from "#agent/prober/local-checker";
import { ServiceLink } from "#agent/link/service-link";
import type { Logger } from "#base/log";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import { assignmentFile, type AssignmentMemory } from "#agent/state/assignment-file";
import { type ControlPlane, ServiceError } from "#transport/control-plane";
import { readAssignment } from "#wire/read-assignment";
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
    checker = checkerWith(new TwinProber(), clock, log),
  }: {
    readonly controlPlane: ControlPlane;
    readonly clock: FakeClock;
    readonly log: Logger;
    readonly checker?: LocalChecker;
  },
): Assignments =>
  new Assignments({
    controlPlane,
    memory,
    checker,
    link: new ServiceLink(log, clock, "https://service.test"),
    clock,
    log,
    pollInterval: millis(60_000),
    chance: () => 0.5,
  });

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

test("an agent that starts again checks its monitors at their next slots, and none before, though the service said nothing since", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "assignment.json");
  const clock = new FakeClock();
  const httpMonitors = Array.from({ length: 50 }, (_, n) => ({
    id: `m${n}`,
    url: "https://a.test/",
    periodicity: "30s",
  }));
  const message = create(MonitorsResponseSchema, {
    httpMonitors,
    revision: "r1",
    region: "office",
  });
  const run = async (time: number): Promise<readonly number[]> => {
    const [log, controlPlane, prober] = [memoryLog(), new TwinControlPlane(), new TwinProber()];
    controlPlane.pull = async (known) =>
      known === null ? { unchanged: false, ...readAssignment(message) } : { unchanged: true };
    const checker = checkerWith(prober, clock, log);
    const slots: number[] = [];
    checker.attend({ decided: ({ result }) => slots.push(result.slot), missed: () => {} });
    const memory = assignmentFile(file, "o");
    const assignments = assignmentsWith(memory, { controlPlane, clock, log, checker });
    const stop = new AbortController();
    const running = [assignments.run(stop.signal), checker.run(stop.signal)];
    await clock.advance(time);
    stop.abort();
    await Promise.all(running);
    return slots;
  };
  expect((await run(60_000)).length).toBeGreaterThanOrEqual(100);
  const again = await run(30_000);
  expect(again.length).toBeGreaterThanOrEqual(50);
  // A slot of the last half second may not have been begun.
  expect(again.length).toBeLessThanOrEqual(52);
});
