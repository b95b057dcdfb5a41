import { describe, expect, test } from "vitest";
import { seeded, type SimulatedHop, TracedNetwork } from "./simulated-network.ts";

/** A path of 2 to 12 routers, of which a tenth never answers. */
function randomHops(chance: () => number): readonly SimulatedHop[] {
  const length = 2 + Math.floor(chance() * 11);
  return Array.from({ length }, (_, index) => (chance() < 0.1 ? null : `10.9.${index}.1`));
}

/** Traces each of so many paths so often, and has a target fail by itself after each; all that is said of any of them. */
function quietly({
  paths,
  traces,
  loss,
  seed,
}: Record<"paths" | "traces" | "loss" | "seed", number>) {
  const chance = seeded(seed);
  const accused: string[] = [];
  let looks = 0;
  for (let path = 0; path < paths; path += 1) {
    const traced = new TracedNetwork({ hops: randomHops(chance), isTargetUp: true, loss, chance });
    for (let round = 0; round < traces; round += 1) {
      traced.network.isTargetUp = true;
      traced.trace();
      traced.network.isTargetUp = false;
      for (const failure of ["unanswered", "stalled"] as const) {
        looks += 1;
        const said = traced.said(failure);
        if (said !== null) accused.push(said);
      }
    }
    accused.push(...traced.known.changes.map(({ kind, ttl }) => `kept: ${kind} ${ttl}`));
  }
  return { accused, looks };
}

describe("of a path that does not change", () => {
  test("nothing is said after any of 10,000 traces with 1 % loss, when its target fails by itself", () => {
    const { accused, looks } = quietly({ paths: 100, traces: 100, loss: 0.01, seed: 29 });
    expect(accused).toEqual([]);
    expect(looks).toBe(20_000);
  });
  test("nothing is said with 5 % loss", () => {
    const { accused } = quietly({ paths: 50, traces: 40, loss: 0.05, seed: 7 });
    expect(accused).toEqual([]);
  });
  test("nothing is said of routers that take turns packet by packet", () => {
    const accused: string[] = [];
    for (let seed = 1; seed <= 200; seed += 1) {
      const hops = [
        "10.9.0.1",
        ["10.9.1.1", "10.9.1.2"],
        "10.9.2.1",
        ["10.9.3.1", "10.9.3.2", "10.9.3.3"],
      ];
      const traced = new TracedNetwork({
        hops,
        isTargetUp: true,
        loss: 0.01,
        chance: seeded(seed),
      });
      for (let round = 0; round < 50; round += 1) {
        traced.network.isTargetUp = true;
        traced.trace();
        traced.network.isTargetUp = false;
        const said = [traced.said(), traced.said("stalled")].filter((one) => one !== null);
        accused.push(...said.map((one) => `${seed}: ${one}`));
      }
    }
    expect(accused).toEqual([]);
  });
});
