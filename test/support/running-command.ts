import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const picket = fileURLToPath(new URL("../../bin/picket", import.meta.url));

/** A command as a process of its own, whose whole output is remembered. */
export interface Running {
  readonly child: ChildProcess;
  output(): string;
  /** Settles when the output holds a match. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** SIGTERM, and the exit code that follows. */
  stop(): Promise<number>;
}

export function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(picket, [...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  let text = "";
  const waiting = new Set<() => void>();
  const onData = (chunk: Buffer): void => {
    text += String(chunk);
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
          if (match !== null) resolve(match);
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
  };
}
