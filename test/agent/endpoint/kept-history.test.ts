import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { History } from "#agent/endpoint/history";
import { keepHistory } from "#agent/endpoint/kept-history";
import * as limits from "#limits/pages-limits";
import { epochMillis, millis, nanos } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { httpOutcome, resultWith } from "../../support/results.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { memoryLog } from "../../support/twins.ts";

const uri = resultWith().uri;
const slotOf = (index: number) => epochMillis(1_800_000_000_000 + index * 30_000);

/** A process of an agent, as far as its page's history is concerned. */
function life(file: string | null, assigned: readonly string[] = ["m"]) {
  const clock = new FakeClock();
  const log = memoryLog();
  const history = new History((id) => assigned.includes(id));
  const keeping = keepHistory({ file, history, clock, log });
  return { clock, log, history, end: () => keeping[Symbol.asyncDispose]() };
}

function check(history: History, count: number, from = 0): void {
  for (let index = from; index < from + count; index += 1)
    history.note(
      resultWith({
        slot: slotOf(index),
        latency: millis(index),
        status: index % 7 === 3 ? "error" : "success",
        outcome: httpOutcome({ total: nanos(6e6), errorBar: nanos(index % 4 === 0 ? 5e6 : 0) }),
      }),
    );
}

describe("the history of an agent's page", () => {
  test("is there after a restart: the last 20 checks of each monitor, but no verdict of now", async () => {
    const file = path.join(temporaryFolder(), "history");
    const first = life(file);
    check(first.history, 47);
    const before = first.history.of("m", uri)?.recent.list();
    await first.end();
    expect(statSync(file).mode & 0o777).toBe(0o600);

    const second = life(file);
    const trace = second.history.of("m", uri);
    expect(trace?.recent.list()).toEqual(before);
    expect(before?.length).toBe(limits.monitorHistoryMax);
    expect(before?.some(({ uncertain }) => uncertain)).toBe(true);
    expect(trace?.last).toBeNull();
    check(second.history, 1, 100);
    const points = second.history.of("m", uri)?.recent.list();
    expect(points?.at(-2)).toEqual(before?.at(-1));
    expect(points?.at(-1)?.slot).toBe(slotOf(100));
    await second.end();
  });

  test("is kept every few minutes, so that a kill takes only the newest", async () => {
    const file = path.join(temporaryFolder(), "history");
    const killed = life(file);
    check(killed.history, 3);
    await killed.clock.advance(limits.historySaveEvery);
    check(killed.history, 2, 3);
    const next = life(file);
    expect(next.history.of("m", uri)?.recent.list().length).toBe(3);
    await next.end();
    await killed.end();
  });

  test("of tens of thousands of monitors comes back with the newest checks of each", async () => {
    const file = path.join(temporaryFolder(), "history");
    const ids = Array.from({ length: 40_000 }, (_, n) => `0199c0de-0000-7000-8000-${n}`);
    const isAssigned = (): boolean => true;
    const [clock, log, uri] = [new FakeClock(), memoryLog(), `https://a.test/${"x".repeat(100)}`];
    const first = new History(isAssigned);
    const points = Array.from({ length: 20 }, (_, n) => ({
      slot: slotOf(n),
      status: "success" as const,
      latency: millis(12.345),
      uncertain: false,
    }));
    for (const monitorId of ids) first.restore({ monitorId, uri, standing: "success", points });
    const keeping = keepHistory({ file, history: first, clock, log });
    first.note(resultWith({ monitorId: ids[0]!, uri, slot: slotOf(20), outcome: httpOutcome() }));
    await keeping[Symbol.asyncDispose]();
    expect(statSync(file).size).toBeLessThan(limits.historyFileBytesMax / 1.5);
    const second = new History(isAssigned);
    const again = keepHistory({ file, history: second, clock, log });
    expect(second.size).toBe(40_000);
    expect(second.of(ids[39_999]!, uri)?.recent.list()).toEqual(points.slice(-10));
    expect(log.said).toEqual([]);
    await again[Symbol.asyncDispose]();
  });

  test("of many monitors is kept in pieces, and comes back whole", async () => {
    const file = path.join(temporaryFolder(), "history");
    const ids = Array.from({ length: 2_000 }, (_, n) => `monitor-${n}`);
    const first = life(file, ids);
    for (const monitorId of ids)
      first.history.note(resultWith({ monitorId, slot: slotOf(1), outcome: httpOutcome() }));
    await first.end();
    expect(statSync(file).size).toBeGreaterThan(2 * limits.historyPieceChars);
    const second = life(file, ids);
    const points = ids.map((id) => second.history.of(id, uri)?.recent.list());
    expect(points.filter((list) => list?.[0]?.slot === slotOf(1)).length).toBe(ids.length);
    await second.end();
  });

  test("is not written if nothing was checked, so the old one stays", async () => {
    const file = path.join(temporaryFolder(), "history");
    const first = life(file);
    check(first.history, 5);
    await first.end();
    const text = readFileSync(file, "utf8");
    const idle = life(file);
    await idle.clock.advance(limits.historySaveEvery);
    await idle.end();
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  test("forgets a monitor that is no longer assigned", async () => {
    const file = path.join(temporaryFolder(), "history");
    const first = life(file, ["m", "other"]);
    check(first.history, 5);
    first.history.note(resultWith({ monitorId: "other" }));
    first.history.note(resultWith({ monitorId: "gone" }));
    await first.end();
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"other"');
    expect(text).not.toContain('"gone"');
  });

  test.each([
    ["another version", "picket history 0\n[1]"],
    ["no text at all", "\0\0\0"],
    ["lines that are not ours", 'picket history 1\n{}\n[1,2]\n["m","u","fine",[]]\n["m'],
  ])("starts again if its file has %s", async (_, text) => {
    const file = path.join(temporaryFolder(), "history");
    writeFileSync(file, text);
    const { history, log, end } = life(file);
    expect(history.size).toBe(0);
    expect(log.said).toEqual([]);
    await end();
  });

  test("takes what is whole of a damaged file, and no point that cannot be", async () => {
    const file = path.join(temporaryFolder(), "history");
    const points =
      "[[1000,0,12,0],[2000,9,1,0],[-1,0,1,0],[3000.5,2,1,0],[4000,2,7,1],[5000,0,0.081,0]]";
    writeFileSync(file, `picket history 1\n["m","${uri}","error",${points}]\n["n","${uri}","succ`);
    const { history, end } = life(file);
    expect(history.size).toBe(1);
    expect(history.of("m", uri)?.recent.list()).toEqual([
      { slot: 1000, status: "success", latency: 12, uncertain: false },
      { slot: 4000, status: "error", latency: 7, uncertain: true },
      // A ping's, in microseconds.
      { slot: 5000, status: "success", latency: 0.081, uncertain: false },
    ]);
    await end();
  });

  test("is not kept if the file cannot be written, and the log says so", async () => {
    const file = path.join(temporaryFolder(), "missing/history");
    const { history, log, end } = life(file);
    check(history, 1);
    await end();
    expect(log.said.map(({ message }) => message)).toEqual([
      "the page's history cannot be saved: it is empty after a restart",
    ]);
    expect(existsSync(file)).toBe(false);
  });
});
