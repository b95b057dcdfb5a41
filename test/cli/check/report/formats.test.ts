import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { answers, closedPort, tcpPeer } from "../../../servers/scripted.ts";
import { captureIo } from "../../../support/captured-io.ts";

async function check(...args: readonly string[]): Promise<{ code: number; out: string }> {
  const io = captureIo();
  const code = await runCheck(args, io);
  return { code, out: io.written.stdout() };
}

const ok = answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

describe("--format junit", () => {
  test("has a test case for each check, with failure and timings, and no query", async () => {
    await using peer = await tcpPeer(ok);
    const { code, out } = await check(
      `http://127.0.0.1:${peer.port}/a&b?planted`,
      `tcp://127.0.0.1:${await closedPort()}`,
      "--format",
      "junit",
    );
    expect(code).toBe(1);
    expect(out).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites tests="2" failures="1"/,
    );
    expect(out).toMatch(
      /<testcase classname="picket\.http" name="http:\/\/127\.0\.0\.1:\d+\/a&amp;b" time="0\.\d{6}">/,
    );
    expect(out).toMatch(
      /<failure type="connection_refused" message="connection refused \(127\.0\.0\.1:\d+\)">connection_refused in connect: /,
    );
    expect(out).toMatch(/<system-out>success http.*\nconnect .* ms/);
    expect(out).not.toContain("planted");
  });
});

describe("--format prometheus", () => {
  test("is the agent's metrics of the checks, those of blackbox_exporter among them", async () => {
    await using peer = await tcpPeer(ok);
    const closed = await closedPort();
    const { code, out } = await check(
      `http://127.0.0.1:${peer.port}/x?planted`,
      `tcp://127.0.0.1:${closed}`,
      "--format",
      "prometheus",
    );
    expect(code).toBe(1);
    expect(out).toMatch(
      new RegExp(`^probe_success{instance="http://127\\.0\\.0\\.1:${peer.port}/x"} 1$`, "m"),
    );
    expect(out).toMatch(new RegExp(`^probe_success{instance="127\\.0\\.0\\.1:${closed}"} 0$`, "m"));
    expect(out).toMatch(/^picket_check_failures_total\{.*error_type="connection_refused".*\} 1$/m);
    expect(out).not.toContain("planted");
  });
});
