import { writeFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type ChildProcess, spawn } from "node:child_process";
import manifest from "#manifest" with { type: "json" };
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { succeed } from "../support/run-command.ts";
import { buildImage, type Engine, startEngine } from "./engine.ts";
import { listenLocally } from "../servers/listen-locally.ts";

/** The image, run as its documentation says, with a thousand monitors; the tests are the life of one container. */

const picket = path.resolve(import.meta.dirname, "../../bin/picket");
const monitorCount = 1000;
const image = "picket:test";
const folder = mkdtempSync(path.join(tmpdir(), "picket-image-"));
const database = path.join(folder, "service.sqlite");
const servicePort = 8797;
const agentPort = 8696;
let engine: Engine;
let service: ChildProcess;
let target: Server;

const inspected = (what: string): Promise<string> =>
  engine.must("inspect", "--format", what, "picket");
const settled = (look: () => Promise<void> | void, timeout: number): Promise<void> =>
  vi.waitFor(look, { timeout, interval: 500 });

function resultCount(): number {
  using read = new DatabaseSync(database, { readOnly: true });
  return Number(read.prepare("SELECT count(*) AS n FROM results").get()?.["n"]);
}
/** The agent's resident set now and at its largest, in MB. */
async function memory(): Promise<string> {
  const status = readFileSync(`/proc/${await inspected("{{.State.Pid}}")}/status`, "utf8");
  const [now, own, most] = ["VmRSS", "RssAnon", "VmHWM"].map((name) => {
    const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  });
  return `${now} MB, ${own} MB of it not of files; at most ${most} MB`;
}

/** The key that a service prints once, at its first start. */
async function keySaid({ stdout }: ChildProcess): Promise<string> {
  let said = "";
  for await (const chunk of stdout ?? []) {
    said += String(chunk);
    const key = /(pkt_key_[\w-]+)\s/.exec(said)?.[1];
    if (key !== undefined) return key;
  }
  throw new Error(`the service ended: ${said}`);
}

