import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { poolOf } from "#service/store/postgres/pool";
import { neverLeft, neverLeftFolder } from "../support/never-left.ts";

/**
 * A coordinator and two workers of a PostgreSQL with Citus, on loopback; they go with whoever started them. The service's
 * role has a password and few rights, as in docs/cluster.md.
 */
export interface CitusCluster extends AsyncDisposable {
  /** Of a database that is new, on all nodes, for the service's role; `grant` is whether it may make tables there. */
  fresh(grant?: "may make tables" | "may make none"): Promise<string>;
  /** Whether the coordinator has the password of the service's role, with which it connects to the workers. */
  keepPassword(isKept: boolean): void;
  /** What a statement of a superuser on the coordinator gives, a line a row. */
  ask(database: string, statement: string): Promise<string>;
  /** Ends a worker as kill -9 does. */
  killWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** Ends the coordinator: `SIGINT` is a fast stop, `SIGQUIT` an immediate one. */
  endCoordinator(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  startCoordinator(): Promise<void>;
  /** Adds a third worker to a database of the cluster. */
  addWorker(database: string): Promise<void>;
  /** The processes of the servers that run, by their names. */
  readonly pids: ReadonlyMap<string, number>;
}

export interface CitusOptions {
  /** Whether the servers wait for their disks, as they do by default: tests do not cut the power. */
  readonly isDurable?: boolean;
  /** Where the second worker keeps its data, if not next to the others: e.g. on a disk that is small. */
  readonly workerFolder?: string;
}

/** The folder with `initdb` and `postgres` of a PostgreSQL that has Citus; null if no one says which. */
export const citusPrograms = (): string | null => {
  const folder = process.env["PICKET_CITUS_PROGRAMS"] ?? "";
  return existsSync(path.join(folder, "initdb")) ? folder : null;
};

/** Three servers of tests write much that nobody keeps. */
const memory = "/dev/shm";
const nobody = { uid: 65_534, gid: 65_534 };
/** No superuser, and it needs its password: the other role needs none here. */
const role = "picket";
const password = "one-of-tests";
const superuser = "postgres";
const passwordLine = `127.0.0.1:*:*:${role}:${password}\n`;
const isRoot = process.getuid?.() === 0;
const unprivileged = isRoot ? nobody : {};

interface Node {
  readonly name: string;
  readonly port: number;
  /** With the passwords that this server has for others. */
  readonly passwordFile: string;
  /** Null while it does not run. */
  readonly pid: number | null;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
}

export async function startCitus(
  programs: string,
  { isDurable = false, workerFolder }: CitusOptions = {},
): Promise<CitusCluster> {
  const base = existsSync(memory) && !isDurable ? memory : tmpdir();
  const folder = mkdtempSync(path.join(base, "picket-citus-"));
  const removed = neverLeftFolder(folder);
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid);
  const startIn = (name: string, parent: string): Promise<Node> =>
    startNode({ programs, name, folder: path.join(parent, name), isDurable });
  const nodes = await Promise.all([
    startIn("coordinator", folder),
    startIn("worker-1", folder),
    startIn("worker-2", workerFolder ?? folder),
  ]);
  const [coordinator, ...workers] = nodes;
  const worker = workers[1];
  if (coordinator === undefined || worker === undefined) throw new Error("a node is missing");
  const ask = async (port: number, database: string, ...statements: readonly string[]) => {
    await using pool = poolOf(`postgres://${superuser}@127.0.0.1:${port}/${database}`);
    return await pool.use(async (query) => {
      let rows: readonly object[] = [];
      for (const statement of statements) ({ rows } = await query(statement));
      return rows.map((row) => Object.values(row).join(" ")).join("\n");
    });
  };
  let made = 0;
  return {
    fresh: async (grant = "may make tables") => {
      made += 1;
      const name = `d${made}`;
      for (const { port } of nodes) {
        await ask(port, "postgres", `CREATE DATABASE ${name}`);
        await ask(port, name, "CREATE EXTENSION citus");
      }
      await ask(
        coordinator.port,
        name,
        `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
        ...workers.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
      );
      // Citus makes the role on the workers too, and gives it there what it may here.
      if (made === 1)
        await ask(coordinator.port, name, `CREATE ROLE ${role} LOGIN PASSWORD '${password}'`);
      if (grant === "may make tables")
        await ask(coordinator.port, name, `GRANT CREATE ON SCHEMA public TO ${role}`);
      return `postgres://${role}:${password}@127.0.0.1:${coordinator.port}/${name}`;
    },
    keepPassword: (isKept) => writeFileSync(coordinator.passwordFile, isKept ? passwordLine : ""),
    ask: (database, statement) =>
      ask(coordinator.port, new URL(database).pathname.slice(1), statement),
    killWorker: () => worker.end("SIGKILL"),
    startWorker: () => worker.start(),
    endCoordinator: (signal) => coordinator.end(signal),
    startCoordinator: () => coordinator.start(),
    addWorker: async (database) => {
      const node = await startIn(`worker-${nodes.length}`, folder);
      nodes.push(node);
      const name = new URL(database).pathname.slice(1);
      await ask(node.port, "postgres", `CREATE DATABASE ${name}`);
      await ask(node.port, name, "CREATE EXTENSION citus");
      await ask(coordinator.port, name, `SELECT citus_add_node('127.0.0.1', ${node.port})`);
    },
    get pids() {
      return new Map(nodes.flatMap(({ name, pid }) => (pid === null ? [] : [[name, pid]])));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(nodes.map((node) => node.end("SIGQUIT")));
      rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 });
      removed();
    },
  };
}

