import path from "node:path";
import { expect, test } from "vitest";
import type { AgentStatus } from "#agent/agent-status";
import { agentSigns } from "#cli/agent/agent-signs";
import {
  noSupervisor,
  openSupervisor,
  type Supervisor,
  tellStart,
  tellSupervisor,
} from "#cli/edge/supervisor";
import { silentLogger } from "#base/log";
import { millis } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { isInstalled } from "../../support/installed.ts";
import { notifySocket } from "../../support/notify-socket.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const pythonIsThere = isInstalled("python3");

test.skipIf(!pythonIsThere).each([
  ["a path", () => path.join(temporaryFolder(), "notify")],
  ["an abstract name", () => `@picket-test-${process.pid}`],
])("systemd is told by a datagram to %s", async (_kind, name) => {
  const socket = name();
  const next = await notifySocket(socket);
  const manager = openSupervisor({ NOTIFY_SOCKET: socket }, silentLogger);
  manager.tell("READY=1", "STATUS=running");
  expect(await next()).toBe("READY=1\nSTATUS=running");
  manager.tell("WATCHDOG=1");
  expect(await next()).toBe("WATCHDOG=1");
});

test.skipIf(!pythonIsThere)(
  "a manager that is away, and comes back under its name, costs nothing but what was said meanwhile",
  async () => {
    const socket = path.join(temporaryFolder(), "notify");
    const manager = openSupervisor({ NOTIFY_SOCKET: socket }, silentLogger);
    manager.tell("READY=1");
    const next = await notifySocket(socket);
    manager.tell("WATCHDOG=1");
    expect(await next()).toBe("WATCHDOG=1");
  },
);

test("without a supervisor nothing is sent; a socket of another kind gives a warning", () => {
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
  expect(openSupervisor({}, log)).toBe(noSupervisor);
  expect(warnings).toEqual([]);
  expect(openSupervisor({ NOTIFY_SOCKET: "vsock:2:1" }, log)).toBe(noSupervisor);
  expect(warnings.join()).toContain("set Type=exec");
});

test("the watchdog's patience is ours only when its process is", () => {
  const env = { NOTIFY_SOCKET: "@nobody", WATCHDOG_USEC: "3000000" };
  expect(openSupervisor(env, silentLogger).watchdog).toBe(3000);
  const other = openSupervisor({ ...env, WATCHDOG_PID: "1" }, silentLogger);
  expect(other.watchdog).toBeNull();
});

test("a start that says nothing new for minutes is said to last, until it has ended", async () => {
  const told: string[] = [];
  const manager: Supervisor = {
    watchdog: null,
    tell: (...assignments) => void told.push(assignments.join(" ")),
  };
  const [clock, started] = [new FakeClock(), new AbortController()];
  const say = tellStart(manager, clock, started.signal);
  say("results are distributed");
  await clock.advance(10 * 60_000);
  started.abort();
  await clock.advance(10 * 60_000);
  const words = (status: string): string => `STATUS=${status} EXTEND_TIMEOUT_USEC=300000000`;
  const distributing = Array.from({ length: 11 }, () => words("results are distributed"));
  expect(told).toEqual([words("starts"), ...distributing]);
});

test("an agent whose probes are stuck is not said to live, but says why; one that stops says so, and how long it may take", async () => {
  const told: string[] = [];
  const manager: Supervisor = {
    watchdog: millis(3000),
    tell: (...assignments) => void told.push(assignments.join(" ")),
  };
  const healthy: Pick<AgentStatus, "state" | "sinceTick" | "probesStuckFor"> = {
    state: "running",
    sinceTick: millis(500),
    probesStuckFor: millis(0),
  };
  let now = healthy;
  const signs = () =>
    agentSigns({ ...now, link: "up", monitors: 3, checksInFlight: 1, resultsWaiting: 2 });
  const clock = new FakeClock();
  const [stopping, ended] = [new AbortController(), new AbortController()];
  const telling = tellSupervisor(
    { manager, signs, drainTimeout: millis(90_000), clock },
    stopping.signal,
    ended.signal,
  );
  const doing = "STATUS=running, service up, monitors 3, checks in flight 1, results waiting 2";
  expect(told).toEqual([`READY=1 ${doing}`, `${doing} WATCHDOG=1`]);
  now = { ...healthy, probesStuckFor: millis(40_000) };
  await clock.advance(millis(1000));
  expect(told.at(-1)).toMatch(
    /^STATUS=a probe thread has made no progress for 40 s: restart[^=]*$/,
  );
  now = { ...healthy, state: "draining" };
  stopping.abort();
  expect(told.at(-1)).toMatch(/^STOPPING=1 STATUS=draining.* EXTEND_TIMEOUT_USEC=105000000$/);
  ended.abort();
  await telling;
  expect(told).toHaveLength(4);
});
