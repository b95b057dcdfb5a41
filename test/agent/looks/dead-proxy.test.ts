import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { placeSources } from "#agent/looks/place-sources";
import { VantageWatch } from "#agent/looks/vantage-watch";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { runCheck } from "#agent/prober/checks/run-check";
import { startInlineProber } from "#agent/prober/inline-prober";
import { parseTargetRules } from "#network/target-rules";
import { epochMillis, type Millis, millis } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { proberOptions } from "../../support/metering.ts";
import { monitorWith } from "../../support/twins.ts";

/** No connection of another test has this address, and none takes a port of it while the proxy is away. */
const host = "127.77.17.1";

/** A proxy that is not there, until it is `back`. */
async function absentProxy() {
  const server = createServer((socket) => socket.on("error", () => {}).resume());
  const open = async (port: number): Promise<number> => {
    server.listen(port, host);
    await once(server, "listening");
    const address = server.address();
    return typeof address === "object" ? (address?.port ?? 0) : 0;
  };
  const close = async (): Promise<void> => {
    server.close();
    await once(server, "close");
  };
  const port = await open(0);
  await close();
  return { port, back: () => open(port), [Symbol.asyncDispose]: close };
}

test("a dead proxy whose monitors others took over is asked itself, until it is back", async () => {
  await using proxy = await absentProxy();
  // A rule for targets, which a proxy is not.
  const rules = parseTargetRules(["127.77.0.0/16"], "PICKET_TARGET_DENY=");
  const options = {
    ...proberOptions,
    targetRules: { allow: [], deny: rules.ok ? rules.value : [] },
    proxying: {
      proxy: {
        host,
        port: proxy.port,
        secure: false,
        authorization: null,
      },
      exceptions: [],
    },
  };
  const time = new FakeClock();
  // One turn of its own loop: it ends where it would sleep.
  let turn = new AbortController();
  const clock = {
    wall: () => time.wall(),
    monotonic: () => time.monotonic(),
    sleep: async (duration: Millis): Promise<void> => {
      if (duration >= 5_000) turn.abort();
      else await new Promise(() => {});
    },
  };
  const sources = placeSources(options, clock);
  if (sources === null) throw new Error("the settings want no evidence");
  let isOurs = true;
  const watch = new VantageWatch({
    sources,
    clock,
    log: silentLogger,
    runs: () => isOurs,
    changed: () => {},
  });
  const stateAfter = async (seconds: number): Promise<string> => {
    await time.advance(seconds * 1_000);
    turn = new AbortController();
    await watch.run(turn.signal);
    const [one] = watch.conditions;
    return one === undefined
      ? "in order"
      : `${one.state}, ${one.cause.affected} affected: ${one.cause.sentence}`;
  };
  const sentence = `the proxy ${host}:${proxy.port} cannot be reached`;

  await using prober = await startInlineProber({ ...options, threads: 1 });
  const { signal } = new AbortController();
  const target = { kind: "tcp", host: "shop.test", port: 80 } as const;
  const monitor = monitorWith({ kind: "tcp", uri: "shop.test:80", target, retry: 0 });
  const slot = { monitor, at: systemClock.wall(), until: epochMillis(Number.MAX_SAFE_INTEGER) };
  const tools = { prober, clock: systemClock, log: silentLogger, chance: Math.random };
  const result = await runCheck(slot, tools, signal);
  if (result === null) throw new Error("the check was cancelled");
  await watch.judge(result, monitor, signal, millis(0));
  expect(await stateAfter(1)).toBe(`impaired, 1 affected: ${sentence}`);

  isOurs = false;
  for (let quarter = 0; quarter < 16; quarter += 1)
    expect(await stateAfter(15)).toBe(`impaired, 0 affected: ${sentence}`);
  await proxy.back();
  expect(await stateAfter(15)).toBe(`recovering, 0 affected: ${sentence}`);
  expect(await stateAfter(5)).toBe("in order");
});
