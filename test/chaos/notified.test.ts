import { expect, test } from "vitest";
import {
  faultsFor,
  faultsIn,
  faultyScene,
  ledgerAtRest,
  none,
  survive,
} from "./notified-faults.ts";
import { openNotified } from "./notified-scene.ts";

test(
  "killed at random, with moody providers: each incident is sent once to each channel, or counted",
  { timeout: 480_000 + faultsFor * 2_000 },
  async () => {
    await using scene = await openNotified(faultyScene);
    await scene.start(0);
    await survive(scene, [0]);
    expect(faultsIn(scene, await ledgerAtRest(scene, "one service on SQLite"))).toEqual(none);
  },
);
