import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "#base/clock";
import { Keys } from "#service/edge/keys";
import { openStore } from "#service/store/open-store";
import { bundle } from "../packaging/bundle.ts";
import { workFolder } from "../packaging/work-folder.ts";
import { startService } from "./running-service.ts";

/**
 * How soon 10,000 monitors of files are planned and applied, with the command and the service as separate processes:
 * seconds by the clock, for which the bounds are, and seconds of a processor of each. `npm run bench:configuration [-- MONITORS]`.
 */
const monitorCount = Number(process.argv[2] ?? 10_000);
using work = workFolder(path.join(tmpdir(), "picket-bench-configuration-"));
const print = (...cells: readonly string[]): void =>
  void process.stdout.write(`${cells.join(" | ")}\n`);

/** Everything that a person usually says of a monitor, a tenth of them changed. */
function text(timeoutOfSome: number): string {
  const monitors = Array.from(
    { length: monitorCount },
    (_, index) => `  - name: shop ${index}
    url: https://shop-${index}.internal/health
    periodicity: 30s
    active: true
    timeout: ${index % 10 === 0 ? timeoutOfSome : 5000}
    locations: [office]
    headers: [{ key: Accept, value: application/json }]
    status_code_assertions: [{ comparator: eq, target: 200 }]
    labels: { team: shop }
    description: "Runbook: https://wiki.internal/shop/${index}"
`,
  );
  return `private_locations: [{ name: office }]\nhttp_monitors:\n${monitors.join("")}`;
}

/** User and system time of a process, or of its children that have ended, in seconds. */
function processorOf(pid: number | "self", of: "it" | "its children"): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const first = of === "it" ? 11 : 13;
  return (Number(fields[first]) + Number(fields[first + 1])) / 100;
}

await bundle(work.path);
const program = path.join(work.path, "picket.mjs");
const database = path.join(work.path, "picket.db");
const key = await (async () => {
  await using store = await openStore({ database, use: "service", onProgress: () => {} });
  return (await new Keys(store, systemClock).create({ name: "bench", scope: "write" })).key;
})();
await using service = await startService(program, database);
const files = { usual: path.join(work.path, "a.yaml"), changed: path.join(work.path, "b.yaml") };
writeFileSync(files.usual, text(5_000));
writeFileSync(files.changed, text(6_000));

async function run(what: string, args: readonly string[], most: number): Promise<void> {
  const used = () => [processorOf("self", "its children"), processorOf(service.pid, "it")] as const;
  const [client, server] = used();
  const began = systemClock.monotonic();
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", program, ...args],
    {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, SERVICE_API_URL: service.url, SERVICE_API_KEY: key },
    },
  );
  const [code] = await once(child, "exit");
  if (code !== 0 && code !== 2) throw new Error(`picket ${args.join(" ")} ended with ${code}`);
  const took = (systemClock.monotonic() - began) / 1e9;
  const [clientAfter, serverAfter] = used();
  const cpu = [clientAfter - client, serverAfter - server];
  print(
    what,
    `${took.toFixed(1)} s`,
    ...cpu.map((one) => `${one.toFixed(1)} s`),
    `≤ ${most} s`,
    took <= most ? "ok" : "MISSED",
  );
}

print(
  `${monitorCount} monitors`,
  "by the clock",
  "command's processor",
  "service's processor",
  "bound",
);
await run("apply into nothing", ["apply", "-f", files.usual, "--yes"], 10);
await run("plan without a change", ["plan", "-f", files.usual], 2);
await run("plan with a tenth changed", ["plan", "-f", files.changed], 2);
await run("apply of a tenth", ["apply", "-f", files.changed, "--yes"], 10);
