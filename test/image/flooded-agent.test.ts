import { expect, test } from "vitest";
import { seconds } from "#base/units";
import { floodAgent } from "./flooded-agent.ts";

/** The longer run of docs/evidence/performance.md is `npm run bench:memory`. */
test("sixty bodies of 10 MiB and twenty that unpack to it kill no agent in 192 MiB, and delay no other monitor", async () => {
  const counts = { healthy: 20, plain: 60, bomb: 20 };
  const lasts = seconds(25);
  const flooded = await floodAgent({ lasts, memoryMebibytes: 192, counts });
  process.stdout.write(`${JSON.stringify(flooded)}\n`);
  expect(flooded.end).toBe(0);
  expect(flooded.gaps).toEqual([]);
  // A first check, and at least one slot of each in the two periods that follow.
  expect(flooded.results["healthy: success"]).toBeGreaterThanOrEqual(2 * counts.healthy);
  expect(Object.keys(flooded.results).filter((told) => told.startsWith("healthy"))).toEqual([
    "healthy: success",
  ]);
  // The program's own code has some 60 MiB: without room for it, every step waits for the disk.
  expect(flooded.anonymousMebibytes).toBeLessThan(192 - 60);
});
