import { mkdtempSync, rmSync } from "node:fs";
import { get, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { systemClock } from "#clock";
import { silentLogger } from "#log";
import { startService } from "#service/server";
import type { LocationId, MonitorId } from "#store/ids";
import { openStore } from "#store/open-store";
import type { NewResult } from "#store/result-store";
import type { Store } from "#store/store";
import { epochMillis, type EpochMillis, hours, millis, minutes } from "#units";
import { tcpDefaults } from "#check/definition";
import { failure } from "#check/failure";

/*
 * What the service's overview costs: 1,000 monitors with 90 days of history, one in fifty failing. First byte, processor
 * time and size of the page as a browser asks for it, when somebody looked just now, and when no one did; and how many
 * requests it takes. On a machine that others use the processor time is what can be compared.
 */

const monitorCount = 1_000;
const dayCount = 90;
const rounds = 15;
const fault = failure("connection_refused", "connect", "connection refused (10.20.0.31:5432)");
const folder = mkdtempSync(path.join(tmpdir(), "picket-bench-"));
const database = path.join(folder, "service.sqlite");

async function fill(store: Store, now: EpochMillis): Promise<void> {
  const monitors: MonitorId[] = [];
  for (let index = 0; index < monitorCount; index += 1) {
    const definition = {
      ...tcpDefaults,
      name: `Service ${index} of team ${index % 17}`,
      uri: `host-${index}.team-${index % 17}.internal:5432`,
      periodicity: "30s" as const,
      active: true,
    };
    const labels = { team: `t${index % 17}` };
    monitors.push(await store.state.monitors.create({ definition, owner: "", labels, at: now }));
  }
  const made = { name: "Office", metadata: {}, monitors, owner: "", labels: {}, at: now };
  const location = await store.state.locations.create(made, { hash: "bench", sealed: "", at: now });
  await store.state.locations.seen(location, now, "heartbeat");
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
      attempts: 1,
      trigger: "cron",
      excuse: null,
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

try {
  const now = systemClock.wall();
  {
    await using store = await openStore({ database, use: "service", onProgress: () => {} });
    await fill(store, now);
  }
  await using service = await startService({
    database,
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
    pages: "local",
  });
  const first = await visit(`${service.url}/`);
  const fresh: Visit[] = [];
  for (let round = 0; round < rounds; round += 1) fresh.push(await visit(`${service.url}/`));
  const visitsAfter = async (pause: number, count: number): Promise<readonly Visit[]> => {
    const visits: Visit[] = [];
    for (let round = 0; round < count; round += 1) {
      await systemClock.sleep(millis(pause), new AbortController().signal);
      visits.push(await visit(`${service.url}/`));
    }
    return visits;
  };
  const later = await visitsAfter(2_100, rounds);
  const latest = await visitsAfter(12_100, 3);
  const parts = [...first.text.matchAll(/(?:<link rel="stylesheet" href|<script src)="([^"]+)"/g)];
  const assets = await Promise.all(parts.map(([, to]) => visit(`${service.url}${to}`)));
  const line = (name: string, value: string): void =>
    void process.stdout.write(`${name.padEnd(50)}${value}\n`);
  line("monitors, days", `${monitorCount}, ${dayCount}`);
  const look = (name: string, visits: readonly Visit[]): void => {
    const firstByte = median(visits.map((one) => one.firstByteMillis));
    const processor = median(visits.map((one) => one.processorMillis));
    line(`${name}: first byte, processor`, `${firstByte} ms, ${processor} ms`);
  };
  look("the first look after a start", [first]);
  look("somebody looked just now", fresh);
  look("the last look was 2 s ago", later);
  look("it was 12 s ago", latest);
  line(
    "the page, compressed",
    `${(first.bytes / 1024).toFixed(1)} KiB of ${(first.text.length / 1024).toFixed(0)} KiB`,
  );
  line(
    "with looks and script, compressed",
    `${((first.bytes + assets.reduce((sum, one) => sum + one.bytes, 0)) / 1024).toFixed(1)} KiB`,
  );
  line("requests of a first visit", `${assets.length + 1}, and the icon of the tab`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
