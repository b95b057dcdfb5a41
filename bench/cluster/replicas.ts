import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { neverLeft } from "../../test/support/never-left.ts";
import { serviceFlags } from "../running-service.ts";

/** The bundle of the service as a process on a port that it keeps when it is killed and started again. */
export interface Replica extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  /** As kill -9 does. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface ReplicaPlace {
  readonly name: string;
  readonly bundle: string;
  readonly database: string;
  readonly secretFile: string;
  readonly port: number;
}

export async function startReplica(place: ReplicaPlace): Promise<Replica> {
  let child = await start(place);
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  return {
    name: place.name,
    url: `http://127.0.0.1:${place.port}`,
    get pid() {
      return child.pid ?? 0;
    },
    kill: () => end("SIGKILL"),
    start: async () => {
      child = await start(place);
    },
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

async function start({ bundle, database, secretFile, port }: ReplicaPlace): Promise<ChildProcess> {
  const args = ["service", "--listen", `127.0.0.1:${port}`, "--database", database];
  const env = { ...process.env, PICKET_SERVICE_SECRET_FILE: secretFile };
  const child = spawn(process.execPath, [...serviceFlags, bundle, ...args], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  neverLeft(child, "SIGKILL");
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes("listens on")) continue;
    child.stdout.resume();
    return child;
  }
  throw new Error("the service ended before it listened");
}
