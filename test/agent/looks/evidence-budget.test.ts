import { expect, test } from "vitest";
import { EvidenceBudget } from "#agent/looks/evidence-budget";

const address = (n: number): string => `10.9.${Math.floor(n / 250)}.${n % 250}`;

test("512 targets that fail at once send as many packets as one does: never more than 60 a minute in all", () => {
  const budget = new EvidenceBudget();
  const sent: { at: number; packets: number }[] = [];
  const note = (at: number, packets: number): void => void sent.push({ at, packets });
  // Each target fails twice a minute, for half an hour, and asks whatever it may.
  for (let second = 0; second < 1_800; second += 1)
    for (let n = second % 30; n < 512; n += 30) {
      const at = second * 1_000;
      if (budget.take("names", 3, at)) note(at, 3);
      if (budget.take("gateway", 4, at)) note(at, 4);
      const expense = budget.takeTrace(address(n), at);
      if (expense === null) continue;
      expense.packets = n % 3 === 0 ? 16 : 4;
      note(at, expense.packets);
    }
  for (const { at } of sent) {
    const minute = sent.filter((one) => one.at <= at && at - one.at < 60_000);
    expect(minute.reduce((sum, { packets }) => sum + packets, 0)).toBeLessThanOrEqual(60);
  }
  const asked = (packets: number): number => sent.filter((one) => one.packets === packets).length;
  // Each question keeps its share, whatever the others want.
  expect([asked(3) >= 150, asked(4) >= 150, asked(16) > 0]).toEqual([true, true, true]);
  expect(budget.refused).toBeGreaterThan(10_000);
});

test("one target is traced once in ten minutes", () => {
  const budget = new EvidenceBudget();
  const traced = Array.from({ length: 120 }, (_, n) => n * 30_000).filter((now) =>
    budget.takeTrace("10.9.0.1", now),
  );
  expect(traced).toEqual([0, 600_000, 1_200_000, 1_800_000, 2_400_000, 3_000_000]);
});

test("a question that needed fewer packets gives back its own room, and not that of one that was asked meanwhile", () => {
  const budget = new EvidenceBudget();
  const first = budget.take("ways", 4, 0);
  expect(budget.take("ways", 20, 0)).not.toBeNull();
  if (first !== null) first.packets = 0;
  expect([budget.take("ways", 5, 1), budget.take("ways", 4, 1)?.packets]).toEqual([null, 4]);
});
