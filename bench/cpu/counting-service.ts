import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { MonitorDefinition } from "#check/definition";
import type { PlainOrder, Taken } from "./plain-service.ts";
import type { ServiceReady } from "./service.ts";

/** A plain-service in a separate process, for any agent that speaks the existing service's calls. */
export interface CountingService extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** From now on the agent has these monitors, once it asks. */
  assign(monitors: readonly MonitorDefinition[]): Promise<void>;
  taken(): Promise<Taken>;
}

export async function startCountingService(
  monitors: readonly MonitorDefinition[],
): Promise<CountingService> {
  const service = fork(path.join(import.meta.dirname, "plain-service.ts"), [], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const ready = await asked<ServiceReady>(service, monitors);
  return {
    ...ready,
    assign: async (others) => void (await asked(service, others)),
    taken: () => asked<Taken>(service, "count"),
    [Symbol.asyncDispose]: async () => {
      const gone = once(service, "exit");
      service.disconnect();
      await gone;
    },
  };
}

/** It answers one order after another. */
async function asked<Answer>(service: ChildProcess, order: PlainOrder): Promise<Answer> {
  const answered = once(service, "message");
  service.send(order);
  const [answer]: Answer[] = await answered;
  if (answer === undefined) throw new Error("the service gave no answer");
  return answer;
}
