import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { systemClock } from "#base/clock";
import { millis } from "#base/units";
import { closedPort } from "../../test/servers/scripted.ts";
import type { CheckedRow } from "./checked-row.ts";
import type { AssignedMonitor, ServiceOrder, ServiceReply } from "./watched-service.ts";

/** An agent of which every result is kept, and whose monitors change within two seconds. */
export interface WatchedAgent extends AsyncDisposable {
  readonly pid: number;
  assign(monitors: readonly AssignedMonitor[]): Promise<void>;
  /** What came since it was last asked. */
  take(): Promise<readonly CheckedRow[]>;
  /** The same of slots in [from, to), once there are so many or `patience` milliseconds have passed. */
  takeAll(wanted: WantedRows, patience: number): Promise<readonly CheckedRow[]>;
  /** The service does not answer until it is continued. */
  stopService(): void;
  continueService(): void;
}

interface WantedRows {
  readonly from: number;
  readonly to: number;
  readonly expected: number;
}

/** How an agent is started: Picket, or one of another make. */
export interface AgentStart {
  readonly command: readonly string[];
  readonly folder: string;
  readonly takes: "batches" | "plain";
  env(service: string, listen: number): Readonly<Record<string, string>>;
}

export async function startWatchedAgent(start: AgentStart): Promise<WatchedAgent> {
  mkdirSync(start.folder, { recursive: true });
  const service = fork(path.join(import.meta.dirname, "watched-service.ts"), [start.takes], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const [ready]: ServiceReply[] = await once(service, "message");
  const url = ready?.reply === "ready" ? ready.url : "";
  const [command = "", ...words] = start.command;
  const agent = spawn(command, words, {
    cwd: start.folder,
    env: { PATH: process.env["PATH"], ...start.env(url, await closedPort()) },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const exited = once(agent, "exit");
  const taken = async (): Promise<readonly CheckedRow[]> => {
    const answer = await asked(service, { order: "take" });
    if (answer.reply !== "taken") throw new Error("the service gave no rows");
    return answer.rows;
  };
  return {
    pid: agent.pid ?? 0,
    assign: async (monitors) => void (await asked(service, { order: "assign", monitors })),
    take: taken,
    takeAll: (wanted, patience) => takeUntil(wanted, taken, patience),
    stopService: () => void service.kill("SIGSTOP"),
    continueService: () => void service.kill("SIGCONT"),
    [Symbol.asyncDispose]: async () => {
      service.kill("SIGCONT");
      agent.kill("SIGCONT");
      agent.kill("SIGTERM");
      await exited;
      const gone = once(service, "exit");
      service.disconnect();
      await gone;
    },
  };
}

/** A backlog is reported at a pace, and what was missed never comes. */
async function takeUntil(
  { from, to, expected }: WantedRows,
  taken: () => Promise<readonly CheckedRow[]>,
  patience: number,
): Promise<readonly CheckedRow[]> {
  const rows: CheckedRow[] = [];
  const until = systemClock.wall() + patience;
  for (;;) {
    await systemClock.sleep(millis(1_000));
    rows.push(...(await taken()).filter(({ slot }) => slot >= from && slot < to));
    if (rows.length >= expected || systemClock.wall() > until) return rows;
  }
}

/** It answers one order after another. */
async function asked(service: ChildProcess, order: ServiceOrder): Promise<ServiceReply> {
  const answered = once(service, "message");
  service.send(order);
  const [answer]: ServiceReply[] = await answered;
  if (answer === undefined) throw new Error("the service gave no answer");
  return answer;
}
