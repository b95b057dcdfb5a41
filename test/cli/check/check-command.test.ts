import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { UsageError } from "#cli/edge/usage-error";
import { answers, closedPort, onRequestHead, tcpPeer } from "../../servers/scripted.ts";
import { dnsServer, zone } from "../../servers/dns-server.ts";
import { openProxy } from "../../servers/proxies.ts";
import { captureIo } from "../../support/captured-io.ts";

async function run(...args: readonly string[]): Promise<{ code: number; out: string }> {
  return runIn({}, ...args);
}

async function runIn(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<{ code: number; out: string }> {
  const io = captureIo(env);
  const code = await runCheck(args, io);
  return { code, out: io.written.stdout() };
}

const ok = answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

describe("picket check", () => {
  test("shows a person the verdict, where the time went, and what was seen", async () => {
    await using peer = await tcpPeer(ok);
    const { code, out } = await run(`http://127.0.0.1:${peer.port}/`, "--assert", "body eq ok");
    expect(code).toBe(0);
    expect(out).toMatch(/^✓ success {2}http:\/\/127\.0\.0\.1:\d+\/ {2}\d+ ms$/m);
    expect(out).toMatch(/^ {2}connect .* ms +\d+ % {2}█/m);
    expect(out).toMatch(/^ {2}total /m);
    expect(out).toMatch(/^ {2}Answer       HTTP\/1\.1 200, 2 bytes$/m);
    expect(out).toMatch(/^ {2}✓ body eq "ok"$/m);
  });

  test("marks the phase that failed, and says its code and sentence", async () => {
    // Nothing listens on the first port, and no other test can be given it.
    const { code, out } = await run("tcp://127.0.0.1:1");
    expect(code).toBe(1);
    expect(out).toMatch(/^✗ error /);
    expect(out).toMatch(/connection_refused in connect: connection refused \(127\.0\.0\.1:\d+\)/);
    expect(out).toMatch(/^ {2}connect .*✗$/m);
  });

  test("exits with 2 when degraded; of several targets the worst counts, one JSON object for each", async () => {
    await using peer = await tcpPeer((socket) =>
      onRequestHead(
        socket,
        () => void setTimeout(() => socket.end("HTTP/1.1 204 X\r\n\r\n"), 3_000),
      ),
    );
    const url = `http://127.0.0.1:${peer.port}/`;
    expect((await run(url, "--degraded-at", "1ms")).code).toBe(2);
    const both = await run(
      url,
      `tcp://127.0.0.1:${await closedPort()}`,
      "--degraded-at",
      "1ms",
      "--json",
    );
    expect(both.code).toBe(1);
    expect(
      both.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).status),
    ).toEqual(["degraded", "error"]);
  });

  test("sends method, headers and body, and tries again as often as asked", async () => {
    const heads: string[] = [];
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, (head) => {
        heads.push(head);
        socket.end("HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n");
      }),
    );
    const { code, out } = await run(
      `http://127.0.0.1:${peer.port}/`,
      "-X",
      "PUT",
      "-H",
      "X-A: b: c",
      "-d",
      "{}",
      "--retry",
      "1",
      "--json",
    );
    expect(code).toBe(1);
    expect(heads).toHaveLength(2);
    expect(heads[0]).toMatch(/^PUT \/ .*\r\n(.*\r\n)*X-A: b: c\r\n/i);
    expect(JSON.parse(out)).toMatchObject({
      attempts: 2,
      attempt_list: [{ failure: { code: "unexpected_status" } }, {}],
      failure: { message: "Request failed with status code 500" },
    });
  });

  test("ends at its timeout and never shows a query", async () => {
    await using peer = await tcpPeer(() => {});
    const { out } = await run(
      `http://127.0.0.1:${peer.port}/x?token=planted`,
      // A check that a busy machine stops for much of its time says so instead.
      "--timeout",
      "3s",
      "--json",
    );
    expect(JSON.parse(out)).toMatchObject({
      target: `http://127.0.0.1:${peer.port}/x`,
      failure: { code: "response_timeout", phase: "wait" },
      message: expect.stringMatching(/^Timeout after 3000 ms /),
    });
    expect(out).not.toContain("planted");
  });

  test("sends the text of a file without its line breaks, as curl does", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "picket-body-"));
    using _folder = { [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
    const file = path.join(folder, "order.json");
    writeFileSync(file, '{\r\n "name": "café"\n}\n\0');
    const seen = Promise.withResolvers<string>();
    await using peer = await tcpPeer((socket) => {
      let request = "";
      socket.on("data", (chunk) => {
        request += chunk.toString("utf8");
        if (!request.endsWith("}")) return;
        seen.resolve(request);
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      });
    });
    const { code } = await run(`http://127.0.0.1:${peer.port}/`, "-X", "POST", "-d", `@${file}`);
    expect(code).toBe(0);
    expect((await seen.promise).split("\r\n\r\n")[1]).toBe('{ "name": "café"}');
  });

  test("asks a name server and judges its records", async () => {
    await using server = await dnsServer(
      zone([
        { type: "A", name: "a.test", data: "10.0.0.1" },
        { type: "MX", name: "a.test", data: { exchange: "mail.test", preference: 10 } },
      ]),
    );
    const target = `dns:a.test?type=A,MX&server=127.0.0.1:${server.port}`;
    const fine = await run(target, "--assert", "MX eq 10 mail.test", "--json");
    expect(fine.code).toBe(0);
    expect(JSON.parse(fine.out)).toMatchObject({
      kind: "dns",
      dns: {
        rcode: "NOERROR",
        server: `127.0.0.1:${server.port}`,
        records: [
          { type: "A", value: "10.0.0.1" },
          { type: "MX", value: "mail.test.:10" },
        ],
      },
      http: null,
      assertions: [{ kind: "record", held: true }],
    });
    const wrong = await run(target, "--assert", "A neq 10.0.0.1");
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(
      /assertion_failed in assertion: Assertion failed: A neq "10\.0\.0\.1"/,
    );
    expect(wrong.out).toMatch(
      /^ {2}Answer       NOERROR from 127\.0\.0\.1:\d+ over UDP, measured by the (kernel|event)$/m,
    );
  });

  test("lets the assertions of a type judge that there is no such record", async () => {
    await using server = await dnsServer(zone([{ type: "A", name: "a.test", data: "10.0.0.1" }]));
    const target = `dns:a.test?server=127.0.0.1:${server.port}`;
    for (const rule of ["TXT not_contains x", "TXT neq x"])
      expect((await run(target, "--assert", rule)).code, rule).toBe(0);
    for (const rules of [["TXT contains x"], ["TXT neq x", "TXT eq y"], ["TXT neq x", "MX eq y"]]) {
      const { code, out } = await run(target, ...rules.flatMap((rule) => ["--assert", rule]));
      expect(code, rules.join()).toBe(1);
      expect(out).toContain("dns_nodata");
    }
  });

  test("goes through the proxy of --proxy or the environment, and never shows its password", async () => {
    await using peer = await tcpPeer(ok);
    await using proxy = await openProxy();
    const url = `http://target.test:${peer.port}/`;
    const proxyUrl = `http://user:planted@127.0.0.1:${proxy.port}`;
    const { code, out } = await run(url, "--proxy", proxyUrl);
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}proxy .* ms .*█/m);
    expect(out).not.toContain("planted");
    const env = { PICKET_TARGET_PROXY: proxyUrl, PICKET_NO_PROXY: "127.0.0.1" };
    expect((await runIn(env, url)).code).toBe(0);
    expect(proxy.asked).toHaveLength(2);
    const local = `http://127.0.0.1:${peer.port}/`;
    expect((await runIn(env, local)).out).not.toMatch(/^ {2}proxy /m);
    expect((await runIn(env, local, "--no-proxy", "other.test")).out).toMatch(/^ {2}proxy /m);
    expect((await runIn(env, local, "--no-proxy", "*")).code).toBe(0);
    expect(proxy.asked).toHaveLength(3);
    const error = await runIn({ PICKET_TARGET_PROXY: "ftp://planted" }, url).catch(String);
    expect(error).toMatch(/PICKET_TARGET_PROXY must be an http or https URL/);
    expect(error).not.toContain("planted");
  });

  test("dials nothing that --deny or the environment forbids, and says which of them did", async () => {
    await using peer = await tcpPeer(ok);
    const url = `http://127.0.0.1:${peer.port}/`;
    const deny = ["--deny", "10.0.0.0/8,fd00::/8", "--deny", "127.0.0.0/8"];
    const denied = await run(url, ...deny, "--retry", "2", "--json");
    expect(denied.code).toBe(1);
    expect(JSON.parse(denied.out)).toMatchObject({
      attempts: 1,
      failure: {
        code: "target_denied",
        phase: "policy",
        message: "127.0.0.1 is denied by --deny 127.0.0.0/8",
      },
    });
    const env = { PICKET_TARGET_DENY: "127.0.0.0/8" };
    expect((await runIn(env, url)).out).toMatch(
      /target_denied in policy: 127\.0\.0\.1 is denied by PICKET_TARGET_DENY=127\.0\.0\.0\/8/,
    );
    expect(peer.accepted).toBe(0);
    expect((await runIn(env, url, "--allow", "127.0.0.1")).code).toBe(0);
    expect((await runIn({ PICKET_TARGET_ALLOW: "127.0.0.1" }, url, ...deny)).code).toBe(0);
    await expect(runIn({ PICKET_TARGET_DENY: "10.0.0.0/99" }, url)).rejects.toThrow(
      /^PICKET_TARGET_DENY has the entry "10\.0\.0\.0\/99", which is not a CIDR/,
    );
  });

  const mistakes: Record<string, [readonly string[], RegExp]> = {
    "no target": [[], /needs a target/],
    "a scheme of no check": [
      ["ftp://files.test/a"],
      /^there is no check of ftp targets: write https:\/\/host\/path, http:\/\/host\/path, tcp:\/\/host:port, dns:name, ping:host, grpcs:\/\/host:port\/service or grpc:\/\/host:port\/service$/,
    ],
    "a body with no method": [
      ["http://a", "-d", "planted"],
      /^--body is sent with POST, PUT, PATCH only, not with GET: give --method POST as well, or leave --body out$/,
    ],
    "a body that its method does not send": [
      ["http://a", "-X", "delete", "-d", "planted"],
      /^--body is sent with .* not with delete:/,
    ],
    "a duration below zero": [["http://a", "--timeout", "-1"], /^--timeout needs a value; write/],
    "a bad port": [["tcp://a:99999"], /^uri has port 99999/],
    "a bad URL": [["http://"], /^url is not a valid URL/],
    "a bad duration": [["http://a", "--timeout", "5"], /--timeout must be a duration/],
    "a bad retry": [["http://a", "--retry", "x"], /retry must be a whole number/],
    "a header without colon": [["http://a", "-H", "secret"], /^--header must be 'Name: value'$/],
    "a rule that is none": [["http://a", "--assert", "status"], /is not a rule/],
    "a rule for another kind": [
      ["tcp://a:1", "--assert", "status eq 200"],
      /does not apply to a TCP target/,
    ],
    "an unknown comparator": [
      ["http://a", "--assert", "status like 200"],
      /status_code_assertions\[0\]\.comparator must be one of/,
    ],
    "a record type of no assertion": [
      ["dns:a", "--assert", "NS eq b"],
      /does not apply to a DNS target/,
    ],
    "an unknown parameter": [["dns:a?tipe=MX"], /a parameter other than type and server/],
    "an unknown parameter, which it does not repeat": [
      ["dns:a?planted=b"],
      /has a parameter other than type and server/,
    ],
    "an unknown type, which it does not repeat": [
      ["dns:a?type=planted"],
      /asks for a type other than A, /,
    ],
    "a CA that is not there": [
      ["https://a", "--ca", "/nowhere.pem"],
      /^--ca cannot be used: ENOENT \(\/nowhere\.pem\)/,
    ],
    "a rule for targets that is none": [
      ["http://a", "--deny", "10.0.0.0/8,10.*"],
      /^--deny has the entry "10\.\*", which is not a CIDR, address or host glob/,
    ],
    "an address in hexadecimal": [["tcp://0x7f000001:1"], /^uri has the host "0x7f000001"/],
    "an address in octal": [["tcp://0177.0.0.1:1"], /^uri has the host "0177\.0\.0\.1"/],
    "an option that is nearly one": [["http://a", "--tmeout", "1s"], /Did you mean --timeout\?$/],
    "a user without a password": [["http://a", "-u", "planted"], /^--user must be USER:PASSWORD$/],
    "credentials that are given twice": [
      ["http://a", "-u", "a:planted", "-H", "authorization: planted"],
      /^--user and --header Authorization cannot be used together$/,
    ],
    "more redirects than may be followed": [
      ["http://a", "--max-redirects", "51"],
      /^--max-redirects must be in 0 to 50, not "51"$/,
    ],
    "redirects that are no number": [["http://a", "--max-redirects", "x"], /not "x"$/],
    "an address of a host that is none": [
      ["http://a", "--resolve", "a.test:80:b.test"],
      /^--resolve must be HOST:PORT:ADDRESS, /,
    ],
    "a fixed address through a proxy": [
      ["http://a.test", "--resolve", "a.test:80:127.0.0.1", "--proxy", "http://127.0.0.1:1"],
      /^--resolve has no effect through a proxy, .* give --no-proxy a\.test as well/,
    ],
    "a name server that is none": [["http://a", "--dns-server", "a:b:c"], /^--dns-server /],
    "a name server and the system's resolver": [
      ["http://a", "--dns-server", "127.0.0.1", "--system-resolver"],
      /cannot be used together/,
    ],
    "a target without a scheme, but for its secrets": [
      ["user:planted@a.test/x?token=planted@b"],
      /^"a\.test\/x" is not a target: write https:\/\/a\.test\/x, tcp:\/\/a\.test\/x, dns:a\.test\/x or ping:a\.test\/x$/,
    ],
    "an address as one number": [["tcp://2130706433:1"], /^uri has the host "2130706433"/],
    "a server whose address is cut short": [
      ["dns:a?server=127.1"],
      /^uri names a server that has the host "127\.1", which is neither a name/,
    ],
    "both families": [["http://a", "-4", "-6"], /cannot be used together/],
    "IPv6 of an IPv4 address": [
      ["http://10.0.0.1:81/a?planted", "-6"],
      /^-6 checks over IPv6 only, and 10\.0\.0\.1 is an IPv4 address: /,
    ],
    "IPv4 of an IPv6 address": [["tcp://[fd00::1]:1", "-4"], /, and fd00::1 is an IPv6 address/],
    "IPv6 of a name server's IPv4 address": [["dns:a.test?server=10.0.0.1", "-6"], /10\.0\.0\.1/],
    "a body from a file that is not there": [
      ["http://a", "-X", "POST", "-d", "@/nowhere/body"],
      /^--body @\/nowhere\/body cannot be read: ENOENT$/,
    ],
    "a body from a file without a name": [["http://a", "-X", "POST", "-d", "@"], /name of a file/],
    "a body from a file without end": [
      ["http://a", "-X", "POST", "-d", "@/dev/zero"],
      /cannot be read: is larger than 1024 KiB/,
    ],
    "a body from a file, by GET": [["http://a", "-d", `@${import.meta.filename}`], /--method POST/],
    "an unknown option": [["http://a", "--nope"], /nope/],
  };
  test.each(Object.entries(mistakes))("refuses %s by name", async (_name, [args, sentence]) => {
    const error: unknown = await run(...args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect(error instanceof Error ? error.message : "").toMatch(sentence);
  });

  test("explains itself", async () => {
    const { code, out } = await run("--help");
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: picket check TARGET/);
  });
});
