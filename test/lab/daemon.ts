import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";

/** A real server in the foreground, in a separate folder; it is gone with the scope that started it. */
export interface Daemon extends AsyncDisposable {
  readonly folder: string;
  readonly pid: number;
}

/** Starts a program whose configuration was written to `folder`, and waits until its port answers. */
export async function startDaemon(
  program: string,
  args: readonly string[],
  { folder, port }: { folder: string; port: number },
): Promise<Daemon> {
  const child: ChildProcess = spawn(program, [...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said: string[] = [];
  child.stdout?.on("data", (chunk: Buffer) => said.push(String(chunk)));
  child.stderr?.on("data", (chunk: Buffer) => said.push(String(chunk)));
  const exited = once(child, "exit");
  const ended = exited.then(() => {
    throw new Error(`${program} ended: ${said.join("")}`);
  });
  await Promise.race([answering(port), ended]);
  ended.catch(() => {});
  return {
    folder,
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      // Not SIGKILL: nsd's children would outlive it, and still write to the folder.
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Settles when something listens. A daemon gives no event of its own, so the port is asked until it answers. */
async function answering(port: number): Promise<void> {
  for (;;) {
    const socket = net.connect(port, "127.0.0.1");
    const up = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
