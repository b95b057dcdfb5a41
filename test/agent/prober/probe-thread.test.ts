import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { Board } from "#agent/prober/board";
import type { LaneRequest } from "#agent/prober/lane-messages";
import { startProbeThread } from "#agent/prober/probe-thread";
import { millis } from "#base/units";
import { tcpPeer } from "../../servers/scripted.ts";
import { proberOptions } from "../../support/metering.ts";
import { httpTarget } from "../../support/probing.ts";
import { socketCount } from "../../support/socket-count.ts";
import { monitorWith } from "../../support/twins.ts";

/** Raw sockets are nothing to the runtime, so a thread that ends leaves them open. */

const options = { ...proberOptions, kernelClock: true, rawSockets: "on", threads: 1 } as const;

/** A thread with 20 checks under way that wait for their answers. */
async function busyThread(port: number, waiting: () => Promise<void>): Promise<Worker> {
  const checks = {
    concurrency: 20,
    latencyEnd: "total",
    board: new Board().memory,
    secrets: null,
  } as const;
  const worker = startProbeThread({ ...options, checks });
  await once(worker, "message");
  const target = httpTarget(`http://127.0.0.1:${port}/`);
  const monitor = monitorWith({ kind: "http", target, timeout: millis(60_000) });
  for (let id = 0; id < 20; id += 1) {
    const ask: LaneRequest = { ask: "check_now", id, monitor };
    worker.postMessage(ask);
  }
  await waiting();
  return worker;
}

test("a thread that is ended while its raw sockets are open harms nothing and leaves none, ten times over", async () => {
  let waiting = 0;
  let all = Promise.withResolvers<void>();
  await using peer = await tcpPeer((socket) =>
    socket.on("data", () => {
      waiting += 1;
      if (waiting % 20 === 0) all.resolve();
    }),
  );
  const before = socketCount();
  for (let round = 0; round < 10; round += 1) {
    all = Promise.withResolvers<void>();
    const worker = await busyThread(peer.port, () => all.promise);
    const exited = once(worker, "exit");
    await worker.terminate();
    await exited;
  }
  // The peer hears of the ends, which the kernel has told it, in later turns.
  while (socketCount() > before) await turn();
  expect(waiting).toBe(200);
});
