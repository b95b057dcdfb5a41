import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { connectManagement } from "#cli/management";
import { PrivateLocationStatus } from "#contract/private_location/v1/private_location_admin_pb";
import { answers, closedPort, tcpPeer } from "../servers/scripted.ts";
import { temporaryFolder } from "../support/running-service.ts";

const picket = fileURLToPath(new URL("../../bin/picket", import.meta.url));

/** A command as a process of its own, whose whole output is remembered. */
interface Running {
  readonly child: ChildProcess;
  output(): string;
  /** Settles when the output holds a match. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
  /** SIGTERM, and the exit code that follows. */
  stop(): Promise<number>;
}

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
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

test(
  "agent and service in two processes: checks go on across a restart of either, and nothing is lost or told",
  { timeout: 60_000 },
  async () => {
    await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    const folder = temporaryFolder();
    const port = await closedPort();
    const url = `http://127.0.0.1:${port}`;
    const monitors = path.join(folder, "monitors.yaml");
    writeFileSync(
      monitors,
      `http_monitors:
  - name: shop
    url: http://planted-user:planted-password@127.0.0.1:${target.port}/?token=planted-query
    periodicity: 30s
    active: true
    headers: [{ key: X-Secret, value: planted-header }]
`,
    );
    const startTheService = (): Running =>
      run([
        "service",
        "--database",
        path.join(folder, "service.sqlite"),
        "--listen",
        `127.0.0.1:${port}`,
      ]);
    let service = startTheService();
    const [key = ""] = await service.said(/pkt_key_[\w-]{43}/);
    const apply = run(["apply", "-f", monitors, "--location", "office"], {
      SERVICE_API_URL: url,
      SERVICE_API_KEY: key,
    });
    const [token = ""] = await apply.said(/pkt_loc_[\w-]{43}/);
    await once(apply.child, "exit");

    const startTheAgent = (): Running =>
      run(["agent"], {
        PICKET_TOKEN: token,
        SERVICE_API_URL: url,
        PICKET_POLL_INTERVAL: "1s",
        PICKET_LOG_LEVEL: "debug",
        PICKET_LISTEN: "127.0.0.1:0",
      });
    const management = connectManagement(url, key);
    const results = async (): Promise<number> => {
      const { monitors: all } = await management.monitors.summarizeResults({});
      return Number(all[0]?.total ?? 0n);
    };

    // The service goes away between the assignment and the first check, which runs all the same and is told later.
    const agent = startTheAgent();
    await agent.said(/assignment taken/);
    expect(await service.stop()).toBe(0);
    await agent.said(/"message":"checked"/);
    await agent.said(/the service cannot be reached/);
    service = startTheService();
    await service.said(/listens on/);
    await agent.said(/the service is back/);
    await expect.poll(results, { timeout: 15_000 }).toBeGreaterThanOrEqual(1);

    // A restarted agent checks its monitors within seconds.
    expect(await agent.stop()).toBe(0);
    const before = await results();
    const again = startTheAgent();
    await expect.poll(results, { timeout: 15_000 }).toBeGreaterThan(before);
    const { privateLocations } = await management.locations.listPrivateLocations({});
    expect(privateLocations).toMatchObject([
      { name: "office", status: PrivateLocationStatus.ACTIVE, monitorCount: 1n },
    ]);

    // Its own page knows the monitor, and no secret.
    const [, page = ""] = await again.said(/"url\.full":"([^"]+)"/);
    const told = await Promise.all(
      ["/", "/status"].map(async (path) => (await fetch(`${page}${path}`)).text()),
    );
    for (const text of told) {
      expect(text).toContain(`http://127.0.0.1:${target.port}/`);
      for (const secret of [token, key, "planted"]) expect(text).not.toContain(secret);
    }
    expect(await again.stop()).toBe(0);
    expect(await service.stop()).toBe(0);

    const output = [agent, again, service].map((one) => one.output()).join("\n");
    for (const secret of [token, key, "planted"]) expect(output).not.toContain(secret);
  },
);

test("wrong configuration is told whole, and ends with 1", async () => {
  const agent = run(["agent"], {
    PICKET_TOKEN: "",
    PICKET_POLL_INTERVAL: "often",
    PICKET_WORKERS: "none",
    PICKET_POLL_INTERVALL: "1s",
  });
  const [code]: unknown[] = await once(agent.child, "exit");
  expect(code).toBe(1);
  for (const name of [
    "PICKET_TOKEN is not set",
    "PICKET_POLL_INTERVAL must be a duration",
    "PICKET_WORKERS must be a whole number",
    "did you mean PICKET_POLL_INTERVAL?",
  ])
    expect(agent.output()).toContain(name);
});
