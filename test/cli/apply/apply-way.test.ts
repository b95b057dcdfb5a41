import { connect } from "node:net";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runApply } from "#cli/apply/apply-command";
import { openProxy, tunnels } from "../../servers/proxies.ts";
import { answers, closedPort, type Scripted, tcpPeer, tlsPeer } from "../../servers/scripted.ts";
import { Authority } from "../../support/authority.ts";
import { captureIo } from "../../support/captured-io.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

/** A service behind TLS of a private authority that asks for a client certificate, and files with what leads to it. */
async function privateService() {
  const life = new AsyncDisposableStack();
  const service = life.use(await runningService());
  const authority = await Authority.create();
  const identity = await authority.issue({ altNames: ["localhost", "127.0.0.1", "service.test"] });
  const asking = { ...identity, requestCert: true, ca: authority.cert };
  const front = life.use(
    await tlsPeer(asking, (socket) => {
      const behind = connect(service.port, "127.0.0.1");
      behind.on("error", () => socket.destroy());
      socket.on("close", () => behind.destroy());
      socket.pipe(behind).pipe(socket);
    }),
  );
  const folder = temporaryFolder();
  const written = (name: string, text: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return file;
  };
  const own = await authority.issue({ name: "person", altNames: ["person.test"] });
  const { key } = await service.admin.createApiKey({ name: "writer", scope: "write" });
  return {
    service,
    asking,
    port: front.port,
    key,
    written,
    trust: { PICKET_CA_FILE: written("ca.crt", authority.cert) },
    identity: {
      PICKET_CLIENT_CERT_FILE: written("own.crt", own.cert),
      PICKET_CLIENT_KEY_FILE: written("own.key", own.key),
    },
    [Symbol.asyncDispose]: () => life.disposeAsync(),
  };
}

type Private = Awaited<ReturnType<typeof privateService>>;

async function apply(
  { key, written }: Pick<Private, "key" | "written">,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly said: string }> {
  const file = written("m.yaml", 'tcp_monitors: [{ name: db, uri: "db:5432", periodicity: 1m }]\n');
  const io = captureIo({ SERVICE_API_KEY: key, ...env });
  const code = await runApply(["-f", file], io);
  const said = io.written.stdout() + io.written.stderr();
  expect(said).not.toContain(key);
  expect(said).not.toContain("planted");
  return { code, said };
}

const through = ({ port }: Scripted, scheme = "http"): string =>
  `${scheme}://user:planted-password@localhost:${port}`;

describe("picket apply reaches a service as an agent does", () => {
  test("with a private authority, a client certificate and an https proxy", async () => {
    await using around = await privateService();
    const asked: string[] = [];
    await using proxy = await tlsPeer(around.asking, tunnels(asked));
    const { code, said } = await apply(around, {
      ...around.trust,
      ...around.identity,
      // The proxy leads to this machine, whatever the host is.
      SERVICE_API_URL: `https://service.test:${around.port}/`,
      HTTPS_PROXY: through(proxy, "https"),
    });
    expect(said).toContain("Applied.");
    expect(code).toBe(0);
    expect(asked[0]).toContain(`CONNECT service.test:${around.port} HTTP/1.1\r\n`);
    expect(asked[0]).toContain(btoa("user:planted-password"));
  });

  test("through PICKET_SERVICE_PROXY also on this machine, and past what no_proxy names", async () => {
    await using around = await privateService();
    await using proxy = await openProxy();
    const env = { SERVICE_API_URL: around.service.url, PICKET_SERVICE_PROXY: through(proxy) };
    expect((await apply(around, env)).code).toBe(0);
    expect(proxy.asked).not.toEqual([]);
    const before = proxy.accepted;
    expect((await apply(around, { ...env, no_proxy: "127.0.0.1" })).code).toBe(0);
    expect((await apply(around, { ...env, PICKET_NO_PROXY: "127.0.0.1" })).code).toBe(0);
    expect(proxy.accepted).toBe(before);
  });

  test("over plain http to another machine only when PICKET_ALLOW_HTTP says so", async () => {
    await using around = await privateService();
    await using proxy = await openProxy();
    const env = {
      SERVICE_API_URL: `http://service.test:${around.service.port}`,
      http_proxy: through(proxy),
    };
    const refused = await apply(around, env);
    expect([refused.code, refused.said]).toEqual([
      1,
      "SERVICE_API_URL must be https, or the API key could be read in transit (PICKET_ALLOW_HTTP=1 allows it anyway)\n",
    ]);
    expect((await apply(around, { ...env, PICKET_ALLOW_HTTP: "1" })).code).toBe(0);
  });
});

describe("picket apply that does not reach its service says what stood in the way", () => {
  test.each<[string, (around: Private) => Promise<Record<string, string>>, RegExp]>([
    [
      "an authority that no one vouches for",
      async () => ({}),
      /the certificate of the service 127\.0\.0\.1:\d+ is not trusted: .*\. Next: set PICKET_CA_FILE to the CA that signed it/,
    ],
    [
      "a client certificate that is missing",
      async ({ trust }) => trust,
      /the service refuses our client certificate, or wants one: .*\. Next: check PICKET_CLIENT_CERT_FILE/,
    ],
    [
      "a proxy that is not there",
      async () => ({ PICKET_SERVICE_PROXY: `http://u:planted@127.0.0.1:${await closedPort()}` }),
      /the proxy 127\.0\.0\.1:\d+ cannot be reached: connection refused\. Next: check PICKET_SERVICE_PROXY/,
    ],
    [
      "a file that holds no authority",
      async ({ written }) => ({ PICKET_CA_FILE: written("empty.crt", "planted") }),
      /^PICKET_CA_FILE cannot be used: holds no PEM certificate \(.*empty\.crt\)\n$/,
    ],
    [
      "a certificate without its key",
      async ({ identity }) => ({ PICKET_CLIENT_CERT_FILE: identity.PICKET_CLIENT_CERT_FILE }),
      /^PICKET_CLIENT_KEY_FILE is not set, and PICKET_CLIENT_CERT_FILE is/,
    ],
    [
      "a proxy's URL that is none",
      async () => ({ HTTPS_PROXY: "socks5://planted", SERVICE_API_URL: "https://service.test" }),
      /^HTTPS_PROXY must be an http or https URL .*, or set PICKET_SERVICE_PROXY\n$/,
    ],
  ])("%s", async (_what, envOf, sentence) => {
    await using around = await privateService();
    const env = { SERVICE_API_URL: `https://127.0.0.1:${around.port}`, ...(await envOf(around)) };
    const { code, said } = await apply(around, env);
    expect(said).toMatch(sentence);
    expect(code).toBe(1);
    const key = { "x-service-key": around.key };
    const kept = await around.service.post("/monitor.v1.MonitorService/ListMonitors", {}, key);
    expect(await kept.json()).toMatchObject({ totalSize: 0 });
  });

  test("a proxy that wants other credentials", async () => {
    await using around = await privateService();
    await using proxy = await tcpPeer(
      answers("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=x\r\n\r\n"),
    );
    const { code, said } = await apply(around, {
      SERVICE_API_URL: around.service.url,
      PICKET_SERVICE_PROXY: through(proxy),
    });
    expect(code).toBe(1);
    expect(said).toMatch(
      /with status 407: it does not accept the credentials \(Basic\) of the proxy's URL\. Next: /,
    );
  });
});
