import { expect, test } from "vitest";
import { failureCodes } from "#check/failure";
import { operatorScene } from "../../../support/operator-scene.ts";

test("every code of the vocabulary has its anchor on the page that explains it, once", async () => {
  const { get } = await operatorScene({ days: 0 });
  const page = await (await get("/failures")).text();
  const explained = [...page.matchAll(/<div id="(\w+)">\s*<dt>/g)].map(([, code = ""]) => code);
  expect(explained.toSorted()).toEqual(Object.keys(failureCodes).toSorted());
});

test("the code of a failure leads to its explanation from each page that names it", async () => {
  const { get } = await operatorScene();
  for (const path of ["/incidents", "/incidents/7", "/monitors/2"]) {
    const page = await (await get(path)).text();
    expect([path, page]).toEqual([
      path,
      expect.stringMatching(/<a href="\/failures#\w+_timeout"><code>\w+_timeout<\/code><\/a>/),
    ]);
  }
});
