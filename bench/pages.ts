import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { get, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { type Clock, systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { hashCredential } from "#service/edge/credential";
import { startService } from "#service/server";
import type { LocationId, MonitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import type { NewResult } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis, hours, millis, minutes, nanos } from "#base/units";
import { reportOf } from "#wire/report";
import { tcpDefaults } from "#check/definition";
import { failure } from "#check/failure";
import { resultWith } from "../test/support/results.ts";
import { benchPlane } from "./bench-plane.ts";

/*
 * What the service's overview costs: 1,000 monitors with 90 days of history, one in fifty failing, and 33 results a
 * second. First byte, processor time and size of the page as a browser asks for it, when a person looked just now, and
 * when no one did; and how many requests it takes. On a machine that others use the processor time is what can be compared.
 */

const monitorCount = 1_000;
const dayCount = 90;
const rounds = 15;
const fault = failure("connection_refused", "connect", "connection refused (10.20.0.31:5432)");
const token = "pkt_loc_bench";
const folder =
  process.argv[2] === undefined ? mkdtempSync(path.join(tmpdir(), "picket-bench-")) : "";
const database = process.argv[2] ?? path.join(folder, "service.sqlite");

async function fill(store: Store, now: EpochMillis): Promise<void> {
  const monitors: MonitorId[] = [];
  for (let index = 0; index < monitorCount; index += 1) {
    const definition = {
      ...tcpDefaults,
      name: `Service ${index} of team ${index % 17}`,
      uri: `host-${index}.team-${index % 17}.internal:5432`,
      // So that what was seen counts for all of the measurement.
      periodicity: "1h" as const,
      active: true,
    };
    const labels = { team: `t${index % 17}` };
    monitors.push(await store.state.monitors.create({ definition, owner: "", labels, at: now }));
  }
  const made = { name: "Office", metadata: {}, monitors, owner: "", labels: {}, at: now };
  const hash = hashCredential(token);
  const location = await store.state.locations.create(made, { hash, sealed: "", at: now });
  await store.state.locations.seen(location, epochMillis(now + hours(2)), "heartbeat");
  for (let day = dayCount - 1; day >= 0; day -= 1)
    await fillDay(store, location, monitors, epochMillis(now - day * hours(24) - 5_000));
}

/** A result of each monitor, which stands for a day: the page reads no more of it than that. */
async function fillDay(
  store: Store,
  location: LocationId,
  monitors: readonly MonitorId[],
  slot: EpochMillis,
): Promise<void> {
  const results = monitors.map((monitor, index): NewResult => {
    const isDown = (index + Math.floor(slot / hours(24))) % 50 === 0;
    return {
      monitor,
      slot,
      period: minutes(isDown ? 20 : 1_400),
      status: isDown ? "error" : "success",
      latency: millis(5 + ((index * 7919) % 200)),
      startedAt: slot,
      statusCode: 0,
      failure: isDown ? { code: fault.code, phase: fault.phase } : null,
      phases: {
        dns: null,
        connect: null,
        proxy: null,
        tls: null,
        write: null,
        wait: null,
        receive: null,
      },
      own: null,
      echoes: null,
      attempts: 1,
      trigger: "cron",
      excuse: null,
      certificate: null,
      perhapsSlow: false,
      detail: { message: isDown ? fault.message : "", payload: new Uint8Array() },
    };
  });
  for (let from = 0; from < results.length; from += 500)
    await store.results.append({
      location,
      storedAt: slot,
      results: results.slice(from, from + 500),
    });
}

interface Visit {
  readonly firstByteMillis: number;
  readonly wholeMillis: number;
  /** Of all threads of the service, and of the reader here. */
  readonly processorMillis: number;
  readonly bytes: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const visit = (url: string): Promise<Visit> =>
  new Promise((resolve, reject) => {
    const begun = performance.now();
    const before = process.cpuUsage();
    get(url, { headers: { "accept-encoding": "gzip, br", accept: "text/html" } }, (response) => {
      const firstByteMillis = performance.now() - begun;
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        const body = Buffer.concat(parts);
        const { user, system } = process.cpuUsage(before);
        const isPacked = response.headers["content-encoding"] === "gzip";
        resolve({
          firstByteMillis,
          wholeMillis: performance.now() - begun,
          processorMillis: (user + system) / 1_000,
          bytes: body.length,
          headers: response.headers,
          text: (isPacked ? gunzipSync(body) : body).toString(),
        });
      });
    }).on("error", reject);
  });

const median = (values: readonly number[]): string =>
  (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(1);

/** Time that jumps, as if no one had looked for so long. */
let jumped = 0;
const clock: Clock = {
  wall: () => epochMillis(systemClock.wall() + jumped),
  monotonic: () => nanos(systemClock.monotonic() + jumped * 1e6),
  sleep: (duration, signal) => systemClock.sleep(duration, signal),
};
const pause = (duration: number): Promise<void> => clock.sleep(millis(duration));
const line = (name: string, value: string): void =>
  void process.stdout.write(`${name.padEnd(50)}${value}\n`);
const look = (name: string, visits: readonly Visit[]): void => {
  const firstByte = median(visits.map((one) => one.firstByteMillis));
  const processor = median(visits.map((one) => one.processorMillis));
  line(`${name}: first byte, processor`, `${firstByte} ms, ${processor} ms`);
};
const service = () =>
  startService({
    database,
    host: "127.0.0.1",
    port: 0,
    clock,
    log: silentLogger,
    pages: "local",
  });

/** Results as an agent sends them, 33 a second of one monitor after the other, until it is stopped. */
function report(url: string): AsyncDisposable {
  const ended = new AbortController();
  const plane = benchPlane(url, token);
  const run = async (): Promise<void> => {
    for (let sent = 0; !ended.signal.aborted; sent += 1) {
      await systemClock.sleep(millis(1_000), ended.signal);
      const slot = clock.wall();
      const reports = Array.from({ length: 33 }, (_, index) => {
        const monitorId = String(((sent * 33 + index) % monitorCount) + 1);
        return reportOf(resultWith({ monitorId, slot, startedAt: slot, latency: millis(40) }));
      });
      await plane.report(reports, () => {}, ended.signal);
    }
  };
  const running = run().catch(() => {});
  return {
    [Symbol.asyncDispose]: () => {
      ended.abort();
      return running;
    },
  };
}

/** In a separate process, whose code is cold: the first look, so long after the start. */
async function firstLook(after: number): Promise<void> {
  await using started = await service();
  await pause(after);
  look(`the first look ${after === 0 ? "at once" : `${after / 1000} s`} after a start`, [
    await visit(`${started.url}/`),
  ]);
}

async function measure(): Promise<void> {
  const now = systemClock.wall();
  {
    await using store = await openStore({ database, use: "service", onProgress: () => {} });
    await fill(store, now);
  }
  line("monitors, days", `${monitorCount}, ${dayCount}`);
  for (const after of [0, 15_000])
    spawnSync(
      process.execPath,
      [...process.execArgv, import.meta.filename, database, String(after)],
      {
        stdio: "inherit",
      },
    );
  await using started = await service();
  await using _ = report(started.url);
  const page = `${started.url}/`;
  const first = await visit(page);
  const visitsAfter = async (length: number, count: number): Promise<readonly Visit[]> => {
    const visits: Visit[] = [];
    for (let round = 0; round < count; round += 1) {
      await pause(length);
      visits.push(await visit(page));
    }
    return visits;
  };
  look("the last look was just now", await visitsAfter(0, rounds));
  look("the last look was 2 s ago", await visitsAfter(2_100, rounds));
  look("it was 12 s ago", await visitsAfter(12_100, 5));
  const alone: Visit[] = [];
  for (let round = 0; round < 3; round += 1) {
    jumped += minutes(17);
    await pause(9_000);
    alone.push(await visit(page));
  }
  look("it was 17 minutes ago", alone);
  const parts = [...first.text.matchAll(/(?:<link rel="stylesheet" href|<script src)="([^"]+)"/g)];
  const assets = await Promise.all(parts.map(([, to]) => visit(`${started.url}${to}`)));
  line(
    "the page, compressed",
    `${(first.bytes / 1024).toFixed(1)} KiB of ${(first.text.length / 1024).toFixed(0)} KiB`,
  );
  line(
    "with looks and script, compressed",
    `${((first.bytes + assets.reduce((sum, one) => sum + one.bytes, 0)) / 1024).toFixed(1)} KiB`,
  );
  line("requests of a first visit", `${assets.length + 1}, and the icon of the tab`);
}

if (process.argv[2] === undefined)
  try {
    await measure();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
else await firstLook(Number(process.argv[3]));