beforeAll(async () => {
  engine = await startEngine();
  await buildImage(engine, image);
  target = createServer((_request, response) => response.end("well"));
  const port = await listenLocally(target);
  service = spawn(
    picket,
    ["service", "--database", database, "--listen", `127.0.0.1:${servicePort}`],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const key = await keySaid(service);
  const monitors = Array.from(
    { length: monitorCount },
    (_, n) =>
      `  - { name: m${n}, url: 'http://127.0.0.1:${port}/${n}', periodicity: 30s, active: true }`,
  );
  const file = path.join(folder, "monitors.yaml");
  writeFileSync(file, `http_monitors:\n${monitors.join("\n")}\n`);
  const applied = await succeed(picket, ["apply", "-f", file, "--location", "office"], {
    env: {
      ...process.env,
      SERVICE_API_URL: `http://127.0.0.1:${servicePort}`,
      SERVICE_API_KEY: key,
    },
  });
  const token = path.join(folder, "token");
  writeFileSync(token, /pkt_loc_[\w-]+/.exec(applied)?.[0] ?? "", { mode: 0o444 });
  await engine.must(
    "run",
    "--detach",
    "--name",
    "picket",
    "--pull=never",
    "--network",
    "host",
    "--read-only",
    "--cap-drop",
    "ALL",
    "--security-opt",
    "no-new-privileges",
    "--memory",
    "160m",
    "--volume",
    "picket-state:/var/lib/picket",
    "--volume",
    `${token}:/run/secrets/token:ro`,
    "--env",
    "PICKET_TOKEN_FILE=/run/secrets/token",
    "--env",
    `SERVICE_API_URL=http://127.0.0.1:${servicePort}`,
    "--env",
    `PICKET_LISTEN=127.0.0.1:${agentPort}`,
    image,
  );
});
afterAll(async () => {
  service?.kill("SIGKILL");
  target?.close();
  target?.closeAllConnections();
  await engine?.run("rm", "--force", "picket");
  await engine?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

test("it is small, has no shell, and says what it is", async () => {
  const bytes = Number(await engine.must("image", "inspect", "--format", "{{.Size}}", image));
  process.stdout.write(`image: ${Math.round(bytes / 1e6)} MB\n`);
  expect(bytes).toBeLessThan(200e6);
  const config = JSON.parse(
    await engine.must("image", "inspect", "--format", "{{json .Config}}", image),
  );
  expect(config).toMatchObject({
    User: "65532:65532",
    StopSignal: "SIGTERM",
    ExposedPorts: { "8686/tcp": {}, "8787/tcp": {} },
    Volumes: { "/var/lib/picket": {} },
    Labels: {
      "org.opencontainers.image.licenses": "Apache-2.0",
      "org.opencontainers.image.version": manifest.version,
    },
  });
  const shell = await engine.run("run", "--rm", "--network=none", "--entrypoint", "/bin/sh", image);
  expect(shell.output).toContain("no such file");
});

test("the whole loop can be tried in it", async () => {
  await engine.must("run", "--detach", "--name", "tried", "--network=none", image, "up");
  const said = async (): Promise<string> => (await engine.run("logs", "tried")).output;
  await settled(async () => expect(await said()).toMatch(/Z {2}success /), 100_000);
  await engine.must("stop", "tried");
  expect(await said()).toMatch(/The service has [1-9]\d* results?:/);
  await engine.must("rm", "tried");
});

test("it may ping without privilege in a network of the engine's", async () => {
  const once = ["run", "--rm", "--network=none", "--cap-drop", "ALL", image];
  const { output } = await engine.run(...once, "check", "ping:127.0.0.1");
  expect(output).toMatch(/✓ success {2}ping:127\.0\.0\.1/);
});

test("by itself it listens and is found alive, and writes nothing outside of its volume, even where it could", async () => {
  await engine.must(
    "run",
    "--detach",
    "--name",
    "alone",
    "--network=none",
    "--env",
    "PICKET_TOKEN=nobody-knows-it",
    image,
  );
  const health = JSON.parse(
    await engine.must("image", "inspect", "--format", "{{json .Config.Healthcheck.Test}}", image),
  );
  await settled(
    async () => expect(await engine.must("exec", "alone", ...health.slice(1))).toBe("live"),
    100_000,
  );
  expect(await engine.must("diff", "alone")).toBe("");
  // Its node is stripped, and it has no capabilities and the engine's own filter of system calls.
  expect((await engine.run("logs", "alone")).output).toContain("probes use raw sockets");
  await engine.must("rm", "--force", "--volumes", "alone");
});

test("it runs the service: read-only, without capabilities, found healthy, its data in the volume", async () => {
  const run = (...more: readonly string[]): Promise<string> =>
    engine.must(
      "run",
      "--detach",
      "--name",
      "service",
      "--network=none",
      "--read-only",
      "--cap-drop=ALL",
      "--security-opt=no-new-privileges",
      "--memory=256m",
      "--health-interval=2s",
      "--volume=service-data:/var/lib/picket",
      ...more,
      image,
      "service",
    );
  await run();
  expect(await engine.must("wait", "service")).toBe("1");
  const refused = await engine.run("logs", "service");
  expect(refused.output).toMatch(/plain http on 0\.0\.0\.0:8787 .* give a certificate/);
  await engine.must("rm", "service");
  await run("--env=PICKET_SERVICE_ALLOW_HTTP=on");
  const healthy = (): Promise<void> =>
    settled(
      async () =>
        expect(
          await engine.must("inspect", "--format", "{{.State.Health.Status}}", "service"),
        ).toBe("healthy"),
      100_000,
    );
  await healthy();
  const first = await engine.run("logs", "service");
  expect(first.output).toMatch(/pkt_key_[\w-]{43}/);
  expect(await engine.must("diff", "service")).toBe("");
  await engine.must("stop", "service");
  const ended = "{{.State.ExitCode}} {{.State.OOMKilled}}";
  expect(await engine.must("inspect", "--format", ended, "service")).toBe("0 false");
  await engine.must("rm", "service");
  await run("--env=PICKET_SERVICE_ALLOW_HTTP=on");
  await healthy();
  const second = await engine.run("logs", "service");
  expect(second.output).not.toContain("pkt_key_");
  await engine.must("rm", "--force", "service");
});

test("a heap has at most its share of the container's memory", async () => {
  const limit = await engine.must(
    "run",
    "--rm",
    "--network=none",
    "--memory",
    "128m",
    "--entrypoint",
    "/usr/local/bin/node",
    image,
    "--max-old-space-size-percentage=25",
    "-p",
    "v8.getHeapStatistics().heap_size_limit",
  );
  expect(Number(limit)).toBeLessThan(80e6);
});

test("a thousand monitors at 30 s run in 160 MB: results arrive, nothing is killed", async () => {
  // Two periods after the first results, by the wall clock, which is what the agent runs by.
  await settled(() => expect(resultCount()).toBeGreaterThan(2.5 * monitorCount), 200_000);
  process.stdout.write(`resident with ${monitorCount} monitors: ${await memory()}\n`);
  expect(await inspected("{{.State.OOMKilled}} {{.RestartCount}} {{.State.Running}}")).toBe(
    "false 0 true",
  );
});

test("the engine finds it healthy", async () => {
  await settled(
    async () => expect(await inspected("{{.State.Health.Status}}")).toBe("healthy"),
    100_000,
  );
});

test("doctor examines it from inside, as the documentation has it", async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/install.md"), "utf8");
  const [, recipe = ""] = /```sh\ndocker (exec picket [^`]*doctor)\n```/.exec(page) ?? [];
  // A thousand monitors leave too little of 160 MB, as the page says.
  const [, room = ""] = /`docker (update [^`]*picket)`/.exec(page) ?? [];
  await engine.must(...room.split(" "));
  const { output } = await engine.run(...recipe.split(" "));
  expect(output).toMatch(/✓ token: the service takes it/);
  expect(output).toMatch(/✓ state directory/);
});

test("all that it writes is in its volume", async () => {
  // The engine itself makes the place where the token is mounted.
  expect(await engine.must("diff", "picket")).toBe("A /run\nA /run/secrets\nA /run/secrets/token");
  const volume = await engine.must(
    "volume",
    "inspect",
    "--format",
    "{{.Mountpoint}}",
    "picket-state",
  );
  expect(readFileSync(path.join(volume, "instance"), "utf8")).toMatch(/\S/);
});

test("SIGTERM drains it, and it ends with 0", async () => {
  await engine.must("stop", "-t", "40", "picket");
  expect(await inspected("{{.State.ExitCode}} {{.State.OOMKilled}}")).toBe("0 false");
  const { output } = await engine.run("logs", "picket");
  expect(output).toContain('"how":"drained"');
  const lines = output.trimEnd().split("\n");
  expect(lines.filter((line) => !line.startsWith('{"severity":"'))).toEqual([]);
});
