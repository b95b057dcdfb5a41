import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { poolOf } from "#service/store/postgres/pool";
import { neverLeftFolder } from "../support/never-left.ts";
import {
  isRoot,
  type Node,
  nobody,
  password,
  passwordLine,
  role,
  startNode,
  superuser,
} from "./citus-node.ts";

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
  /** The address of a database on the second worker. */
  atWorker(database: string): string;
  /** What a statement of a superuser on the second worker gives. */
  askWorker(database: string, statement: string): Promise<string>;
  /** Ends the second worker as kill -9 does. */
  killWorker(): Promise<void>;
  startWorker(): Promise<void>;
  /** Ends the coordinator: `SIGINT` is a fast stop, `SIGQUIT` an immediate one. */
  endCoordinator(signal: "SIGINT" | "SIGQUIT" | "SIGKILL"): Promise<void>;
  startCoordinator(): Promise<void>;
  /** Adds a third worker to a database of the cluster. */
  addWorker(database: string): Promise<void>;
  /** Keeps a copy of each server's files while it runs; `isArchived` has to be set. */
  backUp(): Promise<void>;
  /** Ends all servers, and has each begin again from its copy, with all that it wrote until a restore point. */
  restore(point: string): Promise<void>;
  /** The processes of the servers that run, by their names. */
  readonly pids: ReadonlyMap<string, number>;
}

export interface CitusOptions {
  /** Whether the servers wait for their disks, as they do by default: tests do not cut the power. */
  readonly isDurable?: boolean;
  /** Whether each server keeps what it writes in an archive as well. */
  readonly isArchived?: boolean;
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
export async function startCitus(
  programs: string,
  { isDurable = false, isArchived = false, workerFolder }: CitusOptions = {},
): Promise<CitusCluster> {
  const base = existsSync(memory) && !isDurable ? memory : tmpdir();
  const folder = mkdtempSync(path.join(base, "picket-citus-"));
  const removed = neverLeftFolder(folder);
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid);
  const startIn = (name: string, parent: string): Promise<Node> =>
    startNode({ programs, name, folder: path.join(parent, name), isDurable, isArchived });
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
    atWorker: (database) => {
      const url = new URL(database);
      url.port = String(worker.port);
      return url.href;
    },
    askWorker: (database, statement) =>
      ask(worker.port, new URL(database).pathname.slice(1), statement),
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
    backUp: async () => {
      for (const node of nodes) await node.backUp();
    },
    restore: async (point) => {
      await Promise.all(nodes.map((node) => node.end("SIGINT")));
      await Promise.all(nodes.map((node) => node.restore(point)));
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
