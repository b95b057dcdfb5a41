import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { TlsOptions } from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import { connectControlPlane } from "#transport/connect-control-plane";
import { ServiceError } from "#transport/control-plane";
import { type ServiceWay, serviceAgent } from "#transport/service-dialer";
import {
  assigning,
  type ControlPlaneServer,
  controlPlaneServer,
} from "../servers/control-plane-server.ts";
import { openProxy, tunnels } from "../servers/proxies.ts";
import { answers, closedPort, type Script, tcpPeer, tlsPeer } from "../servers/scripted.ts";
import { Authority, type Identity } from "../support/authority.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { wayWith } from "../support/service-way.ts";

let authority: Authority;
let identity: Identity;
let ours: { readonly certificate: string; readonly key: string };
beforeAll(async () => {
  authority = await Authority.create();
  identity = await authority.issue();
  const { cert, key } = await authority.issue({ name: "agent", altNames: ["agent.test"] });
  ours = { certificate: cert, key };
});

const service = (tls: TlsOptions | null = null): Promise<ControlPlaneServer> =>
  controlPlaneServer({ Monitors: assigning }, undefined, tls);

/** One pull: the name of the location, or why there is none. */
async function pulled(url: string, way: ServiceWay): Promise<string> {
  const controlPlane = connectControlPlane({
    baseUrl: url,
    token: () => "planted-token",
    tokenHeader: "x-service-token",
    instance: { id: "i", version: "1", hostname: "h", node: "", labels: {}, placement: "share" },
    way,
    clock: way.clock,
  });
  try {
    const pull = await controlPlane.pull(null, new AbortController().signal);
    return pull.unchanged ? "unchanged" : pull.region;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    expect(error.message).not.toContain("planted");
    return `${error.reason}: ${error.message.replaceAll(/:\d{4,5}\b/g, ":PORT")}`;
  }
}

