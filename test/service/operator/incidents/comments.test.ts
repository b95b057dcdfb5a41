import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

test("a comment is shown as the Markdown that it is, and HTML in it as text", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/incidents/7")).text());
  const comment =
    "**Pool** is full: see [the dashboard](https://grafana.test/d/1)\n\n- `restart api`\n- <b>wait</b>\n\n![x](https://evil.test/x.png) [y](javascript:alert(1))";
  expect((await post("/incidents/7/comment", { form, comment })).status).toBe(303);
  const page = await (await get("/incidents/7")).text();
  const written = /<div class="written">(.*?)<\/div>/s.exec(page)?.[1] ?? "";
  expect(written).toContain("<strong>Pool</strong> is full");
  expect(written).toContain('href="https://grafana.test/d/1" rel="nofollow noopener"');
  expect(written).toMatch(/<ul>\s*<li><code>restart api<\/code><\/li>/);
  expect(written).toContain("&lt;b&gt;wait&lt;/b&gt;");
  expect(written).not.toMatch(/<img|href="javascript/);
});

test("an open incident says at its head what changed latest since it opened", async () => {
  const { get, post, clock } = await operatorScene();
  const before = (await (await get("/incidents/7")).text()).replaceAll(/\s+/g, " ");
  expect(before).not.toContain('<p class="latest">');
  await post("/incidents/7/comment", { form: formTokenIn(before), comment: "Pool is full." });
  const page = (await (await get("/incidents/7")).text()).replaceAll(/\s+/g, " ");
  const head = page.split(">Timeline<")[0] ?? "";
  expect(head).toMatch(
    /<span>Latest<\/span> A person on this machine commented, <time datetime="[^"]+" ?>0 s ago<\/time ?>/,
  );
  // An age has one unit, as on every page; only how long something lasted has two.
  clock.suspend(minutes(90));
  expect(await (await get("/incidents/7")).text()).toMatch(/>1\u00a0h ago<\/time/);
  // Of one that is over the timeline is enough.
  expect(await (await get("/incidents/2")).text()).not.toContain('<p class="latest">');
});
