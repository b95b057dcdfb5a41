import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

test("a tab of a status page has its badge as it is, snippets for it, and the addresses of its feeds", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  await post("/status-pages", { form, title: 'Acme "EU" [1]', slug: "acme" });
  const shared = async (): Promise<string> => (await get("/status-pages/1/share")).text();
  expect(await shared()).toContain("These addresses begin as in this browser.");
  await post("/settings/service", { form, address: "https://picket.test" });
  expect(await shared()).not.toContain("These addresses begin as in this browser.");
  expect(await shared()).toContain("They work once the page is published.");
  await post("/status-pages/1/publish", { form });
  const shown = await shared();
  expect(shown).not.toContain("They work once the page is published.");
  const copied = new Map(
    [...shown.matchAll(/id="shared-([a-z-]+)"\s+class="line"\s+readonly\s+value="([^"]*)"/g)].map(
      ([, id, text = ""]) => [id, unescaped(text)],
    ),
  );
  const page = "https://picket.test/status/acme";
  expect(Object.fromEntries(copied)).toEqual({
    markdown: String.raw`[![Acme "EU" \[1\]](${page}/badge?label=name)](${page})`,
    html: `<a href="${page}"><img src="${page}/badge?label=name" alt="Acme &quot;EU&quot; [1]"></a>`,
    badge: `${page}/badge?label=name`,
    shields: `${page}/badge.json`,
    rss: `${page}/feed/rss`,
    atom: `${page}/feed/atom`,
    "json-feed": `${page}/feed/json`,
    calendar: `${page}/calendar.ics`,
    summary: `${page}/summary.json`,
  });
  for (const address of copied.values())
    if (address.startsWith("https:"))
      expect((await get(new URL(address).pathname)).status, address).toBe(200);
  const [, picture = ""] = /<img\s+src="([^"]*badge)"/.exec(shown) ?? [];
  const badge = await get(picture);
  expect([badge.status, badge.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  // As whoever pastes it gets it.
  const { pathname, search } = new URL(copied.get("badge") ?? "");
  const [own, pasted] = [await badge.text(), await (await get(pathname + search)).text()];
  expect(pasted).toContain('aria-label="Acme &quot;EU&quot; [1]: ');
  expect(own).toBe(pasted);
});

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
