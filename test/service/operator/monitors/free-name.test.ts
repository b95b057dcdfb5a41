import { describe, expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

describe("a monitor that is made without a name", () => {
  test("gets a free one from its target, and one with a typed name keeps it", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byKey(scene, "write");
    const uri = "127.0.0.1:18102";
    const made = [
      ["tcp", { uri }],
      ["grpc", { uri }],
      ["tcp", { uri, name: " " }],
      ["tcp", { uri, name: "typed" }],
    ] as const;
    for (const [kind, fields] of made) {
      const answer = await ann.send("/monitors/new", { kind, periodicity: "1m", ...fields });
      expect(answer.status).toBe(303);
    }
    expect(await names(ann.text)).toEqual([uri, `${uri} (2)`, `${uri} (3)`, "typed"]);
  });

  test("is only said to lack its target, which it would be named after", async () => {
    const ann = await byKey(await operatorScene({ pages: "signed in", days: 0 }), "write");
    const refused = await ann.send("/monitors/new", { kind: "http", periodicity: "1m" });
    const page = await refused.text();
    expect(refused.status).toBe(422);
    expect(page).toContain("Enter a URL.");
    expect(page).not.toContain("Enter a name");
  });

  test("keeps its own name when its form is saved without one again", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byKey(scene, "write");
    const fields = { kind: "tcp", periodicity: "1m", uri: "127.0.0.1:18102" };
    await ann.send("/monitors/new", fields);
    await ann.send("/monitors/1/edit", fields);
    expect(await names(ann.text)).toEqual(["127.0.0.1:18102"]);
  });

  test("is a copy whose form offers a free name each time", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byKey(scene, "write");
    const fields = { kind: "tcp", periodicity: "1m", uri: "127.0.0.1:18102", name: "shop" };
    await ann.send("/monitors/new", fields);
    expect(await ann.text("/monitors/1/copy")).toContain('value="shop (copy)"');
    await ann.send("/monitors/new", { ...fields, name: "shop (copy)", copied: "1" });
    expect(await ann.text("/monitors/1/copy")).toContain('value="shop (copy) (2)"');
  });
});

test("a name that another monitor has is asked about once, with a link to that one, and saved then", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const fields = { kind: "tcp", periodicity: "1m", uri: "127.0.0.1:18102", name: "Shop" };
  await ann.send("/monitors/new", fields);
  const asked = await ann.send("/monitors/new", { ...fields, name: "shop" });
  const page = await asked.text();
  expect(asked.status).toBe(200);
  expect(page.replaceAll(/\s+/g, " ")).toContain(
    'Another monitor is called <a href="/monitors/1">Shop</a>, and messages would not say which one fails. <a href="#field-name">Change the name</a>, or save it anyway.',
  );
  expect(page).toMatch(/<div class="notice warn" role="alert"[^>]*>\s*<p><strong>Not saved yet/);
  expect(page).toContain("Next: press Save anyway.");
  expect(await names(ann.text)).toEqual(["Shop"]);
  const known = /name="known" value="(\w+)"/.exec(page)?.[1] ?? "";
  expect((await ann.send("/monitors/new", { ...fields, name: "shop", known })).status).toBe(303);
  expect(await names(ann.text)).toEqual(["Shop", "shop"]);
  // Whoever saves it again knows.
  const saved = await ann.send("/monitors/2/edit", { ...fields, name: "shop", retry: "1" });
  expect(saved.status).toBe(303);
});

const names = async (text: (path: string) => Promise<string>): Promise<readonly string[]> => {
  const { monitors }: { monitors: readonly { name: string }[] } = JSON.parse(
    await text("/overview.json"),
  );
  return monitors.map(({ name }) => name).toSorted();
};
