import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setInterval } from "node:timers/promises";
import packet from "dns-packet";
import { expect, onTestFinished, test } from "vitest";
import type { Target } from "#check/monitor";
import { dnsServer } from "../servers/dns-server.ts";
import { fullListener } from "../servers/full-listener.ts";
import { tcpPeer } from "../servers/scripted.ts";
import { areRaw, httpTarget } from "../support/probing.ts";
import type { StoppedOrder } from "../support/stopped-checks.ts";

/**
 * A process that gets no processor while it works: it is stopped by a signal, from the moment when its first packets have
 * left. To its loop that is work, and no pause.
 */

interface Checked {
  /** For how many milliseconds it came to nothing: the stop, and what a busy machine adds. */
  readonly away: number;
  readonly failures: readonly (Failed | null)[];
}

interface Failed {
  readonly code: string;
  readonly phase: string;
  readonly message: string;
}

async function failuresOf(order: StoppedOrder, stopped: number): Promise<Checked> {
  const script = path.join(import.meta.dirname, "../support/stopped-checks.ts");
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", script, JSON.stringify(order)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const failures: (Failed | null)[] = [];
  let away = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "working") void stop(child, stopped);
    else if (line.startsWith("away ")) away = Number(line.split(" ")[1]);
    else failures.push(JSON.parse(line));
  }
  if (child.exitCode === null) await once(child, "exit");
  return { away, failures };
}

/**
 * Stops a process for so many milliseconds. A timer of that length would be too early: it counts from when its loop's turn
 * began, and a process that waits for a processor has not stopped yet.
 */
async function stop(child: ChildProcess, stopped: number): Promise<void> {
  child.kill("SIGSTOP");
  const hasStopped = (): boolean => / T \d/.test(readFileSync(`/proc/${child.pid}/stat`, "utf8"));
  let from = performance.now();
  for await (const _ of setInterval(5)) {
    if (!hasStopped()) from = performance.now();
    else if (performance.now() - from >= stopped) break;
  }
  child.kill("SIGCONT");
}

/** A name server that knows every name, so that a check by a name has to act once more before it reaches its target. */
const knowsAll = (): ReturnType<typeof dnsServer> =>
  dnsServer((query) => {
    const [question] = query.questions ?? [];
    if (question === undefined) return [];
    const { name, type } = question;
    const answers: packet.Answer[] = type === "A" ? [{ name, type, data: "127.0.0.1" }] : [];
    return [packet.encode({ ...query, type: "response", flags: 0x0180, answers })];
  });

const timeout = 2_000;

/** What is said of targets that answer nobody, after a stop of so many milliseconds. */
async function said(stopped: number): Promise<Checked> {
  await using deaf = await fullListener();
  await using silent = await tcpPeer(() => {});
  await using names = await knowsAll();
  const targets: readonly Target[] = [
    { kind: "tcp", host: "stopped.test", port: deaf.port },
    { kind: "tcp", host: "127.0.0.1", port: deaf.port },
    httpTarget(`http://127.0.0.1:${silent.port}/`),
  ];
  const nameServer = { host: names.host, port: names.port };
  const rawSockets = areRaw ? "on" : "off";
  return await failuresOf({ targets, timeout, nameServer, rawSockets }, stopped);
}

test("a timeout that passed for the most part while the thread was stopped at its work blames its machine, in every phase", async () => {
  const { failures } = await said(1_700);
  expect(failures.map((one) => `${one?.code} in ${one?.phase}`)).toEqual(
    Array.from({ length: 3 }, () => "agent_error in agent"),
  );
  for (const one of failures)
    expect(one?.message).toMatch(
      /^The agent was delayed by \d+ ms during the check, so its timeout of 2000 ms says nothing about the target/,
    );
});

test("a timeout of which a stop took a small part is the target's", async () => {
  const { away, failures } = await said(300);
  const theirs = [
    "connect_timeout in connect",
    "connect_timeout in connect",
    "response_timeout in wait",
  ];
  const ours = theirs.map(() => "agent_error in agent");
  // A busy machine may not let it run for longer.
  const expected = away > timeout / 2 ? ours : theirs;
  expect(failures.map((one) => `${one?.code} in ${one?.phase}`)).toEqual(expected);
});
