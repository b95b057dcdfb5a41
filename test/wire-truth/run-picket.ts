import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Outcome } from "#check/outcome";
import type { DriverOrder } from "./picket-driver.ts";
import { type Reported, reportedBy } from "./reported.ts";

/** Picket's own probes in a process of their own, in their own thread, as the agent has them. */
export async function runPicket(
  order: DriverOrder,
  servers: readonly string[],
  inside: readonly string[] = [],
): Promise<readonly Reported[]> {
  const script = path.join(import.meta.dirname, "picket-driver.ts");
  const [command, ...args] = [
    ...inside,
    process.execPath,
    "--disable-warning=ExperimentalWarning",
    script,
    JSON.stringify(order),
  ];
  const driver = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(driver, "exit");
  const reported: Reported[] = [];
  for await (const line of createInterface({ input: driver.stdout })) {
    const outcome: Outcome = JSON.parse(line);
    reported.push(reportedBy(outcome, servers[reported.length % servers.length] ?? ""));
  }
  const [code]: unknown[] = await exited;
  if (code !== 0) throw new Error(`the driver ended with ${String(code)}`);
  return reported;
}
