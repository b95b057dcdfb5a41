import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { startAgentLog } from "#cli/agent/agent-log";
import { openLogOutput } from "#cli/edge/log-output";
import * as limits from "#limits/process-limits";
import { captureIo } from "../../support/captured-io.ts";
import { isInstalled } from "../../support/installed.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { startPicket } from "../../support/running-picket.ts";

const picket = path.resolve(import.meta.dirname, "../../../bin/picket");

/** A service that refuses every call, and says when the first came. */
async function refusingService() {
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, called: once(server, "request") };
}

/** An agent whose stdout is this file, pipe or socket. */
function agentOn(stdout: number, env: Readonly<Record<string, string>>) {
  const child = spawn(picket, ["agent"], {
    stdio: ["ignore", stdout, "ignore"],
    env: {
      ...process.env,
      PICKET_TOKEN: "planted",
      PICKET_STATE_DIR: path.join(temporaryFolder(), "state"),
      PICKET_LISTEN: "off",
      ...env,
    },
  });
  const exited = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  return { child, exited };
}

/** A pipe that takes not one byte more, since nothing reads it. */
function fullPipe(): number {
  const file = path.join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [file]);
  const pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(pipe));
  for (const size of [4096, 1])
    try {
      for (;;) writeSync(pipe, Buffer.alloc(size));
    } catch (error) {
      expect(error).toMatchObject({ code: "EAGAIN" });
    }
  return pipe;
}

test.skipIf(!isInstalled("mkfifo"))(
  "an agent whose log is not read works, and ends when it is asked to",
  async () => {
    const service = await refusingService();
    const agent = agentOn(fullPipe(), { SERVICE_API_URL: service.url });
    await service.called;
    agent.child.kill("SIGTERM");
    expect(await agent.exited).toEqual([0, null]);
  },
);

test("a log that is not read takes a bounded memory, and says how many lines it dropped", async () => {
  const reader = Promise.withResolvers<void>();
  const stream = new Writable({
    write: (_chunk, _encoding, written) => void reader.promise.then(() => written()),
  });
  const said: unknown[] = [];
  const roomAgain = Promise.withResolvers<void>();
  const output = openLogOutput(stream, false, (message, fields) => {
    said.push(message, fields);
    roomAgain.resolve();
  });
  const line = "x".repeat(1023);
  const fitting = limits.unreadLogBytesMax / 1024;
  for (let count = 0; count < fitting + 7; count += 1) output(line, "info");
  expect(stream.writableLength).toBe(limits.unreadLogBytesMax);
  expect(said).toEqual([]);
  reader.resolve();
  await roomAgain.promise;
  expect(said).toEqual([expect.stringMatching(/^log lines were dropped/), { lines: 7 }]);
});

test("SIGUSR1 opens no debugger, and SIGHUP drains", async () => {
  const service = await refusingService();
  const agent = startPicket(["agent"], { PICKET_TOKEN: "planted", SERVICE_API_URL: service.url });
  await agent.said(/picket agent started/);
  agent.child.kill("SIGUSR1");
  agent.child.kill("SIGHUP");
  await agent.said(/"how":"drained"/);
  expect(await once(agent.child, "exit")).toEqual([0, null]);
  expect(agent.output()).not.toContain("Debugger");
});

test("lines for systemd's journal carry their priority, and others do not", async () => {
  const file = path.join(temporaryFolder(), "journal");
  const descriptor = openSync(file, "w");
  onTestFinished(() => closeSync(descriptor));
  const { dev, ino } = statSync(file);
  for (const [stream, first] of [
    [`${dev}:${ino}`, "<6>{"],
    [`${dev}:${ino + 1}`, "{"],
  ] as const) {
    const service = await refusingService();
    const agent = agentOn(descriptor, { SERVICE_API_URL: service.url, JOURNAL_STREAM: stream });
    await service.called;
    agent.child.kill("SIGTERM");
    expect(await agent.exited).toEqual([0, null]);
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.at(-1)?.slice(0, first.length)).toBe(first);
  }
});

test("the log for people shows what could steer their terminal as text", () => {
  const io = captureIo();
  const log = startAgentLog({ logLevel: "info", logFormat: "pretty" }, io);
  log.debug("not shown");
  log.warn("the target said \u202egnp.exe", {
    "error.message": "\u009b2J\u001b[31m",
    after: "3 s",
  });
  expect(io.written.stdout()).toMatch(
    /^\d\d:\d\d:\d\d warning: the target said \\u\{202e\}gnp\.exe \(error\.message=\\x9b2J\\x1b\[31m, after=3 s\)\n$/,
  );
});

test("the log for machines has severity, instant and message", () => {
  const io = captureIo();
  const log = startAgentLog({ logLevel: "warn", logFormat: "json" }, io);
  log.info("not shown");
  log.warn("the service is away", { after: "3 s", skipped: undefined });
  expect(JSON.parse(io.written.stdout())).toEqual({
    severity: "warn",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    message: "the service is away",
    after: "3 s",
  });
});
