import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import type { HttpOutcome } from "#check/outcome";
import { checkClock } from "#base/peer-clock";
import { probe } from "#probes/registry";
import { millis } from "#base/units";
import { areRaw, contextWith, httpTarget } from "../support/probing.ts";
import { told } from "../support/timing-contract.ts";

/**
 * A thread that gets no processor, as on a machine with too much to do: it is blocked from the moment when its requests
 * have arrived until long after their time is up. The peer has a thread to itself, and goes on.
 */

/** The time that a check has, and when its peer answers after the thread was blocked; null is never. */
interface Case {
  readonly budget: number;
  readonly answersAfter: number | null;
}

const blockedFor = 2_700;

/** More than twice as long. */
const patient = 6_000;

interface Blocked {
  readonly outcomes: Readonly<Record<string, HttpOutcome>>;
  /** For how many milliseconds the thread came to nothing: its block, and what a busy machine adds. */
  readonly away: number;
}

/** By its path: `never`, or after how many milliseconds the peer answers. Says when all requests are there. */
const peer = `
  const { parentPort, workerData: { flag, requests } } = require("node:worker_threads");
  const state = new Int32Array(flag);
  let asked = 0;
  const answer = "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok";
  const waiting = [];
  const server = require("node:net").createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (head) => {
      const after = /after-(\\d+)/.exec(head.toString());
      if (after !== null) waiting.push([socket, Number(after[1])]);
      if ((asked += 1) < requests) return;
      Atomics.store(state, 0, 1);
      Atomics.wait(state, 0, 1);
      for (const [one, time] of waiting) setTimeout(() => one.write(answer), time);
    });
  });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

async function outcomesOf<K extends string>(cases: Readonly<Record<K, Case>>): Promise<Blocked> {
  const flag = new SharedArrayBuffer(4);
  const state = new Int32Array(flag);
  const entries = Object.entries<Case>(cases);
  const workerData = { flag, requests: entries.length };
  const worker = new Worker(peer, { eval: true, workerData });
  const [port]: unknown[] = await once(worker, "message");
  const context = contextWith({ clock: systemClock });
  const running = entries.map(async ([name, { budget, answersAfter }]) => {
    using deadline = startDeadline(checkClock(systemClock), millis(budget));
    const url = `http://127.0.0.1:${String(port)}/${answersAfter === null ? "never" : `after-${answersAfter}`}`;
    const outcome = await probe(httpTarget(url), deadline, context);
    if (outcome.kind !== "http") throw new Error("not an HTTP check");
    return [name, outcome] as const;
  });
  while (Atomics.load(state, 0) === 0) await new Promise((resolve) => setImmediate(resolve));
  Atomics.store(state, 0, 2);
  Atomics.notify(state, 0);
  const blockedAt = systemClock.monotonic();
  Atomics.wait(state, 0, 2, blockedFor);
  const away = (systemClock.monotonic() - blockedAt) / 1e6;
  const outcomes = Object.fromEntries(await Promise.all(running));
  await worker.terminate();
  return { outcomes, away };
}

test("a thread that got no processor blames no target for it: an answer that came in time counts, and a late one does not", async () => {
  const { outcomes, away } = await outcomesOf({
    "answered in time": { budget: 1_500, answersAfter: 0 },
    "answered after its time": { budget: 1_500, answersAfter: 2_000 },
    "silent, and cut off late by far": { budget: 1_500, answersAfter: null },
    "silent, and cut off nearly in time": { budget: 2_400, answersAfter: null },
    "silent for long after the thread was back": { budget: patient, answersAfter: null },
  });
  const said = Object.fromEntries(
    Object.entries(outcomes).map(([name, outcome]) => [name, told(outcome)]),
  );
  expect(said).toEqual({
    "answered in time": "ok",
    // Only the kernel knows when that came.
    "answered after its time": areRaw ? "response_timeout in wait" : "ok",
    "silent, and cut off late by far": "agent_error in agent",
    "silent, and cut off nearly in time": "agent_error in agent",
    // A busy machine may not let it run for longer.
    "silent for long after the thread was back":
      away > patient / 2 ? "agent_error in agent" : "response_timeout in wait",
  });
  const { total = 0, errorBar = 0 } = outcomes["answered in time"] ?? {};
  expect((total - errorBar) / 1e6).toBeLessThan(1_500);
  expect(outcomes["silent, and cut off late by far"]?.failure?.message).toMatch(
    /^The agent was delayed by \d+ ms during the check, so its timeout of 1500 ms says nothing about the target: look for what takes this machine's processors from the agent$/,
  );
});
