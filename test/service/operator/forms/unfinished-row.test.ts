import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const dns = { kind: "dns", name: "names", periodicity: "1m", active: "yes", uri: "shop.test" };
const row = "record_assertions[0].";
const textOf = async (answer: Response): Promise<string> =>
  (await answer.text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("a rule that was added and has no value is refused at its value, and stays; removed, it is in the way of nothing", async () => {
  const editor = await byKey(await operatorScene({ pages: "signed in", days: 0 }), "write");
  const added = { [`${row}row`]: "", [`${row}record`]: "A", [`${row}comparator`]: "eq" };
  const refused = await editor.send("/monitors/new?kind=dns", {
    ...dns,
    ...added,
    [`${row}target`]: "",
  });
  expect(refused.status).toBe(422);
  const page = await textOf(refused);
  expect(page).toContain("Records, record rule 1: enter a value");
  expect((await editor.send("/monitors/new?kind=dns", dns)).status).toBe(303);
});

test("an empty row of names and values is left out", async () => {
  const editor = await byKey(await operatorScene({ pages: "signed in", days: 0 }), "write");
  const http = { kind: "http", name: "shop", periodicity: "1m", active: "yes" };
  const sent = await editor.send("/monitors/new?kind=http", {
    ...http,
    url: "https://shop.test/",
    "headers[0].row": "",
    "headers[0].key": "",
    "headers[0].value": "",
  });
  expect(sent.status).toBe(303);
});
