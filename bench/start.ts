import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemClock } from "#base/clock";
import { bundle, root } from "../packaging/bundle.ts";
import { buildExecutable, ownArchitecture } from "../packaging/executable.ts";
import { workFolder } from "../packaging/work-folder.ts";

/**
 * How long Picket takes to start from source, as a bundle and as one executable: until `--version` is printed, until the
 * request of `picket check` arrives, and until an agent asks its service for the first time. The forms take turns in one
 * run, so that their ratios hold on a busy machine. `npm run bench:start`.
 */
const rounds = Number(process.argv[2] ?? 15);
using work = workFolder(path.join(tmpdir(), "picket-bench-"));
const folder = work.path;
const executable = path.join(folder, "picket");
await bundle(folder);
await buildExecutable(ownArchitecture ?? "x64", executable, () => {});

const flags = [
  "--disable-warning=ExperimentalWarning",
  "--disable-sigusr1",
  "--min-semi-space-size=1",
  "--max-semi-space-size=1",
  "--no-parallel-scavenge",
];
const forms: Readonly<Record<string, readonly [string, ...string[]]>> = {
  source: [process.execPath, ...flags, path.join(root, "src/main.ts")],
  bundle: [process.execPath, ...flags, path.join(folder, "picket.mjs")],
  executable: [executable],
};

const server = http.createServer((_request, response) => {
  server.emit("asked");
  response.end("ok");
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port }: AddressInfo = server.address() as AddressInfo;
const url = `http://127.0.0.1:${port}/`;

const state = path.join(folder, "state");
mkdirSync(state);
const moments = {
  "--version, ended": { args: ["--version"], seen: "exit" },
  "check, its request arrives": { args: ["check", url], seen: "asked" },
  "agent, its first call arrives": { args: ["agent"], seen: "asked" },
} as const;
const env = {
  PICKET_TOKEN: "pkt_loc_token",
  SERVICE_API_URL: url,
  PICKET_STATE_DIR: state,
  // The default is the port of the agent that this machine may run.
  PICKET_LISTEN: "127.0.0.1:0",
};

/** Milliseconds from the start of the process to the moment. */
async function measure(
  form: string,
  { args, seen }: (typeof moments)[keyof typeof moments],
): Promise<number> {
  const [command = "", ...before] = forms[form] ?? [];
  const began = systemClock.monotonic();
  const child = spawn(command, [...before, ...args], { env, stdio: "ignore" });
  const ended = once(child, "exit");
  await (seen === "exit" ? ended : once(server, seen));
  const took = systemClock.monotonic() - began;
  child.kill("SIGKILL");
  await ended;
  return took / 1e6;
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0;
const print = (...cells: readonly string[]): void =>
  void process.stdout.write(`${cells.join(" | ")}\n`);

print("until", ...Object.keys(forms));
for (const [name, moment] of Object.entries(moments)) {
  const taken: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1)
    for (const form of Object.keys(forms)) (taken[form] ??= []).push(await measure(form, moment));
  const base = median(taken["source"] ?? []);
  print(
    name,
    ...Object.values(taken).map(
      (all) => `${median(all).toFixed(0)} ms (${(median(all) / base).toFixed(2)})`,
    ),
  );
}
server.close();
server.closeAllConnections();
