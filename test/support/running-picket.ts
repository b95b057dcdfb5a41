import { type ChildProcess, spawn, type SpawnOptionsWithStdioTuple } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const picket = fileURLToPath(new URL("../../bin/picket", import.meta.url));

/** A command as a process of its own, whose whole output is remembered. */
export interface RunningPicket {
  readonly child: ChildProcess;
  output(): string;
  /** Settles when the output holds a match. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** SIGTERM, and the exit code that follows. */
  stop(): Promise<number>;
  /** SIGKILL, and gone. */
  kill(): Promise<void>;
}

/** Runs `picket` with these arguments; `env` beside our own environment. It is killed at the end of the test. */
export const startPicket = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onText: (text: string) => void = () => {},
): RunningPicket =>
  startCommand(
    picket,
    args,
    { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] },
    onText,
  );

/** The same for Picket in another form than from source; `options` has to leave its output to be read. */
export function startCommand(
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithStdioTuple<"ignore", "pipe", "pipe">,
  onText: (text: string) => void = () => {},
): RunningPicket {
  const child = spawn(command, [...args], options);
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  let text = "";
  const waiting = new Set<() => void>();
  const onData = (chunk: Buffer): void => {
    text += String(chunk);
    onText(String(chunk));
    for (const look of waiting) look();
  };
  child.stdout.on("data", onData);
  child.stderr.on("data", onData);
  return {
    child,
    output: () => text,
    said: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(text);
          if (match === null) return;
          waiting.delete(look);
          resolve(match);
        };
        waiting.add(look);
        void exited.then(() => reject(new Error(`ended before it said ${pattern}: ${text}`)));
        look();
      }),
    stop: async () => {
      child.kill("SIGTERM");
      const [code]: unknown[] = await exited;
      return Number(code);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
