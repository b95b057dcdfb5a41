import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { takeOverLeftResults } from "#cli/agent/left-results";
import * as limits from "#limits/agent-limits";
import { silentLogger } from "#base/log";
import type { Spool } from "#agent/spool/spool";
import { SqliteSpool } from "#agent/spool/sqlite-spool";
import { openStateDirectory, type StateDirectory } from "#agent/state/state-directory";
import { hours, mebibytes } from "#base/units";
import { closedPort } from "../../servers/scripted.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { reportWith, start, waitingIn } from "../../support/reports.ts";
import { startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const spoolLimits = { bytesMax: mebibytes(64), ageMax: hours(24) };

test("what an agent left that has ended is taken over, whole, and while it runs nothing of it", async () => {
  const folder = temporaryFolder();
  const clock = new FakeClock(start);
  const opened = (state: StateDirectory): Spool =>
    new SqliteSpool({
      file: state.file("spool.sqlite") ?? "",
      limits: spoolLimits,
      clock,
      log: silentLogger,
    });
  const first = openStateDirectory(folder, silentLogger);
  const ending = opened(first);
  const count = 2 * limits.leftResultsAtOnce + 1;
  for (let at = 0; at < count; at += 1) ending.add(reportWith({ at }));
  ending.save();
  using state = openStateDirectory(folder, silentLogger);
  using spool = opened(state);
  await using _taking = takeOverLeftResults({
    state,
    spool,
    spoolLimits,
    clock,
    log: silentLogger,
  });
  await clock.advance(limits.leftResultsLookEvery);
  expect([ending.size, spool.size]).toEqual([count, 0]);
  ending[Symbol.dispose]();
  first[Symbol.dispose]();
  await clock.advance(2 * limits.leftResultsLookEvery);
  expect(waitingIn(spool)["m"]).toEqual(
    Array.from({ length: count }, (_, at) => reportWith({ at }).id),
  );
  expect(existsSync(path.join(folder, "spool.sqlite"))).toBe(false);
});

test("two agents on one state directory have an id and a spool each, and the second says so", async () => {
  const env = {
    PICKET_TOKEN: "pkt_loc_token",
    PICKET_STATE_DIR: path.join(temporaryFolder(), "state"),
    SERVICE_API_URL: `http://127.0.0.1:${await closedPort()}`,
  };
  const started = /"service\.instance\.id":"([^"]+)".*picket agent started/;
  const first = startPicket(["agent"], env);
  const [, firstId] = await first.said(started);
  const second = startPicket(["agent"], env);
  const [, secondId] = await second.said(started);
  expect(secondId).not.toBe(firstId);
  expect(second.output()).toContain("another agent uses this state directory");
  expect(second.output()).not.toContain("memory only");
  expect(first.output()).not.toContain("another agent");
  await Promise.all([first.kill(), second.kill()]);
  const again = startPicket(["agent"], env);
  expect((await again.said(started))[1]).toBe(firstId);
});