interface NodePlace {
  readonly programs: string;
  readonly name: string;
  readonly folder: string;
  readonly isDurable: boolean;
}

async function startNode({ programs, name, folder, isDurable }: NodePlace): Promise<Node> {
  mkdirSync(folder);
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid);
  const port = await freePort();
  const env = { ...process.env, HOME: folder };
  const how = { cwd: folder, env, stdio: "pipe", ...unprivileged } as const;
  const options = ["-U", superuser, "-A", "trust", "-E", "UTF8", "--no-sync"];
  execFileSync(path.join(programs, "initdb"), ["-D", folder, ...options], how);
  const settings = ["shared_preload_libraries = 'citus'", `port = ${port}`];
  settings.push(`fsync = ${isDurable ? "on" : "off"}`);
  settings.push("listen_addresses = '127.0.0.1'", `unix_socket_directories = '${folder}'`);
  settings.push("wal_level = logical", "max_connections = 200");
  settings.push("citus.node_conninfo = 'sslmode=disable'");
  appendFileSync(path.join(folder, "postgresql.conf"), `${settings.join("\n")}\n`);
  const rules = [
    `host all ${superuser} 127.0.0.1/32 trust`,
    `host all ${role} 127.0.0.1/32 scram-sha-256`,
  ];
  writeFileSync(path.join(folder, "pg_hba.conf"), `${rules.join("\n")}\n`);
  const passwordFile = path.join(folder, ".pgpass");
  writeFileSync(passwordFile, passwordLine, { mode: 0o600 });
  if (isRoot) chownSync(passwordFile, nobody.uid, nobody.gid);
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(path.join(programs, "postgres"), ["-D", folder], {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
      ...unprivileged,
    });
    // An immediate stop: there is nothing to keep.
    neverLeft(started, "SIGQUIT");
    await ready(started);
    return started;
  };
  let server = await start();
  const hasEnded = (): boolean => server.exitCode !== null || server.signalCode !== null;
  return {
    name,
    port,
    passwordFile,
    get pid() {
      return hasEnded() ? null : (server.pid ?? null);
    },
    start: async () => {
      server = await start();
    },
    end: async (signal) => {
      if (hasEnded()) return;
      // Its other processes, which may outlive it and keep its memory, have the same pipe.
      const ended = once(server, "close");
      server.kill(signal);
      await ended;
    },
  };
}

async function ready(server: ChildProcess): Promise<void> {
  if (server.stderr === null) throw new Error("the server's log cannot be read");
  const said: string[] = [];
  for await (const line of createInterface({ input: server.stderr })) {
    said.push(line);
    if (!line.includes("is ready to accept connections")) continue;
    server.stderr.resume();
    return;
  }
  throw new Error(`PostgreSQL did not start: ${said.join("\n")}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no port");
  return address.port;
}
