import { execFile, spawnSync } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { type Load, openLoop } from "../../test/wire-truth/load.ts";
import { type Blackbox, runCurl, startBlackbox } from "../../test/wire-truth/other-tools.ts";
import type { Reported } from "../../test/wire-truth/reported.ts";
import { runFping, runSmokeping } from "./pinging-tools.ts";
import { type Targets, toolAddresses, toolAddressCount, type WatchedKind } from "./targets.ts";

/** What one turn of a tool gives: what it said of each check, by kind. */
export type ToolTurn = readonly {
  readonly kind: WatchedKind;
  readonly said: readonly Reported[];
}[];

/** A program that measures the same targets. */
export interface Tool {
  readonly name: string;
  /** The process that is put into a control group; null of one that is started for each check. */
  readonly pid: number | null;
  turn(seconds: number, inside: readonly string[]): Promise<ToolTurn>;
}

/** Those that this machine has, and the names of those that it has not. */
export interface Tools {
  readonly present: readonly Tool[];
  readonly absent: readonly string[];
}

const has = (program: string): boolean =>
  spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

const loadOf = (rate: number, seconds: number): Load => ({
  name: `${rate}/s`,
  rate,
  checks: rate * seconds,
  busy: false,
});

/** `given` are lines of NAME=FILE. */
export async function startTools(
  targets: Targets,
  folder: string,
  given: readonly string[],
  peers: AsyncDisposableStack,
): Promise<Tools> {
  const known: readonly (readonly [string, string, () => Promise<Tool>])[] = [
    [
      "blackbox_exporter",
      "prometheus-blackbox-exporter",
      async () => blackboxTool(peers.use(await startBlackbox(folder, targets.caFile)), targets),
    ],
    ["curl", "curl", async () => curlTool(targets)],
    ["fping", "fping", async () => fpingTool()],
    ["smokeping's FPing probe", "smokeping", async () => smokepingTool(folder)],
  ];
  const present: Tool[] = [];
  const absent: string[] = [];
  for (const [name, program, start] of known)
    if (has(program)) present.push(await start());
    else absent.push(name);
  for (const [index, one] of given.entries()) {
    const [name = "", file = ""] = one.split("=");
    present.push(givenTool(name, path.resolve(file), targets, toolAddresses[4 + index] ?? []));
  }
  return { present, absent };
}

const urls = (targets: Targets, kind: "http" | "https", addresses: readonly string[]) =>
  addresses.map((host) => `${kind}://${host}:${targets.ports[kind]}/`);

function blackboxTool(blackbox: Blackbox, targets: Targets): Tool {
  const addresses = toolAddresses[0] ?? [];
  const at = (port: number): readonly string[] => addresses.map((host) => `${host}:${port}`);
  return {
    name: "blackbox_exporter",
    pid: blackbox.pid,
    turn: async (seconds) => {
      const load = loadOf(10, seconds);
      const run = async (
        kind: WatchedKind,
        module: "http1" | "tcp" | "dns",
        to: readonly string[],
      ) => ({
        kind,
        said: await blackbox.run(module, to, addresses, load),
      });
      return Promise.all([
        run("http", "http1", urls(targets, "http", addresses)),
        run("https", "http1", urls(targets, "https", addresses)),
        run("tcp", "tcp", at(targets.ports.tcp)),
        run("dns", "dns", at(targets.ports.dns)),
      ]);
    },
  };
}

function curlTool(targets: Targets): Tool {
  const addresses = toolAddresses[1] ?? [];
  return {
    name: "curl",
    pid: null,
    turn: async (seconds, inside) => {
      const options = { caFile: targets.caFile, http2: false, inside };
      const run = async (kind: "http" | "https") => ({
        kind,
        said: await runCurl(urls(targets, kind, addresses), addresses, loadOf(5, seconds), options),
      });
      return Promise.all([run("http"), run("https")]);
    },
  };
}

const fpingTool = (): Tool => ({
  name: "fping",
  pid: null,
  turn: async (seconds, inside) => [
    { kind: "icmp", said: await runFping(toolAddresses[2] ?? [], seconds, inside) },
  ],
});

const smokepingTool = (folder: string): Tool => ({
  name: "smokeping's FPing probe",
  pid: null,
  turn: async (_seconds, inside) => [
    {
      kind: "icmp",
      said: await runSmokeping(toolAddresses[3] ?? [], path.join(folder, "smokeping"), inside),
    },
  ],
});

const execute = promisify(execFile);
const givenKinds = ["http", "https", "tcp"] as const;

/**
 * A program of somebody else's. It is called once a check, with a kind and a target, and prints one object of JSON:
 * `connect`, `wait` and `total` in microseconds, as far as it knows them.
 */
const givenTool = (
  name: string,
  file: string,
  targets: Targets,
  addresses: readonly string[],
): Tool => ({
  name,
  pid: null,
  turn: (seconds, inside) =>
    Promise.all(
      givenKinds.map(async (kind) => {
        const [command, ...before] = [...inside, file];
        const said = await openLoop(loadOf(5, seconds), async (index) => {
          const host = addresses[index % toolAddressCount] ?? "";
          const port = targets.ports[kind];
          const target = kind === "tcp" ? `${host}:${port}` : `${kind}://${host}:${port}/`;
          const { stdout } = await execute(command, [...before, kind, target]);
          return givenReport(host, JSON.parse(stdout));
        });
        return { kind, said };
      }),
    ),
});

function givenReport(server: string, told: unknown): Reported {
  const figure = (name: string): number | null => {
    const value: unknown = Reflect.get(Object(told), name);
    return typeof value === "number" ? value * 1e3 : null;
  };
  const nothing = { tls: null, write: null, firstByte: null, receive: null };
  const [connect, wait, total] = ["connect", "wait", "total"].map(figure);
  return {
    server,
    figures: {
      ...nothing,
      connect: connect ?? null,
      wait: wait ?? null,
      total: total ?? null,
    },
    errorBar: null,
    ownErrorBar: 0,
    failed: total === null,
    leavesOursOut: false,
  };
}
