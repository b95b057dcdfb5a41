import { expect, test } from "vitest";
import { VerdictChanges } from "#agent/checks/verdict-changes";
import { failure } from "#check/failure";
import * as limits from "#limits";
import type { Result } from "#check/result";
import { epochMillis, millis } from "#units";
import { FakeClock } from "../../support/fake-clock.ts";
import { resultWith } from "../../support/results.ts";
import { memoryLog } from "../../support/twins.ts";

const refused = failure("connection_refused", "connect", "connection refused (10.0.0.1:443)");
const failing = (monitorId: string, at: number): Result =>
  resultWith({ monitorId, status: "error", failure: refused, startedAt: epochMillis(at) });
const passing = (monitorId: string, at: number): Result =>
  resultWith({ monitorId, startedAt: epochMillis(at) });

test("a change of verdict is one line, with code, phase and sentence, and how long it was down", () => {
  const log = memoryLog();
  const changes = new VerdictChanges(new FakeClock(), log);
  changes.note(passing("a", 0));
  changes.note(passing("a", 1_000));
  expect(log.said).toEqual([]);
  for (const at of [2_000, 3_000, 4_000]) changes.note(failing("a", at));
  changes.note(passing("a", 65_000));
  changes.note(resultWith({ monitorId: "a", status: "degraded", latency: millis(900) }));
  expect(log.said).toEqual([
    {
      level: "warn",
      message: "a monitor fails",
      fields: {
        monitor: "a",
        kind: "http",
        "error.type": "connection_refused",
        phase: "connect",
        "error.message": "connection refused (10.0.0.1:443)",
      },
    },
    {
      level: "info",
      message: "a monitor is back",
      fields: { monitor: "a", kind: "http", down_ms: 63_000 },
    },
    {
      level: "warn",
      message: "a monitor is degraded",
      fields: { monitor: "a", kind: "http", latency_ms: 900 },
    },
  ]);
  expect(JSON.stringify(log.said)).not.toContain("secret");
});

test("a thousand monitors that fail at once are some lines and one number", async () => {
  const clock = new FakeClock();
  const log = memoryLog();
  const changes = new VerdictChanges(clock, log);
  for (let index = 0; index < 1_000; index += 1) changes.note(failing(`m${index}`, 0));
  expect(log.said).toHaveLength(limits.verdictLinesMax);
  await clock.advance(limits.verdictLinesSpan);
  changes.note(failing("m0", 10_000));
  expect(log.said).toHaveLength(limits.verdictLinesMax + 1);
  expect(log.said.at(-1)).toMatchObject({
    level: "warn",
    fields: { "left out": 1_000 - limits.verdictLinesMax },
  });
  changes.note(passing("m1", 10_000));
  expect(log.said.at(-1)).toMatchObject({ message: "a monitor is back" });
});
