import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { runCheck } from "#agent/prober/checks/run-check";
import { filledTarget } from "#agent/secrets/filled-target";
import { parseSecretHost } from "#agent/secrets/secret-hosts";
import { Secrets } from "#agent/secrets/secrets";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { silentLogger } from "#base/log";
import { epochMillis } from "#base/units";
import { httpDefaults } from "#check/definition";
import type { RunnableMonitor } from "#check/monitor";
import { readMonitor } from "#check/read-monitor";
import { probe } from "#probes/registry";
import { reportOf } from "#wire/report";

/*
 * What three secrets of the location cost a check: processor time of this process over raw sockets, of checks of one server
 * with three headers. In the one they are written out, in the other they are named and put in. The two take turns. Then
 * the memory that 10,000 monitors with three secrets take more than those without.
 *
 *   npm run bench:secrets
 */

const rounds = 24;
const checksOfRound = 400;

function serve(): void {
  const server = createServer((_request, response) => {
    response.writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "max-age=60",
      etag: '"65f1-0123456789ab"',
      "x-request-id": "4f1c9a77-0000-4000-8000-121212121212",
    });
    response.end('{"status":"ok"}');
  });
  server.keepAliveTimeout = 1;
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
}

const values = {
  api: "tok_9f8e7d6c5b4a39281706",
  user: "hunter2-hunter2",
  trace: "AKIAIOSFODNN7EXAMPLE",
} as const;

function secretsOf(host: string): Secrets {
  const parsed = parseSecretHost(host);
  const hosts = parsed.ok ? [parsed.value] : [];
  const secrets = new Map(
    Object.entries(values).map(([name, value]) => [name, { value, hosts, source: "" }]),
  );
  return new Secrets({ secrets, unusable: new Map(), away: null });
}

/** With three headers, each what `of` makes of a secret's name. */
function monitorWith(
  id: string,
  url: string,
  of: (name: keyof typeof values) => string,
): RunnableMonitor {
  const headers = (["api", "user", "trace"] as const).map((name) => ({
    key: `X-${name}`,
    value: of(name),
  }));
  const definition = { ...httpDefaults, name: "shop", url, periodicity: "30s", headers, retry: 0 };
  const reading = readMonitor(id, definition, "assignment");
  if (reading.is !== "runnable") throw new Error("the monitor cannot be run");
  return reading.monitor;
}

async function compare(): Promise<void> {
  process.env["PROBE_SOCKETS"] = "raw";
  const { contextWith } = await import("../test/support/probing.ts");
  const child = fork(import.meta.filename, ["server"]);
  const [{ port }] = await once(child, "message");
  const url = `http://127.0.0.1:${port}/`;
  const context = { ...contextWith(), clock: systemClock };
  const prober = {
    probe: async (
      ...[target, timeout]: Parameters<Parameters<typeof runCheck>[1]["prober"]["probe"]>
    ) => {
      using deadline = startDeadline(systemClock, timeout);
      return await probe(target, deadline, context);
    },
  };
  const secrets = secretsOf("http://127.0.0.1");
  const tools = { prober, clock: systemClock, log: silentLogger, chance: () => 0, secrets };
  const ways = {
    written: monitorWith("1", url, (name) => values[name]),
    named: monitorWith("2", url, (name) => `{{secret:${name}}}`),
  };
  const check = async (monitor: RunnableMonitor): Promise<void> => {
    const slot = { monitor, at: epochMillis(0), until: epochMillis(1) };
    const result = await runCheck(slot, tools, new AbortController().signal);
    if (result?.status !== "success") throw new Error(result?.failure?.message);
    reportOf(result);
  };
  const spent = { written: new Array<number>(), named: new Array<number>() };
  for (let round = 0; round < rounds; round += 1)
    for (const way of round % 2 === 0
      ? (["written", "named"] as const)
      : (["named", "written"] as const)) {
      const before = process.cpuUsage();
      for (let count = 0; count < checksOfRound; count += 1) await check(ways[way]);
      const { user, system } = process.cpuUsage(before);
      // The first rounds compile.
      if (round >= 4) spent[way].push((user + system) / checksOfRound);
    }
  child.kill();
  const median = (all: readonly number[]): number =>
    all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const [written, named] = [median(spent.written), median(spent.named)];
  process.stdout.write(
    `written out ${written.toFixed(1)} µs, named ${named.toFixed(1)} µs a check: ratio ${(named / written).toFixed(3)}\n`,
  );
  process.stdout.write(
    `10,000 monitors with three secrets: ${memoryOf(10_000, url, secrets)} MB more of heap\n`,
  );
  process.exit(0);
}

/** Megabytes that the filled targets of so many monitors take, after a full collection. */
function memoryOf(count: number, url: string, secrets: Secrets): string {
  const monitors = Array.from({ length: count }, (_, index) =>
    monitorWith(String(index), `${url}${index}`, (name) => `{{secret:${name}}}`),
  );
  const heap = (): number => {
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (const monitor of monitors) filledTarget(monitor, secrets);
  const after = heap();
  return monitors.length === count ? ((after - before) / 1e6).toFixed(1) : "?";
}

if (process.argv[2] === "server") serve();
else await compare();
