import { writeFileSync } from "node:fs";
import path from "node:path";
import type { TLSSocket } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { UsageError } from "#cli/edge/usage-error";
import { openKernelClock } from "#probes/socket/kernel-clock";
import { dnsServer, zone } from "../../servers/dns-server.ts";
import { http2Peer } from "../../servers/http2-peer.ts";
import { tunnels } from "../../servers/proxies.ts";
import {
  answers,
  closedPort,
  onRequestHead,
  type Script,
  tcpPeer,
  tlsPeer,
} from "../../servers/scripted.ts";
import { Authority, type Identity } from "../../support/authority.ts";
import { captureIo } from "../../support/captured-io.ts";
import { temporaryFolder } from "../../support/running-service.ts";

type Env = Readonly<Record<string, string>>;

let authority: Authority;
let identity: Identity;
let ours: Identity;
beforeAll(async () => {
  authority = await Authority.create();
  identity = await authority.issue();
  ours = await authority.issue({ name: "agent", altNames: ["agent.test"] });
});

function written(name: string, text: string): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

const files = (): { ca: string; cert: string; key: string } => ({
  ca: written("ca.crt", authority.cert),
  cert: written("client.crt", ours.cert),
  key: written("client.key", ours.key),
});

async function check(
  args: readonly string[],
  env: Env = {},
): Promise<{ code: number; out: string; said: string }> {
  const io = captureIo(env);
  const code = await runCheck([...args, "--json"], io);
  return { code, out: io.written.stdout(), said: io.written.stderr() };
}

/** Answers with the name in the client certificate, or with nothing. */
const whoAreYou: Script = (socket) =>
  onRequestHead(socket, () => {
    const { subject } = (socket as TLSSocket).getPeerCertificate();
    const name = String(subject?.CN ?? "nobody");
    socket.end(`HTTP/1.1 200 OK\r\nX-You: ${name}\r\nContent-Length: 0\r\n\r\n`);
  });

const saying = (name: string): readonly string[] => ["--assert", `header x-you eq ${name}`, "-4"];

describe("a client certificate", () => {
  test("is shown to the target that asks, by option or variable, and to no other", async () => {
    const { ca, cert, key } = files();
    await using asks = await tlsPeer(
      { ...identity, ca: authority.cert, requestCert: true },
      whoAreYou,
    );
    await using asksNot = await tlsPeer(identity, whoAreYou);
    const url = `https://localhost:${asks.port}/`;
    const options = ["--ca", ca, "--cert", cert, "--key", key];
    expect(await check([url, ...saying("agent"), ...options])).toMatchObject({ code: 0 });
    const env = {
      PICKET_CA_FILE: ca,
      PICKET_CLIENT_CERT_FILE: cert,
      PICKET_CLIENT_KEY_FILE: key,
    };
    expect(await check([url, ...saying("agent")], env)).toMatchObject({ code: 0 });
    const other = `https://localhost:${asksNot.port}/`;
    expect(await check([other, ...saying("nobody")], env)).toMatchObject({ code: 0 });
  });

  test("that is wanted and not given is a failure that says so", async () => {
    await using asks = await tlsPeer(
      { ...identity, ca: authority.cert, requestCert: true, rejectUnauthorized: true },
      whoAreYou,
    );
    const { ca } = files();
    const { code, out } = await check([`https://localhost:${asks.port}/`, "--ca", ca, "-4"]);
    expect(code).toBe(1);
    expect(JSON.parse(out).failure).toMatchObject({
      code: "tls_alert",
      message: expect.stringContaining('alert "certificate required"'),
    });
  });

  test("is shown to a proxy that asks, too", async () => {
    const { ca, cert, key } = files();
    const asking = { ca: authority.cert, requestCert: true, rejectUnauthorized: true };
    await using proxy = await tlsPeer({ ...identity, ...asking }, tunnels([]));
    await using target = await tlsPeer({ ...identity, ...asking }, whoAreYou);
    const args = [`https://localhost:${target.port}/`, ...saying("agent")];
    const by = ["--proxy", `https://localhost:${proxy.port}`];
    const whole = [...args, ...by, "--ca", ca, "--cert", cert, "--key", key];
    expect(await check(whole)).toMatchObject({ code: 0 });
  });

  test("that has expired gives a warning", async () => {
    const day = 86_400_000;
    const old = await authority.issue({
      validFrom: new Date(Date.now() - 9 * day),
      validTo: new Date(Date.now() - day),
    });
    await using peer = await tlsPeer(identity, answers("HTTP/1.1 204 X\r\n\r\n"));
    const args = ["--ca", files().ca, "--cert", written("c", old.cert), "--key"];
    const { code, said } = await check([
      `https://localhost:${peer.port}/`,
      "-4",
      ...args,
      written("k", old.key),
    ]);
    expect(code).toBe(0);
    expect(said).toMatch(
      /^picket check: warning: --cert: the client certificate has expired on .*\n$/,
    );
  });
});

