import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { httpDefaults } from "#check/definition";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { millis } from "#base/units";

/*
 * Readers of a status page of 50 components, beside 333 results a second. The service has this process; readers and
 * agent have one each. A run without readers says what they cost the results.
 */

const seconds = 5;
const connections = 16;
/** Between the requests of one connection, in milliseconds: a thousand a second in all; or none. */
const paused = 16;
const monitors = 50;

if (process.argv[2] === "readers") await readers(process.argv[3] ?? "", Number(process.argv[4]));
else if (process.argv[2] === "agent") await agent(process.argv[3] ?? "", process.argv[4] ?? "");
else await measure();

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-bench-"));
  const database = path.join(folder, "service.sqlite");
  const listen = { host: "127.0.0.1", port: 0 };
  const service = await startService({
    database,
    ...listen,
    clock: systemClock,
    log: silentLogger,
  });
  try {
    const { admin, url } = service;
    const { key } = await admin.createApiKey({ name: "bench", scope: "write" });
    const monitorIds: string[] = [];
    for (let made = 0; made < monitors; made += 1) {
      const target = { name: `monitor ${made}`, url: `https://${made}.test/`, periodicity: "30s" };
      const definition = { ...httpDefaults, ...target, active: true };
      monitorIds.push((await admin.createMonitor(definition, "management")).id);
    }
    const office = { name: "office", monitorIds, metadata: {} };
    const { token } = await admin.createPrivateLocation(office);
    const call = async (name: string, ask: object): Promise<void> => {
      const answer = await fetch(`${url}/rpc/openstatus.status_page.v1.StatusPageService/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-service-key": key },
        body: JSON.stringify(ask),
      });
      if (answer.status !== 200) throw new Error(await answer.text());
    };
    await call("CreateStatusPage", { title: "Bench", slug: "bench" });
    for (const monitorId of monitorIds)
      await call("AddMonitorComponent", { pageId: "1", monitorId });
    const alone = await run(url, token, null);
    const beside = await run(url, token, paused);
    const { readers, bytes, cpu, slowest } = await run(url, token, 0);
    write(`a page of ${monitors} components: ${bytes} bytes compressed`);
    write(
      `readers: ${Math.round(readers / seconds)} a second, ${(cpu / seconds).toFixed(2)} cores of the service, p99 ${slowest.toFixed(1)} ms`,
    );
    write(`readers a second on one core: ${Math.round(readers / cpu)}`);
    const shown = Math.round(beside.readers / seconds);
    write(
      `results: ${alone.results} a second, a batch in ${alone.median.toFixed(1)} ms (median); beside ${shown} readers a second ${beside.results}, in ${beside.median.toFixed(1)} ms`,
    );
  } finally {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  }
}

interface Figures {
  readonly readers: number;
  readonly bytes: number;
  readonly slowest: number;
  readonly cpu: number;
  readonly results: number;
  readonly median: number;
}

/** The children begin together and say what they have done. */
async function run(url: string, token: string, pause: number | null): Promise<Figures> {
  const file = import.meta.filename;
  const options = { execArgv: ["--disable-warning=ExperimentalWarning"] };
  const sending = fork(file, ["agent", url, token], options);
  const reading = pause === null ? null : fork(file, ["readers", url, String(pause)], options);
  const before = process.cpuUsage();
  const [sent] = await once(sending, "message");
  const [read] =
    reading === null ? [{ count: 0, bytes: 0, slowest: 0 }] : await once(reading, "message");
  const { user, system } = process.cpuUsage(before);
  return {
    readers: read.count,
    bytes: read.bytes,
    slowest: read.slowest,
    cpu: (user + system) / 1e6,
    results: Math.round(sent.count / seconds),
    median: sent.median,
  };
}

/** As many requests as the service answers, over connections that stay. */
async function readers(url: string, pause: number): Promise<void> {
  const keep = new http.Agent({ keepAlive: true, maxSockets: connections });
  const until = performance.now() + seconds * 1000;
  const times: number[] = [];
  let bytes = 0;
  const reader = async (): Promise<void> => {
    while (performance.now() < until) {
      const begun = performance.now();
      const asked = http.get(`${url}/status/bench`, {
        agent: keep,
        headers: { "accept-encoding": "gzip" },
      });
      const [response] = await once(asked, "response");
      let length = 0;
      response.on("data", (part: Buffer) => (length += part.length));
      await once(response, "end");
      bytes = length;
      times.push(performance.now() - begun);
      await systemClock.sleep(millis(Math.max(0, begun + pause - performance.now())));
    }
  };
  await Promise.all(Array.from({ length: connections }, reader));
  keep.destroy();
  const slowest = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
  process.send?.({ count: times.length, bytes, slowest });
  process.disconnect?.();
}

/** 333 results a second, in batches of 33, as an agent reports them. */
async function agent(url: string, token: string): Promise<void> {
  const took: number[] = [];
  const begun = performance.now();
  let slot = Date.now() - 3_600_000;
  let count = 0;
  for (let batch = 0; batch < seconds * 10; batch += 1) {
    await systemClock.sleep(millis(Math.max(0, begun + batch * 100 - performance.now())));
    const results = Array.from({ length: 33 }, (_, index) => {
      slot += 1;
      const monitorId = String(1 + (index % monitors));
      const value = {
        monitorId,
        requestStatus: "success",
        latency: 12,
        timestamp: slot,
        cronTimestamp: slot,
      };
      return { http: { ...value, url: "https://a.test/", statusCode: 200 } };
    });
    const sent = performance.now();
    const answer = await fetch(`${url}/private_location.v1.PrivateLocationService/IngestBatch`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token },
      body: JSON.stringify({ instanceId: "bench", results }),
    });
    if (answer.status !== 200) throw new Error(await answer.text());
    await answer.text();
    took.push(performance.now() - sent);
    count += results.length;
  }
  const median = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? 0;
  process.send?.({ count, median });
  process.disconnect?.();
}
