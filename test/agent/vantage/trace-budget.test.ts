import { expect, test } from "vitest";
import { TraceBudget } from "#agent/vantage/trace-budget";

const address = (n: number): string => `10.9.${Math.floor(n / 250)}.${n % 250}`;

test("512 targets that fail at once are traced as one is, and never with more than 24 packets a minute", () => {
  const budget = new TraceBudget();
  const sent: { at: number; packets: number }[] = [];
  // Each target fails twice a minute, for half an hour.
  for (let second = 0; second < 1_800; second += 1)
    for (let n = second % 30; n < 512; n += 30) {
      if (!budget.take(address(n), second * 1_000)) continue;
      const packets = n % 3 === 0 ? 16 : 4;
      budget.spent(packets);
      sent.push({ at: second * 1_000, packets });
    }
  expect(sent.filter(({ at }) => at === 0)).toHaveLength(1);
  for (const { at } of sent) {
    const minute = sent.filter((one) => one.at <= at && at - one.at < 60_000);
    expect(minute.reduce((sum, { packets }) => sum + packets, 0)).toBeLessThanOrEqual(24);
  }
  expect(sent.length).toBeGreaterThanOrEqual(29);
  expect(budget.refused).toBeGreaterThan(10_000);
});

test("one target is traced once in ten minutes", () => {
  const budget = new TraceBudget();
  const traced = Array.from({ length: 120 }, (_, n) => n * 30_000).filter((now) =>
    budget.take("10.9.0.1", now),
  );
  expect(traced).toEqual([0, 600_000, 1_200_000, 1_800_000, 2_400_000, 3_000_000]);
});
