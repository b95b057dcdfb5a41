import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";

const switchPath = "/settings/list-view";
const compact = { cookie: "picket-list=compact" };

test("a press on Compact shows the same search with the same monitors selected, and the browser keeps the view", async () => {
  const { get, post } = await operatorScene({ days: 1 });
  const page = await (await get("/?label=team:web&sort=name&offset=1")).text();
  expect(page).not.toContain("watched picks compact");
  const value = "?label=team%3Aweb&amp;sort=name&amp;view=compact&amp;offset=1";
  expect(page).toContain(`value="${value}"`);
  const sent = sentForm(page, "/monitors/many");
  sent.set("view", value.replaceAll("&amp;", "&"));
  const [, id = ""] = /name="monitor"\s+value="(\d+)"/.exec(page) ?? [];
  sent.set("monitor", id);
  const answer = await post(switchPath, sent);
  const to = answer.headers.get("location") ?? "";
  expect(to).toMatch(/^\/\?label=team%3Aweb&sort=name&view=compact&offset=1&picked=/);
  expect(answer.headers.get("set-cookie")).toBe(
    "picket-list=compact; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000",
  );
  const shown = await (await get(to)).text();
  expect(shown).toContain('<ul class="watched picks compact">');
  expect(shown).toMatch(new RegExp(`value="${id}"\\s+form="many"\\s+checked`));
});

test("a list has the view that its browser keeps, and that of the address before it, which changes no choice", async () => {
  const { get, post } = await operatorScene({ days: 1 });
  const kept = await get("/", compact);
  const page = await kept.text();
  expect(page).toContain('<ul class="watched picks compact">');
  const other = await get("/?view=comfortable", compact);
  expect(await other.text()).not.toContain("watched picks compact");
  expect(other.headers.get("set-cookie")).toBeNull();
  const link = await get("/?view=compact");
  expect(await link.text()).toContain("watched picks compact");
  expect(link.headers.get("set-cookie")).toBeNull();
  // Comfortable is what is shown without a cookie, so the cookie ends.
  const sent = sentForm(page, "/monitors/many");
  sent.set("view", "");
  const back = await post(switchPath, sent, compact);
  expect(back.headers.get("location")).toBe("/");
  expect(back.headers.get("set-cookie")).toMatch(/^picket-list=comfortable; .*; Max-Age=0$/);
});

test("tiles, order, labels, search, pages and acts keep a compact list compact; the document is the same for both", async () => {
  const { get, post } = await operatorScene({ days: 1 });
  const page = await (await get("/?view=compact")).text();
  const leads = [...page.matchAll(/href="(\/\?[^"]*)"/g)].map(([, to = ""]) => to);
  expect(leads.length).toBeGreaterThan(10);
  expect(leads.filter((to) => !to.includes("view=compact"))).toEqual([]);
  expect(page).toContain('<input type="hidden" name="view" value="compact" />');
  expect(page).toContain('href="/overview.json"');
  const sent = sentForm(page, "/monitors/many");
  sent.set("act", "pause");
  sent.set("monitor", "1");
  const paused = (await post("/monitors/many", sent)).headers.get("location") ?? "";
  expect(paused).toMatch(/^\/\?view=compact&notice=pause\.1\.0&undo=/);
  const undo = sentForm(await (await get(paused)).text(), "/monitors/many/undo");
  const undone = await post("/monitors/many/undo", undo);
  expect(undone.headers.get("location")).toMatch(/^\/\?view=compact&notice=undone\.1\.0&picked=/);
});

test("a view of another name is refused, in an address and in a form, and no form leads elsewhere", async () => {
  const { get, post } = await operatorScene({ days: 1 });
  const wrong = await get("/?view=dense");
  expect(wrong.status).toBe(400);
  expect(await wrong.text()).toContain("view must be one of comfortable, compact.");
  const sent = sentForm(await (await get("/")).text(), "/monitors/many");
  sent.set("view", "?view=dense");
  expect((await post(switchPath, sent)).status).toBe(400);
  sent.set("view", "/other.test/?view=compact");
  expect((await post(switchPath, sent)).headers.get("location")).toBe("/");
});
