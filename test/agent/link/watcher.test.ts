import { describe, expect, onTestFinished, test } from "vitest";
import { Agent } from "#agent/agent";
import { ServiceError } from "#transport/control-plane";
import { memorySpool } from "#agent/spool/memory-spool";
import { hours, mebibytes, millis } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import {
  hanging,
  memoryLog,
  monitorWith,
  passed,
  TwinControlPlane,
  TwinProber,
  TwinWatch,
  unavailable,
} from "../../support/twins.ts";
import { checkerWith } from "../../support/checking.ts";

/** An agent that polls once an hour, so that what happens sooner was pushed. */
async function scene(script?: TwinWatch["script"]) {
  const clock = new FakeClock();
  const controlPlane = new TwinControlPlane();
  controlPlane.monitors = [monitorWith()];
  const prober = new TwinProber();
  const watch = new TwinWatch();
  if (script !== undefined) watch.script = script;
  const log = memoryLog();
  const agent = new Agent({
    checker: checkerWith(prober, clock, log, 10),
    controlPlane,
    watch,
    spool: memorySpool(clock, { bytesMax: mebibytes(1), ageMax: hours(24) }),
    clock,
    log,
    serviceUrl: "http://127.0.0.1:1",
    pollInterval: millis(3_600_000),
    heartbeatInterval: millis(300_000),
    drainTimeout: millis(30_000),
    chance: () => 0.5,
  });
  const drain = new AbortController();
  const ended = agent.run(drain.signal, new AbortController().signal);
  const stop = async (): Promise<void> => {
    drain.abort();
    await clock.advance(60_000);
    await ended;
  };
  onTestFinished(stop);
  await clock.advance(100);
  const said = (): readonly string[] =>
    log.said.flatMap(({ level, message }) =>
      level !== "debug" && /push/.test(message) ? [message] : [],
    );
  return { clock, controlPlane, prober, watch, agent, said, stop };
}

describe("an agent with a push channel", () => {
  test("takes a change within a second, and asks for nothing if it has that revision already", async () => {
    const { clock, controlPlane, watch, agent } = await scene();
    expect(agent.status.watch).toBe("connected");
    watch.listener?.pushed({ kind: "changed", revision: "r1" });
    await clock.advance(10_000);
    expect(controlPlane.pulls).toEqual([null]);
    controlPlane.revision = "r2";
    watch.listener?.pushed({ kind: "changed", revision: "r2" });
    await clock.advance(1_000);
    expect(agent.status.revision).toBe("r2");
  });

  test("does not pull without end for a service whose two voices contradict each other", async () => {
    const { clock, controlPlane, watch } = await scene();
    for (let times = 0; times < 1_000; times += 1) {
      watch.listener?.pushed({ kind: "changed", revision: `other-${times}` });
      await clock.advance(10);
    }
    expect(controlPlane.pulls.length).toBeGreaterThan(10);
    expect(controlPlane.pulls.length).toBeLessThanOrEqual(22);
  });

  test("answers a check that is asked for, names no slot in it, and reports it nowhere", async () => {
    const { clock, controlPlane, watch, agent } = await scene();
    await clock.advance(31_000);
    const before = [controlPlane.reported.length, agent.status.schedule.started];
    const asked = watch.ask("m");
    await clock.advance(100);
    expect(await asked).toMatchObject({
      ran: true,
      result: {
        result: { value: { monitorId: "m", cronTimestamp: 0n, requestStatus: "success" } },
      },
    });
    expect([controlPlane.reported.length, agent.status.schedule.started]).toEqual(before);
    await clock.advance(30_000);
    expect(controlPlane.reported.length).toBe((before[0] ?? 0) + 1);
    expect(controlPlane.reported.every(({ slot }) => slot > 0)).toBe(true);
  });

  test("says what it cannot check: an unknown monitor, too many at once, one that does not end", async () => {
    const { clock, prober, watch } = await scene();
    expect(await watch.ask("x".repeat(100))).toEqual({
      ran: false,
      error: `this agent does not run the monitor ${"x".repeat(63)}…`,
    });
    prober.script = (target, signal) => hanging(target.kind, signal);
    const asked = Array.from({ length: 4 }, () => watch.ask("m"));
    await clock.advance(100);
    expect(await watch.ask("m")).toEqual({
      ran: false,
      error: "4 requested checks are already running: try again when one has finished",
    });
    await clock.advance(134_800);
    prober.script = ({ kind }) => passed(kind);
    await clock.advance(1_000);
    expect(await Promise.all(asked)).toEqual(
      Array.from({ length: 4 }, () => ({
        ran: false,
        error: "the check did not end within 135 s",
      })),
    );
    const again = watch.ask("m");
    await clock.advance(100);
    expect(await again).toMatchObject({ ran: true });
  });

  test("that is stopped answers whoever waits, and then lets the channel go", async () => {
    const { clock, prober, watch, agent, stop } = await scene();
    prober.script = (target, signal) => hanging(target.kind, signal);
    const asked = watch.ask("m");
    await clock.advance(100);
    await stop();
    expect(await asked).toEqual({
      ran: false,
      error: "the agent is stopping and starts no more checks",
    });
    expect([watch.listener, agent.status.watch]).toEqual([null, "off"]);
  });

  test("goes when the service is about to stop, and comes back within seconds", async () => {
    const { clock, watch, agent } = await scene();
    await clock.advance(60_000);
    watch.listener?.pushed({ kind: "drain" });
    await clock.advance(2_900);
    expect([watch.attempts, watch.listener, agent.status.watch]).toEqual([1, null, "connecting"]);
    await clock.advance(200);
    expect([watch.attempts, agent.status.watch]).toEqual([2, "connected"]);
  });
});

