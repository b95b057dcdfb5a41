import { expect, test } from "vitest";
import { Scene } from "./scene.ts";

/**
 * Simulated: an agent whose monitors are checked in turn and fail now and then by themselves. Bounds are those of forty
 * hours a row with fixed seeds; what they hold is how seldom and how fast three hosts in a row make an agent suspect.
 */
interface Fleet {
  readonly hosts: number;
  readonly monitors: number;
  /** Seconds. */
  readonly period: number;
  /** The share of an hour's checks that fail by themselves. */
  readonly noise: number;
}

const runs = 40;
const hour = 3_600_000;

/** Runs a fleet; `fails` says whether a check fails for another reason. Gives when the agent first became suspect, and how often. */
function simulate(
  seed: number,
  { hosts, monitors, period, noise }: Fleet,
  fails: (host: number, now: number) => boolean,
  until: number,
): { readonly first: number | null; readonly times: number } {
  const chance = chanceFrom(seed);
  const scene = new Scene();
  scene.period = period * 1_000;
  scene.look({ resolvers: [] });
  const offsets = Array.from({ length: monitors }, () => chance() * period * 1_000);
  const slots = offsets
    .flatMap((offset, monitor) =>
      Array.from({ length: Math.ceil(until / (period * 1_000)) }, (_, round) => ({
        monitor,
        at: offset + round * period * 1_000,
      })),
    )
    .filter(({ at }) => at < until)
    .toSorted((a, b) => a.at - b.at);
  let first: number | null = null;
  let times = 0;
  let was = false;
  for (const { monitor, at } of slots) {
    const host = monitor % hosts;
    const address = `10.${20 + Math.floor(host / 200)}.${host % 200}.1`;
    scene.now = at;
    if (fails(host, at) || chance() < noise) scene.fails(`m${monitor}`, address);
    else scene.passes(`m${monitor}`, address);
    const is = scene.vantage.isSuspect;
    if (is && !was) {
      times += 1;
      first ??= at;
    }
    was = is;
  }
  return { first, times };
}

const never = (): boolean => false;
const seeds = Array.from({ length: runs }, (_, index) => index + 1);
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Infinity;

test.each([
  { noise: 0.01, falseMax: 0.1 },
  { noise: 0.05, falseMax: 0.6 },
])("20 hosts of which $noise fail by themselves: at most $falseMax suspicions an hour", (row) => {
  const fleet = { hosts: 20, monitors: 20, period: 30, noise: row.noise };
  const times = seeds.map((seed) => simulate(seed, fleet, never, hour).times);
  expect(times.reduce((sum, one) => sum + one, 0) / runs).toBeLessThanOrEqual(row.falseMax);
});

test("one dead host of two never makes the agent suspect", () => {
  const fleet = { hosts: 2, monitors: 6, period: 30, noise: 0.01 };
  const dead = (host: number): boolean => host === 0;
  expect(seeds.map((seed) => simulate(seed, fleet, dead, hour).times)).toEqual(seeds.map(() => 0));
});

test.each([
  { hosts: 20, period: 30, medianMax: 6_000, p90Max: 10_000 },
  { hosts: 4, period: 300, medianMax: 250_000, p90Max: 300_000 },
])("$hosts hosts at $period s: suspect soon after everything fails", (row) => {
  const onset = 2 * row.period * 1_000;
  const fleet = { hosts: row.hosts, monitors: row.hosts, period: row.period, noise: 0 };
  const after = seeds.map((seed) => {
    const cut = (_host: number, now: number): boolean => now >= onset;
    const { first } = simulate(seed, fleet, cut, onset + 2 * row.period * 1_000);
    return (first ?? Infinity) - onset;
  });
  expect(quantile(after, 0.5)).toBeLessThanOrEqual(row.medianMax);
  expect(quantile(after, 0.9)).toBeLessThanOrEqual(row.p90Max);
});

function chanceFrom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
