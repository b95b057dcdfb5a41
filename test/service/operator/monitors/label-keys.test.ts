import { expect, test } from "vitest";
import { colonWords, keyMistakes } from "#service/operator/monitors/label-keys";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

test.each([
  ["team:shop", "", "type team as the key and shop as the value"],
  ["team:shop:eu", "", "type team as the key and shop-eu as the value"],
  ["team:shop", "eu", "type team-shop, for example"],
  ["team:", "", "type team, for example"],
  [":", "", "type a word, for example team"],
])("the key %j with the value %j is refused: %s", (key, value, taken) => {
  expect(colonWords(key, value)).toBe(
    `may have no colon, because labels are written as key:value: ${taken}`,
  );
});

test("a key with a colon that a program has given stays, and another one is refused", () => {
  const typed = new URLSearchParams({
    "labels[0].row": "",
    "labels[0].key": "a:b",
    "labels[1].row": "",
    "labels[1].key": "c:d",
  });
  const saved = { labels: { "a:b": "" } };
  expect(keyMistakes(typed, saved).map(({ field }) => field)).toEqual(["labels[1].key"]);
});

test("a monitor's form refuses a key with a colon at its field; the label of many is split at it", async () => {
  const { get, post } = await operatorScene();
  const path = "/monitors/1/edit";
  const sent = sentForm(await (await get(path)).text(), path);
  const index = [...sent.keys()].filter((one) => /^labels\[\d+\]\.row$/.test(one)).length;
  sent.set(`labels[${index}].row`, "");
  sent.set(`labels[${index}].key`, "team:shop");
  sent.set(`labels[${index}].value`, "");
  const answer = await post(path, sent);
  const page = (await answer.text()).replaceAll(/\s+/g, " ");
  expect(answer.status).toBe(422);
  expect(page).toContain(
    `id="field-labels-${index}-key-wrong"> It may have no colon, because labels are written as key:value: type team as the key and shop as the value.`,
  );
  const many = new URLSearchParams({ form: sent.get("form") ?? "", act: "label", monitor: "1" });
  for (const pasted of ["team:shop", "team=shop"]) {
    many.set("key", pasted);
    expect((await post("/monitors/many", many)).headers.get("location")).toContain("label.1.0");
    expect(await (await get("/monitors/1")).text()).toContain("team:shop");
  }
  many.set("value", "more");
  many.set("key", "team:shop");
  expect(await (await post("/monitors/many", many)).text()).toContain(
    "The label may have no colon, because labels are written as key:value",
  );
});
