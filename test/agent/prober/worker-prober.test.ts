import type { Worker } from "node:worker_threads";
import { beforeAll, afterAll, describe, expect, test, onTestFinished } from "vitest";
import type { Prober, ProberOptions } from "#agent/prober/prober";
import { startWorkerProber } from "../../support/worker-prober.ts";
import { silentLogger } from "#base/log";
import type { Outcome } from "#check/outcome";
import { parseTargetRules } from "#network/target-rules";
import { parseNoProxy } from "#network/no-proxy";
import { parseProxy } from "#network/proxy";
import { millis } from "#base/units";
import { openProxy } from "../../servers/proxies.ts";
import { answers, tcpPeer } from "../../servers/scripted.ts";
import { proberOptions } from "../../support/metering.ts";
import { httpTarget } from "../../support/probing.ts";

const options: ProberOptions = { ...proberOptions, kernelClock: true };
const never = new AbortController().signal;

describe("probes in threads", () => {
  let prober: Prober;
  beforeAll(async () => {
    prober = await startWorkerProber(options, silentLogger);
  });
  afterAll(() => prober[Symbol.asyncDispose]());

  test("bring the whole outcome back, the body handed over and not shared", async () => {
    await using peer = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"));
    const outcome = await prober.probe(
      httpTarget(`http://127.0.0.1:${peer.port}/`),
      millis(5_000),
      never,
    );
    expect(outcome).toMatchObject({ kind: "http", failure: null, response: { statusCode: 200 } });
    const body = outcome.kind === "http" ? outcome.response?.body : undefined;
    expect(Buffer.from(body ?? []).toString()).toBe("hello");
    expect(body?.buffer.byteLength).toBe(5);
  });

  test("take the way to targets that the agent was given", async () => {
    await using proxy = await openProxy();
    await using peer = await tcpPeer(() => {});
    const url = parseProxy(`http://127.0.0.1:${proxy.port}`);
    const except = parseNoProxy("127.0.0.2/32");
    if (!url.ok || !except.ok) throw new Error("no proxy");
    const proxying = { proxy: url.value, exceptions: except.value };
    await using proxied = await startWorkerProber({ ...options, proxying }, silentLogger);
    for (const [host, took] of [
      ["target.test", expect.any(Number)],
      ["127.0.0.2", null],
    ] as const) {
      await using direct = await tcpPeer(() => {}, "127.0.0.2");
      const port = took === null ? direct.port : peer.port;
      const outcome = await proxied.probe({ kind: "tcp", host, port }, millis(5_000), never);
      expect(outcome).toMatchObject({ failure: null, phases: { proxy: took } });
    }
    expect(proxy.asked).toHaveLength(1);
  });

  test("keep to the rules for targets that the agent was given", async () => {
    const deny = parseTargetRules(["127.0.0.0/8"], "PICKET_TARGET_DENY=");
    const targetRules = { allow: [], deny: deny.ok ? deny.value : [] };
    await using guarded = await startWorkerProber({ ...options, targetRules }, silentLogger);
    await using peer = await tcpPeer(() => {});
    const target = { kind: "tcp", host: "::ffff:127.0.0.1", port: peer.port } as const;
    expect((await guarded.probe(target, millis(5_000), never)).failure).toMatchObject({
      code: "target_denied",
      message: "::ffff:127.0.0.1 is denied by PICKET_TARGET_DENY=127.0.0.0/8",
    });
    expect(peer.accepted).toBe(0);
  });

  test("run side by side, each with its own deadline", async () => {
    await using silent = await tcpPeer(() => {});
    await using quick = await tcpPeer(answers("HTTP/1.1 204 X\r\n\r\n"));
    const onSilent = httpTarget(`http://127.0.0.1:${silent.port}/`);
    const stop = new AbortController();
    const patient = prober.probe(onSilent, millis(60_000), stop.signal);
    let patientEnded = false;
    void patient.then(() => (patientEnded = true));
    const all = Array.from({ length: 20 }, () =>
      prober.probe(httpTarget(`http://127.0.0.1:${quick.port}/`), millis(60_000), never),
    );
    expect((await Promise.all(all)).every(({ failure }) => failure === null)).toBe(true);
    const hasty = await prober.probe(onSilent, millis(400), never);
    expect(hasty.failure?.code).toMatch(/_timeout$/);
    expect(patientEnded).toBe(false);
    stop.abort();
    expect((await patient).failure?.code).toBe("cancelled");
  });

  test("end when they are cancelled, also before they began, and say so", async () => {
    await using silent = await tcpPeer(() => {});
    const stop = new AbortController();
    const probing = prober.probe(
      httpTarget(`http://127.0.0.1:${silent.port}/`),
      millis(60_000),
      stop.signal,
    );
    stop.abort();
    expect((await probing).failure?.code).toBe("cancelled");
    expect(
      (
        await prober.probe(
          { kind: "tcp", host: "127.0.0.1", port: 1 },
          millis(1_000),
          AbortSignal.abort(),
        )
      ).failure?.code,
    ).toBe("cancelled");
  });
});

test("closing gives up what is under way", async () => {
  await using silent = await tcpPeer(() => {});
  const prober = await startWorkerProber(options, silentLogger);
  const probing = prober.probe(
    httpTarget(`http://127.0.0.1:${silent.port}/`),
    millis(60_000),
    never,
  );
  await prober[Symbol.asyncDispose]();
  expect((await probing).failure?.code).toBe("cancelled");
});

test("a fault of our own in the thread is agent_error, and the thread lives on", async () => {
  await using prober = await startWorkerProber(options, silentLogger);
  await using peer = await tcpPeer(answers("HTTP/1.1 204 X\r\n\r\n"));
  // No parsed monitor has such a URL; a probe that is given one throws.
  const broken = await prober.probe(httpTarget("not a URL"), millis(5_000), never);
  expect(broken.failure).toMatchObject({ code: "agent_error", phase: "agent" });
  const plain = await prober.probe(
    httpTarget(`http://127.0.0.1:${peer.port}/`),
    millis(5_000),
    never,
  );
  expect(plain.failure).toBeNull();
});

test("a thread that dies blames the agent, for what it had under way and for what it is asked then", async () => {
  const threads: Worker[] = [];
  const onThread = (thread: Worker): void => void threads.push(thread);
  process.on("worker", onThread);
  onTestFinished(() => void process.off("worker", onThread));
  await using prober = await startWorkerProber(options, silentLogger);
  await using silent = await tcpPeer(() => {});
  const probe = (): Promise<Outcome> =>
    prober.probe(httpTarget(`http://127.0.0.1:${silent.port}/`), millis(60_000), never);
  const probing = probe();
  await threads[0]?.terminate();
  expect((await probing).failure).toMatchObject({ code: "agent_error", phase: "agent" });
  expect((await probe()).failure?.code).toBe("agent_error");
});