describe("the service, directly", () => {
  test("with a certificate of a private authority is trusted when that is, under its own name only", async () => {
    await using server = await service(identity);
    const trusting = wayWith({ authorities: authority.cert });
    expect(await pulled(server.url, trusting)).toBe("office");
    expect(await pulled(server.url.replace("127.0.0.1", "localhost"), trusting)).toBe("office");
    expect(await pulled(server.url, wayWith())).toBe(
      "untrusted: the certificate of the service 127.0.0.1:PORT is not trusted: its issuer is not trusted here, and the peer does not send the issuer's certificate",
    );
    await using other = await service(await authority.issue({ altNames: ["other.test"] }));
    expect(await pulled(other.url, trusting)).toMatch(
      /^unavailable: no TLS with the service 127\.0\.0\.1:PORT: Hostname\/IP does not match/,
    );
  });

  test("with a certificate that it signed itself is trusted when it is an authority itself", async () => {
    const alone = await Authority.selfSigned();
    await using server = await service(alone);
    expect(await pulled(server.url, wayWith())).toBe(
      "untrusted: the certificate of the service 127.0.0.1:PORT is not trusted: it is self-signed",
    );
    expect(await pulled(server.url, wayWith({ authorities: alone.cert }))).toBe("office");
  });

  test("is verified whatever the environment says", async () => {
    await using server = await service(identity);
    const before = process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";
    try {
      expect(await pulled(server.url, wayWith())).toMatch(/^untrusted: /);
    } finally {
      if (before === undefined) delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"];
      else process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = before;
    }
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "that wants a client certificate over %s gets ours, and says so when there is none",
    async (version) => {
      const asking = { requestCert: true, ca: authority.cert, maxVersion: version };
      await using server = await service({ ...identity, ...asking });
      const { cert: authorities } = authority;
      expect(await pulled(server.url, wayWith({ authorities, identity: ours }))).toBe("office");
      expect(await pulled(server.url, wayWith({ authorities }))).toMatch(
        version === "TLSv1.3"
          ? /^identity: the service refuses our client certificate, or wants one: TLS alert "certificate required"$/
          : /^(identity|unavailable): .*(alert|TLS)/,
      );
    },
  );

  test("that does not ask for a client certificate never gets it", async () => {
    const seen: string[] = [];
    await using peer = await tlsPeer({ ...identity, ca: authority.cert }, (socket) => {
      if ("getPeerCertificate" in socket && typeof socket.getPeerCertificate === "function")
        seen.push(JSON.stringify(socket.getPeerCertificate()));
      answers("HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n")(socket);
    });
    const way = wayWith({ authorities: authority.cert, identity: ours });
    expect(await pulled(`https://127.0.0.1:${peer.port}`, way)).toMatch(/^unavailable: /);
    expect(seen).toEqual(["{}"]);
  });

  test("that is not there, or does not speak TLS, is named by its address", async () => {
    const closed = await closedPort();
    expect(await pulled(`http://127.0.0.1:${closed}`, wayWith())).toBe(
      "unavailable: the service 127.0.0.1:PORT cannot be reached: connection refused",
    );
    expect(await pulled(`http://nowhere.invalid`, wayWith())).toMatch(
      /^unavailable: the service nowhere\.invalid:80 cannot be reached: its name /,
    );
    await using plain = await service();
    expect(await pulled(plain.url.replace("http", "https"), wayWith())).toBe(
      "unavailable: no TLS with the service 127.0.0.1:PORT: the peer does not speak TLS on this port",
    );
  });

  test("that keeps silent in the handshake is aborted", async () => {
    const clock = new FakeClock();
    const heard = Promise.withResolvers<void>();
    await using silent = await tcpPeer((socket) => socket.once("data", () => heard.resolve()));
    const pulling = pulled(`https://127.0.0.1:${silent.port}`, wayWith({ clock }));
    await heard.promise;
    await clock.advance(10_000);
    expect(await pulling).toBe(
      "timeout: the service 127.0.0.1:PORT does not end the TLS handshake within 10000 ms",
    );
  });
});

describe("the service, through a proxy", () => {
  test("http and https go through a tunnel, with the credentials of its URL", async () => {
    await using proxy = await openProxy();
    await using plain = await service();
    await using secure = await service(identity);
    const way = wayWith({
      proxy: `http://user:planted@127.0.0.1:${proxy.port}`,
      authorities: authority.cert,
    });
    expect(await pulled(plain.url, way)).toBe("office");
    expect(await pulled(secure.url, way)).toBe("office");
    expect(proxy.asked).toHaveLength(2);
    for (const asked of proxy.asked) {
      expect(asked).toMatch(/^CONNECT 127\.0\.0\.1:\d+ HTTP\/1\.1\r\n/);
      expect(asked).toContain(`Proxy-Authorization: Basic ${btoa("user:planted")}\r\n`);
      expect(asked).toContain("User-Agent: picket/test\r\n");
      expect(asked).not.toContain("token");
    }
  });

  test("one that speaks TLS with a private authority, and wants a client certificate", async () => {
    const asked: string[] = [];
    const asking = { requestCert: true, ca: authority.cert };
    await using proxy = await tlsPeer({ ...identity, ...asking }, tunnels(asked));
    await using secure = await service({ ...identity, ...asking });
    const url = `https://localhost:${proxy.port}`;
    const { cert: authorities } = authority;
    expect(await pulled(secure.url, wayWith({ proxy: url, authorities, identity: ours }))).toBe(
      "office",
    );
    expect(asked).toHaveLength(1);
    expect(await pulled(secure.url, wayWith({ proxy: url, identity: ours }))).toBe(
      "untrusted: the certificate of the proxy localhost:PORT is not trusted: its chain ends at a root that is not trusted here",
    );
  });

  test("what is excepted goes directly", async () => {
    await using proxy = await openProxy();
    await using plain = await service();
    const way = wayWith({ proxy: `http://127.0.0.1:${proxy.port}`, except: "127.0.0.0/8" });
    expect(await pulled(plain.url, way)).toBe("office");
    expect(proxy.accepted).toBe(0);
  });

  const target = "CONNECT service\\.test:443";
  const refusals: Record<string, [Script, RegExp]> = {
    "407 without credentials": [
      answers("HTTP/1.1 407 X\r\nProxy-Authenticate: Basic realm=x\r\n\r\n"),
      RegExp(
        `${target} with status 407: it does not accept the credentials \\(Basic\\) of the proxy's URL$`,
      ),
    ],
    "403": [answers("HTTP/1.1 403 X\r\n\r\n"), RegExp(`${target} with status 403$`)],
    "502": [answers("HTTP/1.1 502 X\r\n\r\n"), RegExp(`${target} with status 502$`)],
    "an end": [(socket) => socket.end(), RegExp(`closed the connection without .* ${target}$`)],
    "half a head": [answers("HTTP/1.1 200"), /closed the connection in the middle of its answer/],
    "a reset": [answers([], "reset"), /(reset|closed) the connection without answering/],
    garbage: [answers("SSH-2.0-x\r\n"), RegExp(`to ${target} is not HTTP$`)],
    "an endless head": [
      answers(["HTTP/1.1 200 X\r\n", "a: b\r\n".repeat(4_000)], "keep"),
      /is over 16 KiB$/,
    ],
  };
  test.each(Object.entries(refusals))(
    "one that answers %s is named, and its password is not",
    async (_name, [script, sentence]) => {
      await using proxy = await tcpPeer(script);
      const way = wayWith({ proxy: `http://user:planted@127.0.0.1:${proxy.port}` });
      const told = await pulled("https://service.test", way);
      expect(told).toMatch(/^proxy: .*the proxy 127\.0\.0\.1:PORT/);
      expect(told).toMatch(sentence);
    },
  );

  test("one that is not there, or keeps silent, is named", async () => {
    const closed = wayWith({ proxy: `http://127.0.0.1:${await closedPort()}` });
    expect(await pulled("https://service.test", closed)).toBe(
      "proxy: the proxy 127.0.0.1:PORT cannot be reached: connection refused",
    );
    const clock = new FakeClock();
    const asked = Promise.withResolvers<void>();
    await using silent = await tcpPeer((socket) => socket.once("data", () => asked.resolve()));
    const way = wayWith({ proxy: `http://127.0.0.1:${silent.port}`, clock });
    const pulling = pulled("https://service.test", way);
    await asked.promise;
    await clock.advance(10_000);
    expect(await pulling).toBe(
      "proxy: the proxy 127.0.0.1:PORT does not answer CONNECT service.test:443 within 10000 ms",
    );
  });
});

describe("the agent of node:http", () => {
  test("uses a connection again, and opens another when it has gone", async () => {
    await using proxy = await openProxy();
    await using server = await service(identity);
    const way = wayWith({
      proxy: `http://127.0.0.1:${proxy.port}`,
      authorities: authority.cert,
    });
    const agent = serviceAgent(server.url, way);
    const get = async (headers: http.OutgoingHttpHeaders = {}): Promise<number | undefined> => {
      const request = https.get(server.url, { agent, headers });
      const [response]: http.IncomingMessage[] = await once(request, "response");
      response?.resume();
      if (response !== undefined) await once(response, "end");
      return response?.statusCode;
    };
    expect(await get()).toBe(404);
    expect(await get({ connection: "close" })).toBe(404);
    expect(proxy.accepted).toBe(1);
    expect(await get()).toBe(404);
    expect(proxy.accepted).toBe(2);
    agent.destroy();
  });

  test("carries an upgrade, as a WebSocket begins", async () => {
    await using proxy = await openProxy();
    const server = http.createServer();
    server.on("upgrade", (_request, socket) => {
      socket.end("HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    await using _ = { [Symbol.asyncDispose]: async () => void server.close() };
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const agent = serviceAgent(
      `http://127.0.0.1:${port}`,
      wayWith({ proxy: `http://127.0.0.1:${proxy.port}` }),
    );
    const headers = { connection: "Upgrade", upgrade: "echo" };
    const request = http.get({ host: "127.0.0.1", port, agent, headers });
    const [, , first]: Buffer[] = await once(request, "upgrade");
    expect(String(first)).toBe("hello");
    expect(proxy.asked).toHaveLength(1);
  });
});
