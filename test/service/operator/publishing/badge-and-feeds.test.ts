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
  const copied = copiedIn(shown);
  const page = "https://picket.test/status/acme";
  expect(Object.fromEntries(copied)).toEqual({
    markdown: String.raw`[![Acme "EU" \[1\]](${page}/badge?label=name)](${page})`,
    html: `<a href="${page}"><img src="${page}/badge?label=name" alt="Acme &quot;EU&quot; [1]"></a>`,
    badge: `${page}/badge?label=name`,
    shields: `${page}/badge.json`,
    box: `<iframe src="${page}/embed" title="Acme &quot;EU&quot; [1]" width="360" height="56" style="border:0" loading="lazy"></iframe>`,
    rss: `${page}/feed/rss`,
    atom: `${page}/feed/atom`,
    "json-feed": `${page}/feed/json`,
    calendar: `${page}/calendar.ics`,
    summary: `${page}/summary.json`,
  });
  for (const address of copied.values())
    if (address.startsWith("https:"))
      expect((await get(new URL(address).pathname)).status, address).toBe(200);
  const badge = await get(pictureIn(shown));
  expect([badge.status, badge.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  // As whoever pastes it gets it.
  const { pathname, search } = new URL(copied.get("badge") ?? "");
  const [own, pasted] = [await badge.text(), await (await get(pathname + search)).text()];
  expect(pasted).toContain('aria-label="Acme &quot;EU&quot; [1]: ');
  expect(own).toBe(pasted);
});

test("the badge to copy is the one that is chosen: of the page or of a component, its text, size and theme", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  await post("/settings/service", { form, address: "https://picket.test" });
  await post("/status-pages/1/parts", { form, name: "Card [EU]", monitor: "" });
  await post("/status-pages/1/publish", { form });
  const shown = await (await get("/status-pages/1/share?of=1&size=lg&theme=dark")).text();
  expect(shown).toMatch(/<option value="1"\s+selected>Card \[EU\]</);
  expect(shown).toMatch(/<option value="lg"\s+selected>Large, 32\u00a0px</);
  const copied = copiedIn(shown);
  const page = "https://picket.test/status/acme";
  const badge = `${page}/badge/1?label=name&theme=dark&size=lg`;
  expect([...copied].slice(0, 4)).toEqual([
    ["html", `<a href="${page}"><img src="${badge.replaceAll("&", "&amp;")}" alt="Card [EU]"></a>`],
    ["markdown", String.raw`[![Card \[EU\]](${badge})](${page})`],
    ["badge", badge],
    ["shields", `${page}/badge/1.json`],
  ]);
  const own = await (await get(pictureIn(shown))).text();
  const { pathname, search } = new URL(badge);
  expect(own).toBe(await (await get(pathname + search)).text());
  expect(own).toContain('height="32"');
  expect(own).toContain('aria-label="Card [EU]: ');
  const bare = copiedIn(
    await (await get("/status-pages/1/share?text=state&of=99&size=huge")).text(),
  );
  expect(bare.get("badge")).toBe(`${page}/badge`);
});

/** The address of the picture of the badge. */
const pictureIn = (shown: string): string =>
  unescaped(/<img\s+src="([^"]*\/preview\/badge[^"]*)"/.exec(shown)?.[1] ?? "");

const copiedIn = (shown: string): ReadonlyMap<string, string> =>
  new Map(
    [...shown.matchAll(/id="shared-([a-z-]+)"\s+class="line"\s+readonly\s+value="([^"]*)"/g)].map(
      ([, id = "", text = ""]) => [id, unescaped(text)],
    ),
  );

const unescaped = (text: string): string =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
