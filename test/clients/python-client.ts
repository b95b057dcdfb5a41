import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { isInstalled, refuseInCi } from "../support/installed.ts";

/** The existing service's own client of Python, installed from its registry into a folder of this clone. */
const folder = path.join(import.meta.dirname, "../../node_modules/.cache/python-client");
const python = path.join(folder, "bin/python");

/** Whether this machine can install it. Debian ships python3 without what makes such a folder: python3-venv has that. */
export function canInstall(): boolean {
  if (!isInstalled("python3")) return false;
  try {
    execFileSync("python3", ["-c", "import ensurepip, venv"], { stdio: "ignore" });
    return true;
  } catch {
    refuseInCi("python3 has no venv and pip (on Debian: apt-get install python3-venv)");
    return false;
  }
}

/** Installs the client, unless that was done before. */
export async function installClient(): Promise<void> {
  if (!existsSync(python)) await run("python3", ["-m", "venv", folder]);
  const list = path.join(import.meta.dirname, "requirements.txt");
  await run(python, ["-m", "pip", "install", "--quiet", "--requirement", list]);
}

/** What a script of this folder printed, as JSON. */
export async function printed(script: string, ...words: readonly string[]): Promise<unknown> {
  const { stdout } = await run(python, [path.join(import.meta.dirname, script), ...words]);
  return JSON.parse(stdout);
}

/** A process of a script of this folder, and the first line that it prints. */
export async function started(
  script: string,
): Promise<AsyncDisposable & { readonly line: string }> {
  const child = spawn(python, [path.join(import.meta.dirname, script)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const gone = once(child, "exit");
  const [first] = await once(child.stdout, "data");
  return {
    line: String(first).trim(),
    [Symbol.asyncDispose]: async () => {
      child.stdin.end();
      await gone;
    },
  };
}

const run = promisify(execFile);
