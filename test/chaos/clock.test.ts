import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import * as limits from "#limits/service-limits";
import { temporaryFolder } from "../support/running-service.ts";
import type { Line } from "./agent-run.ts";
import { long, say } from "./figures.ts";
import { startsWithin } from "./ledger.ts";
import { openScene } from "./scene.ts";

/** How late we may hear of a check on a busy machine. */
const heardWithin = 2_000;
const stepFor = long ? 60_000 : 21_000;

/** Has a program read the time by what a file says. */
const clockFrom = (offset: string) => ({
  LD_PRELOAD: "/usr/$LIB/faketime/libfaketimeMT.so.1",
  FAKETIME_TIMESTAMP_FILE: offset,
  FAKETIME_CACHE_DURATION: "1",
  FAKETIME_DONT_FAKE_MONOTONIC: "1",
});

test("a clock that is set by an hour, forward and back, silences no monitor and repeats no slot", async () => {
  const offset = path.join(temporaryFolder(), "offset");
  writeFileSync(offset, "+0");
  await using scene = await openScene({ monitors: 30 });
  await scene.startService();
  const agent = scene.agent({ env: clockFrom(offset) });
  await agent.said(/assignment taken/);
  for (const by of ["+3600", "+0", "-3600"]) {
    await wait(stepFor);
    writeFileSync(offset, by);
  }
  await wait(stepFor);
  expect(await agent.stop()).toBe(0);
  const accepted = scene.accepted();
  const byMonitor = Map.groupBy(accepted, ({ monitorId }) => monitorId);
  expect(byMonitor.size).toBe(30);
  const checked = agent.all("checked");
  // The service's clock is right all the time, and it takes nothing from further ahead.
  const isAhead = ({ at, fields }: (typeof checked)[number]): boolean =>
    Number(fields["slot"]) - at > limits.resultAheadMax;
  expect(accepted).toHaveLength(checked.length - checked.filter(isAhead).length);
  const ofClock = agent.all("missed").filter(({ fields }) => fields["reason"] === "clock");
  const countOf = (lines: readonly Line[]): number =>
    lines.reduce((sum, { fields }) => sum + Number(fields["count"]), 0);
  /** What the agent says that it missed of a monitor because the machine was busy. */
  const busy = (id: unknown): number =>
    countOf(agent.all("missed").filter(({ fields }) => fields["monitor"] === id)) -
    countOf(ofClock.filter(({ fields }) => fields["monitor"] === id));
  // Two periods, the second that the clock is read again after, and how late a check may begin and be heard of.
  const silenceMax = (id: unknown): number =>
    (2 + busy(id)) * 10_000 + 1_000 + startsWithin + heardWithin;
  for (const [id, own] of byMonitor) {
    const stored = own.map(({ storedAt }) => storedAt).toSorted((a, b) => a - b);
    const silences = stored.slice(1).map((at, index) => at - (stored[index] ?? 0));
    // While the clock is ahead, and no longer: then the names are those of the right clock again.
    expect(Math.max(...silences)).toBeLessThanOrEqual(stepFor + silenceMax(id));
    expect(stored.length).toBeGreaterThanOrEqual(4);
  }
  const gaps: number[] = [];
  for (const [id, own] of Map.groupBy(checked, ({ fields }) => fields["monitor"])) {
    const slots = own.filter((line) => !isAhead(line)).map(({ fields }) => Number(fields["slot"]));
    expect(slots).toEqual([...new Set(slots)].toSorted((a, b) => a - b));
    const between = own.slice(1).map(({ at }, index) => at - (own[index]?.at ?? 0));
    expect(Math.max(...between)).toBeLessThanOrEqual(silenceMax(id));
    gaps.push(...between);
  }
  const skipped = countOf(ofClock);
  // An hour has 360 slots of ten seconds.
  expect(skipped).toBeGreaterThanOrEqual(30 * 358);
  expect(skipped).toBeLessThanOrEqual(30 * 361);
  say(
    "clock set by +1 h, −1 h, −1 h",
    `${checked.length} checked, ${accepted.length} accepted, longest silence of a monitor ${Math.max(...gaps)} ms`,
  );
});

test.each(["-3600", "-1200"])(
  "a service that starts with its clock %s s wrong has every result in order and once, when the clock is right",
  async (by) => {
    const offset = path.join(temporaryFolder(), "offset");
    writeFileSync(offset, by);
    await using scene = await openScene({ monitors: 5 });
    await scene.startService(clockFrom(offset));
    const agent = scene.agent();
    await agent.said(/the service does not take results yet: they are kept and sent again/);
    await wait(stepFor);
    expect(scene.accepted()).toEqual([]);
    expect(scene.service.output()).toContain(
      "the clocks of the agents and of this machine are apart",
    );
    writeFileSync(offset, "+0");
    const checkedBy = agent.all("checked").length;
    // At most half a minute, as it was asked to wait, and as much again on a busy machine.
    await expect
      .poll(() => scene.accepted().length, { timeout: 120_000 })
      .toBeGreaterThanOrEqual(checkedBy);
    expect(await agent.stop()).toBe(0);
    const checked = agent
      .all("checked")
      .map(({ fields }) => `${String(fields["monitor"])} ${String(fields["slot"])}`);
    const accepted = scene.accepted();
    expect(accepted.map(({ monitorId, slot }) => `${monitorId} ${slot}`).toSorted()).toEqual(
      checked.toSorted(),
    );
    for (const own of Map.groupBy(accepted, ({ monitorId }) => monitorId).values()) {
      const stored = own.toSorted((a, b) => a.slot - b.slot).map(({ storedAt }) => storedAt);
      expect(stored).toEqual(stored.toSorted((a, b) => a - b));
    }
    expect(agent.output()).not.toMatch(/rejects results|assigned to this location/);
    say(`service started ${by} s`, `${checked.length} checked, ${accepted.length} accepted`);
  },
);
