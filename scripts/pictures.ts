import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import type { Browser } from "playwright-core";
import { startExampleTarget } from "#cli/up/example-target";
import { systemClock } from "#base/clock";
import { html } from "#web/page/html";
import { startBrowser } from "../test/support/browser.ts";

/**
 * docs/pictures/: what a person sees, taken from the running program by the system's chromium. Nothing in a picture is
 * written by hand: the page is that of `picket up`, the terminal shows what `picket check` prints.
 */
const root = path.resolve(import.meta.dirname, "..");
const program = path.join(root, "bin/picket");
const pictureOf = (name: string): string => path.join(root, "docs/pictures", `${name}.png`);

/** The page of `picket up`, once its example has been slow, failing and fine, and fails again. */
async function takePage(browser: Browser): Promise<void> {
  // The address of the page is on the standard error, the verdicts are on the standard output.
  const up = spawn("sh", ["-c", `exec "${program}" up 2>&1`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await failingAgain(up);
    const page = await browser.newPage({ viewport: { width: 1000, height: 620 } });
    await page.goto(url);
    await page.screenshot({ path: pictureOf("page"), fullPage: true });
    await page.close();
  } finally {
    up.kill("SIGINT");
    await once(up, "close");
  }
}

/** The status page's address, when the example has failed for the second time. */
async function failingAgain(up: ChildProcess): Promise<string> {
  if (up.stdout === null) throw new TypeError("no standard output");
  let url = "";
  let failures = 0;
  for await (const line of createInterface(up.stdout)) {
    url = /^Status page of the agent: (\S+)$/.exec(line)?.[1] ?? url;
    if (/ error .* example: /.test(line)) failures += 1;
    if (url !== "" && failures === 2) return url;
  }
  throw new Error("picket up ended before its example failed twice");
}

/** `picket check` of the example when it is slow, then when it fails. */
async function takeTerminal(browser: Browser): Promise<void> {
  await using example = await startExampleTarget(systemClock);
  const shown: string[] = [];
  for (const options of [["--degraded-at", "200ms"], ["--explain"]]) {
    const args = ["check", example.http.url, ...options];
    shown.push(`$ picket ${args.join(" ")}\n${await outputOf(args)}`);
  }
  const page = await browser.newPage({ viewport: { width: 900, height: 100 } });
  await page.setContent(terminal(shown.join("\n")));
  await page.screenshot({ path: pictureOf("check"), fullPage: true });
  await page.close();
}

/** What a check prints. A slow and a failing one exit with 2 and 1, and what they print is what we want. */
async function outputOf(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout;
}

const terminal = (text: string): string =>
  html`<!doctype html>
    <style>
      body {
        margin: 0;
        background: #14181d;
      }
      pre {
        margin: 0;
        padding: 18px 22px;
        color: #d9e0e6;
        font:
          14px/1.35 "DejaVu Sans Mono",
          monospace;
      }
    </style>
    <pre>${text}</pre>`.text;

mkdirSync(path.join(root, "docs/pictures"), { recursive: true });
const browser = await startBrowser();
try {
  await takeTerminal(browser);
  await takePage(browser);
} finally {
  await browser.close();
}
