import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { answers, closedPort, tcpPeer } from "../../servers/scripted.ts";
import { captureIo } from "../../support/captured-io.ts";
import { temporaryFolder } from "../../support/running-service.ts";

function written(text: string): string {
  const file = path.join(temporaryFolder(), "monitors.yaml");
  writeFileSync(file, text);
  return file;
}

async function check(...args: readonly string[]) {
  const io = captureIo();
  const code = await runCheck(args, io);
  return { code, out: io.written.stdout(), said: io.written.stderr() };
}

const ok = answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

describe("picket check -f", () => {
  test("checks the monitors of a file with their assertions, by their names", async () => {
    await using peer = await tcpPeer(ok);
    const file = written(`http_monitors:
  - name: shop
    url: http://127.0.0.1:${peer.port}/health?planted
    periodicity: 30s
    retry: 0
    body_assertions: [{ comparator: eq, target: no }]
  - { name: resting, url: "http://127.0.0.1:1/", periodicity: 30s, active: false }
tcp_monitors:
  - { name: db, uri: "127.0.0.1:${peer.port}", periodicity: 30s }
`);
    const { code, out, said } = await check("-f", file);
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ error {2}shop \(http:\/\/127\.0\.0\.1:\d+\/health\) /m);
    expect(out).toContain('✗ body eq "no", received "ok"');
    expect(out).toMatch(/^✓ success {2}db \(127\.0\.0\.1:\d+\) /m);
    expect(out + said).not.toMatch(/planted|resting/);
    expect(said).toMatch(/^picket check: 1 monitor of .* with active: false is left out/);
  });

  test("checks those that are named, an inactive one too", async () => {
    const file = written(`tcp_monitors:
  - { name: resting, uri: "127.0.0.1:${await closedPort()}", periodicity: 30s, retry: 0, active: false }
  - { name: other, uri: "127.0.0.1:1", periodicity: 30s }
`);
    const { code, out } = await check("-f", file, "resting", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      name: "resting",
      failure: { code: "connection_refused" },
    });
  });

  test("says every mistake of a file and checks nothing", async () => {
    const file = written("tcp_monitors:\n  - { name: a, uri: b, periodicity: 7m }\n");
    const { code, out, said } = await check("-f", file);
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(said).toMatch(/2 mistakes in .*\. Nothing was checked\./);
  });

  test("refuses a name that is not there with the nearest one, and options of typed targets", async () => {
    const file = written("tcp_monitors:\n  - { name: shop, uri: 'a:1', periodicity: 30s }\n");
    await expect(check("-f", file, "shp")).rejects.toThrow(/named "shp"; did you mean "shop"\?$/);
    await expect(check("-f", file, "-H", "A: planted")).rejects.toThrow(
      /^--header is only for targets on the command line/,
    );
  });
});
