import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const script = fileURLToPath(new URL("spool-process.ts", import.meta.url));

export interface SpoolState {
  readonly size: number;
  readonly durable: boolean;
  /** Everything that was logged so far. */
  readonly said: readonly string[];
  readonly waiting: readonly string[];
}

/** A spool in another process, told what to do line by line. */
export interface SpoolDriver {
  readonly child: ChildProcess;
  /** Tells it something; settles with its answer, and never where it was killed before. */
  tell(line: string): Promise<SpoolState>;
  kill(): Promise<void>;
}

export function startSpoolProcess(file: string): SpoolDriver {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, file], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  // What is told to a process that was killed is lost, as it should be.
  child.stdin.on("error", () => {});
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    tell: async (line) => {
      child.stdin.write(`${line}\n`);
      const { value, done } = await answers.next();
      if (done === true) throw new Error("the spool's process ended");
      return JSON.parse(value);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
