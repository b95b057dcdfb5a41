import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { brotliCompressSync } from "node:zlib";
import { httpDefaults, type MonitorDefinition } from "#check/definition";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { mebibytes, type Millis } from "#base/units";
import { bundle } from "../../packaging/bundle.ts";
import { imageStart } from "../../packaging/image-start.ts";
import { listenLocally } from "../servers/listen-locally.ts";

/** An agent in little memory whose targets answer as much as they can, beside some that are well. */
export interface Flood {
  /** From its first check on: a busy machine takes its time to start it. */
  readonly lasts: Millis;
  readonly memoryMebibytes: number;
  /** Monitors of each kind; each is checked every ten seconds. */
  readonly counts: Readonly<Record<Flooding, number>>;
}

/** What a target does: it is well, sends 10 MiB of text as it is, or a few bytes that unpack to it. */
export type Flooding = "healthy" | "plain" | "bomb";

export interface FloodedAgent {
  /** The code of a check's failure, or `success`, by kind: how often. */
  readonly results: Readonly<Record<string, number>>;
  /** Slots between the first and the last of a healthy monitor that have no success. */
  readonly gaps: readonly string[];
  readonly missed: number;
  /** How it ended: 0 after its SIGTERM. */
  readonly end: number | string | null;
  /** The most memory that it had which no file backs: what cannot be given back but by a kill. */
  readonly anonymousMebibytes: number;
}

const periodMs = 10_000;
const bodyBytes = mebibytes(10);

/**
 * Runs the bundle with the image's own flags in a control group of its own, with its own copy of node, whose pages count
 * for the group as they do in a container. Needs root, and a machine that has control groups.
 */
export async function floodAgent({ lasts, memoryMebibytes, counts }: Flood): Promise<FloodedAgent> {
  await using life = new AsyncDisposableStack();
  const folder = mkdtempSync(path.join(tmpdir(), "picket-flood-"));
  life.defer(() => rmSync(folder, { recursive: true, force: true }));
  await bundle(path.join(folder, "bundle"));
  const target = await startTarget();
  life.defer(() => stopTarget(target.server));
  const service = life.use(
    await startService({
      database: path.join(folder, "service.sqlite"),
      host: "127.0.0.1",
      port: 0,
      clock: systemClock,
      log: silentLogger,
    }),
  );
  const made = monitorsOf(counts, target.port).map((monitor) =>
    service.admin.createMonitor(monitor, "assignment"),
  );
  const monitorIds = (await Promise.all(made)).map(({ id }) => id);
  const wanted = { name: "flood", monitorIds, metadata: {} };
  const location = await service.admin.createPrivateLocation(wanted);
  const group = life.use(makeGroup(memoryMebibytes));
  const agent = startAgent(group, folder, {
    SERVICE_API_URL: service.url,
    PICKET_TOKEN: location.token,
    PICKET_STATE_DIR: path.join(folder, "state"),
    PICKET_LISTEN: "off",
    PICKET_LOG_LEVEL: "debug",
    PICKET_LOG_FORMAT: "json",
  });
  const exited = once(agent, "exit");
  // Its control group cannot be removed before it is gone, and what went wrong would be hidden by that.
  life.defer(async () => {
    agent.kill("SIGKILL");
    await exited;
  });
  const memory = watchMemory(agent);
  const begun = Promise.withResolvers<void>();
  const checks = readChecks(agent, begun.resolve);
  const enough = new AbortController();
  void exited.then(() => enough.abort());
  await Promise.race([begun.promise, exited]);
  await systemClock.sleep(lasts, enough.signal);
  agent.kill("SIGTERM");
  await exited;
  return {
    ...tally(await checks),
    end: agent.signalCode ?? agent.exitCode,
    anonymousMebibytes: memory.most,
  };
}

interface Group extends Disposable {
  readonly folder: string;
}

/** Looks twice a second until the process has ended. */
function watchMemory(agent: ChildProcess): { readonly most: number } {
  const seen = { most: 0 };
  const look = setInterval(() => {
    const [, kibibytes = "0"] = /^RssAnon:\s+(\d+)/m.exec(statusOf(agent)) ?? [];
    seen.most = Math.max(seen.most, Math.round(Number(kibibytes) / 1024));
  }, 500);
  agent.once("exit", () => clearInterval(look));
  return seen;
}

function statusOf({ pid }: ChildProcess): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

