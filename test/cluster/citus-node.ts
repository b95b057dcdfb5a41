import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { neverLeft } from "../support/never-left.ts";

export const nobody = { uid: 65_534, gid: 65_534 };
/** No superuser, and it needs its password: the other role needs none here. */
export const role = "picket";
export const password = "one-of-tests";
export const superuser = "postgres";
export const passwordLine: string = `127.0.0.1:*:*:${role}:${password}\n`;
export const isRoot: boolean = process.getuid?.() === 0;
const unprivileged = isRoot ? nobody : {};

/** A PostgreSQL with Citus on loopback, as it is started and ended. */
export interface Node {
  readonly name: string;
  readonly port: number;
  /** With the passwords that this server has for others. */
  readonly passwordFile: string;
  /** Null while it does not run. */
  readonly pid: number | null;
  start(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  /** Copies its files while it runs. */
  backUp(): Promise<void>;
  /** Begins again from that copy, with what is in the archive until a restore point. It has to be stopped. */
  restore(point: string): Promise<void>;
}

interface NodePlace {
  readonly programs: string;
  readonly name: string;
  readonly folder: string;
  readonly isDurable: boolean;
  readonly isArchived: boolean;
}

/** Starts a server that is new, on a free port. */
export async function startNode(place: NodePlace): Promise<Node> {
  const { programs, name, folder } = place;
  const port = await freePort();
  const how = { cwd: folder, env: { ...process.env, HOME: folder }, ...unprivileged };
  makeData(place, port);
  const copy = `${folder}-copy`;
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(path.join(programs, "postgres"), ["-D", folder], {
      ...how,
      stdio: ["ignore", "ignore", "pipe"],
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
    passwordFile: path.join(folder, passwordFile),
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
    backUp: async () => {
      const options = ["-h", "127.0.0.1", "-p", String(port), "-U", superuser, "-c", "fast"];
      await run(path.join(programs, "pg_basebackup"), [...options, "-D", copy], how);
    },
    restore: async (point) => {
      rmSync(folder, { recursive: true });
      renameSync(copy, folder);
      const settings = [`restore_command = 'cp ${archiveOf(folder)}/%f %p'`];
      settings.push(`recovery_target_name = '${point}'`, "recovery_target_action = 'promote'");
      appendFileSync(path.join(folder, "postgresql.conf"), `${settings.join("\n")}\n`);
      writeFileSync(path.join(folder, "recovery.signal"), "");
      server = await start();
    },
  };
}

const run = promisify(execFile);
const passwordFile = ".pgpass";
const archiveOf = (folder: string): string => `${folder}-archive`;
/** As docs/cluster.md says. */
const archiveInto = (archive: string): string =>
  `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`;

/** The files of a server that has never run; it is also the home of its user. */
function makeData({ programs, folder, isDurable, isArchived }: NodePlace, port: number): void {
  for (const one of [folder, archiveOf(folder)]) {
    mkdirSync(one);
    if (isRoot) chownSync(one, nobody.uid, nobody.gid);
  }
  const options = ["-U", superuser, "-A", "trust", "-E", "UTF8", "--no-sync"];
  const how = { cwd: folder, stdio: "pipe", ...unprivileged } as const;
  execFileSync(path.join(programs, "initdb"), ["-D", folder, ...options], how);
  const settings = ["shared_preload_libraries = 'citus'", `port = ${port}`];
  settings.push(`fsync = ${isDurable ? "on" : "off"}`);
  settings.push("listen_addresses = '127.0.0.1'", `unix_socket_directories = '${folder}'`);
  settings.push("wal_level = logical", "max_connections = 200");
  settings.push("citus.node_conninfo = 'sslmode=disable'");
  if (isArchived)
    settings.push("archive_mode = on", `archive_command = '${archiveInto(archiveOf(folder))}'`);
  appendFileSync(path.join(folder, "postgresql.conf"), `${settings.join("\n")}\n`);
  const rules = [
    `host all,replication ${superuser} 127.0.0.1/32 trust`,
    `host all ${role} 127.0.0.1/32 scram-sha-256`,
  ];
  writeFileSync(path.join(folder, "pg_hba.conf"), `${rules.join("\n")}\n`);
  writeFileSync(path.join(folder, passwordFile), passwordLine, { mode: 0o600 });
  if (isRoot) chownSync(path.join(folder, passwordFile), nobody.uid, nobody.gid);
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
