import { beforeAll, describe, expect, test } from "vitest";
import { startDeadline } from "#base/deadline";
import { systemClock } from "#base/clock";
import type { HttpOutcome, TcpOutcome } from "#check/outcome";
import { probeDns } from "#probes/dns/dns";
import { TargetGuard } from "#probes/connection/guard";
import { parseTargetRules } from "#network/target-rules";
import { parseNoProxy } from "#network/no-proxy";
import { probeHttp } from "#probes/http/http";
import type { ProbeContext } from "#probes/connection/probe";
import { parseProxy, type Proxying } from "#network/proxy";
import { probeTcp } from "#probes/tcp/tcp";
import { millis } from "#base/units";
import { type Asking, askAt, bodyText, statusOf } from "../../support/asking.ts";
import { Authority } from "../../support/authority.ts";
import { attempt, contextWith, happened, httpTarget, patience } from "../../support/probing.ts";
import { expectTimingContract, told, type Told } from "../../support/timing-contract.ts";
import { dnsServer, zone } from "../../servers/dns-server.ts";
import { fullListener } from "../../servers/full-listener.ts";
import { established, openProxy, tunnels, tunnelsInOnePiece } from "../../servers/proxies.ts";
import {
  answers,
  closedPort,
  drips,
  onRequestHead,
  type Script,
  tcpPeer,
  tlsPeer,
} from "../../servers/scripted.ts";
import { alertBytes } from "../../servers/tls-peers.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

let authority: Authority;
beforeAll(async () => {
  authority = await Authority.create();
});

function through(url: string, except = ""): Proxying {
  const [proxy, exceptions] = [parseProxy(url), parseNoProxy(except)];
  if (!proxy.ok) throw new Error(proxy.message);
  if (!exceptions.ok) throw new Error(exceptions.message);
  return { proxy: proxy.value, exceptions: exceptions.value };
}

const at = ({ port }: { readonly port: number }, userInfo = ""): Proxying =>
  through(`http://${userInfo}127.0.0.1:${port}`);

/** A check of a name that only the proxy can know. */
async function asked(
  script: Script,
  {
    userInfo = "",
    scheme = "http",
    ...asking
  }: Asking & { userInfo?: string; scheme?: string } = {},
): Promise<HttpOutcome & { readonly proxyPort: number }> {
  await using proxy = await tcpPeer(script);
  const context = { ...asking.context, proxying: at(proxy, userInfo) };
  const outcome = await askAt(`${scheme}://target.test/`, { ...asking, context });
  return { ...outcome, proxyPort: proxy.port };
}

