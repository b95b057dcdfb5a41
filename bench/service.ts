import { existsSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "#base/clock";
import { hashCredential } from "#service/edge/credential";
import { Keys } from "#service/edge/keys";
import { openStore } from "#service/store/open-store";
import type { ControlPlane, OnReceipt } from "#transport/control-plane";
import { epochMillis, type EpochMillis, millis, seconds } from "#base/units";
import { type Report, reportOf } from "#wire/report";
import { bundle } from "../packaging/bundle.ts";
import { workFolder } from "../packaging/work-folder.ts";
import { httpOutcome, resultWith } from "../test/support/results.ts";
import { own, type RunningService, startService, timed, type Took } from "./running-service.ts";
import { callsOf } from "./service-calls.ts";
import { batchSize, fill, type Office, openOffice, period, quantileOf } from "./stored-results.ts";
import { benchPlane } from "./bench-plane.ts";

/**
 * What a service answers and how soon, as a separate process with millions of results in its file, while 1,000 more a
 * second come in as agents send them. `npm run bench:service [-- MILLIONS [FILE]]`; a FILE that is there is taken as it
 * is, and one that is not is filled and stays.
 */
const millions = Number(process.argv[2] ?? 1);
const monitorCount = 1_000;
const token = "pkt_loc_bench";
const perCall = seconds(2);
/** A key may make 20 calls a second. */
const keyCount = 20;
/** With batches of 500, a thousand results a second. */
const batchEvery = 500;
using work = workFolder(path.join(tmpdir(), "picket-bench-service-"));
const file = path.resolve(process.argv[3] ?? path.join(work.path, "picket.db"));
const print = (...cells: readonly (string | number)[]): void =>
  void process.stdout.write(`${cells.join(" | ")}\n`);
const now = (): number => systemClock.monotonic() / 1e6;
const fixed = (value: number): string => value.toFixed(1);
const bound = (what: string, measured: number, most: number, unit: string): void =>
  print(
    what,
    `${fixed(measured)} ${unit}`,
    `≤ ${most} ${unit}`,
    measured <= most ? "ok" : "MISSED",
  );

async function filled(): Promise<void> {
  await using store = await openStore({ database: file, use: "service", onProgress: () => {} });
  const rounds = Math.ceil((millions * 1e6) / monitorCount);
  const begin = epochMillis(systemClock.wall() - rounds * period);
  const wanted = { monitorCount, begin, tokenHash: hashCredential(token) };
  await fill(store, await openOffice(store, wanted), rounds, print);
}

/** What is asked of the office that the file holds. */
async function office(): Promise<Office & { readonly keys: readonly string[] }> {
  await using store = await openStore({ database: file, use: "service", onProgress: () => {} });
  const location = await store.state.locations.ofToken(hashCredential(token));
  if (location === null) throw new Error(`${file} was not filled by this bench`);
  const monitors = await store.state.monitors.activeIds(location.id);
  const made = new Keys(store, systemClock);
  const keys: string[] = [];
  while (keys.length < keyCount)
    keys.push((await made.create({ name: "bench", scope: "write" })).key);
  return { location: location.id, monitors, begin: systemClock.wall(), keys };
}

const ended = new AbortController();

/** Half of the monitors each half second, for as long as there are batches. */
async function ingest(
  plane: ControlPlane,
  batches: readonly (readonly Report[])[],
): Promise<readonly Took[]> {
  const took: Took[] = [];
  for (const reports of batches) {
    if (ended.signal.aborted) break;
    const batch = await timed(service.pid, () => plane.report(reports, count, never));
    took.push(batch);
    await systemClock.sleep(millis(Math.max(0, batchEvery - batch.all)), ended.signal);
  }
  return took;
}

/** Made before anything is measured, as their making would delay it. */
function batchesOf({ monitors }: Office, batches: number): readonly (readonly Report[])[] {
  const begin = systemClock.wall();
  return Array.from({ length: batches }, (_, batch) => {
    const slot = epochMillis(begin + batch * batchEvery);
    const first = (batch % 2) * batchSize;
    return monitors.slice(first, first + batchSize).map((id) => reportAt(String(id), slot));
  });
}

let accepted = 0;
let made = 0;
const never = new AbortController().signal;
const count: OnReceipt = (_, { outcome }) => {
  if (outcome === "accepted") accepted += 1;
};

function reportAt(monitorId: string, slot: EpochMillis): Report {
  made += 1;
  const outcome = httpOutcome({
    addresses: [
      {
        address: "10.0.0.1",
        port: 443,
        ended: "connected",
        elapsed: httpOutcome().total,
        measuredBy: "kernel",
      },
    ],
  });
  const id = `01890000-0000-7000-8000-${String(made).padStart(12, "0")}`;
  return reportOf(
    resultWith({
      id,
      monitorId,
      slot,
      startedAt: slot,
      uri: "https://shop.test/",
      outcome,
      latency: millis(40),
    }),
  );
}

/** Asks for a sign of life all the while. */
async function lookAtHealth({ url, pid }: RunningService): Promise<readonly Took[]> {
  const took: Took[] = [];
  while (!ended.signal.aborted) {
    took.push(await timed(pid, () => asked(`${url}/healthz`, {})));
    await systemClock.sleep(millis(10), ended.signal);
  }
  return took;
}

async function asked(url: string, options: RequestInit): Promise<void> {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}: ${text}`);
}

/** Each call again and again for some time; gives the largest of the p95. */
async function measure({ url, pid }: RunningService): Promise<number> {
  let times = 0;
  const worst: number[] = [];
  for (const [call, body] of callsOf(at)) {
    const took: Took[] = [];
    const until = now() + perCall;
    while (now() < until) {
      times += 1;
      const headers = {
        "x-service-key": at.keys[times % keyCount] ?? "",
        "x-service-token": token,
        "content-type": "application/json",
      };
      const asks =
        body === null ? { headers } : { method: "POST", headers, body: JSON.stringify(body()) };
      took.push(await timed(pid, () => asked(`${url}${call}`, asks)));
      await systemClock.sleep(millis(5));
    }
    report(call.split("/").at(-1) ?? "", took);
    worst.push(quantileOf(took.map(own), 0.95));
  }
  return Math.max(...worst);
}

function report(what: string, took: readonly Took[]): void {
  const shares = [0.5, 0.95, 1];
  const cells = [({ all }: Took) => all, own].flatMap((value) =>
    shares.map((share) => fixed(quantileOf(took.map(value), share))),
  );
  print(what, took.length, ...cells);
}

if (!existsSync(file)) await filled();
const at = await office();
const batches = batchesOf(at, (2 * 20 * perCall) / batchEvery);
await bundle(work.path);
const inFile = statSync(file).size / 2 ** 20;
print(
  `${fixed(inFile)} MB in the file, ${monitorCount} monitors, ${availableParallelism()} processors`,
);
await using service = await startService(path.join(work.path, "picket.mjs"), file);
const plane = benchPlane(service.url, token);
const running = Promise.all([ingest(plane, batches), lookAtHealth(service)]);
await systemClock.sleep(seconds(3));
const began = now();
const acceptedBefore = accepted;
print(
  "call",
  "times",
  "ms: median, p95, worst",
  "of it without waiting for a processor: median, p95, worst",
);
const slowest = await measure(service);
const perSecond = (accepted - acceptedBefore) / ((now() - began) / 1e3);
ended.abort();
const [taken, signs] = await running;
report("IngestBatch of 500", taken);
report("/healthz", signs);
print("came in meanwhile", `${fixed(perSecond)} results a second`);
bound("start", service.startedAfter, 1_000, "ms");
bound("p95 of the slowest call", slowest, 50, "ms");
bound("/healthz, worst", Math.max(...signs.map(own)), 100, "ms");
bound("memory, most", service.memory(), 250, "MB");
