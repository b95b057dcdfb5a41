import { expect, test } from "vitest";
import { operatorScene } from "../../support/operator-scene.ts";

test.each([
  ["/monitors/2", "this monitor"],
  ["/incidents/7", "this monitor"],
  ["/", "the selected monitors"],
])("the silence form of %s says that the recovery of what was sent is sent", async (path, what) => {
  const { get } = await operatorScene();
  const words = (await (await get(path)).text()).replaceAll(/\s+/g, " ");
  expect(words).toContain(
    `Nothing new is sent about ${what} for that long; the recovery of what was sent is.`,
  );
});
