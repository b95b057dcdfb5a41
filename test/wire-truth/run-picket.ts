import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Outcome } from "#check/outcome";
import type { Load } from "./load.ts";
import type { DriverOrder } from "./picket-driver.ts";
import { type Reported, reportedBy } from "./reported.ts";

export interface PicketDriver extends AsyncDisposable {
  run(load: Load): Promise<readonly Reported[]>;
}

/** Picket's own probes in a process of their own, in their own thread, as the agent has them: warm when it is there. */
export async function startPicketDriver(
  order: DriverOrder,
  servers: readonly string[],
  inside: readonly string[] = [],
): Promise<PicketDriver> {
  const script = path.join(import.meta.dirname, "picket-driver.ts");
  const [command, ...args] = [
    ...inside,
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    script,
    JSON.stringify(order),
  ];
  const driver = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(driver, "exit");
  const lines = createInterface({ input: driver.stdout })[Symbol.asyncIterator]();
  const untilEmpty = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (;;) {
      const { done, value } = await lines.next();
      if (done === true) throw new Error(`the driver ended with ${String((await exited)[0])}`);
      if (value === "") return found;
      found.push(value);
    }
  };
  await untilEmpty();
  return {
    run: async (load) => {
      driver.stdin.write(`${JSON.stringify(load)}\n`);
      return (await untilEmpty()).map((line, index) => {
        const outcome: Outcome = JSON.parse(line);
        return reportedBy(outcome, servers[index % servers.length] ?? "");
      });
    },
    [Symbol.asyncDispose]: async () => {
      driver.stdin.end();
      await exited;
    },
  };
}
