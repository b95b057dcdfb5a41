import { expect, test } from "vitest";
import { VerdictChanges } from "#agent/checks/verdict-changes";
import { failure } from "#check/failure";
import * as limits from "#limits/agent-limits";
import type { Result } from "#check/result";
import { epochMillis, millis, nanos } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { httpOutcome, resultWith } from "../../support/results.ts";
import { memoryLog, monitorWith } from "../../support/twins.ts";

const refused = failure("connection_refused", "connect", "connection refused (10.0.0.1:443)");
const failing = (monitorId: string, at: number): Result =>
  resultWith({ monitorId, status: "error", failure: refused, startedAt: epochMillis(at) });
const note = (changes: VerdictChanges, result: Result): void =>
  changes.note(result, monitorWith({ id: result.monitorId, name: `The ${result.monitorId}` }));
const passing = (monitorId: string, at: number): Result =>
  resultWith({ monitorId, startedAt: epochMillis(at) });

const whichA = { monitor: "a", name: "The a", kind: "tcp", target: "a.test:1" };

/** A check of a monitor with a threshold of 500 ms, most of it spent waiting. */
function tookFor(latency: number, errorBar: number, status: Result["status"]): Result {
  const { phases } = httpOutcome();
  const outcome = httpOutcome({
    phases: { ...phases, wait: nanos((latency - 20) * 1e6) },
    total: nanos(latency * 1e6),
    errorBar: nanos(errorBar * 1e6),
  });
  return resultWith({
    monitorId: "a",
    status,
    latency: millis(latency),
    degradedAt: millis(500),
    outcome,
  });
}

test("a degraded monitor recovers only with a check that was certainly quick", () => {
  const log = memoryLog();
  const changes = new VerdictChanges(new FakeClock(), log);
  note(changes, tookFor(900, 0, "degraded"));
  note(changes, tookFor(900, 450, "success"));
  note(changes, tookFor(480, 30, "success"));
  expect(log.said.map(({ message }) => message)).toEqual(["a monitor is degraded"]);
  note(changes, tookFor(480, 20, "success"));
  expect(log.said.at(-1)).toMatchObject({
    level: "info",
    message: "a monitor is back under its threshold",
    fields: { degraded_ms: 0 },
  });
});

test("a change of verdict is one line, with code, phase, sentence, target and name, and how long it was down", () => {
  const log = memoryLog();
  const changes = new VerdictChanges(new FakeClock(), log);
  note(changes, passing("a", 0));
  note(changes, passing("a", 1_000));
  expect(log.said).toEqual([]);
  for (const at of [2_000, 3_000, 4_000]) note(changes, failing("a", at));
  note(changes, passing("a", 65_000));
  note(changes, tookFor(900, 0, "degraded"));
  expect(log.said).toEqual([
    {
      level: "warn",
      message: "a monitor fails",
      fields: {
        ...whichA,
        "error.type": "connection_refused",
        phase: "connect",
        "error.message": "connection refused (10.0.0.1:443)",
      },
    },
    {
      level: "info",
      message: "a monitor is back",
      fields: { ...whichA, down_ms: 63_000 },
    },
    {
      level: "warn",
      message: "a monitor is degraded",
      fields: {
        ...whichA,
        latency_ms: 900,
        reason: "slow: 900 ms, over the threshold of 500 ms; most of it was wait, 880 ms",
      },
    },
  ]);
  expect(JSON.stringify(log.said)).not.toContain("secret");
});

test("a thousand monitors that fail at once are some lines and one number", async () => {
  const clock = new FakeClock();
  const log = memoryLog();
  const changes = new VerdictChanges(clock, log);
  for (let index = 0; index < 1_000; index += 1) note(changes, failing(`m${index}`, 0));
  expect(log.said).toHaveLength(limits.verdictLinesMax);
  await clock.advance(limits.verdictLinesSpan);
  note(changes, failing("m0", 10_000));
  expect(log.said).toHaveLength(limits.verdictLinesMax + 1);
  expect(log.said.at(-1)).toMatchObject({
    level: "warn",
    fields: { suppressed: 1_000 - limits.verdictLinesMax },
  });
  note(changes, passing("m1", 10_000));
  expect(log.said.at(-1)).toMatchObject({ message: "a monitor is back" });
});
