import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { openQuietly } from "../service/store/conformance/scene.ts";
import { generationSizes, generationsOf } from "../support/configuration-generations.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { long, say } from "./figures.ts";

const kills = long ? 100 : 20;
const program = path.resolve(import.meta.dirname, "../support/applying-process.ts");

test("kill -9 at random instants of an apply of 500 objects: all of it is there, or nothing of it", async () => {
  const database = path.join(temporaryFolder(), "service.sqlite");
  let life: Life | null = null;
  let applied = -1;
  let kept = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    life = await killedFrom(database, applied + 1, life?.took ?? null);
    const last = life.applied;
    await using store = await openQuietly(database);
    const there = generationsOf(await store.configuration.estate());
    const whole = (generation: number) => ({
      sizes: generationSizes,
      generations: [`generation ${generation}`, "parts 1 1"],
    });
    // What was acknowledged is there; what was under way is there as a whole or not at all.
    const isNext = there.generations.includes(`generation ${last + 1}`);
    expect(there).toEqual(whole(isNext ? last + 1 : last));
    if (isNext) kept += 1;
    applied = isNext ? last + 1 : last;
  }
  say(`killed ${kills} times in the middle of an apply`, `${kept} of them were there as a whole`);
});

/** What a life that was killed came to. */
interface Life {
  /** The last generation that was acknowledged. */
  readonly applied: number;
  /** How long an apply takes here. */
  readonly took: number;
}

/** Applies generations from this one on, and is killed at an instant of one of them. */
async function killedFrom(database: string, first: number, before: number | null): Promise<Life> {
  const flags = ["--disable-warning=ExperimentalWarning"];
  const child = spawn(process.execPath, [...flags, program, database, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let applied = first - 1;
  let [took, began] = [before, 0];
  for await (const line of createInterface({ input: child.stdout })) {
    const [verb, generation] = line.split(" ");
    if (verb === "applied") {
      applied = Number(generation);
      took ??= performance.now() - began;
    } else if (took === null) began = performance.now();
    // The first apply into nothing is let pass, so that there is something to be half of.
    else void wait(Math.random() * took).then(() => child.kill("SIGKILL"));
  }
  await exited;
  return { applied, took: took ?? 0 };
}
