import { setImmediate } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import type { Checker } from "#agent/prober/checker";
import type { DecidedCheck } from "#agent/prober/checks/decided-check";
import type { MissedSlots } from "#agent/prober/schedule/missed-slots";
import { nextSlot } from "#agent/prober/schedule/slots";
import { parseSecretHost } from "#agent/secrets/secret-hosts";
import { startThreadChecker } from "#agent/prober/thread-checker";
import { systemClock } from "#base/clock";
import type { RunnableMonitor } from "#check/monitor";
import { type EpochMillis, epochMillis, millis } from "#base/units";
import { parseTargetRules } from "#network/target-rules";
import { messageOf } from "#wire/report";
import { answers, onRequestHead, tcpPeer } from "../../servers/scripted.ts";
import { proberOptions } from "../../support/metering.ts";
import { httpTarget } from "../../support/probing.ts";
import { memoryLog, monitorWith } from "../../support/twins.ts";

const never = new AbortController().signal;
const noSlots: ReadonlyMap<string, EpochMillis> = new Map();

/** A checker of real threads, what was heard of its slots, and the threads that were started. */
async function scene(workers = 1, concurrency = 10, evidence = proberOptions.evidence) {
  const threads: Worker[] = [];
  const onThread = (thread: Worker): void => void threads.push(thread);
  process.on("worker", onThread);
  const log = memoryLog();
  const checker = await startThreadChecker({
    probing: { ...proberOptions, kernelClock: true, evidence },
    workers,
    concurrency,
    latencyEnd: "total",
    log,
  });
  const decided: DecidedCheck[] = [];
  const missed: MissedSlots[] = [];
  let heard = Promise.withResolvers<void>();
  const hear = (): void => {
    heard.resolve();
    heard = Promise.withResolvers();
  };
  checker.attend({
    decided: (one) => {
      decided.push(one);
      hear();
    },
    missed: (one) => {
      missed.push(one);
      hear();
    },
  });
  const drain = new AbortController();
  const running = checker.run(drain.signal);
  onTestFinished(async () => {
    process.off("worker", onThread);
    await checker[Symbol.asyncDispose]();
  });
  /** Waits for news until this holds. */
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await heard.promise;
  };
  return { checker, threads, log, decided, missed, drain, running, until };
}

/** Short, so that a slot comes soon. */
const period = millis(1_500);

const on = (id: string, port: number, more: Partial<RunnableMonitor> = {}): RunnableMonitor =>
  monitorWith({
    id,
    kind: "http",
    uri: `http://127.0.0.1:${port}/`,
    target: httpTarget(`http://127.0.0.1:${port}/`),
    timeout: millis(60_000),
    periodicity: period,
    ...more,
  });

const start = (checker: Checker, ...monitors: readonly RunnableMonitor[]): void =>
  checker.apply({ start: monitors, change: [], stop: [], kept: 0 }, noSlots);

const replies = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

test("a thread checks its monitors at their slots, and sends results as the service gets them", async () => {
  await using peer = await tcpPeer(answers(replies));
  const { checker, decided, until } = await scene(2);
  const began = systemClock.wall();
  const monitors = ["a", "b", "c"].map((id) => on(id, peer.port));
  start(checker, ...monitors);
  await until(() => new Set(decided.map(({ monitor }) => monitor.id)).size === 3);
  for (const { result, report, monitor, lateness } of decided) {
    expect(monitor).toBe(monitors.find(({ id }) => id === result.monitorId));
    expect(result).toMatchObject({ status: "success", id: report.id, slot: report.slot });
    expect(result.slot).toBeGreaterThan(began);
    expect(lateness).not.toBeNull();
    // The body went with the report, which is all that needs it.
    expect(result.outcome?.kind === "http" && result.outcome.response?.body.length).toBe(0);
    expect(messageOf(report.payload)?.result.value).toMatchObject({
      monitorId: monitor.id,
      cronTimestamp: BigInt(result.slot),
      requestStatus: "success",
    });
  }
  expect(checker.status.schedule.started).toBeGreaterThanOrEqual(3);
  const planned = [...checker.planned()];
  expect(planned.map(({ monitor }) => monitor.id)).toEqual(["a", "b", "c"]);
  for (const { monitor, next } of planned)
    expect(next).toBe(nextSlot(monitor.id, period, epochMillis(next - 1)));
});

