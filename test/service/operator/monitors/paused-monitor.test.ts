import { expect, test } from "vitest";
import { formTokenIn } from "../../../support/signed-in.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const wordsOf = async (answer: Response): Promise<string> =>
  (await answer.text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("a paused monitor says at each location that it is paused, and what it was at its last check", async () => {
  const { get, post } = await operatorScene();
  const before = await wordsOf(await get("/monitors/1"));
  expect(before).toMatch(/By location Passing Office/);
  const form = formTokenIn(await (await get("/monitors/1")).text());
  expect((await post("/monitors/1/pause", { form })).status).toBe(303);
  const paused = await wordsOf(await get("/monitors/1"));
  expect(paused).toMatch(/By location Paused Office \d+ s ago was passing at its last check/);
  expect(paused).not.toContain("does not count");
});
