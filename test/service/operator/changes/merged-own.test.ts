import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { byKey, type SignedIn } from "../../../support/signed-in.ts";

const action = "/locations/1/edit";

/** Two forms that were opened at once: the first one is saved, the second one is answered with what overtook it. */
async function overtaken(
  [first, name]: readonly [SignedIn, string],
  [second, other]: readonly [SignedIn, string],
): Promise<string> {
  const typed = async (one: SignedIn, name: string): Promise<Record<string, string>> => {
    const form = sentForm(await (await one.get(action)).text(), action);
    form.set("name", name);
    return Object.fromEntries(form);
  };
  const [early, late] = [await typed(first, name), await typed(second, other)];
  expect((await first.send(action, early)).status).toBe(303);
  const answer = await second.send(action, late);
  expect(answer.status).toBe(409);
  return (await answer.text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

test("whoever overtook themselves in another tab is not called another person, and someone else is", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  await scene.service.admin.createPrivateLocation({ name: "Office", monitorIds: [], metadata: {} });
  const ann = await byKey(scene, "write", "first");
  const own = await overtaken([ann, "Bonn"], [ann, "Kiel"]);
  expect(own).toContain("You saved it in another tab ( 22 Nov, 12:00:00 UTC ).");
  expect(own).toContain("Both tabs changed one field: choose what is saved.");
  expect(own).toMatch(/In this tab Kiel .*In the other tab Bonn/);
  expect(own).not.toMatch(/the key “first”|Theirs/);
  const other = await overtaken([ann, "Ulm"], [await byKey(scene, "write", "second"), "Jena"]);
  expect(other).toContain(
    "the key “first” ( 22 Nov, 12:00:00 UTC ) changed it after you opened it.",
  );
  expect(other).toMatch(/Yours Jena .*Theirs Ulm/);
});
