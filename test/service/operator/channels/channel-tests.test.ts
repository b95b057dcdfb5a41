import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const fields = {
  name: "hook",
  endpoint: "https://hook.test/x",
  all_monitors: "yes",
  events: "error",
  time_zone: "UTC",
};

test("a channel says when it was last tested and with which outcome, also by its form before it was made", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const said = async (path: string): Promise<string> =>
    (await ann.text(path)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  await ann.send("/channels/new/webhook", fields);
  expect(await said("/channels/1")).toContain("no message sent yet");
  expect(await said("/channels/1")).not.toContain("Last test");
  await ann.send("/channels/1/test");
  scene.clock.suspend(120_000);
  expect(await said("/channels/1")).toContain("Last test, 2 min ago : the provider accepted it.");
  expect(await said("/channels/1")).toContain("Nothing else was sent");
  expect(await said("/channels")).toContain("no message sent yet, tested 2 min ago");
  expect(JSON.parse(await ann.text("/channels/1.json"))).toMatchObject({
    last_tested_at: expect.stringMatching(/^20/),
    last_test_trouble: "",
  });
  await ann.send("/channels/new/webhook", { ...fields, test: "yes" });
  await ann.send("/channels/new/webhook", { ...fields, endpoint: "https://hook.test/other" });
  expect(await said("/channels/2")).not.toContain("Last test");
  await ann.send("/channels/new/webhook", fields);
  expect(await said("/channels/3")).toContain("the provider accepted it");
});
