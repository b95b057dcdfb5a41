import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey, password } from "../../../support/signed-in.ts";

const another = "a battery of staples that is correct";

test("what became of a password and of a link for one is a sentence of the audit log, which repeats no fields", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const owner = await byKey(scene, "write");
  const ann = await byAccount(scene, "ann@example.com", "reader");
  await ann.send("/settings/password", { current: password, password: another });
  await owner.send("/settings/people/1/link");
  await owner.send("/settings/people/1/link");
  const page = await owner.text("/changes?kind=person");
  const lines = [...page.matchAll(/<summary>.*?<\/summary>/gs)].map(([line]) =>
    line
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .replace(/^ [\d:]+ /, "")
      .trim(),
  );
  expect(lines.slice(0, 4)).toEqual([
    "Key “ops” made a new link for person ann",
    "Key “ops” reset the password of person ann",
    "ann set a new password",
    "ann joined",
  ]);
});
