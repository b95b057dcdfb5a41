import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Tap } from "./capture.ts";

/** Two hosts with a long way between them: namespaces of this machine whose packets are held back. */
export interface DelayedLink extends AsyncDisposable {
  /** What is put before a command to run it on either side. */
  readonly near: readonly string[];
  readonly far: readonly string[];
  readonly farAddress: string;
  /** Where the near side's packets are seen. */
  readonly tap: Tap;
}

/** Needs the privilege to make namespaces. `delay` is that of one way, in milliseconds. */
export async function startDelayedLink(delay: number): Promise<DelayedLink> {
  const [nearName, farName] = [`picket-near-${process.pid}`, `picket-far-${process.pid}`];
  const [nearAddress, farAddress] = ["10.77.0.1", "10.77.0.2"];
  const stack = new AsyncDisposableStack();
  for (const name of [nearName, farName]) {
    ip("netns", "add", name);
    stack.defer(() => ip("netns", "del", name));
    ip("-n", name, "link", "set", "lo", "up");
  }
  const script = path.join(import.meta.dirname, "delayed-link.py");
  const link = spawn(
    "python3",
    [script, nearName, `${nearAddress}/24`, farName, `${farAddress}/24`, String(delay)],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  stack.defer(async () => {
    const exited = once(link, "exit");
    link.stdin.end();
    await exited;
  });
  await once(link.stdout, "data");
  const inside = (name: string): readonly string[] => ["ip", "netns", "exec", name];
  return {
    near: inside(nearName),
    far: inside(farName),
    farAddress,
    tap: { device: "wire0", inside: inside(nearName), beyond: farAddress },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

function ip(...args: readonly string[]): void {
  execFileSync("ip", args);
}
