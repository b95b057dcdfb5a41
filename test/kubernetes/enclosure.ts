import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync } from "node:fs";
import { vi } from "vitest";
import { type CommandEnd, runCommand, succeed } from "../support/run-command.ts";

/**
 * Namespaces of its own for network, mounts and processes, with the loopback interface alone. What is started in it ends
 * with it, and what is mounted in it is seen nowhere else.
 */
export interface Enclosure extends AsyncDisposable {
  /** The words that stand before a command which is to run in it. */
  readonly enter: readonly string[];
  /** Its file system, as this machine sees it. */
  readonly root: string;
  run(command: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandEnd>;
  /** Starts what stays; both of its streams go to the file, which has to be its own. */
  start(command: readonly string[], log: string): Enclosed;
}

export interface Enclosed {
  /** Sends a signal, as `TERM`, and waits for the process to end. */
  end(signal: string): Promise<void>;
}

/** Where programs write beside the folders that they are given: there they have nothing of the machine's. */
const privateFolders = ["/run", "/var/log"];

/** `address` is one that is not loopback, for what refuses to be reached on that. */
export async function startEnclosure(address: string): Promise<Enclosure> {
  if (process.getuid?.() !== 0)
    throw new Error("Namespaces need root: run npm run test:kubernetes as root.");
  const script = [
    ...privateFolders.map((folder) => `mount -t tmpfs tmpfs ${folder}`),
    "ip link set lo up",
    `ip address add ${address}/32 dev lo`,
    // The shell stays as the first process, which buries those whose parents are gone.
    "while :; do sleep 3600; done",
  ].join(" && ");
  const namespaces = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const unshare = spawn(
    "setpriv",
    // Its end is this process's end too, also where nothing can be disposed of any more.
    ["--pdeathsig", "KILL", "unshare", ...namespaces, "sh", "-c", script],
    // It complains when its child is killed, which is how this ends.
    { stdio: "ignore" },
  );
  const ready = async (): Promise<string> => {
    const child = await succeed("pgrep", ["-P", String(unshare.pid)]);
    // It sleeps once everything before that has worked.
    await succeed("pgrep", ["-P", child, "-x", "sleep"]);
    return child;
  };
  const init = await vi.waitFor(ready, { timeout: 100_000, interval: 50 });
  const into = ["-t", init, "-n", "-m", "-p"];
  const run: Enclosure["run"] = (command, env) =>
    runCommand("nsenter", [...into, ...command], env === undefined ? {} : { env });
  return {
    enter: ["nsenter", ...into],
    root: `/proc/${init}/root`,
    run,
    start: (command, log) => {
      const pidFile = `${log}.pid`;
      // A signal to what enters would not be passed on, so the process writes down its own number.
      const words = ["sh", "-c", 'echo $$ >"$0"; exec "$@"', pidFile, ...command];
      const file = openSync(log, "a");
      const child = spawn("nsenter", [...into, ...words], { stdio: ["ignore", file, file] });
      closeSync(file);
      const ended = once(child, "exit");
      return {
        end: async (signal) => {
          await run(["kill", `-${signal}`, readFileSync(pidFile, "utf8").trim()]);
          await ended;
        },
      };
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(unshare, "exit");
      // The kernel ends every process of a namespace with its first.
      process.kill(Number(init), "SIGKILL");
      await ended;
    },
  };
}