describe("the agent's variables", () => {
  test("hold if no option replaces them", async () => {
    await using server = await dnsServer(zone([{ type: "A", name: "a.test", data: "10.0.0.1" }]));
    const env = { PICKET_DNS_SERVERS: `127.0.0.1:${server.port}` };
    expect(await check(["dns:a.test"], env)).toMatchObject({ code: 0 });
    expect(server.heard).toContain("udp A a.test");
    const six = await check([`tcp://127.0.0.1:${await closedPort()}`, "-4"], {
      ...env,
      PICKET_IP_FAMILY: "6",
    });
    expect(JSON.parse(six.out).failure.code).toBe("connection_refused");
  });

  test("say how much is read, whether HTTP/2 is offered, and who measures", async () => {
    await using plain = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
    const seen = async (args: readonly string[], env: Env = {}) =>
      JSON.parse((await check([...args, "-4"], env)).out);
    const url = `http://127.0.0.1:${plain.port}/`;
    expect(await seen([url])).toMatchObject({ http: { body_bytes: 2, body_cut: false } });
    expect(await seen([url], { PICKET_MAX_BODY: "1" })).toMatchObject({
      http: { body_bytes: 1, body_cut: true },
    });
    const { available } = openKernelClock();
    expect(await seen([url])).toMatchObject({
      addresses: [{ measured_by: available ? "kernel" : "event" }],
    });
    expect(await seen([url], { PICKET_KERNEL_CLOCK: "off" })).toMatchObject({
      addresses: [{ measured_by: "event" }],
    });
    await using modern = await http2Peer(identity, (stream) => {
      stream.respond({ ":status": 200 });
      stream.end();
    });
    const secure = [`https://localhost:${modern.port}/`, "--ca", files().ca];
    expect(await seen(secure)).toMatchObject({ tls: { alpn: "h2" } });
    expect((await seen(secure, { PICKET_HTTP2: "off" })).tls?.alpn).not.toBe("h2");
    expect((await seen([...secure, "--http1"], { PICKET_HTTP2: "on" })).tls?.alpn).not.toBe("h2");
  });

  test("say what a check calls itself, as the agent does", async () => {
    await using peer = await tcpPeer((socket) =>
      onRequestHead(socket, (head) => {
        const agent = /^user-agent: (.*)$/im.exec(head)?.[1]?.trim() ?? "";
        socket.end(`HTTP/1.1 200 OK\r\nX-You: ${agent}\r\nContent-Length: 0\r\n\r\n`);
      }),
    );
    const args = [`http://127.0.0.1:${peer.port}/`, ...saying("OpenStatus/1.0")];
    expect(await check(args, { PICKET_USER_AGENT: "OpenStatus/1.0" })).toMatchObject({ code: 0 });
    expect(await check(args)).toMatchObject({ code: 1 });
  });

  test.each<[readonly string[], Env, RegExp]>([
    [[], { PICKET_CA_FILE: "/nowhere" }, /^PICKET_CA_FILE cannot be used: ENOENT \(\/nowhere\)$/],
    [[], { PICKET_DNS_SERVERS: "a:b:c" }, /^PICKET_DNS_SERVERS must be addresses/],
    [[], { PICKET_IP_FAMILY: "5" }, /^PICKET_IP_FAMILY must be any, 4 or 6$/],
    [[], { PICKET_MAX_BODY: "much" }, /^PICKET_MAX_BODY must be a size above zero/],
    [[], { PICKET_HTTP2: "2" }, /^PICKET_HTTP2 must be on or off$/],
    [[], { PICKET_KERNEL_CLOCK: "late" }, /^PICKET_KERNEL_CLOCK must be on or off$/],
    [[], { PICKET_RESOLVER: "planted" }, /^PICKET_RESOLVER must be stub or system$/],
    [["--proxy", "socks5://a"], { PICKET_TARGET_PROXY: "" }, /^--proxy must be an http or https/],
    [["--no-proxy", "a/99"], {}, /^--no-proxy must be hosts/],
    [["--deny", "a/99"], {}, /^--deny has the entry "a\/99"/],
    [[], { PICKET_TARGET_DENY: "a/99" }, /^PICKET_TARGET_DENY has the entry "a\/99"/],
    [[], { PICKET_CLIENT_KEY_FILE: "/dev/null" }, /^PICKET_CLIENT_CERT_FILE is not set, and/],
    [
      ["--cert", "/nowhere"],
      { PICKET_CLIENT_KEY_FILE: "/dev/null" },
      /^--key is not set, and --cert is: a client certificate needs both/,
    ],
  ])("%j with %j is refused by name", async (args, env, sentence) => {
    const error: unknown = await check(["http://a", ...args], env).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UsageError);
    expect(error instanceof Error ? error.message : "").toMatch(sentence);
  });
});
