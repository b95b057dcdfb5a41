import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { parseArgs } from "node:util";
import { placeSources } from "#agent/looks/place-sources";
import { VantageWatch } from "#agent/looks/vantage-watch";
import { type EvidenceScope, evidenceScopes } from "#check/evidence";
import type { RunnableMonitor, Target } from "#check/monitor";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { runCheck } from "#agent/prober/checks/run-check";
import type { ProberOptions } from "#agent/prober/prober";
import { epochMillis, millis } from "#base/units";
import { closedPort, tcpPeer } from "../test/servers/scripted.ts";
import { proberOptions } from "../test/support/metering.ts";
import { monitorWith } from "../test/support/twins.ts";
import { startWorkerProber } from "../test/support/worker-prober.ts";
import { writeTable } from "./written-table.ts";

/*
 * What evidence costs: how long checks take by their own figures, and until it is decided whose fault they are, with
 * PICKET_EVIDENCE=off, local and full in turns on the same targets. Then, how many descriptors failures leave open.
 *
 *   npm run bench:evidence -- [--checks 4000] [--failures 100000] [--sockets on] [--table docs/why.md]
 */
const { values: asked } = parseArgs({
  options: {
    checks: { type: "string", default: "4000" },
    failures: { type: "string", default: "100000" },
    sockets: { type: "string", default: "on" },
    table: { type: "string" },
  },
});
const never = new AbortController().signal;
const warmUpChecks = 500;

/** One check, and what it took: by its own figures, and until it was judged. */
type Checking = (monitor: RunnableMonitor) => Promise<Took>;
interface Took {
  readonly code: string | null;
  /** Milliseconds. */
  readonly measured: number;
  readonly judged: number;
}

await using open = new AsyncDisposableStack();

async function checkingWith(evidence: EvidenceScope): Promise<Checking> {
  const rawSockets = asked.sockets === "off" ? "off" : "on";
  const options: ProberOptions = { ...proberOptions, kernelClock: true, rawSockets, evidence };
  const prober = open.use(await startWorkerProber(options, silentLogger));
  const sources = placeSources(options, systemClock);
  const tools = { prober, clock: systemClock, log: silentLogger, chance: Math.random };
  const watch =
    sources === null
      ? null
      : new VantageWatch({
          sources,
          clock: systemClock,
          log: silentLogger,
          runs: () => true,
          changed: () => {},
        });
  return async (monitor: RunnableMonitor): Promise<Took> => {
    const began = systemClock.monotonic();
    const slot = { monitor, at: systemClock.wall(), until: epochMillis(Number.MAX_SAFE_INTEGER) };
    const result = await runCheck(slot, tools, never);
    if (result === null) throw new Error("a check without a result");
    await watch?.judge(result, monitor, never, millis(0));
    const judged = (systemClock.monotonic() - began) / 1e6;
    const measured = (result.outcome?.total ?? 0) / 1e6;
    return { code: result.failure?.code ?? null, measured, judged };
  };
}

const web = createServer((_request, response) => response.end("ok"));
await new Promise<void>((listens) => web.listen(0, "127.0.0.1", listens));
open.defer(() => void web.close());
const address = web.address();
const webPort = typeof address === "object" && address !== null ? address.port : 0;
const greeter = open.use(await tcpPeer((socket) => socket.on("error", () => {}).resume()));
const breaker = open.use(
  await tcpPeer((socket) =>
    socket.on("error", () => {}).once("data", () => socket.resetAndDestroy()),
  ),
);

const tcp = (port: number): Target => ({ kind: "tcp", host: "127.0.0.1", port });
const http = (port: number): Target => ({
  kind: "http",
  url: `http://127.0.0.1:${port}/`,
  method: "GET",
  headers: [],
  body: "",
  followRedirects: false,
});
const closed = await closedPort();
/** By what the table calls them, with the code that each ends with. */
const kinds: Readonly<Record<string, readonly [target: Target, code: string | null]>> = {
  "http that passes": [http(webPort), null],
  "tcp that passes": [tcp(greeter.port), null],
  "tcp that is refused": [tcp(closed), "connection_refused"],
  "http that is reset": [http(breaker.port), "connection_reset"],
};

const quantile = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? 0;
const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const head = ["check", "PICKET_EVIDENCE", "p50", "p99", "judged, p50", "judged, p99", "p99 to off"];
const lines = [line(head), line(head.map(() => "---"))];
const ways: { readonly [S in EvidenceScope]: Checking } = {
  off: await checkingWith("off"),
  local: await checkingWith("local"),
  full: await checkingWith("full"),
};

for (const [name, [target, code]] of Object.entries(kinds)) {
  const monitor = monitorWith({ kind: target.kind, target, retry: 0, timeout: millis(5_000) });
  const took = new Map<EvidenceScope, Took[]>(evidenceScopes.map((scope) => [scope, []]));
  for (let n = 0; n < Number(asked.checks) + warmUpChecks; n += 1)
    // Each begins the turn as often as the others.
    for (let turn = 0; turn < evidenceScopes.length; turn += 1) {
      const scope = evidenceScopes[(n + turn) % evidenceScopes.length] ?? "off";
      const one = await ways[scope](monitor);
      if (one.code !== code) throw new Error(`${name} ended with ${one.code}`);
      if (n >= warmUpChecks) took.get(scope)?.push(one);
    }
  const p99 = (scope: EvidenceScope): number =>
    quantile(took.get(scope)?.map(({ judged }) => judged) ?? [], 0.99);
  for (const [scope, all] of took) {
    const measured = all.map((one) => one.measured);
    const judged = all.map((one) => one.judged);
    const figures = [measured, judged].flatMap((of) => [quantile(of, 0.5), quantile(of, 0.99)]);
    const ratio = (p99(scope) / p99("off")).toFixed(2);
    lines.push(line([name, scope, ...figures.map((one) => `${one.toFixed(2)} ms`), ratio]));
  }
}

const descriptors = (): number => readdirSync("/proc/self/fd").length;
const before = descriptors();
const failures = Number(asked.failures);
const together = 50;
for (let n = 0; n < failures; n += together)
  await Promise.all(
    Array.from({ length: together }, (_, index) =>
      ways.full(monitorWith({ id: `m${index}`, retry: 0, target: tcp(closed) })),
    ),
  );
const left = descriptors() - before;
const table = `${lines.join("\n")}\n\nAfter ${failures} failures ${left} more descriptors were open than before.`;
process.stdout.write(`${table}\n`);
if (asked.table !== undefined)
  writeTable(asked.table, {
    bench: "evidence",
    made: `${asked.checks} checks of each in turns`,
    table,
  });
await open.disposeAsync();
process.exit(0);