test("a slot that is hidden after its monitor was taken away is counted and reported as missed", async () => {
  const { checker, missed } = await scene();
  start(checker, on("a", 9, { periodicity: millis(3_600_000) }));
  checker.apply({ start: [], change: [], stop: ["a"], kept: 0 }, noSlots);
  checker.hide("a", epochMillis(5));
  expect(missed).toEqual([{ monitorId: "a", slot: 5, count: 1, reason: "vantage" }]);
  expect(checker.status.schedule.missed.vantage).toBe(1);
});

test("a stop takes no slot any more, and is over once all that ran has ended and was reported", async () => {
  const answered = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using peer = await tcpPeer((socket) => {
    socket.once("data", () => asked.resolve());
    void answered.promise.then(() => socket.end(replies));
  });
  const { checker, decided, drain, running } = await scene();
  start(checker, on("a", peer.port), on("b", peer.port, { periodicity: millis(3_600_000) }));
  await asked.promise;
  expect(checker.status.checksInFlight).toBeGreaterThan(0);
  expect(checker.checking().length).toBeGreaterThan(0);
  drain.abort();
  // The thread hears that it takes no slot any more before it is asked about those that it took.
  await running;
  const settled = checker.settled();
  answered.resolve();
  await settled;
  expect(decided.map(({ result }) => result.status)).toContain("success");
  expect(checker.checking()).toEqual([]);
  expect(checker.status.checksInFlight).toBe(0);
});

test("a monitor that is taken away leaves its check as a missed slot", async () => {
  const asked = Promise.withResolvers<void>();
  await using silent = await tcpPeer((socket) => void socket.once("data", () => asked.resolve()));
  const { checker, decided, missed, until } = await scene();
  start(checker, on("a", silent.port));
  await asked.promise;
  checker.apply({ start: [], change: [], stop: ["a"], kept: 0 }, noSlots);
  await until(() => missed.length > 0);
  expect(missed).toMatchObject([{ monitorId: "a", count: 1, reason: "drained" }]);
  expect([decided, [...checker.planned()]]).toEqual([[], []]);
});

test("a check now is answered next to the slots, and ends when it is no longer waited for", async () => {
  await using peer = await tcpPeer(answers(replies));
  const asked = Promise.withResolvers<void>();
  await using silent = await tcpPeer((socket) => void socket.once("data", () => asked.resolve()));
  const { checker, decided } = await scene();
  const far = epochMillis(systemClock.wall());
  const [quick, slow] = [on("a", peer.port), on("b", silent.port)];
  // Their slots are an hour away.
  const newest = new Map([quick, slow].map(({ id }) => [id, far]));
  const hourly = [quick, slow].map((one) => ({ ...one, periodicity: millis(3_600_000) }));
  checker.apply({ start: hourly, change: [], stop: [], kept: 0 }, newest);
  const payload = await checker.checkNow(quick, never);
  expect(payload && messageOf(payload)?.result.value).toMatchObject({
    requestStatus: "success",
    cronTimestamp: 0n,
  });
  const stop = new AbortController();
  const waiting = checker.checkNow(slow, stop.signal);
  await asked.promise;
  stop.abort();
  expect(await waiting).toBeNull();
  expect(decided).toEqual([]);
});

