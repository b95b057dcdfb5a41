import { expect, test } from "vitest";
import { aliasPages } from "#service/operator/lists/address-aliases";
import { forms, pages } from "#service/operator/page-routes";
import { operatorScene } from "../../../support/operator-scene.ts";
import { samplePath } from "../../../support/sample-path.ts";
import { byKey } from "../../../support/signed-in.ts";

const typed = aliasPages.map(({ path }) => samplePath(path));

test("no address that means a page takes the place of a page, and each leads to one that is there", async () => {
  const others = pages.filter((page) => !aliasPages.includes(page));
  expect(typed.filter((path) => others.some((page) => page.path.test(path)))).toEqual([]);
  expect(new Set(typed).size).toBe(typed.length);
  expect(typed.length).toBeGreaterThan(20);
  const { get } = await operatorScene({ days: 0 });
  for (const path of typed) {
    const answer = await get(path);
    const to = answer.headers.get("location") ?? "";
    expect([path, answer.status]).toEqual([path, 303]);
    expect([path, others.some((page) => page.path.test(to))]).toEqual([path, true]);
  }
});

test.each([
  ["/maintenance", "/maintenances"],
  ["/settings/audit", "/changes"],
  ["/monitor/12", "/monitors/12"],
  ["/status-page", "/status-pages"],
  ["/login", "/"],
])("%s leads to %s, and only a person who is signed in", async (path, page) => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "read");
  expect((await ann.get(path)).headers.get("location")).toBe(page);
  const stranger = (await scene.get(path)).headers.get("location");
  expect(stranger).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
});

test("a form that is sent to such an address is not taken", () => {
  expect(typed.filter((path) => forms.some((form) => form.path.test(path)))).toEqual([]);
});

test("a page of an address at which nothing is has the search of monitors, and none for a stranger", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "read");
  const search = '<form role="search" action="/" method="get"';
  expect(await ann.text("/nothing/here")).toContain(search);
  expect(await (await scene.get("/nothing/here")).text()).not.toContain(search);
});
