import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import path from "node:path";
import { isInstalled } from "./installed.ts";
import { programAt } from "./program-path.ts";

/** A PostgreSQL of this machine, on a socket in a separate folder; it goes with whoever started it. */
export interface PostgresServer extends AsyncDisposable {
  /** Of a database that is new. */
  fresh(): string;
  /** Ends it, and every connection to it. */
  stop(): Promise<void>;
  /** Ends it without any goodbye. */
  crash(): Promise<void>;
  /** Starts it again, with what it held. */
  start(): Promise<void>;
}

/** Its other programs are beside this one. */
const program = "initdb";
export const isPostgresInstalled = (): boolean => isInstalled(program);

/** PostgreSQL refuses to run as root. */
const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const unprivileged = isRoot ? nobody : {};

/** Tests do not cut the power: they need no durability, which makes them quicker. */
export async function startPostgres(isDurable = false): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-postgres-"));
  const cluster = path.join(folder, "cluster");
  mkdirSync(cluster);
  if (isRoot) for (const one of [folder, cluster]) chownSync(one, nobody.uid, nobody.gid);
  const programs = path.dirname(realpathSync(programAt(program) ?? program));
  const run = (name: string, ...args: string[]): Buffer =>
    execFileSync(path.join(programs, name), args, { cwd: folder, stdio: "pipe", ...unprivileged });
  run(program, "-D", cluster, "-U", "picket", "-A", "trust", "-E", "UTF8", "--no-sync");
  const start = async (): Promise<ChildProcess> => {
    const started = spawn(
      path.join(programs, "postgres"),
      ["-D", cluster, "-k", folder, "-h", "", "-c", `fsync=${isDurable ? "on" : "off"}`],
      { cwd: folder, stdio: ["ignore", "ignore", "pipe"], ...unprivileged },
    );
    await ready(started);
    return started;
  };
  let server = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  let made = 0;
  return {
    fresh: () => {
      made += 1;
      run("createdb", "-h", folder, "-U", "picket", `d${made}`);
      return `postgres://picket@localhost/d${made}?host=${encodeURIComponent(folder)}`;
    },
    stop: () => end("SIGINT"),
    crash: () => end("SIGQUIT"),
    start: async () => {
      server = await start();
    },
    [Symbol.asyncDispose]: async () => {
      // At once: there is nothing to keep.
      await end("SIGQUIT");
      rmSync(folder, { recursive: true });
    },
  };
}

async function ready(server: ChildProcess): Promise<void> {
  if (server.stderr === null) throw new Error("the server's log cannot be read");
  const said: string[] = [];
  for await (const line of createInterface({ input: server.stderr })) {
    said.push(line);
    if (line.includes("is ready to accept connections")) {
      server.stderr.resume();
      return;
    }
  }
  throw new Error(`PostgreSQL did not start: ${said.join("\n")}`);
}