test("a thread that dies blames the agent for what it had under way, and its successor continues", async () => {
  const asked = Promise.withResolvers<void>();
  let answering = false;
  await using peer = await tcpPeer((socket) =>
    socket.once("data", () => {
      if (answering) socket.end(replies);
      asked.resolve();
    }),
  );
  const { checker, threads, log, decided, missed, until } = await scene();
  start(checker, on("a", peer.port));
  await asked.promise;
  answering = true;
  const [checking] = checker.checking();
  expect(checking?.id).toBe("a");
  const asking = checker.checkNow(on("a", peer.port), never);
  await threads[0]?.terminate();
  await until(() => decided.length === 1);
  const [broken] = decided;
  expect(broken).toMatchObject({
    lateness: null,
    result: { status: "error", failure: { code: "agent_error", phase: "agent" } },
  });
  expect(messageOf(broken?.report.payload ?? new Uint8Array())?.result.value).toMatchObject({
    requestStatus: "error",
    cronTimestamp: BigInt(broken?.result.slot ?? 0),
  });
  // Whoever asked has an answer too, be it that there is none.
  await asking;
  expect(checker.status.stuckFor).toBeGreaterThan(0);
  await until(() => decided.length >= 3);
  const slots = decided.map(({ result }) => result.slot);
  expect(decided.slice(1, 3).map(({ result }) => result.status)).toEqual(["success", "success"]);
  // Every slot since the first has a result, or was counted as missed.
  const skipped = missed.reduce((sum, { count }) => sum + count, 0);
  const between = [...slotsBetween("a", slots[0] ?? epochMillis(0), slots[2] ?? epochMillis(0))];
  expect(between.length - skipped).toBe(2);
  expect(checker.status.stuckFor).toBe(0);
  expect(checker.status.schedule.started).toBeGreaterThanOrEqual(3);
  expect(threads).toHaveLength(2);
  const faults = log.said.filter(({ level }) => level !== "info");
  expect(faults.map(({ message }) => message)).toEqual(["a probe thread died and is replaced"]);
});

/** Regular slots after the first instant, up to the second. */
function* slotsBetween(id: string, from: EpochMillis, to: EpochMillis): Iterable<EpochMillis> {
  for (let slot = nextSlot(id, period, from); slot <= to;)
    yield (slot = nextSlot(id, period, slot));
}

test("the places for checks are shared by all threads", async () => {
  const inside = new Set<unknown>();
  let most = 0;
  await using peer = await tcpPeer((socket) => {
    inside.add(socket);
    most = Math.max(most, inside.size);
    socket.once("data", () => {
      inside.delete(socket);
      socket.end(replies);
    });
  });
  const { checker, decided, until } = await scene(2, 2);
  start(checker, ...Array.from({ length: 20 }, (_, n) => on(`m${n}`, peer.port)));
  await until(() => decided.length >= 20);
  expect(most).toBeLessThanOrEqual(2);
});

test.each([
  ["auto", "info"],
  ["on", "warn"],
  ["off", null],
] as const)(
  "a thread that cannot use raw sockets says why, as its setting wants it (%s)",
  async (rawSockets, level) => {
    const log = memoryLog();
    const probing = { ...proberOptions, kernelClock: false, rawSockets };
    const options = { probing, workers: 1, concurrency: 1, latencyEnd: "total", log } as const;
    await using checker = await startThreadChecker(options);
    expect(checker.status.checksInFlight).toBe(0);
    const message = "probes use Node.js's sockets, because raw sockets cannot be used here";
    const fields = { reason: "PICKET_KERNEL_CLOCK is off" };
    const said = log.said.filter((line) => line.message.includes("sockets"));
    expect(said).toEqual(level === null ? [] : [{ level, message, fields }]);
  },
);

