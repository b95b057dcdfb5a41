import { parseTarGzip } from "nanotar";
import { expect, test } from "vitest";
import { FakeClock } from "../support/fake-clock.ts";
import { AgentDownload } from "#service/downloads/agent-download";
import { silentLogger } from "#base/log";
import { version } from "#base/version";
import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { putBundle } from "../support/built-program.ts";
import { runCommand } from "../support/run-command.ts";
import { startCommand } from "../support/running-picket.ts";
import { runningService, temporaryFolder } from "../support/running-service.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

test("a stranger is given the script and nothing large; the token of a location opens the rest", async () => {
  await using service = await runningService();
  const { token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [],
    metadata: {},
  });
  const get = (name: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`${service.url}/agent/${name}`, { headers, method });
  const script = await get("start.sh");
  expect([script.status, script.headers.get("x-content-type-options")]).toEqual([200, "nosniff"]);
  const text = await script.text();
  expect(text).not.toContain(token);
  expect(text).not.toMatch(/@\w+@/);
  for (const name of ["location", "picket.tgz", "runtime"]) {
    expect([(await get(name)).status, name]).toEqual([401, name]);
    const wrong = await get(name, { "x-service-token": "pkt_loc_unknown" });
    expect([wrong.status, name]).toEqual([401, name]);
  }
  const own = { "x-service-token": token };
  expect(await (await get("location", own)).text()).toBe("1\n");
  const program = await (await get("picket.tgz", own)).bytes();
  expect(text).toContain(`program_sha256='${sha256(program)}'`);
  const runtime = await get("runtime", own, "HEAD");
  const size = Number(runtime.headers.get("content-length"));
  expect(size).toBe(readFileSync(process.execPath).length);
  expect(text).toContain(`runtime_sha256='${sha256(readFileSync(process.execPath))}'`);
  expect(text).toContain(`version='${version()}'`);
  expect((await get("start.sh", {}, "POST")).status).toBe(405);
  expect((await get("../healthz/x")).status).toBe(404);
  expect((await get("picket.env", own)).status).toBe(404);
});

test("two replicas hand out the same bytes: the program, what starts it, and its licences", async () => {
  const clock = new FakeClock();
  const [one, other] = await Promise.all(
    [0, 1].map(() => new AgentDownload({ clock, log: silentLogger }).handout()),
  );
  expect(sha256(one?.program ?? new Uint8Array())).toBe(
    sha256(other?.program ?? new Uint8Array(1)),
  );
  const files = await parseTarGzip(one?.program ?? new Uint8Array());
  const modes = new Map(files.map(({ name, attrs }) => [name, attrs?.mode?.slice(-3)]));
  expect(modes.get("bin/picket")).toBe("755");
  expect(modes.get("systemd/install.sh")).toBe("755");
  expect(modes.get("dist/picket.mjs")).toBe("644");
  expect(modes.has("dist/THIRD-PARTY-LICENSES.txt")).toBe(true);
  expect(modes.has("picket-chart/Chart.yaml")).toBe(true);
});

test("the runtime that is handed out is what the service runs on, also after another took its place", async () => {
  const file = path.join(temporaryFolder(), "node");
  copyFileSync(process.execPath, file);
  const lines = [
    'import { AgentDownload } from "#service/downloads/agent-download";',
    'import { systemClock } from "#base/clock";',
    'import { silentLogger } from "#base/log";',
    'import { appendFileSync, copyFileSync, readFileSync, rmSync } from "node:fs";',
    "rmSync(process.execPath);",
    "copyFileSync(process.argv[1], process.execPath);",
    'appendFileSync(process.execPath, "newer");',
    "const download = new AgentDownload({ clock: systemClock, log: silentLogger });",
    "const { runtime } = await download.handout();",
    "const sent = readFileSync(runtime.file).length;",
    "console.log(JSON.stringify([runtime.sha256, runtime.bytes, sent]));",
  ].join("\n");
  const args = ["--input-type=module", "--eval", lines, process.execPath];
  const { code, output } = await runCommand(file, args);
  const own = readFileSync(process.execPath);
  expect([code, output.trim()]).toEqual([0, JSON.stringify([sha256(own), own.length, own.length])]);
});

test("a program that an upgrade has put in place is handed out under its own version", async () => {
  const folder = temporaryFolder();
  await putBundle(folder);
  const program = path.join(folder, "picket.mjs");
  const args = [program, "service", "--listen", "127.0.0.1:0"];
  const database = path.join(folder, "picket.db");
  const service = startCommand(process.execPath, [...args, "--database", database], { env: {} });
  const [, url = ""] = await service.said(/listens on (http:\S+?);/);
  const older = readFileSync(program, "utf8");
  const newer = older.replace(`"${version()}"`, '"99.0.0"');
  expect(newer).not.toBe(older);
  writeFileSync(program, newer);
  const script = await (await fetch(`${url}/agent/start.sh`)).text();
  expect(script).toContain("version='99.0.0'");
  expect(await service.stop()).toBe(0);
});
