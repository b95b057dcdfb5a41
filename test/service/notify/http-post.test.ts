import { once } from "node:events";
import { createServer } from "node:https";
import { createSecureContext, TLSSocket } from "node:tls";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { parseProxy } from "#network/proxy";
import {
  slackTakesIt,
  startProvider,
  webhookFloods,
  webhookHangsUp,
  webhookIsGone,
  webhookIsSilent,
  webhookRedirects,
  webhookSaysLaterByDate,
} from "../../servers/providers.ts";
import { openProxy } from "../../servers/proxies.ts";
import { tcpPeer } from "../../servers/scripted.ts";
import { Authority } from "../../support/authority.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { tried, webhookAt } from "../../support/sending.ts";
import { listenLocally } from "../../servers/listen-locally.ts";

test("a redirect is not followed: a message goes nowhere else", async () => {
  await using elsewhere = await startProvider(slackTakesIt);
  await using hook = await startProvider((asked, response, count) => {
    webhookRedirects(asked, response, count);
  });
  expect(await tried(webhookAt(`${hook.url}/in?token=secret`))).toMatchObject({
    is: "permanent",
    trouble: { code: "redirected", status: 307 },
  });
  expect(elsewhere.asked).toEqual([]);
});

test("a webhook that is gone is disabled; a date to come back is kept, up to an hour", async () => {
  await using targetMissing = await startProvider(webhookIsGone);
  expect(await tried(webhookAt(targetMissing.url))).toMatchObject({ is: "disabled" });
  const clock = new FakeClock(Date.UTC(2026, 10, 22, 14));
  const later = webhookSaysLaterByDate(new Date(Date.UTC(2026, 10, 22, 14, 0, 30)));
  await using busy = await startProvider(later);
  expect(await tried(webhookAt(busy.url), { options: { clock } })).toMatchObject({
    is: "again",
    after: 30_000,
    trouble: { code: "provider_failed", status: 503 },
  });
});

test("a provider that never answers is left after 15 seconds, and its connection is closed", async () => {
  const clock = new FakeClock();
  const asked = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  await using silent = await startProvider((one, response, count) => {
    response.on("close", () => closed.resolve());
    webhookIsSilent(one, response, count);
    asked.resolve();
  });
  const outcome = tried(webhookAt(silent.url), { options: { clock } });
  await asked.promise;
  await clock.advance(14_999);
  expect(clock.sleeping).toBe(1);
  await clock.advance(1);
  expect(await outcome).toMatchObject({ is: "again", after: null, trouble: { code: "timed_out" } });
  await closed.promise;
});

test("a handshake that never ends is left in time too", async () => {
  const clock = new FakeClock();
  const accepted = Promise.withResolvers<void>();
  await using peer = await tcpPeer((socket) => {
    socket.on("data", () => accepted.resolve());
  });
  const outcome = tried(webhookAt(`https://127.0.0.1:${peer.port}/`), { options: { clock } });
  await accepted.promise;
  await clock.advance(15_000);
  expect(await outcome).toMatchObject({ is: "again", trouble: { code: "timed_out" } });
});

test("whoever stops ends a delivery at once", async () => {
  const asked = Promise.withResolvers<void>();
  await using silent = await startProvider(() => asked.resolve());
  const stopping = new AbortController();
  const outcome = tried(webhookAt(silent.url), { signal: stopping.signal });
  await asked.promise;
  stopping.abort();
  expect(await outcome).toMatchObject({ is: "again" });
});

test("half an answer is none, and an endless one is read up to its limit", async () => {
  await using half = await startProvider(webhookHangsUp);
  expect(await tried(webhookAt(half.url))).toMatchObject({
    is: "again",
    trouble: { code: "unreachable" },
  });
  await using flood = await startProvider(webhookFloods);
  expect(await tried(webhookAt(flood.url))).toMatchObject({ is: "delivered" });
});

test("what cannot be reached names the host and the port, and nothing of the path", async () => {
  const peer = await tcpPeer(() => {});
  const { port } = peer;
  await peer[Symbol.asyncDispose]();
  const outcome = await tried(webhookAt(`http://127.0.0.1:${port}/secret?token=secret`));
  expect(outcome).toMatchObject({
    is: "again",
    trouble: {
      code: "unreachable",
      message: `Webhook is not reached at 127.0.0.1:${port}: connection refused`,
    },
  });
});

