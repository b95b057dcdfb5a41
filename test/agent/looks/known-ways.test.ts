import { expect, test } from "vitest";
import { EvidenceBudget } from "#agent/looks/evidence-budget";
import { KnownWays } from "#agent/looks/known-ways";
import type { PathEnd } from "#probes/socket/socket-calls";
import { hopAt } from "../vantage/scene.ts";

const minute = 60_000;
const end = (address: string): PathEnd => ({ address, port: 443 });

/** Ways whose traces find what a test says. */
function learning() {
  const state = { now: 0, hops: ["10.0.0.1"] };
  const ways = new KnownWays({
    budget: new EvidenceBudget(),
    now: () => state.now,
    tracePath: async () => ({
      hops: state.hops.map((address, index) => hopAt(index + 1, address)),
      packets: 4,
      reached: true,
    }),
  });
  const learn = async (address: string, at: number, hops: readonly string[]): Promise<void> => {
    state.now = at;
    state.hops = [...hops];
    ways.reached(end(address));
    await ways.learn(new AbortController().signal);
  };
  return { ways, learn };
}

test("each router is as old as the oldest of all known routes through it, until that is traced again", async () => {
  const { ways, learn } = learning();
  await learn("10.9.1.1", 0, ["10.0.0.1", "10.0.1.2"]);
  await learn("10.9.2.1", 5 * minute, ["10.0.0.1", "10.0.4.2"]);
  expect(ways.routersTo("10.9.2.1")).toEqual([
    { address: "10.0.4.2", seenAt: 5 * minute },
    { address: "10.0.0.1", seenAt: 0 },
  ]);
  expect(ways.routersTo("10.9.3.1")).toEqual([]);
  await learn("10.9.1.1", 361 * minute, ["10.0.0.1", "10.0.5.2"]);
  expect(ways.routersTo("10.9.1.1")).toEqual([
    { address: "10.0.5.2", seenAt: 361 * minute },
    { address: "10.0.0.1", seenAt: 5 * minute },
  ]);
});
