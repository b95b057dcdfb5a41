import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseTarGzip } from "nanotar";
import { afterAll, describe, expect, test } from "vitest";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { scriptAddress } from "#web/scripts";
import manifest from "#manifest" with { type: "json" };
import { answers, closedPort, tcpPeer } from "../servers/scripted.ts";
import { type RunningPicket, startCommand } from "../support/running-picket.ts";

/** A form in which Picket is shipped: the command, and the arguments that stand before its own. */
export interface Form {
  readonly name: string;
  readonly command: string;
  readonly before: readonly string[];
  /** What its probes use where it runs here. */
  readonly sockets: "raw" | "runtime";
}

/** Declares what holds for every form, alone in a folder: no sources, no packages, no PATH and no other variables. */
export function describeForm(form: Form): void {
  describe.each([form])("$name", ({ command, before, sockets }) => {
    const folder = mkdtempSync(path.join(tmpdir(), "picket-form-"));
    const empty = path.join(folder, "empty");
    mkdirSync(empty);
    afterAll(() => rmSync(folder, { recursive: true }));

    const run = (
      ...args: readonly string[]
    ): { code: number | null; stdout: string; stderr: string } => {
      const options = { cwd: empty, env: {}, encoding: "utf8" } as const;
      const { status, stdout, stderr } = spawnSync(command, [...before, ...args], options);
      return { code: status, stdout, stderr };
    };
    const start = (
      args: readonly string[],
      env: Readonly<Record<string, string>> = {},
    ): RunningPicket => startCommand(command, [...before, ...args], { cwd: empty, env });

    test("knows its version and its commands, and prints no warning", () => {
      expect(run("--version")).toEqual({
        code: 0,
        stdout: `picket ${manifest.version}\n`,
        stderr: "",
      });
      expect(run("help", "agent")).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("PICKET_TOKEN"),
        stderr: "",
      });
      expect(run("chekc")).toMatchObject({
        code: 64,
        stderr: expect.stringContaining("Did you mean picket check?"),
      });
    });

    test("checks a target now", async () => {
      await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
      const check = start(["check", `http://127.0.0.1:${target.port}/`, "--json"]);
      const [code] = await once(check.child, "close");
      expect(code).toBe(0);
      // Only raw sockets know our own work between two packets.
      const own = sockets === "raw" ? expect.any(Number) : null;
      expect(JSON.parse(check.output())).toMatchObject({ status: "success", own_ns: own });
    });

    test("runs service and agent together for a while, with checks in its probe threads", async () => {
      const up = start(["up"]);
      // An emulated processor takes its time to start, and so does a busy one: what was seen ends it, and not the clock.
      await up.said(/^\d\d:\d\d:\d\dZ  success /m);
      expect(await up.stop()).toBe(0);
      expect(up.output()).toMatch(/The service has [1-9]\d* results?: [1-9]\d* success/);
      expect(up.output()).not.toContain("probe thread");
      expect(readdirSync(empty)).toEqual([]);
    });

    test("is an agent of a service in a separate process", async () => {
      await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
      const state = mkdtempSync(path.join(folder, "state-"));
      const url = `http://127.0.0.1:${await closedPort()}`;
      const service = start([
        "service",
        "--database",
        path.join(state, "service.sqlite"),
        "--listen",
        new URL(url).host,
      ]);
      const [key = ""] = await service.said(/pkt_key_[\w-]{43}/);
      const monitors = path.join(state, "monitors.yaml");
      writeFileSync(
        monitors,
        `http_monitors: [{ name: shop, url: "http://127.0.0.1:${target.port}/", periodicity: 1h, active: true }]\n`,
      );
      const apply = start(["apply", "-f", monitors, "--location", "office"], {
        SERVICE_API_URL: url,
        SERVICE_API_KEY: key,
      });
      const [token = ""] = await apply.said(/pkt_loc_[\w-]{43}/);
      const agent = start(["agent"], {
        PICKET_TOKEN: token,
        SERVICE_API_URL: url,
        PICKET_STATE_DIR: path.join(state, "agent"),
        PICKET_LOG_LEVEL: "debug",
      });
      await agent.said(/assignment taken/);
      await agent.said(/the push channel is open/);
      const management = connectManagement(url, key, directWay());
      const { monitors: summaries } = await management.monitors.summarizeResults({});
      const { privateLocations } = await management.locations.listPrivateLocations({});
      const { answers: told } = await management.locations.checkNow({
        privateLocationId: privateLocations[0]?.id ?? "",
        monitorId: summaries[0]?.monitorId ?? "",
      });
      expect(told).toMatchObject([
        { error: "", result: { result: { value: { requestStatus: "success" } } } },
      ]);
      const script = await fetch(`${url}${scriptAddress("live")}`);
      expect([script.status, (await script.text()).includes("from")]).toEqual([200, true]);
      const ofStranger = await fetch(`${url}/agent/picket.tgz`);
      const program = await fetch(`${url}/agent/picket.tgz`, {
        headers: { "x-service-token": token },
      });
      expect([ofStranger.status, program.status]).toEqual([401, 200]);
      const files = new Set((await parseTarGzip(await program.bytes())).map(({ name }) => name));
      const some = [
        "bin/picket",
        "dist/picket.mjs",
        "dist/probe-worker.mjs",
        "picket-chart/Chart.yaml",
      ];
      expect(some.filter((name) => !files.has(name))).toEqual([]);
      expect(await agent.stop()).toBe(0);
      expect(await service.stop()).toBe(0);
    });
  });
}
