import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { Authority } from "../../support/authority.ts";
import { captureIo } from "../../support/captured-io.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { dnsServer, zone } from "../../servers/dns-server.ts";
import { answers, onRequestHead, tcpPeer, tlsPeer } from "../../servers/scripted.ts";

async function run(...args: readonly string[]): Promise<string> {
  const io = captureIo();
  await runCheck(args, io);
  return io.written.stdout();
}

const ok = answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

/** Redirects `/old?…` to `/new`. */
const moved = (socket: Parameters<typeof ok>[0]): void =>
  onRequestHead(socket, (head) =>
    socket.end(
      head.startsWith("GET /old")
        ? "HTTP/1.1 302 Found\r\nLocation: /new?token=planted\r\nContent-Length: 0\r\n\r\n"
        : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ),
  );

/** Answers, and then holds up the thread in which the probe runs too, so that it hears of the answer late: by more than a busy machine does. */
const hogs = (socket: Parameters<typeof ok>[0]): void =>
  onRequestHead(socket, () => {
    socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    const until = performance.now() + 400;
    while (performance.now() < until);
  });

describe("the waterfall of a check", () => {
  test("has a chart for each hop of a redirect chain, and neither query nor user-info", async () => {
    await using peer = await tcpPeer(moved);
    const out = await run(`http://me:planted@127.0.0.1:${peer.port}/old?token=planted`);
    expect(out).toMatch(
      /^ {2}hop 1: 302 http:\/\/127\.0\.0\.1:\d+\/old, [\d.]+ ms\n {2}connect .* % {2} *█+\n {2}write /m,
    );
    expect(out).toMatch(/^ {2}hop 2: 200 http:\/\/127\.0\.0\.1:\d+\/new, [\d.]+ ms\n {2}connect /m);
    expect(out).toMatch(/^ {2}total {3} +[\d.]+ ms$/m);
    expect(out).not.toContain("planted");
  });

  test("says of each hop in JSON when it began and where its time went", async () => {
    await using peer = await tcpPeer(moved);
    const json = JSON.parse(await run(`http://127.0.0.1:${peer.port}/old`, "--json"));
    const sum = (phases: Record<string, number | null>): number =>
      Object.values(phases).reduce<number>((all, phase) => all + (phase ?? 0), 0);
    expect(json.http.hops).toMatchObject([
      { status_code: 302, started_at: expect.any(String), phases_ns: { dns: null, proxy: null } },
      { status_code: 200, started_at: expect.any(String) },
    ]);
    const [first, second] = json.http.hops;
    const own = json.own_ns ?? 0;
    expect(sum(first.phases_ns) + sum(second.phases_ns) + own).toBe(json.total_ns);
  });

  test("says which headers stayed behind at a redirect to another origin, printed and in JSON", async () => {
    await using other = await tcpPeer(ok);
    const location = `http://localhost:${other.port}/`;
    await using peer = await tcpPeer(
      answers(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
    );
    const headers = ["-H", "X-Api-Key: planted", "-H", "my-token: planted", "-H", "X-Kept: seen"];
    const args = [`http://127.0.0.1:${peer.port}/`, ...headers];
    const out = await run(...args);
    expect(out).toMatch(
      /^ {2}hop 2: 200 http:\/\/localhost:\d+\/, .*\n {2}not sent to this other origin: X-Api-Key, my-token$/m,
    );
    expect(out).not.toContain("planted");
    const json = JSON.parse(await run(...args, "--json"));
    expect(json.http.hops).toMatchObject([
      { headers_left_behind: [] },
      { headers_left_behind: ["X-Api-Key", "my-token"] },
    ]);
  });

  test("calls a body that broke off not the whole", async () => {
    await using peer = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"));
    const out = await run(`http://127.0.0.1:${peer.port}/`);
    expect(out).toContain("3 bytes read, which is not the whole body");
  });

  test("has a chart for each attempt before the reported one, and says how each failed", async () => {
    await using peer = await tcpPeer(answers("HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n"));
    const url = `http://127.0.0.1:${peer.port}/`;
    const out = await run(url, "--retry", "1");
    expect(out).toMatch(
      /^ {2}attempt 1: [\d.]+ ms, unexpected_status in assertion: .* 500\n {2}connect .*█/m,
    );
    expect(out).toMatch(/^ {2}attempt 2, shown above: [\d.]+ ms, unexpected_status /m);
    expect(JSON.parse(await run(url, "--retry", "1", "--json"))).toMatchObject({
      attempt_list: [{ phases_ns: { connect: expect.any(Number), tls: null } }, {}],
    });
  });

  test("has the agent's own work of each attempt, so that every attempt's figures sum to its total", async () => {
    await using peer = await tcpPeer(answers("HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n"));
    const out = await run(`http://127.0.0.1:${peer.port}/`, "--retry", "1", "--json");
    const said: {
      readonly attempt_list: readonly {
        readonly phases_ns: Readonly<Record<string, number | null>>;
        readonly own_ns: number | null;
        readonly total_ns: number;
      }[];
    } = JSON.parse(out);
    const sums = said.attempt_list.map(({ phases_ns, own_ns }) =>
      [...Object.values(phases_ns), own_ns].reduce<number>((sum, part) => sum + (part ?? 0), 0),
    );
    expect(sums).toEqual(said.attempt_list.map(({ total_ns }) => total_ns));
    expect(said.attempt_list.every(({ own_ns }) => own_ns !== undefined)).toBe(true);
  });

  test("shows the certificate also when it was refused: names, days and chain", async () => {
    const authority = await Authority.create();
    const between = await authority.intermediate("Between");
    const leaf = await between.issue({ altNames: ["other.test"] });
    const ca = path.join(temporaryFolder(), "ca.pem");
    writeFileSync(ca, authority.cert);
    await using peer = await tlsPeer({ cert: `${leaf.cert}\n${between.cert}`, key: leaf.key }, ok);
    const args = [`https://localhost:${peer.port}/`, "--ca", ca, "-4"];
    const out = await run(...args);
    expect(out).toMatch(/^ {2}tls_hostname in tls: /m);
    expect(out).toMatch(/^ {2}tls .* ✗$/m);
    expect(out).toMatch(/^ {2}Certificate  (29|30) days left, CN=localhost$/m);
    expect(out).toMatch(/^ {2}Names        other\.test$/m);
    expect(out).toMatch(/^ {2}Issued by    CN=Between$/m);
    expect(out).toMatch(/^ {2}Chain        CN=localhost ← CN=Between/m);
    expect(JSON.parse(await run(...args, "--json"))).toMatchObject({
      tls: {
        certificate: {
          alt_names: ["other.test"],
          chain: expect.arrayContaining(["CN=localhost", "CN=Between"]),
        },
      },
    });
  });

  test("says which address was tried, how it ended, and whose measure its time is", async () => {
    await using peer = await tcpPeer(ok);
    expect(await run(`tcp://127.0.0.1:${peer.port}`)).toMatch(
      /^ {2}Address      127\.0\.0\.1:\d+ connected after [\d.]+ ms, measured by the (kernel|event)$/m,
    );
  });

  test("says how far a phase may be off, and when that is too far to be sure", async () => {
    await using peer = await tcpPeer(hogs);
    const args = [`http://127.0.0.1:${peer.port}/`, "--degraded-at", "350ms"];
    const out = await run(...args);
    expect(out).toMatch(
      /^ {2}± +[\d.]+ ms {2}the possible error of each phase and of the latency$/m,
    );
    expect(out).toMatch(/^✓ success /);
    expect(out).toMatch(/too busy to be sure/);
    expect(out).toMatch(/degraded needs a latency over the threshold by more than that/);
    const json = JSON.parse(await run(...args, "--json"));
    expect(json).toMatchObject({ uncertain: true, status: "success" });
    expect(json.error_bar_ns).toBeGreaterThan(1e6);
  });

  test("says of a name server's answer who measured it", async () => {
    await using server = await dnsServer(zone([{ type: "A", name: "a.test", data: "10.0.0.1" }]));
    const target = `dns:a.test?server=127.0.0.1:${server.port}`;
    expect(await run(target)).toMatch(/ over UDP, measured by the (kernel|event)$/m);
    expect(JSON.parse(await run(target, "--json")).dns.measured_by).toMatch(/^(kernel|event)$/);
  });
});
