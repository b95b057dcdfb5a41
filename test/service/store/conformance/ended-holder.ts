import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { vi } from "vitest";
import { minutes } from "#base/units";
import { openQuietly } from "./scene.ts";

const program = path.resolve(import.meta.dirname, "../../../support/leaseholder-process.ts");

/** Who is seen, and what another replica gets, while a process holds a lease that it never gives back, and once it is killed. */
export interface AfterHolder {
  readonly running: readonly string[];
  readonly killed: readonly string[];
}

export async function endedHolderOf(database: string): Promise<AfterHolder> {
  await using other = await openQuietly(database);
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", program, database],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const exited = once(child, "exit");
  await once(createInterface({ input: child.stdout }), "line");
  const { leases } = other.state;
  const look = async (): Promise<readonly string[]> => [
    ...(await leases.hold("other", ["judge"], minutes(60))),
    ...(await leases.holders(minutes(60))),
  ];
  const running = await look();
  child.kill("SIGKILL");
  await exited;
  const killed = await vi.waitUntil(
    async () => {
      const seen = await look();
      // Its session may end between the two questions of a look.
      return seen.includes("judge") ? seen : null;
    },
    { timeout: 300_000 },
  );
  return { running, killed };
}

/** What comes of it: its work is another's long before its lease ends. */
export const endedHolder: AfterHolder = {
  running: ["holder", "other"],
  killed: ["judge", "other"],
};
