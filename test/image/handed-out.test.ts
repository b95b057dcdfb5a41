import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { version } from "#base/version";
import { startWays } from "#service/operator/locations/start-commands";
import { type Service, startService } from "#service/server";
import { workFolder } from "../../packaging/work-folder.ts";
import { Authority } from "../support/authority.ts";
import { type CommandEnd, runCommand } from "../support/run-command.ts";
import { buildBase, type Engine, startEngine } from "./engine.ts";

/** The line of a location's page that starts an agent in a container, on a real engine; in the order of its life. */

const folder = workFolder("/tmp/picket-handed-out-");
let engine: Engine;
let service: Service;
let token = "";

const line = (): string =>
  startWays({ address: service.url, token }).find(({ id }) => id === "docker")?.commands ?? "";
/** As docs/install.md says it of an own authority, by someone whose engine this is. */
const paste = (command: string): Promise<CommandEnd> =>
  runCommand(
    "sh",
    ["-c", `export CURL_CA_BUNDLE=$PWD/ca.pem PICKET_CA_FILE=$PWD/ca.pem\n${command}`],
    {
      cwd: folder.path,
      env: { PATH: process.env["PATH"], DOCKER_HOST: engine.socket, DOCKER_BUILDKIT: "0" },
    },
  );
const isOnline = (): Promise<void> =>
  vi.waitFor(
    async () =>
      expect((await engine.run("logs", "picket")).output).toContain("connected to the service"),
    { timeout: 100_000, interval: 200 },
  );

beforeAll(async () => {
  engine = await startEngine();
  await buildBase(engine);
  const authority = await Authority.create();
  const { cert: certificate, key } = await authority.issue();
  writeFileSync(path.join(folder.path, "ca.pem"), authority.cert);
  service = await startService({
    database: path.join(folder.path, "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
    identity: { certificate, key },
  });
  const made = { name: "office", monitorIds: [], metadata: {} };
  ({ token } = await service.admin.createPrivateLocation(made));
});
afterAll(async () => {
  await engine?.run("rm", "--force", "picket");
  await engine?.[Symbol.asyncDispose]();
  await service?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

test("the line builds the image and starts an agent that reaches the service, and nothing shows its token", async () => {
  const started = await paste(line());
  expect([started.code, started.output]).toEqual([0, expect.stringContaining("docker logs")]);
  await isOnline();
  expect(await engine.must("inspect", "picket")).not.toContain(token);
  expect(await engine.must("history", "--no-trunc", `picket-agent:${version()}`)).not.toContain(
    token,
  );
  expect(started.output).not.toContain(token);
});

test("the same line takes the place of the container that it made, whose state stays", async () => {
  const before = await engine.must("inspect", "--format", "{{.Id}}", "picket");
  const volume = await engine.must(
    "volume",
    "inspect",
    "--format",
    "{{.Mountpoint}}",
    "picket-state",
  );
  const instance = readFileSync(path.join(volume, "instance"), "utf8");
  const again = await paste(line());
  expect([again.code, again.output]).toEqual([0, expect.anything()]);
  expect(await engine.must("inspect", "--format", "{{.Id}}", "picket")).not.toBe(before);
  await isOnline();
  expect(readFileSync(path.join(volume, "instance"), "utf8")).toBe(instance);
});

test("so does the line at another address of the service, with the token that the container has", async () => {
  const before = await engine.must("inspect", "--format", "{{.Id}}", "picket");
  const moved = await paste(line().replaceAll("127.0.0.1", "localhost"));
  expect([moved.code, moved.output]).toEqual([0, expect.anything()]);
  expect(await engine.must("inspect", "--format", "{{.Id}}", "picket")).not.toBe(before);
  expect(await engine.must("inspect", "picket")).toContain("SERVICE_API_URL=https://localhost");
  await isOnline();
});

test("it is taken away as the documentation has it, and nothing of it is left", async () => {
  const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/install.md"), "utf8");
  const [recipe = ""] = /^docker stop .*\ndocker rm .*\ndocker volume rm .*$/m.exec(page) ?? [];
  const removed = await paste(`set -e\n${recipe}`);
  expect([removed.code, recipe]).toEqual([0, expect.stringMatching(/./)]);
  expect(await engine.must("ps", "--all", "--quiet")).toBe("");
  expect(await engine.must("volume", "ls", "--quiet")).toBe("");
});
