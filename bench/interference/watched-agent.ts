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
  /** The same once the agent keeps nothing back, or `patience` milliseconds have passed. */
  takeAll(patience: number): Promise<readonly CheckedRow[]>;
  /** The service does not answer until it is continued. */
  stopService(): void;
  continueService(): void;
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
  const taken = async (): Promise<Extract<ServiceReply, { reply: "taken" }>> => {
    const answer = await asked(service, { order: "take" });
    if (answer.reply !== "taken") throw new Error("the service gave no rows");
    return answer;
  };
  return {
    pid: agent.pid ?? 0,
    assign: async (monitors) => void (await asked(service, { order: "assign", monitors })),
    take: async () => (await taken()).rows,
    takeAll: (patience) => takeUntilEmpty(taken, patience),
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

/** The agent says with each heartbeat, every five seconds, how much it keeps. */
async function takeUntilEmpty(
  taken: () => Promise<Extract<ServiceReply, { reply: "taken" }>>,
  patience: number,
): Promise<readonly CheckedRow[]> {
  const rows: CheckedRow[] = [];
  const until = systemClock.wall() + patience;
  await systemClock.sleep(millis(3_000));
  for (;;) {
    const answer = await taken();
    rows.push(...answer.rows);
    // Some are always under way: what it keeps of the last second is none of a backlog.
    if ((answer.rows.length === 0 && answer.waiting < 200) || systemClock.wall() > until)
      return rows;
    await systemClock.sleep(millis(1_000));
    if (answer.waiting < 200) return [...rows, ...(await taken()).rows];
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