describe("an agent whose push channel does not hold", () => {
  test("comes back with growing pauses, polls on, and says it once", async () => {
    const { clock, controlPlane, watch, agent, said } = await scene((listener) => {
      listener.opened();
      return unavailable;
    });
    await clock.advance(3_700_000);
    expect(watch.attempts).toBeGreaterThan(60);
    expect(watch.attempts).toBeLessThan(100);
    expect(said()).toEqual([
      "the service's push channel is lost: changes arrive with the next poll",
    ]);
    expect(controlPlane.pulls).toEqual([null, "r1"]);
    expect(controlPlane.reported.length).toBeGreaterThanOrEqual(120);
    watch.script = new TwinWatch().script;
    await clock.advance(100_000);
    expect(agent.status.watch).toBe("connected");
    expect(said().at(-1)).toBe("the service pushes changes");
    expect(said()).toHaveLength(2);
  });

  test("says nothing of a loss that is over at once", async () => {
    const { clock, watch, said } = await scene();
    await clock.advance(31_000);
    for (let times = 0; times < 20; times += 1) {
      watch.lose();
      await clock.advance(40_000);
    }
    expect(watch.attempts).toBe(21);
    expect(said()).toEqual(["the service pushes changes"]);
  });

  test("a service that drains it again and again is not asked in a loop", async () => {
    const { clock, watch } = await scene((listener) => {
      listener.pushed({ kind: "drain" });
      return null;
    });
    await clock.advance(3_600_000);
    expect(watch.attempts).toBeLessThan(100);
  });

  test("asks a service without one again after an hour, and says it once", async () => {
    const { clock, watch, agent, said } = await scene(() => new ServiceError("unsupported", "404"));
    await clock.advance(3_599_000);
    expect([watch.attempts, agent.status.watch]).toEqual([1, "unsupported"]);
    await clock.advance(3_601_000);
    expect(watch.attempts).toBe(3);
    expect(said()).toEqual(["the service pushes no changes: they arrive with the next poll"]);
  });

  test("keeps the pause that a service asks for, up to ten minutes", async () => {
    const { clock, watch } = await scene(
      () => new ServiceError("rate_limited", "full", millis(7_200_000)),
    );
    await clock.advance(599_000);
    expect(watch.attempts).toBe(1);
    await clock.advance(2_000);
    expect(watch.attempts).toBe(2);
  });
});
