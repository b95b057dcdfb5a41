import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "#base/clock";
import { httpDefaults } from "#check/definition";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { statuses } from "#service/store/verbs/result-rows";
import { closedPort } from "../servers/scripted.ts";
import { type RunningPicket, startPicket } from "../support/running-picket.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { type AgentRun, watchAgent } from "./agent-run.ts";
import type { Accepted, Due } from "./ledger.ts";
import { listenLocally } from "../servers/listen-locally.ts";

/** A service with one location, its monitors, and a target that they check: all real, all on this machine. */
export interface Scene extends AsyncDisposable {
  readonly folder: string;
  /** The port that the service has whenever it runs. */
  readonly port: number;
  readonly monitors: readonly Due[];
  readonly service: RunningPicket;
  readonly target: Target;
  startService(env?: Readonly<Record<string, string>>): Promise<void>;
  /** An agent that reaches the service by `port`; it keeps its state in `state`. */
  agent(options?: AgentOptions): AgentRun;
  /** What the service has stored, read from its own file. */
  accepted(): readonly Accepted[];
}

export interface AgentOptions {
  readonly port?: number;
  readonly state?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface SceneOptions {
  readonly monitors: number;
  /** As a monitor has it. */
  readonly periodicity?: "10s" | "30s";
  /** Whether the target answers nothing until it is to: what is asked until then are checks in flight. */
  readonly holdsAnswers?: boolean;
  /** In place of a SQLite file; what is stored is then not to be had from `accepted`. */
  readonly database?: string;
}

export async function openScene({
  monitors: count,
  periodicity = "10s",
  holdsAnswers = false,
  database: given,
}: SceneOptions): Promise<Scene> {
  const folder = temporaryFolder();
  const database = given ?? path.join(folder, "service.sqlite");
  const port = await closedPort();
  const target = await openTarget(holdsAnswers);
  const urls = Array.from({ length: count }, (_, n) => `http://127.0.0.1:${target.port}/${n}`);
  const { token, ids } = await populate(database, { urls, periodicity });
  let service: RunningPicket | null = null;
  const scene: Scene = {
    folder,
    port,
    monitors: ids.map((id) => ({ id, period: periodicity === "10s" ? 10_000 : 30_000 })),
    target,
    get service() {
      if (service === null) throw new Error("the service was not started");
      return service;
    },
    startService: async (env = {}) => {
      const place = ["--database", database, "--listen", `127.0.0.1:${port}`];
      service = startPicket(["service", ...place], env);
      await service.said(/listens on/);
    },
    agent: ({ port: by = port, state = path.join(folder, "state"), env = {} } = {}) =>
      watchAgent({
        PICKET_TOKEN: token,
        SERVICE_API_URL: `http://127.0.0.1:${by}`,
        PICKET_STATE_DIR: state,
        PICKET_LISTEN: "off",
        PICKET_LOG_LEVEL: "debug",
        PICKET_LOG_FORMAT: "json",
        ...env,
      }),
    accepted: () => acceptedIn(database),
    [Symbol.asyncDispose]: async () => {
      await service?.kill();
      await target[Symbol.asyncDispose]();
    },
  };
  return scene;
}

export interface Target extends AsyncDisposable {
  readonly port: number;
  /** Requests that wait for their answer. */
  readonly held: number;
  /** Answers them, and from now on every request at once. */
  answer(): void;
  /** From now on the first so many monitors are answered with an error, and the others are not. */
  failFirst(count: number): void;
}

async function openTarget(holdsAnswers: boolean): Promise<Target> {
  const sockets = new Set<net.Socket>();
  const held = new Map<net.Socket, number>();
  let holds = holdsAnswers;
  let failing = 0;
  const reply = (socket: net.Socket, monitor: number): void =>
    void socket.end(
      monitor < failing
        ? "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n"
        : "HTTP/1.1 204 No Content\r\n\r\n",
    );
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.once("data", (chunk) => {
      const monitor = Number(/^GET \/(\d+)/.exec(chunk.toString("latin1"))?.[1] ?? Infinity);
      if (holds) held.set(socket, monitor);
      else reply(socket, monitor);
    });
  });
  const port = await listenLocally(server, 1_024);
  return {
    port,
    get held() {
      return held.size;
    },
    answer: () => {
      holds = false;
      for (const [socket, monitor] of held) reply(socket, monitor);
      held.clear();
    },
    failFirst: (count) => {
      failing = count;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** What a service has stored in its own file. */
export function acceptedIn(database: string): readonly Accepted[] {
  using file = new DatabaseSync(database, { readOnly: true });
  return file
    .prepare("SELECT monitor, slot, status, stored FROM results")
    .all()
    .map((row) => ({
      monitorId: String(row["monitor"]),
      slot: Number(row["slot"]),
      status: statuses[Number(row["status"])] ?? "",
      storedAt: Number(row["slot"]) + Number(row["stored"]),
    }));
}

/** Makes the location "lab" and its monitors as the service itself does; periods under 30 s are not for the API. */
export async function populate(
  database: string,
  { urls, periodicity }: { readonly urls: readonly string[]; readonly periodicity: string },
): Promise<{ readonly token: string; readonly key: string; readonly ids: readonly string[] }> {
  await using service = await startService({
    database,
    // Beside a file, where the service of the scene looks for it; a server has no folder.
    secretFile: database.includes("://")
      ? path.join(temporaryFolder(), "sealing-key")
      : `${database}.key`,
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
  });
  const { admin } = service;
  const made = urls.map((url, index) => {
    const definition = { ...httpDefaults, name: `m${index}`, url, periodicity, retry: 0 };
    return admin.createMonitor({ ...definition, active: true }, "assignment");
  });
  const ids = (await Promise.all(made)).map(({ id }) => id);
  const { token } = await admin.createPrivateLocation({
    name: "lab",
    monitorIds: ids,
    metadata: {},
  });
  const { key } = await admin.createApiKey({ name: "lab", scope: "read" });
  return { token, key, ids };
}
