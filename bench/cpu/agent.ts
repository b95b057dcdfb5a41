import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { MonitorDefinition } from "#check/definition";
import { type Bytes, type EpochMillis, kibibytes } from "#units";
import { closedPort } from "../../test/servers/scripted.ts";
import type { ServiceOrder, ServiceReady } from "./service.ts";

/** A whole agent, its monitors given by a service that runs in another process and keeps what it is told. */
export interface MeasuredAgent extends AsyncDisposable {
  readonly pid: number;
  /** From now on it has only so many of its monitors. */
  assign(count: number): void;
  /** Nothing of it runs between the two. */
  pause(): void;
  resume(): void;
  /** Ends the agent, so that all is reported. Counts by slots of [from, to) may be asked from then on. */
  stop(): Promise<void>;
  /** Results that the service has taken so far, as the agent says. */
  accepted(): Promise<number>;
  /** What of its memory lies in the machine's. */
  rss(): Bytes;
  /** Results that the service has. Throws where more than a quarter are no success. */
  reported(from: EpochMillis, to: EpochMillis): number;
}

export interface AgentOrder {
  /** Holds bin/picket and the sources. */
  readonly checkout: string;
  readonly folder: string;
  /** The program beside this one that it reports to; our own service, unless given. */
  readonly service?: "service.ts" | "plain-service.ts";
  readonly monitors: readonly MonitorDefinition[];
  readonly env: Readonly<Record<string, string>>;
}

export async function startAgent(order: AgentOrder): Promise<MeasuredAgent> {
  const { checkout, folder, monitors, env, service: program = "service.ts" } = order;
  mkdirSync(folder, { recursive: true });
  const database = path.join(folder, "service.sqlite");
  const service = fork(path.join(import.meta.dirname, program), [database], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  tell(service, monitors);
  const [ready]: ServiceReady[] = await once(service, "message");
  const port = await closedPort();
  const agent = spawn(path.join(checkout, "bin/picket"), ["agent"], {
    env: {
      PATH: process.env["PATH"],
      SERVICE_API_URL: ready?.url,
      PICKET_TOKEN: ready?.token,
      PICKET_STATE_DIR: folder,
      PICKET_LISTEN: `127.0.0.1:${port}`,
      // Checks that a pause cuts off are told as failures.
      PICKET_LOG_LEVEL: "error",
      ...env,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(agent, "exit");
  const stop = async (): Promise<void> => {
    agent.kill("SIGCONT");
    agent.kill("SIGTERM");
    await exited;
  };
  return {
    pid: agent.pid ?? 0,
    assign: (count) => tell(service, count),
    pause: () => void agent.kill("SIGSTOP"),
    resume: () => void agent.kill("SIGCONT"),
    stop,
    accepted: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/status?limit=1`);
      return acceptedIn(await answer.json());
    },
    rss: () => residentBytes(agent.pid ?? 0),
    reported: (from, to) => countResults(database, from, to),
    [Symbol.asyncDispose]: async () => {
      await stop();
      const gone = once(service, "exit");
      service.disconnect();
      await gone;
    },
  };
}

const tell = (service: ChildProcess, order: ServiceOrder): void => void service.send(order);

function acceptedIn(status: unknown): number {
  const reports: unknown = Reflect.get(Object(status), "reports");
  return Number(Reflect.get(Object(reports), "accepted"));
}

function residentBytes(pid: number): Bytes {
  const kibi = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
  return kibibytes(Number(kibi));
}

function countResults(database: string, from: EpochMillis, to: EpochMillis): number {
  const sqlite = new DatabaseSync(database, { readOnly: true });
  try {
    const sql = `SELECT count(*) AS n, sum(status <> 0) AS bad, (SELECT max(message) FROM result_details) AS why
       FROM results WHERE slot >= ? AND slot < ?`;
    const { n, bad, why } = sqlite.prepare(sql).get(from, to) ?? {};
    // On a machine that is busy with other things, a pause cuts a few checks off that had begun in time.
    if (Number(bad) > Number(n) * 0.05)
      throw new Error(`${String(bad)} checks failed: ${String(why)}`);
    return Number(n);
  } finally {
    sqlite.close();
  }
}
