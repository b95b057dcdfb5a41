import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFailed, onTestFinished } from "vitest";
import { temporaryFolder } from "./running-service.ts";

const picket = fileURLToPath(new URL("../../bin/picket", import.meta.url));

/** What the programs of a failed test wrote is kept here, a file for each process. */
const keptFolder = process.env["KEPT"];

/** A command as a separate process, whose whole output is remembered. */
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
): RunningPicket => startPicketBehind([], args, env, onText);

/** The same, where `before` is a command that runs another in its own place, e.g. in a network of the test's. */
export function startPicketBehind(
  before: readonly string[],
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onText: (text: string) => void = () => {},
): RunningPicket {
  const [program = picket, ...words] = [...before, picket, ...args];
  return startCommand(program, words, { env, inherited: process.env }, onText);
}

/** Where a command runs. */
export interface CommandPlace {
  readonly env: Readonly<Record<string, string>>;
  /** Holds for what neither `env` nor the test's own place says. */
  readonly inherited?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** The same for Picket in another form than from source. */
export function startCommand(
  command: string,
  args: readonly string[],
  { env, inherited = {}, cwd = process.cwd() }: CommandPlace,
  onText: (text: string) => void = () => {},
): RunningPicket {
  const child = spawn(command, [...args], {
    cwd,
    env: { ...inherited, ...ownPlace(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    // Its folder goes next, and it must not write there any more.
    await exited;
  });
  let text = "";
  if (keptFolder !== undefined)
    onTestFailed(() => {
      mkdirSync(keptFolder, { recursive: true });
      writeFileSync(path.join(keptFolder, `${child.pid}.log`), text);
    });
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

/** State and port of the test's own: an agent without them would take those of the agent that this machine may run. */
const ownPlace = (): Readonly<Record<string, string>> => ({
  PICKET_STATE_DIR: path.join(temporaryFolder(), "state"),
  PICKET_LISTEN: "127.0.0.1:0",
});
