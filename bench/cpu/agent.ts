import { type ChildProcess, fork, spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { MonitorDefinition } from "#check/definition";
import type { EpochMillis } from "#base/units";
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
  /** Ends it as well, and begins it again with what it kept. */
  restart(): Promise<void>;
  /** What it says of itself. */
  figures(): Promise<AgentFigures>;
  /** Results that the service has. Throws where more than a quarter are no success. */
  reported(from: EpochMillis, to: EpochMillis): number;
  /** The same, and how many of them are no success. */
  counted(from: EpochMillis, to: EpochMillis): ResultCount;
  /** The checks of slots of [from, to) that began within this many milliseconds of their slots. */
  begun(from: EpochMillis, to: EpochMillis, within: number): number;
  /** How many milliseconds after their slots of [from, to) this share of checks had begun; null if there are none. */
  lateness(from: EpochMillis, to: EpochMillis, share: number): number | null;
}

export interface ResultCount {
  readonly all: number;
  readonly failed: number;
  /** A sentence of one of them, empty if all are well. */
  readonly why: string;
}

/** Counts since its start. */
export interface AgentFigures {
  /** Results that the service has taken. */
  readonly accepted: number;
  readonly started: number;
  readonly missed: number;
  readonly uncertain: number;
}

export interface AgentOrder {
  /** The program and its first words, before the command. */
  readonly program: readonly string[];
  readonly folder: string;
  /** The program beside this one that it reports to; our own service, unless given. */
  readonly service?: "service.ts" | "plain-service.ts";
  readonly monitors: readonly MonitorDefinition[];
  readonly env: Readonly<Record<string, string>>;
}

export async function startAgent(order: AgentOrder): Promise<MeasuredAgent> {
  const { program, folder, monitors, env, service: serviceFile = "service.ts" } = order;
  const [command = "", ...words] = program;
  mkdirSync(folder, { recursive: true });
  const database = path.join(folder, "service.sqlite");
  const service = fork(path.join(import.meta.dirname, serviceFile), [database], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  tell(service, monitors);
  const [ready]: ServiceReady[] = await once(service, "message");
  const port = await closedPort();
  const start = (): { readonly process: ChildProcess; readonly exited: Promise<unknown> } => {
    const process = spawn(command, [...words, "agent"], { env: all, stdio });
    return { process, exited: once(process, "exit") };
  };
  const stdio: StdioOptions = ["ignore", "inherit", "inherit"];
  const all = {
    PATH: process.env["PATH"],
    SERVICE_API_URL: ready?.url,
    PICKET_TOKEN: ready?.token,
    PICKET_STATE_DIR: folder,
    PICKET_LISTEN: `127.0.0.1:${port}`,
    // Checks that a pause cuts off are told as failures.
    PICKET_LOG_LEVEL: "error",
    ...env,
  };
  let agent = start();
  const stop = async (): Promise<void> => {
    agent.process.kill("SIGCONT");
    agent.process.kill("SIGTERM");
    await agent.exited;
  };
  return {
    get pid() {
      return agent.process.pid ?? 0;
    },
    assign: (count) => tell(service, count),
    pause: () => void agent.process.kill("SIGSTOP"),
    resume: () => void agent.process.kill("SIGCONT"),
    stop,
    restart: async () => {
      await stop();
      agent = start();
    },
    figures: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/status?limit=1`);
      return figuresIn(await answer.json());
    },
    reported: (from, to) => mostlyGood(countResults(database, from, to)),
    counted: (from, to) => countResults(database, from, to),
    begun: (from, to, within) => begunIn(database, from, to, within),
    lateness: (from, to, share) => latenessIn(database, from, to, share),
    [Symbol.asyncDispose]: async () => {
      await stop();
      const gone = once(service, "exit");
      service.disconnect();
      await gone;
    },
  };
}

const tell = (service: ChildProcess, order: ServiceOrder): void => void service.send(order);

function figuresIn(status: unknown): AgentFigures {
  const field = (...names: readonly string[]): unknown =>
    names.reduce((value: unknown, name) => Reflect.get(Object(value), name), status);
  return {
    accepted: Number(field("reports", "accepted")),
    started: Number(field("schedule", "started")),
    missed: Object.values(Object(field("schedule", "missed")))
      .map(Number)
      .reduce((sum, n) => sum + n, 0),
    uncertain: Number(field("uncertain_results")),
  };
}

/** On a machine that is busy with other things, a pause cuts a few checks off that had begun in time. */
function mostlyGood({ all, failed, why }: ResultCount): number {
  if (failed > all * 0.05) throw new Error(`${failed} checks failed: ${why}`);
  return all;
}

function countResults(database: string, from: EpochMillis, to: EpochMillis): ResultCount {
  using sqlite = new DatabaseSync(database, { readOnly: true });
  const sql = `SELECT count(*) AS n, sum(status <> 0) AS bad, (SELECT max(message) FROM result_details) AS why
       FROM results WHERE slot >= ? AND slot < ?`;
  const { n, bad, why } = sqlite.prepare(sql).get(from, to) ?? {};
  return { all: Number(n), failed: Number(bad ?? 0), why: String(why ?? "") };
}

function begunIn(database: string, from: EpochMillis, to: EpochMillis, within: number): number {
  using sqlite = new DatabaseSync(database, { readOnly: true });
  const sql = "SELECT count(*) AS n FROM results WHERE slot >= ? AND slot < ? AND started <= ?";
  return Number(sqlite.prepare(sql).get(from, to, within)?.["n"]);
}

function latenessIn(
  database: string,
  from: EpochMillis,
  to: EpochMillis,
  share: number,
): number | null {
  using sqlite = new DatabaseSync(database, { readOnly: true });
  const sql = `SELECT started AS late FROM results WHERE slot >= ? AND slot < ? ORDER BY late`;
  const all = sqlite.prepare(sql).all(from, to);
  const found = all[Math.ceil(share * all.length) - 1]?.["late"];
  return found === undefined ? null : Number(found);
}
