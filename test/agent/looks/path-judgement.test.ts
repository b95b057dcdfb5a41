import { expect, test } from "vitest";
import { PathJudgement } from "#agent/looks/path-judgement";
import { PathWatch } from "#agent/looks/path-watch";
import { withCause } from "#agent/looks/vantage-judgement";
import { noPathMemory } from "#agent/vantage/path-memory";
import type { Cause } from "#check/cause";
import { type FailureCode, failure, type FailurePhase } from "#check/failure";
import type { AddressAttempt } from "#check/outcome";
import type { Result } from "#check/result";
import type { FlowAsk } from "#probes/evidence/flow-trace";
import { epochMillis, millis, nanos } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { monitorWith } from "../../support/twins.ts";
import { httpOutcome, resultWith } from "../../support/results.ts";

const addressOf = (address: string, ended: AddressAttempt["ended"]): readonly AddressAttempt[] => [
  { address, port: 443, ended, measuredBy: "event", elapsed: nanos(1e6) },
];

const passedAt = (address: string): Result =>
  resultWith({ outcome: httpOutcome({ addresses: addressOf(address, "connected") }) });

function failedAt(
  address: string,
  code: FailureCode,
  phase: FailurePhase,
  startedAt: number,
  cause: Cause | null = null,
): Result {
  const failed = failure(code, phase, "It failed");
  const outcome = httpOutcome({ failure: failed, addresses: addressOf(address, code) });
  return resultWith({
    status: "error",
    failure: failed,
    outcome,
    cause,
    startedAt: epochMillis(startedAt),
  });
}

/** A monitor whose path of four hops is known; `breaks` has everything behind one of them silent. */
async function judging() {
  const clock = new FakeClock(Date.UTC(2026, 0, 1, 12));
  let lastHeard = Infinity;
  let asked = 0;
  const ask: FlowAsk = async (_, ttl) => {
    asked += 1;
    const hop = { ttl, roundTrip: null, icmp: null };
    if (ttl > lastHeard) return { ...hop, address: null, ended: "silence" };
    return { ...hop, address: `10.9.${ttl}.1`, ended: ttl > 4 ? "target" : "hop" };
  };
  const watch = new PathWatch({
    ask,
    memory: noPathMemory,
    clock,
    chance: () => 0,
    runs: () => true,
    rules: () => null,
  });
  const vantage = {
    judge: (result: Result) =>
      ({ is: "reported", result: withCause(result, result.cause), evidence: "none" }) as const,
  };
  const judgement = new PathJudgement(vantage, watch);
  const ending = new AbortController();
  const running = watch.run(ending.signal);
  const monitor = monitorWith();
  const judge = async (result: Result): Promise<string> => {
    const judged = await judgement.judge(result, monitor, ending.signal, millis(0));
    return judged.is === "reported" ? (judged.result.failure?.message ?? "passed") : judged.is;
  };
  await judge(passedAt("10.2.0.7"));
  await clock.advance(3_600_000);
  await judge(passedAt("10.2.0.7"));
  await clock.advance(120_000);
  return {
    clock,
    judge,
    asked: () => asked,
    breaks: (is: boolean, behind = 2) => (lastHeard = is ? behind : Infinity),
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await clock.advance(10_000);
      await running;
    },
  };
}

test("the first failure names the hop that is gone and how old that knowledge is, and the next one does not", async () => {
  await using scene = await judging();
  scene.breaks(true);
  const fails = () => failedAt("10.2.0.7", "connect_timeout", "connect", scene.clock.wall());
  expect(await scene.judge(fails())).toBe(
    "It failed; the path to 10.2.0.7 ends at 10.9.2.1: its third hop 10.9.3.1 and all behind it do not answer (as before at 13:00 UTC, 1 min 25 s before this failure)",
  );
  expect(await scene.judge(fails())).toBe("It failed");
});

test.each<readonly [string, FailureCode, FailurePhase]>([
  ["a target that refuses", "connection_refused", "connect"],
  ["an answer with the wrong status", "unexpected_status", "assertion"],
  ["a certificate that ended", "tls_expired", "tls"],
  ["a program that is silent on a connection", "response_timeout", "wait"],
  ["a name that does not exist", "dns_nxdomain", "dns"],
])("%s is not the path's failure, and sends nothing", async (_, code, phase) => {
  await using scene = await judging();
  scene.breaks(true);
  const before = scene.asked();
  expect(await scene.judge(failedAt("10.2.0.7", code, phase, scene.clock.wall()))).toBe(
    "It failed",
  );
  expect(scene.asked()).toBe(before);
});

test("a failure whose cause is this machine's own gateway says nothing of the path", async () => {
  await using scene = await judging();
  scene.breaks(true);
  const cause: Cause = {
    scope: "gateway",
    subject: "10.0.0.1",
    certainty: "likely",
    since: epochMillis(0),
    id: "1",
    sentence: "nothing beyond the gateway answers",
    affected: 3,
  };
  const failed = failedAt("10.2.0.7", "connect_timeout", "connect", scene.clock.wall(), cause);
  expect(await scene.judge(failed)).toBe(
    "probably nothing beyond the gateway answers; 2 more monitors are affected: It failed",
  );
});

test("the only target of an agent is not excused by its gateway if a router behind that answers", async () => {
  await using scene = await judging();
  scene.breaks(true);
  const cause: Cause = {
    scope: "gateway",
    subject: "10.0.0.1",
    certainty: "possible",
    since: epochMillis(0),
    id: "1",
    sentence: "this agent itself may be cut off",
    affected: 1,
  };
  const failed = failedAt("10.2.0.7", "connect_timeout", "connect", scene.clock.wall(), cause);
  expect(await scene.judge(failed)).toMatch(/^It failed; the path to 10\.2\.0\.7 ends at/);
  scene.breaks(false);
  await scene.clock.advance(3_600_000);
  await scene.judge(passedAt("10.2.0.7"));
  const again = failedAt("10.2.0.7", "connect_timeout", "connect", scene.clock.wall(), cause);
  expect(await scene.judge(again)).toMatch(/^this agent itself may be cut off.*It failed$/);
});

test("the gateway stays suspected if it is the only router that answers", async () => {
  await using scene = await judging();
  scene.breaks(true, 1);
  const cause: Cause = {
    scope: "gateway",
    subject: "10.9.1.1",
    certainty: "possible",
    since: epochMillis(0),
    id: "1",
    sentence: "nothing beyond the gateway 10.9.1.1 answers",
    affected: 1,
  };
  const failed = failedAt("10.2.0.7", "connect_timeout", "connect", scene.clock.wall(), cause);
  expect(await scene.judge(failed)).toMatch(
    /^nothing beyond the gateway 10\.9\.1\.1 answers.*It failed; the path to 10\.2\.0\.7 ends at 10\.9\.1\.1/,
  );
});

test("a path that is as it was is not mentioned", async () => {
  await using scene = await judging();
  const failed = failedAt("10.2.0.7", "connect_timeout", "connect", scene.clock.wall());
  expect(await scene.judge(failed)).toBe("It failed");
});

test("targets on this machine itself are never traced", async () => {
  await using scene = await judging();
  const before = scene.asked();
  await scene.judge(passedAt("127.0.0.1"));
  await scene.judge(passedAt("::1"));
  await scene.clock.advance(600_000);
  expect(scene.asked()).toBe(before);
});
