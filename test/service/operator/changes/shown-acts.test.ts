import { expect, test } from "vitest";
import { epochMillis } from "#base/units";
import * as limits from "#limits/change-limits";
import { everyChange } from "#service/operator/changes/changes-query";
import { shownActs } from "#service/operator/changes/shown-acts";
import type { AuditEntry, AuditQuery } from "#service/store/audit/audit-log";

const noon = Date.parse("2026-11-22T12:00:00Z");
const paused = (number: number, at: number): AuditEntry => ({
  number,
  at: epochMillis(at),
  who: { kind: "person", name: "ann", from: "" },
  deed: "changed",
  subject: { kind: "monitor", id: String(number) },
  name: `Monitor ${number}`,
  fields: [{ field: "active", is: "text", before: "true", after: "false" }],
});

/** A log of acts of so many entries each, the newest first. */
function logOf(...lengths: readonly number[]) {
  let number = lengths.reduce((sum, one) => sum + one, 0);
  const entries = lengths.flatMap((length, act) =>
    Array.from({ length }, () => {
      number -= 1;
      return paused(number + 1, noon - act * 3_600_000);
    }),
  );
  const list = async ({ before, limit }: AuditQuery): Promise<readonly AuditEntry[]> =>
    entries.filter((one) => before === null || one.number < before).slice(0, limit);
  return { list };
}

async function shownOf(log: ReturnType<typeof logOf>, query = everyChange) {
  const { acts, older, isCut } = await shownActs(log, query);
  return [acts.map((act) => act.length), older, isCut];
}

test("an act that goes beyond the end of a page is shown with all of its entries", async () => {
  const log = logOf(3, 120, 2);
  expect(await shownOf(log)).toEqual([[3, 120], 3, false]);
  expect(await shownOf(log, { ...everyChange, before: 3 })).toEqual([[2], null, false]);
  expect(await shownOf(logOf(120))).toEqual([[120], null, false]);
});

test("a page ends where an act ends with it, and has no older one after the last", async () => {
  expect(await shownOf(logOf(20, 30, 2))).toEqual([[20, 30], 3, false]);
  expect(await shownOf(logOf(20, 30))).toEqual([[20, 30], null, false]);
  expect(await shownOf(logOf())).toEqual([[], null, false]);
});

test("an act of more entries than are read at once says that it continues, and does", async () => {
  const max = limits.actEntriesMax;
  const log = logOf(max + 7);
  expect(await shownOf(log)).toEqual([[max], 8, true]);
  expect(await shownOf(log, { ...everyChange, before: 8 })).toEqual([[7], null, false]);
});

test("one act is shown whole by its newest entry, without those before and after it", async () => {
  const log = logOf(3, 120, 2);
  expect(await shownOf(log, { ...everyChange, act: 122 })).toEqual([[120], null, false]);
});
