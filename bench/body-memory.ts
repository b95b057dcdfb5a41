import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { startWorkerProber } from "#prober/worker-prober";
import { judgedOutcome } from "#check/outcome";
import { systemClock } from "#clock";
import { silentLogger } from "#log";
import { millis } from "#units";
import { proberOptions } from "../test/support/metering.ts";
import { httpTarget } from "../test/support/probing.ts";

/*
 * Whether targets can get the agent killed: its probes, with the image's flags, in a control group of 128 MiB, against 60
 * bodies of 10 MiB and 20 brotli bombs, beside 20 healthy targets. Needs root and cgroups.
 *
 *   node bench/body-memory.ts [--seconds 120] [--mebibytes 128]
 */
const { values: asked } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    mebibytes: { type: "string", default: "128" },
    port: { type: "string" },
  },
});
const size = 10 * 1024 * 1024;
const period = 5_000;

if (asked.port === undefined) await serveAndWatch();
else await probeAll(Number(asked.port), Number(asked.seconds) * 1e3);

/** Outside the group: the targets, and the process in it. */
async function serveAndWatch(): Promise<void> {
  const plain = Buffer.alloc(size, "x");
  const bomb = brotliCompressSync(plain);
  const server = createServer((request, response) => {
    if (request.url === "/plain") response.end(plain);
    else if (request.url === "/bomb")
      response.writeHead(200, { "content-encoding": "br" }).end(bomb);
    else response.end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const isV1 = existsSync("/sys/fs/cgroup/memory");
  const group = path.join(
    isV1 ? "/sys/fs/cgroup/memory" : "/sys/fs/cgroup",
    `picket-${process.pid}`,
  );
  mkdirSync(group);
  const limit = String(Number(asked.mebibytes) * 1024 * 1024);
  writeFileSync(path.join(group, isV1 ? "memory.limit_in_bytes" : "memory.max"), limit);
  const flags = [
    "--disable-warning=ExperimentalWarning",
    "--max-semi-space-size=1",
    "--no-parallel-scavenge",
    "--max-old-space-size-percentage=25",
    "--optimize-for-size",
    "--v8-pool-size=1",
  ];
  const command = [process.execPath, ...flags, import.meta.filename];
  const more = ["--seconds", asked.seconds, "--port", String(port)];
  const join = `echo $$ > ${group}/cgroup.procs && exec "$@"`;
  const child = spawn("sh", ["-c", join, "sh", ...command, ...more], { stdio: "inherit" });
  const [code, signal]: unknown[] = await once(child, "exit");
  const peakFile = path.join(group, isV1 ? "memory.max_usage_in_bytes" : "memory.peak");
  const peak = Number(readFileSync(peakFile, "utf8")) / 1024 / 1024;
  process.stdout.write(
    `ended with ${String(signal ?? code)}; peak of the group ${peak.toFixed(0)} MiB\n`,
  );
  rmdirSync(group);
  server.close();
  server.closeAllConnections();
}

/** Inside it: every target once a period, each judged as the agent judges. */
async function probeAll(port: number, duration: number): Promise<void> {
  await using prober = await startWorkerProber(proberOptions, 1, silentLogger);
  const tallies = new Map<string, number>();
  const never = new AbortController().signal;
  const until = systemClock.monotonic() + duration * 1e6;
  const check = async (kind: string): Promise<void> => {
    while (systemClock.monotonic() < until) {
      const next = systemClock.sleep(millis(period));
      const target = httpTarget(`http://127.0.0.1:${port}/${kind}`);
      const outcome = judgedOutcome(await prober.probe(target, millis(period), never));
      const told = `${kind}: ${outcome.failure?.code ?? "ok"}`;
      tallies.set(told, (tallies.get(told) ?? 0) + 1);
      await next;
    }
  };
  const kinds = { plain: 60, bomb: 20, healthy: 20 };
  const all = Object.entries(kinds).flatMap(([kind, count]) => Array<string>(count).fill(kind));
  await Promise.all(all.map(check));
  for (const [told, count] of tallies) process.stdout.write(`${told} ${count}\n`);
}
