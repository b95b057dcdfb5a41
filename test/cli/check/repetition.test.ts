import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { UsageError } from "#cli/edge/usage-error";
import { closedPort, onRequestHead, type Script, tcpPeer } from "../../servers/scripted.ts";
import { captureIo } from "../../support/captured-io.ts";

/** Answers each request with the next of these statuses, and the last one from then on; tells of each. */
function statuses(
  codes: readonly number[],
  onRequest: (number: number) => void = () => {},
): Script {
  let number = 0;
  return (socket) =>
    onRequestHead(socket, () => {
      const code = codes[Math.min(number, codes.length - 1)];
      number += 1;
      onRequest(number);
      socket.end(`HTTP/1.1 ${code} X\r\nContent-Length: 0\r\n\r\n`);
    });
}

describe("--repeat", () => {
  test("checks so many times, a line each, and sums up: min, median, p95, and what failed", async () => {
    await using peer = await tcpPeer(statuses([200, 503, 200]));
    const io = captureIo();
    const url = `http://127.0.0.1:${peer.port}/`;
    expect(await runCheck([url, "--repeat", "3", "--every", "100ms"], io)).toBe(1);
    const out = io.written.stdout();
    expect(out).toMatch(/^ {4}1 ✓ +[\d.]+ ms {2}connect [\d.]+ {2}write /m);
    expect(out).toMatch(/^ {4}2 ✗ +[\d.]+ ms {2}Request failed with status code 503$/m);
    expect(out).toMatch(/^http:\S+: 3 checks, 2 success, 1 error, 33\.3 % failed$/m);
    expect(out).toMatch(/^ +min +median +p95 +max\n {2}total( +[\d.]+ ms){4}\n {2}connect/m);
    expect(out).toMatch(/^ {2}These times are of the 2 checks that did not fail\.$/m);
    expect(out).toMatch(/^ {2}1 × unexpected_status in assertion: .* 503$/m);
  });

  test("has a summary of each target as JSON, in whole nanoseconds", async () => {
    await using peer = await tcpPeer(statuses([200]));
    const url = `http://127.0.0.1:${peer.port}/x?planted`;
    const closed = `tcp://127.0.0.1:${await closedPort()}`;
    const io = captureIo();
    await runCheck([url, closed, "--repeat", "2", "--every", "100ms", "--json"], io);
    const lines = io.written
      .stdout()
      .trim()
      .split("\n")
      .map((one) => JSON.parse(one));
    expect(lines).toHaveLength(6);
    const totals = [lines[0].total_ns, lines[2].total_ns].toSorted((a, b) => a - b);
    expect(lines[4]).toMatchObject({
      kind: "summary",
      target: url.replace("?planted", ""),
      checks: 2,
      success: 2,
      error: 0,
      passed_times_ns: {
        total: { min: totals[0], median: totals[0], p95: totals[1], max: totals[1] },
      },
      failures: [],
    });
    expect(lines[5]).toMatchObject({ error: 2, passed_times_ns: {}, failures: [{ times: 2 }] });
    expect(io.written.stdout()).not.toContain("planted");
  });

  test("--every alone continues until Ctrl-C, which sums up what there is", async () => {
    const io = captureIo();
    await using peer = await tcpPeer(statuses([200], (number) => number === 3 && io.stop.abort()));
    expect(await runCheck([`http://127.0.0.1:${peer.port}/`, "--every", "100ms"], io)).toBe(0);
    expect(io.written.stdout()).toMatch(/: 2 checks, 2 success, 0 % failed$/m);
  });

  test("Ctrl-C before the first verdict fails, as nothing was seen", async () => {
    const io = captureIo();
    await using peer = await tcpPeer(() => io.stop.abort());
    expect(await runCheck([`http://127.0.0.1:${peer.port}/`, "--repeat", "9"], io)).toBe(1);
    expect(io.written.stdout()).toBe("");
  });

  test.each([
    [["--repeat", "0"], /^--repeat must be in 1 to 100000, not "0"$/],
    [["--repeat", "x"], /not "x"$/],
    [["--every", "1"], /^--every must be a duration/],
    [["--every", "99ms"], /of 100 ms or more/],
    [["--repeat", "2", "--explain"], /^--explain shows one check/],
    [["--format", "xml"], /^--format must be one of text, json, junit, prometheus$/],
    [["--format", "junit", "--json"], /cannot be used together$/],
    [["--format", "junit", "--explain"], /cannot be used with the format junit/],
  ])("%j is refused", async (args, sentence) => {
    const error: unknown = await runCheck(["http://a", ...args], captureIo()).catch((one) => one);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toMatch(new RegExp(sentence.source.replace(/^\^/, ": ")));
  });
});

const escapes = ({ written }: ReturnType<typeof captureIo>): string =>
  written.stdout().replaceAll("\x1b[", "<");

describe("lines in a terminal", () => {
  test.each([70, 100, 160])(
    "of %i columns are not longer, and bars fill what is left",
    async (columns) => {
      await using peer = await tcpPeer(statuses([200]));
      const url = `http://127.0.0.1:${peer.port}/`;
      const io = captureIo({ NO_COLOR: "1" }, { columns, rows: 24 });
      await runCheck(
        [url, `tcp://${"x".repeat(60)}.invalid:1`, "--repeat", "2", "--deny", "*"],
        io,
      );
      const once = captureIo({ NO_COLOR: "1" }, { columns, rows: 24 });
      await runCheck([`tcp://127.0.0.1:${peer.port}`], once);
      const lines = io.written.stdout().split("\n\n")[0]?.split("\n") ?? [];
      expect(lines).toHaveLength(4);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(columns);
      const [bar = ""] = /█+/.exec(once.written.stdout()) ?? [];
      expect(bar.length).toBe(Math.min(columns - 34, 120));
    },
  );

  test("have each phase in its colour, and the failing one in red", async () => {
    const io = captureIo({}, { columns: 100, rows: 24 });
    await runCheck([`tcp://127.0.0.1:${await closedPort()}`], io);
    expect(escapes(io)).toMatch(/<31m█+<39m<31m ✗/);
    await using peer = await tcpPeer(statuses([200]));
    const passed = captureIo({}, { columns: 100, rows: 24 });
    await runCheck([`http://127.0.0.1:${peer.port}`], passed);
    expect(escapes(passed)).toMatch(/<34m *█+/);
    expect(escapes(passed)).toMatch(/<33m *█+/);
  });
});
