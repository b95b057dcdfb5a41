import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { setImmediate } from "node:timers/promises";

/** A process that listens with a queue of one and is then stopped: once the queue is full, SYNs get no answer. */
export async function fullListener(): Promise<AsyncDisposable & { readonly port: number }> {
  const source = `require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, function () { process.stdout.write(String(this.address().port)); })`;
  const child: ChildProcess = spawn(process.execPath, ["-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("no stdout");
  const [chunk] = await once(child.stdout, "data");
  const port = Number(String(chunk));
  child.kill("SIGSTOP");
  const fillers = await fill(port);
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const filler of fillers) filler.destroy();
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

/** Connects until a connection no longer comes about within a moment that loopback never needs. */
async function fill(port: number): Promise<readonly net.Socket[]> {
  const fillers: net.Socket[] = [];
  for (;;) {
    const socket = net.connect(port, "127.0.0.1").on("error", () => {});
    fillers.push(socket);
    const connected = await Promise.race([
      once(socket, "connect").then(() => true),
      // A loop that was blocked for as long hears of the time first, and of the connection in the same turn.
      once(AbortSignal.timeout(250), "abort")
        .then(() => setImmediate())
        .then(() => !socket.connecting),
    ]);
    if (!connected) return fillers;
    if (fillers.length > 200) throw new Error("the queue does not fill");
  }
}
