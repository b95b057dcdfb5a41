import { noOverrides } from "#check/overrides";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import type { ProberOptions } from "#agent/prober/prober";
import { startWorkerProber } from "../support/worker-prober.ts";
import * as limits from "#limits/prober-limits";
import { silentLogger } from "#base/log";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { mebibytes, millis } from "#base/units";
import { type Load, openLoop, uncounted } from "./load.ts";

/** What a driver is started with: a process of its own, as the agent is one. */
export interface DriverOrder {
  readonly targets: readonly Target[];
  readonly caFile: string | null;
  readonly kernelClock: boolean;
  readonly rawSockets: "on" | "off";
  readonly http2: boolean;
}

/**
 * Says with an empty line that it is warm. Then it takes a load as a line of JSON, and gives back each outcome as one, in
 * the order in which the checks were begun, with an empty line after the last.
 */
async function drive({
  targets,
  caFile,
  kernelClock,
  rawSockets,
  http2,
}: DriverOrder): Promise<void> {
  const options: ProberOptions = {
    trust: {
      authorities: caFile === null ? null : readFileSync(caFile, "utf8"),
      identity: null,
    },
    kernelClock,
    evidence: "local",
    evidenceDirect: false,
    paths: false,
    references: [],
    rawSockets,
    nameServers: [],
    targetRules: { allow: [], deny: [] },
    proxying: { proxy: null, exceptions: [] },
    ipFamily: "any",
    resolver: "stub",
    http2,
    bodyBytesMax: mebibytes(1),
    userAgent: "picket/wire",
    overrides: noOverrides,
  };
  await using prober = await startWorkerProber(options, silentLogger);
  // As an agent's threads do.
  const isAlone = targets.some((one) => one.kind === "http" && one.url.startsWith("https:"));
  const together = rawSockets === "on" && !isAlone ? limits.startsTogether : 1;
  const timeout = millis(5_000);
  const signal = new AbortController().signal;
  const check = async (index: number): Promise<Outcome> => {
    const target = targets[index % targets.length];
    if (target === undefined) throw new RangeError("a run needs a target");
    return prober.probe(target, timeout, signal);
  };
  await openLoop(uncounted, check);
  process.stdout.write("\n");
  for await (const line of createInterface({ input: process.stdin })) {
    const load: Load = JSON.parse(line);
    const ended = new AbortController();
    if (load.busy) void keepBusy(ended.signal);
    const outcomes = await openLoop(load, check, together);
    ended.abort();
    for (const outcome of outcomes) process.stdout.write(`${JSON.stringify(lean(outcome))}\n`);
    process.stdout.write("\n");
  }
}

const lean = (outcome: Outcome): Outcome =>
  outcome.kind === "http" ? { ...outcome, response: null, hops: [] } : outcome;

/** What reporting and telemetry do to a main thread, without a pause: JSON and compression in slices. */
async function keepBusy(signal: AbortSignal): Promise<void> {
  const rows = Array.from({ length: 2_000 }, (_, id) => ({
    id,
    name: `monitor ${id}`,
    at: id * 7,
  }));
  while (!signal.aborted) {
    gzipSync(JSON.stringify(rows));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const [order] = process.argv.slice(2);
if (order !== undefined) await drive(JSON.parse(order));