test.each([
  ["local", "the disk is full"],
  ["full", "the disk is full"],
  ["off", ""],
] as const)(
  "with PICKET_EVIDENCE=%s a failed check reports as much of the body that it was answered with: %j",
  async (evidence, excerpt) => {
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, () =>
        socket.end("HTTP/1.1 500 Broken\r\ncontent-length: 16\r\n\r\nthe disk is full"),
      ),
    );
    const probing = { ...proberOptions, evidence };
    const log = memoryLog();
    const options = { probing, workers: 1, concurrency: 1, latencyEnd: "total", log } as const;
    await using checker = await startThreadChecker(options);
    const target = httpTarget(`http://127.0.0.1:${peer.port}/`);
    const monitor = monitorWith({ id: "m", kind: "http", target, timeout: millis(10_000) });
    const payload = await checker.checkNow(monitor, never);
    const message = payload === null ? null : messageOf(payload);
    expect(message?.result.value).toMatchObject({ requestStatus: "error", body: "" });
    expect(message?.detail?.answer).toMatchObject({ body: excerpt, bodyBytes: 16n });
  },
);

test.each([
  ["local", "all is well"],
  ["off", ""],
] as const)(
  "with PICKET_EVIDENCE=%s a check that passed reports as much of its body if a person asked for it, and nothing of it at a slot: %j",
  async (evidence, excerpt) => {
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, () =>
        socket.end("HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\nall is well"),
      ),
    );
    const { checker, decided, until } = await scene(1, 1, evidence);
    const payload = await checker.checkNow(on("a", peer.port), never);
    const message = payload === null ? null : messageOf(payload);
    expect(message?.result.value).toMatchObject({ requestStatus: "success", body: "" });
    expect(message?.detail?.answer).toMatchObject({ body: excerpt, bodyBytes: 11n });
    start(checker, on("a", peer.port));
    await until(() => decided.length > 0);
    const scheduled = messageOf(decided[0]?.report.payload ?? new Uint8Array());
    expect(scheduled?.result.value).toMatchObject({ requestStatus: "success", body: "" });
    expect(scheduled?.detail?.answer).toBeUndefined();
  },
);

test("secrets that are renewed count for the next check, also in a thread that takes over", async () => {
  const heads: string[] = [];
  await using peer = await tcpPeer((socket) =>
    onRequestHead(socket, (head) => {
      heads.push(/x-token: (.*)/i.exec(head)?.[1] ?? "none");
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
    }),
  );
  const { checker, threads } = await scene();
  const host = parseSecretHost("http://127.0.0.1");
  const hosts = host.ok ? [host.value] : [];
  const use = (value: string): void =>
    checker.useSecrets({
      secrets: new Map([["api", { value, hosts, source: "test" }]]),
      unusable: new Map(),
      away: null,
    });
  const headers = [{ key: "X-Token", value: "{{secret:api}}" }];
  const target = httpTarget(`http://127.0.0.1:${peer.port}/`, { headers });
  const monitor = monitorWith({ id: "m", kind: "http", target, timeout: millis(10_000) });
  use("first-value");
  checker.apply({ start: [monitor], change: [], stop: [], kept: 0 }, noSlots);
  await checker.checkNow(monitor, never);
  use("second-value");
  await checker.checkNow(monitor, never);
  expect([...new Set(heads)]).toEqual(["first-value", "second-value"]);
  await threads[0]?.terminate();
  heads.length = 0;
  while ((await checker.checkNow(monitor, never)) === null) await setImmediate();
  expect([...new Set(heads)]).toEqual(["second-value"]);
});

test("rules for targets that are replaced count at the next check, and in the thread that takes over from a dead one", async () => {
  await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const { checker, threads } = await scene();
  const rule = parseTargetRules(["http://127.0.0.1"], "DENY=");
  const deny = rule.ok ? rule.value : [];
  const monitor = on("a", target.port);
  const codeOf = async (): Promise<string> => {
    const payload = await checker.checkNow(monitor, never);
    const message = payload === null ? null : messageOf(payload);
    return message === null ? "none" : (message.detail?.failure?.code ?? "");
  };
  expect(await codeOf()).toBe("");
  checker.useTargets({ allow: [], deny });
  expect(await codeOf()).toBe("target_denied");
  await threads[0]?.terminate();
  await expect.poll(codeOf).toBe("target_denied");
  checker.useTargets({ allow: [], deny: [] });
  expect(await codeOf()).toBe("");
});
