import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocationReport } from "#cli/up/read-back";
import { captureIo } from "../../support/captured-io.ts";
import { parseUpArguments } from "#cli/up/up-arguments";
import { runUp } from "#cli/up/up-command";
import { UsageError } from "#cli/edge/usage-error";
import { runService } from "#cli/service/service-command";
import { hashCredential } from "#service/edge/credential";
import { listenLocally } from "../../servers/listen-locally.ts";

const picket = fileURLToPath(new URL("../../../bin/picket", import.meta.url));
let directory = "";
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "picket-test-"));
});
afterAll(() => rm(directory, { recursive: true }));

/** `picket up` with its own temporary directory, which has to be empty again at the end. */
function start(temporary: string, ...args: readonly string[]): ChildProcess {
  return spawn(picket, ["up", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: temporary, NO_COLOR: "1" },
  });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: string[] = [];
  stream?.on("data", (chunk: Buffer) => void chunks.push(chunk.toString()));
  return () => chunks.join("");
}

async function up(...args: readonly string[]) {
  return ended(await running(...args));
}

/** `picket up` and what it has said so far. */
async function running(...args: readonly string[]) {
  const temporary = await mkdtemp(join(directory, "tmp-"));
  const child = start(temporary, ...args);
  const closed = once(child, "close");
  return {
    child,
    temporary,
    stdout: collect(child.stdout),
    stderr: collect(child.stderr),
    closed,
  };
}

async function ended({ closed, stdout, stderr, temporary }: Awaited<ReturnType<typeof running>>) {
  const [code]: unknown[] = await closed;
  return { code, stdout: stdout(), stderr: stderr(), left: await readdir(temporary) };
}

/** The statuses of the latest checks on the agent's page, once every monitor has a check there. */
async function statusesSeen(stderr: string): Promise<readonly string[]> {
  const [, page] = /^Status page of the agent: (\S+)\n/m.exec(stderr) ?? [];
  if (page === undefined) return [];
  const { monitors }: { readonly monitors: readonly { readonly recent: Recent }[] } = JSON.parse(
    await (await fetch(`${page}/status`)).text(),
  );
  if (monitors.some(({ recent }) => recent.length === 0)) return [];
  const statuses = monitors.flatMap(({ recent }) => recent.map(({ status }) => status));
  return [...new Set(statuses)].toSorted();
}

type Recent = readonly { readonly status: string }[];

/** The same without a process, for what ends before anything runs. */
async function refused(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const io = captureIo(env);
  const code = await runUp(args, io);
  return { code, stdout: io.written.stdout(), stderr: io.written.stderr() };
}

const report = (stdout: string): LocationReport => JSON.parse(stdout);

async function fileOf(name: string, text: string): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, text);
  return file;
}

