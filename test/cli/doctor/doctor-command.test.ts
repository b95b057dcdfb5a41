import { spawn } from "node:child_process";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openKernelClock } from "#probes/socket/kernel-clock";
import { assigning, controlPlaneServer, refusing } from "../../servers/control-plane-server.ts";
import { dnsServer, reply } from "../../servers/dns-server.ts";
import { Authority } from "../../support/authority.ts";
import { isInstalled } from "../../support/installed.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const main = path.resolve(import.meta.dirname, "../../../src/main.ts");

interface Diagnosis {
  readonly code: unknown;
  readonly text: string;
  /** The lines about something, each with its mark. */
  readonly about: (what: string) => string;
}

/** The command as a separate process, because what it looks at belongs to a process. */
async function doctor(
  env: Readonly<Record<string, string>>,
  {
    flags = [],
    shell = "",
    started = () => {},
  }: { flags?: readonly string[]; shell?: string; started?: (pid: number) => void } = {},
): Promise<Diagnosis> {
  const clean = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/proxy$|^PICKET_/i.test(name)),
  );
  const command = `${shell} exec "$0" --disable-warning=ExperimentalWarning "$@"`;
  const child = spawn("sh", ["-c", command, process.execPath, ...flags, main, "doctor"], {
    env: { ...clean, PICKET_TOKEN: "planted-token", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  started(child.pid ?? 0);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => void chunks.push(chunk.toString()));
  const [code]: unknown[] = await once(child, "close");
  const text = chunks.join("");
  expect(text).not.toContain("planted");
  const about = (what: string): string =>
    text
      .split("\n")
      .filter((line) => line.slice(2).startsWith(`${what}:`))
      .join("\n");
  return { code, text, about };
}

/** A service and a name server with which everything is fine. */
async function surroundings() {
  const stack = new AsyncDisposableStack();
  const service = stack.use(
    await controlPlaneServer({
      Monitors: (request, response, body) => {
        const isOurs = request.headers["x-service-token"] === "planted-token";
        (isOurs ? assigning : refusing(401, "unauthenticated"))(request, response, body);
      },
      IngestBatch: refusing(401, "unauthenticated"),
    }),
  );
  const names = stack.use(await dnsServer((query) => [reply(query, { rcode: 3 })]));
  const env = {
    SERVICE_API_URL: service.url,
    PICKET_DNS_SERVERS: `${names.host}:${names.port}`,
    PICKET_STATE_DIR: temporaryFolder(),
    PICKET_LISTEN: "127.0.0.1:0",
  };
  return { env, service, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

describe("picket doctor", () => {
  test("finds everything fine where it is, and hands the service nothing", async () => {
    await using around = await surroundings();
    const { code, text, about } = await doctor(around.env);
    expect([code, text.includes("✗")]).toEqual([0, false]);
    for (const what of [
      "configuration",
      "state directory",
      "name servers",
      "service",
      "token",
      "clock",
      "batches",
      "open files",
      "local endpoint",
      "memory",
      "IPv6",
      "target guard",
      "raw sockets",
      "probes",
    ])
      expect(about(what)).not.toBe("");
    expect(about("batches")).toBe("✓ batches: the service takes them");
    expect(about("kernel clock").startsWith("✓")).toBe(openKernelClock().available);
    expect(around.service.heard.map((call) => call.replace(/ .*/, "")).toSorted()).toEqual([
      "IngestBatch",
      "Monitors",
      "Watch",
    ]);
  });

  test("names every failure with what to do, none hides another", async () => {
    await using around = await surroundings();
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "file"), "");
    const { code, about } = await doctor(
      {
        ...around.env,
        PICKET_TOKEN: "planted-wrong",
        PICKET_STATE_DIR: path.join(folder, "file"),
        // Nothing listens there.
        PICKET_DNS_SERVERS: "127.0.0.1:1",
      },
      { shell: "ulimit -n 200;" },
    );
    expect(code).toBe(1);
    expect(about("token")).toMatch(/^✗ .*status 401.* Next: copy the location's token again/);
    expect(about("state directory")).toMatch(/^✗ .*cannot be used.* Next: .*PICKET_STATE_DIR/);
    expect(about("name servers")).toMatch(
      /^✗ .*PICKET_DNS_SERVERS answers \(127\.0\.0\.1:1\).* Next: check PICKET_DNS_SERVERS/,
    );
    expect(about("open files")).toMatch(/^✗ .*200 may be open.* Next: raise the limit/);
    expect(about("service")).toMatch(/^✓/);
    expect(about("probes")).toMatch(/^[✓!]/);
  });

  test("asks for the authority of a service that is not trusted, and takes it", async () => {
    const authority = await Authority.create();
    await using around = await surroundings();
    await using service = await controlPlaneServer(
      { Monitors: assigning },
      undefined,
      await authority.issue(),
    );
    const env = { ...around.env, SERVICE_API_URL: service.url };
    const strange = await doctor(env);
    expect(strange.code).toBe(1);
    expect(strange.about("service")).toMatch(/^✗ .*not trusted.* Next: .*PICKET_CA_FILE/);
    const file = path.join(temporaryFolder(), "ca.pem");
    writeFileSync(file, authority.cert);
    const known = await doctor({ ...env, PICKET_CA_FILE: file });
    expect(known.code).toBe(0);
    expect(known.about("certificate")).toMatch(/^✓ .*trusted and ends in (29|30) days/);
    expect(known.about("batches")).toBe(
      "✓ batches: not supported by this service: results are sent one by one",
    );
  });

  test("reports mistakes in the configuration, and looks at what does not depend on it", async () => {
    const { code, text, about } = await doctor({ PICKET_TOKEN: "", PICKET_WORKERS: "many" });
    expect(code).toBe(1);
    expect(about("configuration").split("\n")).toHaveLength(2);
    expect(about("configuration")).toMatch(
      /PICKET_WORKERS must be .* Next: correct it in the agent's environment and run picket doctor again/,
    );
    expect(about("memory")).toMatch(/^[✓!]/);
    expect(text).not.toContain("service:");
  });

  test("reports a proxy that is not there, without its password, and what is missing above a state directory that cannot be made", async () => {
    await using around = await surroundings();
    const parent = path.join(temporaryFolder(), "missing");
    const directory = path.join(parent, "state");
    const { code, about } = await doctor({
      ...around.env,
      PICKET_SERVICE_PROXY: "http://user:planted-password@127.0.0.1:1",
      PICKET_STATE_DIR: directory,
    });
    expect(code).toBe(1);
    expect(about("service")).toMatch(
      /^✗ service: the proxy 127\.0\.0\.1:1 cannot be reached: connection refused\. Next: check PICKET_SERVICE_PROXY/,
    );
    expect(about("state directory")).toContain(
      `✗ state directory: ${directory} cannot be made: there is no ${parent}. Next: make ${directory} and let the agent's user write it, or`,
    );
  });

  test("warns if the kernel cannot be asked, and of a state directory that others may read; it is ended before the agent next to it if the container's memory is short", async () => {
    let pid = 0;
    let score = "";
    await using around = await surroundings();
    await using service = await controlPlaneServer({
      Monitors: (request, response, body) => {
        score = readFileSync(`/proc/${pid}/oom_score_adj`, "utf8");
        assigning(request, response, body);
      },
    });
    const directory = path.join(temporaryFolder(), "state");
    mkdirSync(directory, { mode: 0o755 });
    writeFileSync(path.join(directory, "assignment.json"), "{}", { mode: 0o644 });
    const { code, about } = await doctor(
      { ...around.env, SERVICE_API_URL: service.url, PICKET_STATE_DIR: directory },
      { flags: ["--no-experimental-ffi"], started: (child) => (pid = child) },
    );
    expect(code).toBe(0);
    expect(about("kernel clock")).toMatch(/^! .* Next: run it on Linux with glibc/);
    expect(about("raw sockets")).toMatch(/^✓ .* Node\.js's sockets instead: .*node:ffi/);
    expect(about("state directory")).toContain(
      `! state directory: others may read assignment.json`,
    );
    expect(about("state directory")).toContain(`Next: chmod 700 ${directory}`);
    expect(score).toBe("1000\n");
  });

  const [faketime = ""] = globSync("/usr/lib/{*/,}faketime/libfaketimeMT.so.1");
  test.skipIf(!isInstalled("faketime") || faketime === "")(
    "reports a clock that is ten minutes off",
    async () => {
      await using around = await surroundings();
      const { code, about } = await doctor({
        ...around.env,
        LD_PRELOAD: faketime,
        FAKETIME: "-10m",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      });
      expect(code).toBe(1);
      expect(about("clock")).toMatch(/^✗ clock: (599|600|601)\.\d s .* Next: .*NTP/);
    },
  );
});