describe("a tunnel", () => {
  test("carries plain http: the proxy learns host and port, the target gets an ordinary request", async () => {
    let request = "";
    await using target = await tcpPeer((socket) =>
      onRequestHead(socket, (head) => {
        request = head;
        socket.end(ok);
      }),
    );
    await using proxy = await openProxy();
    const context = { proxying: at(proxy) };
    const outcome = await askAt(`http://target.test:${target.port}/path?q=1`, { context });
    expect(told(outcome)).toBe("ok");
    expect(bodyText(outcome)).toBe("ok");
    expect(happened(outcome.phases)).toEqual(["connect", "proxy", "write", "wait", "receive"]);
    expect(outcome.addresses).toMatchObject([
      { address: "127.0.0.1", port: proxy.port, ended: "connected" },
    ]);
    expect(proxy.asked).toEqual([
      `CONNECT target.test:${target.port} HTTP/1.1\r\nHost: target.test:${target.port}\r\nUser-Agent: picket/test\r\n\r\n`,
    ]);
    expect(request).toMatch(/^GET \/path\?q=1 HTTP\/1\.1\r\n/);
    expect(request).not.toContain("roxy");
  });

  test("carries TLS with the target, whose certificate is judged by the target's name", async () => {
    const identity = await authority.issue({ altNames: ["target.test"] });
    await using target = await tlsPeer(identity, answers(ok));
    await using proxy = await openProxy();
    const context = { ca: authority.cert, proxying: at(proxy) };
    const outcome = await askAt(`https://target.test:${target.port}/`, { context });
    expect(told(outcome)).toBe("ok");
    expect(happened(outcome.phases)).toContain("tls");
    expect(outcome.tls?.serverName).toBe("target.test");
    const other = await askAt(`https://other.test:${target.port}/`, { context });
    expect(told(other)).toBe("tls_hostname in tls");
  });

  test("goes through a proxy that speaks TLS itself, whose handshake is part of its phase", async () => {
    const identity = await authority.issue();
    const names = { "proxy.test": ["127.0.0.1"] };
    await using plain = await tcpPeer(answers(ok));
    await using secure = await tlsPeer(
      await authority.issue({ altNames: ["target.test"] }),
      answers(ok),
    );
    const questions: string[] = [];
    await using proxy = await tlsPeer(identity, tunnels(questions));
    const proxying = through(`https://localhost:${proxy.port}`);
    const context = { ca: authority.cert, proxying };
    for (const [url, phases] of [
      [
        `http://target.test:${plain.port}/`,
        ["dns", "connect", "proxy", "write", "wait", "receive"],
      ],
      [
        `https://target.test:${secure.port}/`,
        ["dns", "connect", "proxy", "tls", "write", "wait", "receive"],
      ],
    ] as const) {
      const outcome = await askAt(url, { context });
      expect(told(outcome), url).toBe("ok");
      expect(happened(outcome.phases)).toEqual(phases);
    }
    expect(questions).toHaveLength(2);
    // The certificate of a proxy is judged too, and is not shown as the target's.
    const elsewhere = through(`https://proxy.test:${proxy.port}`);
    const refused = await askAt(`http://target.test:${plain.port}/`, {
      context: { ca: authority.cert, names, proxying: elsewhere },
    });
    expect(told(refused)).toBe("tls_hostname in proxy");
    expect(refused.failure?.message).toContain(`the proxy proxy.test:${proxy.port}`);
    expect(refused.tls).toBeNull();
    expect(questions).toHaveLength(2);
  });

  test("is closed behind a check, through TLS in TLS too", async () => {
    const identity = await authority.issue({ altNames: ["target.test", "localhost"] });
    await using target = await tlsPeer(identity, answers(ok, "keep"));
    const closed = Promise.withResolvers<void>();
    await using proxy = await tlsPeer(identity, (socket) => {
      socket.once("close", () => closed.resolve());
      tunnels([])(socket);
    });
    const proxying = through(`https://localhost:${proxy.port}`);
    const context = { ca: authority.cert, proxying };
    const outcome = await askAt(`https://target.test:${target.port}/`, { context });
    expect(told(outcome)).toBe("ok");
    await closed.promise;
  });

  test("carries a TCP check, which sends nothing to the target", async () => {
    const closed = Promise.withResolvers<number>();
    await using target = await tcpPeer((socket) => {
      socket.resume();
      socket.once("close", () => closed.resolve(socket.bytesRead));
    });
    await using proxy = await openProxy();
    const outcome: TcpOutcome = await attempt(
      probeTcp,
      { kind: "tcp", host: "target.test", port: target.port },
      contextWith({ proxying: at(proxy) }),
    );
    expectTimingContract(outcome);
    expect(told(outcome)).toBe("ok");
    expect(happened(outcome.phases)).toEqual(["connect", "proxy"]);
    expect(await closed.promise).toBe(0);
  });

  test("is asked for again at every redirect hop, and an exception goes directly", async () => {
    await using target = await tcpPeer(answers(ok));
    await using proxy = await openProxy();
    await using first = await tcpPeer(
      answers(
        `HTTP/1.1 302 X\r\nLocation: http://direct.test:${target.port}/\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
    const context = {
      names: { "direct.test": ["127.0.0.1"] },
      proxying: through(`http://127.0.0.1:${proxy.port}`, "direct.test"),
    };
    const outcome = await askAt(`http://proxied.test:${first.port}/`, { context });
    expect(told(outcome)).toBe("ok");
    const [one, two] = outcome.hops.map(({ phases }) => happened(phases));
    expect(one).toEqual(["connect", "proxy", "write", "wait", "receive"]);
    expect(two).toEqual(["dns", "connect", "write", "wait", "receive"]);
    expect(proxy.asked).toHaveLength(1);
  });

  test("is not for DNS checks", async () => {
    await using server = await dnsServer(zone([{ type: "A", name: "a.test", data: "10.0.0.1" }]));
    await using proxy = await openProxy();
    const { host, port } = server;
    const outcome = await attempt(
      probeDns,
      { kind: "dns", name: "a.test", types: ["A"], recordsNeeded: true, server: { host, port } },
      contextWith({ proxying: at(proxy) }),
    );
    expect(told(outcome)).toBe("ok");
    expect(proxy.accepted).toBe(0);
  });

  test("writes an IPv6 target in brackets", async () => {
    await using target = await tcpPeer(answers(ok));
    await using proxy = await openProxy();
    const context = { proxying: at(proxy) };
    expect(statusOf(await askAt(`http://[::1]:${target.port}/`, { context }))).toBe(200);
    expect(proxy.asked[0]).toMatch(/^CONNECT \[::1\]:\d+ HTTP/);
  });

  test("sends the credentials of the proxy's URL to the proxy alone", async () => {
    let request = "";
    await using target = await tcpPeer((socket) =>
      onRequestHead(socket, (head) => {
        request = head;
        socket.end(ok);
      }),
    );
    await using proxy = await openProxy();
    const context = { proxying: at(proxy, "us%C3%A9r:p%3Aa%40ss@") };
    expect(told(await askAt(`http://target.test:${target.port}/`, { context }))).toBe("ok");
    const expected = Buffer.from("usér:p:a@ss").toString("base64");
    expect(proxy.asked[0]).toContain(`\r\nProxy-Authorization: Basic ${expected}\r\n`);
    expect(request).not.toContain("uthorization");
  });
});

describe("the answer to CONNECT", () => {
  test.each([
    ["with HTTP/1.0 and headers", "HTTP/1.0 200 OK\r\nProxy-agent: x\r\nVia: 1.1 y\r\n\r\n"],
    ["without a reason", "HTTP/1.1 200\r\n\r\n"],
    ["of another 2xx", "HTTP/1.1 204 Fine\r\n\r\n"],
    ["with a Content-Length that means nothing", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"],
    [
      "after interim answers",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nA: b\r\n\r\n" + established,
    ],
    ["with bare line feeds", "HTTP/1.1 200 OK\nA: b\n\n"],
  ])("%s opens the tunnel", async (_what, head) => {
    await using target = await tcpPeer(answers(ok));
    await using proxy = await openProxy(head);
    const context = { proxying: at(proxy) };
    const outcome = await askAt(`http://target.test:${target.port}/`, { context });
    expect(told(outcome)).toBe("ok");
    expect(bodyText(outcome)).toBe("ok");
  });

  test("may come byte by byte", async () => {
    const outcome = await asked((socket) =>
      onRequestHead(socket, () => {
        onRequestHead(socket, () => socket.end(ok));
        socket.setNoDelay(true);
        let at = 0;
        const next = (): void => {
          at += 1;
          socket.write(established.slice(at - 1, at));
          if (at < established.length) setImmediate(next);
        };
        next();
      }),
    );
    expect(told(outcome)).toBe("ok");
    expect(bodyText(outcome)).toBe("ok");
  });

  test("loses nothing that comes in one piece with it: the target's own bytes", async () => {
    const greeting = Promise.withResolvers<string>();
    await using target = await tcpPeer((socket) => {
      socket.write("220 mail.test ESMTP\r\n");
      onRequestHead(socket, (head) => greeting.resolve(head));
    });
    await using proxy = await tcpPeer(tunnelsInOnePiece);
    const context = { proxying: at(proxy) };
    const spoke = await askAt(`http://target.test:${target.port}/`, { context });
    expect(spoke.failure).toMatchObject({ code: "protocol_error" });
    const secure = await askAt(`https://target.test:${target.port}/`, { context });
    expect(told(secure)).toBe("not_tls in tls");
  });

  test.each<[string, Script, string, RegExp]>([
    [
      "403",
      answers("HTTP/1.1 403 Forbidden\r\nContent-Length: 4\r\n\r\nnono"),
      "proxy_refused in proxy",
      /^the proxy 127\.0\.0\.1:\d+ answered CONNECT target\.test:80 with status 403$/,
    ],
    [
      "a redirect",
      answers("HTTP/1.1 302 Found\r\nLocation: http://login.test/\r\n\r\n"),
      "proxy_refused in proxy",
      /with status 302$/,
    ],
    [
      "an upgrade",
      answers("HTTP/1.1 101 Switching\r\n\r\n"),
      "proxy_refused in proxy",
      /with status 101$/,
    ],
    [
      "407",
      answers(
        'HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm="a"\r\nProxy-Authenticate: Negotiate\r\n\r\n',
      ),
      "proxy_refused in proxy",
      /with status 407: it wants credentials \(Basic, Negotiate\), and the proxy's URL has none$/,
    ],
    [
      "nothing, and closes",
      (socket) => onRequestHead(socket, () => socket.end()),
      "proxy_refused in proxy",
      /^the proxy 127\.0\.0\.1:\d+ closed the connection without answering CONNECT target\.test:80$/,
    ],
    [
      "nothing, and resets",
      answers([], "reset"),
      "proxy_refused in proxy",
      /reset the connection without answering CONNECT/,
    ],
    [
      "half a head",
      answers("HTTP/1.1 200 OK\r\nVia"),
      "proxy_refused in proxy",
      /closed the connection in the middle of its answer to CONNECT target\.test:80$/,
    ],
    [
      "another protocol",
      answers("SSH-2.0-OpenSSH_9\r\n", "keep"),
      "proxy_refused in proxy",
      /^the answer of the proxy 127\.0\.0\.1:\d+ to CONNECT target\.test:80 is not HTTP$/,
    ],
    [
      "a status line that is none",
      answers("HTTP/1.1 OK\r\n\r\n", "keep"),
      "proxy_refused in proxy",
      /is not HTTP$/,
    ],
    [
      "a status below 100",
      answers("HTTP/1.1 020 X\r\n\r\n", "keep"),
      "proxy_refused in proxy",
      /is not HTTP$/,
    ],
    [
      "an alert of TLS",
      (socket) => socket.once("data", () => socket.write(alertBytes(10))),
      "proxy_refused in proxy",
      /is not HTTP: it is an alert of TLS, which it speaks on this port$/,
    ],
    [
      "a head that is too long",
      answers(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, "keep"),
      "proxy_refused in proxy",
      /the head of the answer of the proxy .* is over 16 KiB$/,
    ],
    [
      "a head that never ends",
      drips("HTTP/1.1 200 OK\r\n", `X: ${"x".repeat(1_000)}\r\n`, 1),
      "proxy_refused in proxy",
      /is over 16 KiB$/,
    ],
    [
      "interim answers for ever",
      drips("", "HTTP/1.1 103 X\r\nA: b\r\n\r\n".repeat(100), 1),
      "proxy_refused in proxy",
      /is over 16 KiB$/,
    ],
  ])("that is %s ends the check", async (_what, script, expected, sentence) => {
    const outcome = await asked(script);
    expect(told(outcome)).toBe(expected);
    expect(outcome.failure?.message).toMatch(sentence);
    expect(happened(outcome.phases)).toEqual(["connect", "proxy"]);
    expect(outcome.response).toBeNull();
  });

  test.concurrent.each<[string, Script]>([
    ["is not there", () => {}],
    ["dribbles", drips("HTTP/1.1 200", " ")],
    ["stops in its head", answers("HTTP/1.1 200 OK\r\nX-A: b\r\n", "keep")],
  ])("that %s ends with the deadline, on time", async (_what, script) => {
    // The connection has to be there before it, also on a machine that is busy with other tests.
    const outcome = await asked(script, { timeout: 2_000 });
    expect(told(outcome)).toBe("proxy_timeout in proxy");
    expect(outcome.failure?.message).toMatch(
      /^Timeout after 2000 ms waiting for the proxy to reach target\.test:80 \(the proxy 127\.0\.0\.1:\d+\): the proxy received our request$/,
    );
    expect(outcome.total / 1e6).toBeGreaterThan(1_900);
    // No measure of lateness, only of hanging.
    expect(outcome.total / 1e6).toBeLessThan(patience);
  });

  // tinyproxy answers 407 if there are no credentials, and 401 where they are wrong.
  test.each([
    [407, "Proxy-Authenticate"],
    [401, "WWW-Authenticate"],
  ])("says by %d that credentials are not accepted, and never shows them", async (code, name) => {
    const script = answers(`HTTP/1.1 ${code} X\r\n${name}: Basic realm="x"\r\n\r\n`);
    const outcome = await asked(script, { userInfo: "planted-user:planted-password@" });
    expect(outcome.failure?.message).toMatch(
      /with status 40[17]: it does not accept the credentials \(Basic\) of the proxy's URL$/,
    );
    expect(JSON.stringify(outcome)).not.toContain("planted");
  });

  test.each<[scheme: string, expected: Told]>([
    ["http", "empty_reply in wait"],
    ["https", "tls_closed in tls"],
  ])("opens a tunnel for %s, and closes it at once: the target fails", async (scheme, expected) => {
    const outcome = await asked(answers(established), { scheme });
    expect(told(outcome)).toBe(expected);
    expect(happened(outcome.phases)).toContain("proxy");
  });
});

describe("a proxy that is not reached", () => {
  test("is named: refused, unknown, or too slow in TCP or in its own TLS", async () => {
    const refused = await askAt("http://target.test/", {
      context: { proxying: at({ port: await closedPort() }) },
    });
    expect(told(refused)).toBe("connection_refused in connect");
    expect(refused.failure?.message).toMatch(
      /^the proxy cannot be reached: connection refused \(127\.0\.0\.1:\d+\)$/,
    );
    const unknown = await askAt("http://target.test/", {
      context: { proxying: through("http://nowhere.test:3128") },
    });
    expect(told(unknown)).toBe("dns_nxdomain in dns");
    expect(unknown.failure?.message).toMatch(/^the proxy cannot be reached: .*nowhere\.test/);
    await using full = await fullListener();
    const slow = await askAt("http://target.test/", {
      timeout: 150,
      context: { proxying: at(full) },
    });
    expect(told(slow)).toBe("connect_timeout in connect");
    expect(slow.failure?.message).toMatch(/^the proxy cannot be reached: Timeout after 150 ms/);
    await using silent = await tcpPeer(() => {});
    const proxying = through(`https://127.0.0.1:${silent.port}`);
    const mute = await askAt("http://target.test/", { timeout: 1_000, context: { proxying } });
    expect(told(mute)).toBe("proxy_timeout in proxy");
    expect(mute.failure?.message).toMatch(/waiting for the proxy to reach target\.test:80 /);
    await using plain = await tcpPeer((socket) => socket.end("220 mail.test ESMTP\r\n"));
    const not = await askAt("http://target.test/", {
      context: { proxying: through(`https://127.0.0.1:${plain.port}`) },
    });
    expect(told(not)).toBe("not_tls in proxy");
  });

  test("does not name the proxy if the check was aborted", async () => {
    const giveUp = new AbortController();
    await using proxy = await tcpPeer(() => giveUp.abort());
    using deadline = startDeadline(systemClock, millis(5_000), giveUp.signal);
    const context = contextWith({ proxying: at(proxy) });
    const outcome = await probeHttp(httpTarget("http://target.test/"), deadline, context);
    expect(told(outcome)).toBe("cancelled in agent");
  });
});

describe("the guard", () => {
  const guarding = (deny: string, allow = ""): TargetGuard => {
    const [denied, allowed] = [deny, allow].map((list) =>
      parseTargetRules(list.split(",").filter(Boolean), "LIST="),
    );
    if (denied?.ok !== true || allowed?.ok !== true) throw new Error("no rules");
    return new TargetGuard({ allow: allowed.value, deny: denied.value });
  };
  const checked = async (
    url: string,
    guard: TargetGuard,
    proxy: { readonly port: number },
  ): Promise<HttpOutcome> => {
    const context: Partial<ProbeContext> = { guard, proxying: at(proxy) };
    return askAt(url, { context });
  };

  test("judges the target as it is written, before the proxy is asked", async () => {
    await using proxy = await openProxy();
    for (const url of [
      "http://db.internal/",
      "http://10.9.0.1/",
      "http://[::ffff:10.9.0.1]/",
      "http://169.254.169.254/latest",
    ]) {
      const outcome = await checked(url, guarding("10.9.0.0/16,*.internal"), proxy);
      expect(told(outcome), url).toBe("target_denied in policy");
    }
    expect(proxy.accepted).toBe(0);
  });

  test("judges every redirect hop", async () => {
    await using proxy = await openProxy();
    await using first = await tcpPeer(
      answers("HTTP/1.1 302 X\r\nLocation: http://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"),
    );
    const outcome = await checked(`http://first.test:${first.port}/`, guarding(""), proxy);
    expect(told(outcome)).toBe("target_denied in policy");
    expect(proxy.accepted).toBe(1);
  });

  test("lets an allow beat a deny, and does not judge the proxy's own address", async () => {
    await using target = await tcpPeer(answers(ok));
    await using proxy = await openProxy();
    const guard = guarding("127.0.0.0/8,*", "target.test");
    const outcome = await checked(`http://target.test:${target.port}/`, guard, proxy);
    expect(told(outcome)).toBe("ok");
  });
});

describe("the URL of a proxy", () => {
  test.each([
    ["http://proxy.test:3128", { host: "proxy.test", port: 3128, secure: false }],
    ["http://proxy.test", { host: "proxy.test", port: 80, secure: false }],
    ["https://proxy.test/", { host: "proxy.test", port: 443, secure: true }],
    ["http://[fd00::8]:3128", { host: "fd00::8", port: 3128, secure: false }],
    ["http://a@proxy.test", { authorization: `Basic ${btoa("a:")}` }],
    ["http://a:b%2Fc@proxy.test", { authorization: `Basic ${btoa("a:b/c")}` }],
    ["http://proxy.test", { authorization: null }],
  ])("%s is read", (text, value) => {
    expect(parseProxy(text)).toMatchObject({ ok: true, value });
  });

  test.each([
    "",
    "proxy.test:3128",
    "socks5://planted:1080",
    "http://planted/path",
    "http://planted?q",
    "http://planted#f",
    "http://planted:0",
    "http://planted:99999",
  ])("%j is refused without being quoted", (text) => {
    const parsed = parseProxy(text);
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toContain("planted");
  });
});