/** The machine's control groups are of the second version, or of the first. */
function makeGroup(memoryMebibytes: number): Group {
  const first = "/sys/fs/cgroup/memory";
  const [parent, limit] = existsSync(first)
    ? [first, "memory.limit_in_bytes"]
    : ["/sys/fs/cgroup", "memory.max"];
  const folder = path.join(parent, `picket-${process.pid}`);
  mkdirSync(folder);
  writeFileSync(path.join(folder, limit), String(mebibytes(memoryMebibytes)));
  return { folder, [Symbol.dispose]: () => rmdirSync(folder) };
}

/** The flags and the allocator's settings are the Dockerfile's own. */
function startAgent(
  group: Group,
  folder: string,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  const { flags, allocator } = imageStart();
  const node = path.join(folder, "node");
  const program = path.join(folder, "bundle/picket.mjs");
  copyFileSync(process.execPath, node);
  // None of its pages is in memory yet: each counts for whoever reads it first.
  execFileSync("dd", [
    `of=${node}`,
    "oflag=nocache",
    "conv=notrunc,fdatasync",
    "count=0",
    "status=none",
  ]);
  const join = `echo $$ >${group.folder}/cgroup.procs && exec "$0" "$@"`;
  return spawn("sh", ["-c", join, node, ...flags, program, "agent"], {
    env: { PATH: process.env["PATH"], ...allocator, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function startTarget(): Promise<{ readonly server: Server; readonly port: number }> {
  // Two bytes a character as text, which is the most that a byte of UTF-8 in two becomes in memory.
  const plain = Buffer.alloc(bodyBytes, "xyzw ü");
  const bomb = brotliCompressSync(Buffer.alloc(bodyBytes, "x"));
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/plain") === true) response.end(plain);
    else if (request.url?.startsWith("/bomb") === true)
      response.writeHead(200, { "content-encoding": "br" }).end(bomb);
    else response.end("well");
  });
  const port = await listenLocally(server, 1_024);
  return { server, port };
}

async function stopTarget(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
}

const monitorsOf = (counts: Flood["counts"], port: number): readonly MonitorDefinition[] =>
  Object.entries(counts).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, n) => ({
      ...httpDefaults,
      name: `${kind} ${n}`,
      url: `http://127.0.0.1:${port}/${kind}/${n}`,
      periodicity: "10s",
      timeout: 5_000,
      retry: 0,
      active: true,
      // A body that is judged is read as text.
      bodyAssertions: [{ comparator: "not_contains", target: "down" }],
    })),
  );

/** A line of the agent's log about one slot. */
interface Check {
  readonly message: string;
  readonly name: string;
  readonly slot: number;
  readonly result: string;
}

async function readChecks(
  { stdout }: ChildProcess,
  onCheck: () => void,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  if (stdout === null) return checks;
  for await (const line of createInterface({ input: stdout })) {
    if (!line.startsWith("{")) continue;
    const { message, ...fields }: Record<string, unknown> = JSON.parse(line);
    if (message !== "checked" && message !== "missed") continue;
    onCheck();
    checks.push({
      message,
      name: String(fields["name"]),
      slot: Number(fields["slot"]),
      result: String(fields["error.type"] ?? fields["status"]),
    });
  }
  return checks;
}

function tally(checks: readonly Check[]): Pick<FloodedAgent, "results" | "gaps" | "missed"> {
  const checked = checks.filter(({ message }) => message === "checked");
  const results: Record<string, number> = {};
  for (const { name, result } of checked) {
    const told = `${name.split(" ")[0]}: ${result}`;
    results[told] = (results[told] ?? 0) + 1;
  }
  const healthy = checked.filter(
    ({ name, result }) => name.startsWith("healthy") && result === "success",
  );
  const gaps = [...Map.groupBy(healthy, ({ name }) => name)].flatMap(([name, own]) =>
    gapsOf(name, own),
  );
  return { results, gaps, missed: checks.length - checked.length };
}

/** The first check has an instant of its own, and may last until the first slot; slots follow one another by a period. */
function gapsOf(name: string, own: readonly Check[]): readonly string[] {
  const slots = own
    .map(({ slot }) => slot)
    .toSorted((a, b) => a - b)
    .slice(1);
  return slots.flatMap((slot, index) => {
    const next = slots[index + 1];
    return next === undefined || next - slot <= periodMs
      ? []
      : [`${name}: ${next - slot} ms without a success`];
  });
}
