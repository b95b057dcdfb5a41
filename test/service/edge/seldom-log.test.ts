import { expect, test } from "vitest";
import * as limits from "#limits/service-limits";
import { type LogFields, silentLogger } from "#base/log";
import { seldomLog } from "#service/edge/seldom-log";
import { FakeClock } from "../../support/fake-clock.ts";

const full = "the database cannot be used";
const because = (text: string): LogFields => ({ "error.message": text });

test("the same error is logged once a minute, with how often it came meanwhile; another one at once", () => {
  const clock = new FakeClock();
  const lines: (readonly [string, LogFields | undefined])[] = [];
  const keep = (message: string, fields?: LogFields): void => void lines.push([message, fields]);
  const log = seldomLog({ ...silentLogger, error: keep }, clock);
  for (let call = 0; call < 1_000; call += 1) log.error(full, because("the disk is full"));
  log.error(full, because("the file was moved"));
  clock.suspend(limits.sameErrorLoggedEvery);
  log.error(full, because("the disk is full"));
  clock.suspend(limits.sameErrorLoggedEvery);
  log.error(full, because("the disk is full"));
  expect(lines).toEqual([
    [full, because("the disk is full")],
    [full, because("the file was moved")],
    [full, { ...because("the disk is full"), "times since the last line": 999 }],
    [full, because("the disk is full")],
  ]);
});

test("what is not an error is logged as it comes", () => {
  const lines: string[] = [];
  const keep = (message: string): void => void lines.push(message);
  const log = seldomLog({ debug: keep, info: keep, warn: keep, error: keep }, new FakeClock());
  for (const severity of ["debug", "info", "warn"] as const)
    for (let time = 0; time < 2; time += 1) log[severity](severity);
  expect(lines).toEqual(["debug", "debug", "info", "info", "warn", "warn"]);
});
