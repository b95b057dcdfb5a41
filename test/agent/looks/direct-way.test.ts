import { expect, test } from "vitest";
import { directCheck, endBehindProxy } from "#agent/looks/direct-way";
import { placeSources } from "#agent/looks/place-sources";
import { VantageWatch } from "#agent/looks/vantage-watch";
import { failure } from "#check/failure";
import type { Kind, Target } from "#check/monitor";
import type { DirectLook } from "#check/place-evidence";
import { runWhy } from "#cli/why/why-command";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { parseNoProxy } from "#network/no-proxy";
import type { Proxying } from "#network/proxy";
import { runCheck } from "#agent/prober/checks/run-check";
import { startInlineProber } from "#agent/prober/inline-prober";
import { parseTargetRules } from "#network/target-rules";
import { epochMillis, millis } from "#base/units";
import { captureIo } from "../../support/captured-io.ts";
import { proberOptions, reach } from "../../support/metering.ts";
import { monitorWith } from "../../support/twins.ts";
import { answers, closedPort, tcpPeer } from "../../servers/scripted.ts";

const never = new AbortController().signal;
/** A target that says when the first connection has come: the one who connects may know before. */
async function accepts() {
  const arrived = Promise.withResolvers<void>();
  const peer = await tcpPeer((socket) => {
    arrived.resolve();
    socket.on("error", () => {}).resume();
  });
  return {
    port: peer.port,
    get accepted() {
      return peer.accepted;
    },
    arrived: arrived.promise,
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}
/** A proxy that opens no way to anything. */
const closedProxy = (): ReturnType<typeof tcpPeer> =>
  tcpPeer(answers("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"));

const by = (port: number, exceptions = ""): Proxying => {
  const parsed = parseNoProxy(exceptions);
  if (!parsed.ok) throw new Error(parsed.message);
  return {
    proxy: { host: "127.0.0.1", port, secure: false, authorization: null },
    exceptions: parsed.value,
  };
};

test("a target is dialled once without the proxy, and nothing is sent to it", async () => {
  await using target = await accepts();
  const check = directCheck(() => reach({ proxying: by(1) }), systemClock);
  expect(await check({ kind: "tcp", host: "127.0.0.1", port: target.port }, never)).toEqual({
    address: "127.0.0.1",
    outcome: "connected",
  });
  await target.arrived;
  expect(target.accepted).toBe(1);
  expect(await check({ kind: "tcp", host: "127.0.0.1", port: await closedPort() }, never)).toEqual({
    address: "127.0.0.1",
    outcome: "connection_refused",
  });
});

test("what the target rules deny is not dialled", async () => {
  await using target = await accepts();
  const deny = parseTargetRules(["127.0.0.0/8", "localhost"], "PICKET_TARGET_DENY=");
  if (!deny.ok) throw new Error(deny.message);
  const targetRules = { allow: [], deny: deny.value };
  const check = directCheck(() => reach({ targetRules }), systemClock);
  expect(await check({ kind: "tcp", host: "127.0.0.1", port: target.port }, never)).toBeNull();
  expect(await check({ kind: "tcp", host: "localhost", port: target.port }, never)).toBeNull();
  expect(target.accepted).toBe(0);
});

test("what a rule denies of its kind or of tcp is not dialled in its place", async () => {
  await using target = await accepts();
  const { port } = target;
  const asked = async (kind: Kind, entry: string) => {
    const deny = parseTargetRules([entry], "PICKET_TARGET_DENY=");
    if (!deny.ok) throw new Error(deny.message);
    const check = directCheck(
      () => reach({ targetRules: { allow: [], deny: deny.value } }),
      systemClock,
    );
    return check({ kind, host: "127.0.0.1", port }, never);
  };
  expect(await asked("http", "http://127.0.0.0/8")).toBeNull();
  expect(await asked("http", "tcp://127.0.0.0/8")).toBeNull();
  expect(target.accepted).toBe(0);
  expect((await asked("tcp", "http://127.0.0.0/8"))?.outcome).toBe("connected");
});

test("only what fails before its proxy has opened a way has one around it", () => {
  const shop: Target = { kind: "tcp", host: "shop.test", port: 443 };
  const end = { kind: "tcp", host: "shop.test", port: 443 };
  const refused = failure("proxy_refused", "proxy", "502");
  expect(endBehindProxy(shop, refused, by(1))).toEqual(end);
  expect(endBehindProxy(shop, failure("connection_refused", "connect", ""), by(1))).toEqual(end);
  expect(endBehindProxy(shop, failure("tls_expired", "tls", ""), by(1))).toBeNull();
  expect(endBehindProxy(shop, refused, by(1, ".test"))).toBeNull();
  expect(endBehindProxy(shop, refused, { ...by(1), proxy: null })).toBeNull();
});

/** What an agent with these settings looks up when a check fails at the proxy, once and again. */
async function lookedUp(evidenceDirect: boolean, proxyPort: number, port: number) {
  const options = { ...proberOptions, proxying: by(proxyPort), evidenceDirect };
  const sources = placeSources(options, systemClock);
  if (sources === null) throw new Error("no evidence");
  await using prober = await startInlineProber({ ...options, threads: 1 });
  const watch = new VantageWatch({
    sources,
    clock: systemClock,
    log: silentLogger,
    runs: () => true,
    changed: () => {},
  });
  const target = { kind: "tcp", host: "127.0.0.1", port } as const;
  const monitor = monitorWith({ kind: "tcp", target, retry: 0, timeout: millis(10_000) });
  const tools = { prober, clock: systemClock, log: silentLogger, chance: () => 0.5 };
  const seen: (DirectLook | null | undefined)[] = [];
  for (let turn = 0; turn < 2; turn += 1) {
    const until = epochMillis(Number.MAX_SAFE_INTEGER);
    const result = await runCheck({ monitor, at: systemClock.wall(), until }, tools, never);
    if (result === null) throw new Error("no result");
    expect(result.failure?.phase).toBe("proxy");
    const judged = await watch.judge(result, monitor, never, millis(0));
    seen.push(judged.is === "reported" ? judged.result.place?.direct : undefined);
  }
  return seen;
}

test("an agent looks around its proxy only if the operator asked for it, and at the first failure", async () => {
  await using target = await accepts();
  await using proxy = await closedProxy();
  expect(await lookedUp(false, proxy.port, target.port)).toEqual([null, null]);
  expect(target.accepted).toBe(0);
  const open = { address: "127.0.0.1", outcome: "connected" };
  expect(await lookedUp(true, proxy.port, target.port)).toEqual([open, null]);
  await target.arrived;
  expect(target.accepted).toBe(1);
});

test("picket why blames the proxy if the target accepts a connection without it", async () => {
  await using target = await accepts();
  await using proxy = await closedProxy();
  const env = { PICKET_TARGET_PROXY: `http://127.0.0.1:${proxy.port}` };
  const why = async (more: Record<string, string>): Promise<Record<string, unknown>> => {
    const io = captureIo({ ...env, ...more });
    expect(await runWhy([`tcp://127.0.0.1:${target.port}`, "--json"], io)).toBe(1);
    const { place, because, result } = JSON.parse(io.written.stdout());
    return { place, because, direct: result.place.direct };
  };
  expect(await why({})).toMatchObject({ place: "unclear", direct: null });
  expect(target.accepted).toBe(0);
  expect(await why({ PICKET_EVIDENCE_DIRECT: "1" })).toEqual({
    place: "me",
    because:
      "the proxy answers, but opens no connection to the target; the target accepts a connection without the proxy",
    direct: { address: "127.0.0.1", outcome: "connected" },
  });
  await target.arrived;
  expect(target.accepted).toBe(1);
});