test("a name that leads to where credentials are handed out is not dialled", async () => {
  const dialled: string[] = [];
  for (const [host, address] of [
    ["metadata.example.test", "169.254.169.254"],
    ["rebound.example.test", "::ffff:169.254.169.254"],
    ["mapped.example.test", "64:ff9b::a9fe:a9fe"],
    ["alibaba.example.test", "100.100.100.200"],
  ] as const) {
    const addressesOf = (name: string) => {
      dialled.push(name);
      return Promise.resolve([address]);
    };
    const outcome = await tried(webhookAt(`https://${host}/x`), { options: { addressesOf } });
    expect(outcome).toMatchObject({ is: "failing", trouble: { code: "address_denied" } });
  }
  expect(dialled).toHaveLength(4);
  expect(await tried(webhookAt("http://169.254.169.254/latest"))).toMatchObject({
    trouble: { code: "address_denied" },
  });
});

test("a name is resolved once, and its judged address is the one that is dialled", async () => {
  await using hook = await startProvider(slackTakesIt);
  const { port } = new URL(hook.url);
  let asked = 0;
  const addressesOf = () => {
    asked += 1;
    return Promise.resolve([asked === 1 ? "127.0.0.1" : "169.254.169.254"]);
  };
  const outcome = await tried(webhookAt(`http://hook.example.test:${port}/`), {
    options: { addressesOf },
  });
  expect(outcome).toMatchObject({ is: "delivered" });
  expect(asked).toBe(1);
  expect(hook.asked[0]?.headers.host).toBe(`hook.example.test:${port}`);
});

test("plain http goes to private hosts alone, unless a setting allows it", async () => {
  const addressesOf = () => Promise.resolve(["192.0.2.1"]);
  const outcome = await tried(webhookAt("http://hooks.example.test/x"), {
    options: { addressesOf },
  });
  expect(outcome).toMatchObject({ is: "failing", trouble: { code: "address_denied" } });
  expect(JSON.stringify(outcome)).toContain("PICKET_NOTIFY_ALLOW_HTTP");
});

test("through a proxy the tunnel is asked for by name, with the proxy's credentials", async () => {
  await using hook = await startProvider(slackTakesIt);
  const { port } = new URL(hook.url);
  await using proxy = await openProxy();
  const way = parseProxy(`http://user:pass@127.0.0.1:${proxy.port}`);
  if (!way.ok) throw new Error("no proxy");
  const options = { proxying: { proxy: way.value, exceptions: [] }, httpAllowed: true };
  const outcome = await tried(webhookAt(`http://hook.example.test:${port}/`), { options });
  expect(outcome).toMatchObject({ is: "delivered" });
  expect(proxy.asked[0]).toMatch(new RegExp(`^CONNECT hook.example.test:${port} `));
  expect(proxy.asked[0]).toContain(Buffer.from("user:pass").toString("base64"));
  const denied = await tried(webhookAt("http://169.254.169.254/latest"), { options });
  expect(denied).toMatchObject({ trouble: { code: "address_denied" } });
});

test("a certificate of the service's own CA is trusted, another is not, and a client certificate is shown", async () => {
  const authority = await Authority.create();
  const leaf = await authority.issue({ altNames: ["127.0.0.1"] });
  const client = await authority.issue({ name: "picket" });
  const shown: boolean[] = [];
  const server = createServer(
    { ...leaf, ca: authority.cert, requestCert: true },
    (request, response) => {
      if (request.socket instanceof TLSSocket) shown.push(request.socket.authorized);
      request.resume();
      request.on("end", () => response.end());
    },
  );
  const port = await listenLocally(server);
  const url = `https://127.0.0.1:${port}/`;
  try {
    expect(await tried(webhookAt(url))).toMatchObject({
      is: "again",
      trouble: { message: expect.stringContaining("its certificate is not trusted") },
    });
    const context = createSecureContext({ ca: authority.cert, cert: client.cert, key: client.key });
    const options = { secureContext: () => context, clock: systemClock };
    expect(await tried(webhookAt(url), { options })).toMatchObject({ is: "delivered" });
    expect(shown).toEqual([true]);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
});
