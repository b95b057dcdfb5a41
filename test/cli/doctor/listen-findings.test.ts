import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Finding } from "#cli/doctor/finding";
import { listenFindings } from "#cli/doctor/listen-findings";
import * as limits from "#limits/pages-limits";
import { millis } from "#base/units";
import { answers, closedPort, tcpPeer } from "../../servers/scripted.ts";
import { endpointScene, stuckScene } from "../../support/endpoint-scene.ts";
import { isInstalled } from "../../support/installed.ts";
import { canMakeNetwork } from "../../support/own-network.ts";
import { runCommand } from "../../support/run-command.ts";

async function found(host: string, port: number): Promise<Finding> {
  const [finding, ...more] = await listenFindings({ listen: { host, port } });
  if (finding === undefined || more.length > 0) throw new Error("not one finding");
  return finding;
}

describe("what picket doctor finds at PICKET_LISTEN", () => {
  test("is fine if it is off, free, or to be any free port", async () => {
    const port = await closedPort();
    const [off] = await listenFindings({ listen: null });
    expect(off).toMatchObject({ level: "fine", says: "off by PICKET_LISTEN" });
    for (const [at, says] of [
      [port, `127.0.0.1:${port} is free`],
      [0, "takes a free port"],
    ] as const)
      expect(await found("127.0.0.1", at)).toMatchObject({ level: "fine", says });
    expect((await found("127.0.0.1", port)).level).toBe("fine");
  });

  test("is fine if an agent listens, which is named and continues", async () => {
    for (const host of ["127.0.0.1", "0.0.0.0", "::1", "::"]) {
      const { endpoint, get } = await endpointScene({ listen: { host, port: 0 } });
      const { port } = new URL(endpoint.url);
      const { level, says } = await found(host, Number(port));
      expect(says).toMatch(/^a running agent listens on .*: office-1, Picket 0\.1\.0$/);
      expect(level).toBe("fine");
      expect((await get("/livez")).status).toBe(200);
    }
  });

  test("is a warning if that agent is not live, with its reason", async () => {
    const { endpoint } = await stuckScene(millis(limits.probesStuckMax * 2));
    const { level, says } = await found("127.0.0.1", Number(new URL(endpoint.url).port));
    expect(level).toBe("warning");
    expect(says).toMatch(/, not live: a probe thread has made no progress for 60 s/);
  });

  test.each([
    ["a page", answers("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello")],
    [
      "JSON of another program",
      answers('HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{"version":"1"}'),
    ],
    ["nothing", () => {}],
  ])("is a failure if something else listens that answers %s", async (_what, script) => {
    await using peer = await tcpPeer(script);
    expect(await found("127.0.0.1", peer.port)).toMatchObject({
      level: "failed",
      says: `port ${peer.port} of 127.0.0.1 is in use: give another; the process that uses it does not answer as an agent`,
      next: expect.stringMatching(/^set PICKET_LISTEN to another address, or stop what listens/),
    });
  });

  test("is a failure at an address that is another machine's, and at a name that is none", async () => {
    for (const host of ["192.0.2.1", "no-such-host.invalid"])
      expect(await found(host, 8686)).toMatchObject({
        level: "failed",
        says: `this machine has no address ${host} to listen on`,
      });
  });

  // Who may have them all gives that up for the command, in a separate network where every port is anybody's.
  const start = Number(readFileSync("/proc/sys/net/ipv4/ip_unprivileged_port_start", "utf8"));
  const network = start <= 81 ? ["unshare", "--map-root-user", "--net"] : [];
  const isRoot = process.getuid?.() === 0 || network.length > 0;
  const lowered = isRoot ? [...network, "setpriv", "--bounding-set", "-net_bind_service"] : [];
  const canLower =
    (isInstalled("setpriv") || !isRoot) && (network.length === 0 || canMakeNetwork());
  test.skipIf(!canLower)("is a failure at a low port for a user who may not have one", async () => {
    const script = `
      const { listenFindings } = await import("#cli/doctor/listen-findings");
      console.log(JSON.stringify(await listenFindings({ listen: { host: "0.0.0.0", port: 81 } })));`;
    const [program, ...args] = [...lowered, process.execPath, "--input-type=module", "-e", script];
    const { stdout } = await runCommand(program, args);
    expect(JSON.parse(stdout)).toEqual([
      {
        about: "local endpoint",
        level: "failed",
        says: "this user may not listen on port 81: give one above 1023",
        next: "set PICKET_LISTEN to another address, or to off",
      },
    ]);
  });
});