// Each waits for separate processes, most of the time: they wait together.
describe.concurrent("picket up --for --json", () => {
  it("watches its machine and prints what the service knows: a live location, three kinds, three verdicts; --data finds all of it again, and keeps no token or key on the disk", async (here) => {
    const data = join(directory, "kept");
    // A busy machine takes its time to start, so the checks say when there was enough to see, and not the clock.
    const started = await running("--for", "3600s", "--data", data, "--json");
    await here.expect
      .poll(() => statusesSeen(started.stderr()))
      .toEqual(["degraded", "error", "success"]);
    started.child.kill("SIGTERM");
    const { code, stdout, stderr, left } = await ended(started);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    const first = report(stdout);
    expectEveryKindSeen(first, stdout);
    // A machine that keeps the agent from running for seconds is warned of. The stop may come in the middle of a check.
    expect(stderr.replaceAll(/^warning: this agent's network is faulty: .*\n/gm, "")).toMatch(
      /^Picket runs 4 monitors from this machine for 3600 s; .*\nOpen http:\/\/127\.0\.0\.1:\d+ to see the monitors, http:\/\/127\.0\.0\.1:\d+\/start for the first steps\nStatus page of the agent: http:\/\/127\.0\.0\.1:\d+\n(Stopping: waiting for \d checks? in flight .*\n)?$/,
    );
    expect(left).toEqual([]);
    const second = report((await up("--data", data, "--for", "1s", "--json")).stdout);
    expect(second.monitors.map(({ id }) => id)).toEqual(first.monitors.map(({ id }) => id));
    expect(second.location.monitor_count).toBe(4);
    expect(second.results.total).toBeGreaterThanOrEqual(first.results.total);
    await expectNoSecrets(data);
  });
});

function expectEveryKindSeen(
  { location, results, monitors }: LocationReport,
  stdout: string,
): void {
  expect(location.status).toBe("active");
  expect(Date.parse(location.last_seen_at ?? "")).toBeGreaterThan(0);
  expect(location.monitor_count).toBe(4);
  expect(new Set(monitors.map(({ kind }) => kind))).toEqual(new Set(["http", "tcp", "dns"]));
  expect(
    Object.values(results).every((count) => count > 0),
    stdout,
  ).toBe(true);
  expect(results.total).toBe(results.success + results.degraded + results.error);
  expect(results.total).toBe(monitors.reduce((sum, one) => sum + one.results, 0));
  for (const one of monitors) expect(one.results).toBeGreaterThan(0);
}

async function expectNoSecrets(data: string): Promise<void> {
  const files = (await readdir(data)).map((name) => readFile(join(data, name), "latin1"));
  const kept = (await Promise.all(files)).join();
  expect(kept).not.toContain("pkt_loc_");
  // Of a key there are the first four characters, by which a person knows it again, and its hash behind them.
  for (const [key] of kept.matchAll(/pkt_key_[\w-]{43}/g))
    expect(kept).not.toContain(hashCredential(key));
}

describe.concurrent("picket up --monitors", () => {
  it("runs every monitor of the file that does not say active: false", async () => {
    await using target = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
    await once(target, "listening");
    const { port } = target.address() as AddressInfo;
    const file = await fileOf(
      "two.yaml",
      `tcp_monitors:
  - { name: here, uri: "127.0.0.1:${port}", periodicity: 30s }
  - { name: off, uri: "127.0.0.1:${port}", periodicity: 30s, active: false }
`,
    );
    const temporary = await mkdtemp(join(directory, "tmp-"));
    const child = start(temporary, "--monitors", file, "--json");
    // Its first check is enough: a stop waits for it and reports it.
    target.once("connection", () => child.kill("SIGTERM"));
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    const [code]: unknown[] = await once(child, "close");
    expect(code).toBe(0);
    expect(stderr()).toContain('The tcp monitor "off" has active: false and does not run.');
    const { monitors, results } = report(stdout());
    expect(monitors.map(({ name, status }) => [name, status])).toEqual([
      ["here", "active"],
      ["off", "unknown"],
    ]);
    const [here, off] = monitors;
    expect(here?.results).toBeGreaterThan(0);
    expect(off?.results).toBe(0);
    expect(results).toMatchObject({ total: here?.results, success: here?.results });
  });

  it("with five mistakes says five lines and starts nothing", async () => {
    const file = await fileOf(
      "five.yaml",
      `http_monitors:
  - name: web
    url: ftp://example.com
    periodicity: 42s
    tiemout: 100
tcp_monitors:
  - name: db
    uri: db.internal:99999
    periodicity: 1m
    retry: "3"
`,
    );
    const data = join(directory, "never");
    const { code, stdout, stderr } = await refused(["--monitors", file, "--data", data]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    const lines = stderr.trimEnd().split("\n");
    expect(lines.map((line) => line.replace(`${file}:`, "").split(":")[0])).toEqual([
      "3",
      "4",
      "5",
      "8",
      "10",
      `5 mistakes in ${file}. Nothing was started.`,
    ]);
    await expect(stat(data)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe.concurrent("picket up on data", () => {
  it("that another one uses says so and ends, and the other keeps its token; one whose service refuses a call says that, and it is not a bug", async () => {
    const data = join(directory, "shared");
    const { child, closed, stderr, stdout } = await running("--data", data);
    /** Settles with the first result that comes from now on. */
    const nextResult = (): Promise<void> => {
      const before = stdout().length;
      return new Promise((resolve) => {
        child.stdout?.on("data", () => {
          if (/^\d\d:\d\d:\d\dZ/m.test(stdout().slice(before))) resolve();
        });
      });
    };
    await nextResult();
    const second = await refused(["--data", data]);
    expect([second.code, second.stdout]).toEqual([1, ""]);
    expect(second.stderr).toMatch(
      /^picket up: cannot start: another service uses the database .*: end that one/,
    );
    await nextResult();
    expect(stderr()).not.toMatch(/token|refus/);
    const key = async (...words: readonly string[]): Promise<string> => {
      const io = captureIo();
      const database = join(data, "service.sqlite");
      expect(await runService(["key", ...words, "--database", database], io)).toBe(0);
      return io.written.stdout();
    };
    const [id = ""] = /\S+(?=\s.*picket up)/.exec(await key("list")) ?? [];
    await key("revoke", id);
    child.kill("SIGTERM");
    expect(await closed).toEqual([1, null]);
    expect(stderr()).toMatch(
      /^picket up: its service refused a call: .*start picket up again: it/m,
    );
    expect(stderr()).not.toContain("bug");
  });
});

describe.concurrent("picket up in a pipe", () => {
  it("writes what runs, a line a result, and a summary when it is stopped", async () => {
    const temporary = await mkdtemp(join(directory, "tmp-"));
    const child = start(temporary);
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout ?? process.stdin });
    reader.on("line", (line) => {
      lines.push(line);
      if (lines.length === 3) child.kill("SIGTERM");
    });
    const [code]: unknown[] = await once(child, "close");
    expect(code).toBe(0);
    expect(lines[0]).toMatch(
      /^Picket runs 4 monitors from this machine until Ctrl-C; the service is at http:/,
    );
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\dZ {2}(success|degraded|error) +(http|tcp|dns) /);
    // On a busy machine there are many more than the two that were shown.
    expect(lines.at(-1)).toMatch(
      /^Stopped\. The service has ([2-9]|\d{2,}) results: .* The location was active/,
    );
    expect(await readdir(temporary)).toEqual([]);
  });

  it("says at the first signal which check it waits for, and that a second one aborts it", async () => {
    const silent = createServer();
    const port = await listenLocally(silent);
    const file = await fileOf(
      "silent.yaml",
      `http_monitors: [{ name: silent shop, url: "http://127.0.0.1:${port}/", periodicity: 30s, timeout: 120000 }]\n`,
    );
    const temporary = await mkdtemp(join(directory, "tmp-"));
    const child = start(temporary, "--monitors", file);
    const [asked] = await once(silent, "connection");
    const waits = new Promise<string>((resolve) => {
      const reader = createInterface({ input: child.stderr ?? process.stdin });
      reader.on("line", (line) => {
        if (line.startsWith("Stopping")) resolve(line);
      });
    });
    child.kill("SIGINT");
    expect(await waits).toBe(
      "Stopping: waiting for 1 check in flight (silent shop), at most 30 s. Press Ctrl-C again to abort.",
    );
    child.kill("SIGINT");
    const [code]: unknown[] = await once(child, "close");
    expect(code).toBe(1);
    asked.destroy();
    silent.close();
  });

  it("gives up at the second signal, quietly, with exit code 1 and nothing left behind", async () => {
    const temporary = await mkdtemp(join(directory, "tmp-"));
    const child = start(temporary);
    const stderr = collect(child.stderr);
    child.stdout?.once("data", () => {
      child.kill("SIGTERM");
      child.kill("SIGINT");
    });
    const [code]: unknown[] = await once(child, "close");
    expect(code).toBe(1);
    expect(stderr()).not.toContain("bug");
    expect(await readdir(temporary)).toEqual([]);
  });

  it.each([["/proc/picket"], ["/nowhere/picket"], ["/dev/null"]])(
    "says that it cannot keep its data in %s",
    async (data) => {
      const { code, stdout, stderr } = await refused(["--data", data]);
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toMatch(/^picket up: cannot start: .*(cannot be made|cannot be opened)/);
    },
  );

  it("says that a file is not its database", async () => {
    const data = await mkdtemp(join(directory, "broken-"));
    await writeFile(join(data, "service.sqlite"), "not a database, though long enough".repeat(100));
    const { code, stderr } = await refused(["--data", data]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^picket up: cannot start: the database .*service\.sqlite cannot be used \(file is not a database\)/,
    );
  });

  it("names every setting of the agent that is wrong", async () => {
    const wrong = { PICKET_WORKERS: "many", PICKET_DRAIN_TIMEOUT: "soon" };
    const { code, stderr } = await refused(["--for", "1s"], wrong);
    expect(code).toBe(1);
    expect(stderr).toContain("picket up: PICKET_WORKERS must be");
    expect(stderr).toContain("picket up: PICKET_DRAIN_TIMEOUT must be");
  });

  it("says that the port is in use, and leaves nothing behind", async () => {
    await using taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const { code, stdout, stderr, left } = await up("--listen", `127.0.0.1:${port}`);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain(`picket up: cannot start: port ${port} of 127.0.0.1 is in use`);
    expect(left).toEqual([]);
  });
});

describe("the arguments of picket up", () => {
  it("have defaults", () => {
    expect(parseUpArguments([], captureIo())).toEqual({
      monitorsFile: null,
      runFor: null,
      json: false,
      listen: { host: "127.0.0.1", port: 0 },
      dataDirectory: null,
      notify: [],
    });
  });

  it("are read", () => {
    const args = ["--for", "20s", "--json", "--listen", "[::1]:8787", "--data", "d"];
    expect(parseUpArguments(args, captureIo())).toMatchObject({
      runFor: 20_000,
      json: true,
      listen: { host: "::1", port: 8787 },
      dataDirectory: "d",
    });
  });

  it.each([
    [["--for", "20"]],
    [["--for", "0s"]],
    [["--for", "577h"]],
    [["--for"]],
    [["--listen", "8787"]],
    [["--listen", "localhost:70000"]],
    [["--data", ""]],
    [["--jsno"]],
    [["extra"]],
  ])("%j are wrong usage", (args) => {
    expect(() => parseUpArguments(args, captureIo())).toThrow(UsageError);
  });
});
