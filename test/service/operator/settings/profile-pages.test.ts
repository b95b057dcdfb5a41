import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey, signedIn } from "../../../support/signed-in.ts";

const scene = () => operatorScene({ pages: "signed in", days: 0 });
const zoneIn = (page: string): string => /data-zone-note="UTC">([^<]*)</.exec(page)?.[1] ?? "";
const headings = (page: string): readonly string[] =>
  [...page.matchAll(/<h2 id="[\w-]+">([^<]*)<\/h2>/g)].map(([, words = ""]) => words);

test("the profile says who a person is, their zone and theme with one Save, password, second factor, passkeys and sessions, in this order", async () => {
  const here = await scene();
  const ann = await byAccount(here, "ann@example.com", "reader");
  const page = await ann.text("/settings");
  expect(headings(page)).toEqual([
    "About you",
    "Password",
    "Second factor",
    "Passkeys",
    "Sessions",
  ]);
  // Each is a card with what it is for next to it.
  expect(
    page.match(
      /<section class="card setting"[^>]*>\s*<div>\s*<h2[^>]*>[^<]*<\/h2>\s*<p class="help">/g,
    ),
  ).toHaveLength(5);
  expect(page).toContain("This is your only session.");
  expect(page.match(/<form method="post" action="\/sign-out"/g)).toHaveLength(2);
  expect(page).not.toContain("<legend>");
  expect(page.match(/>Save/g)).toHaveLength(1);
});

test("one form keeps a name, a zone and a theme, and nothing of it if one of them is refused", async () => {
  const here = await scene();
  const ann = await byAccount(here, "ann@example.com", "reader");
  const typed = { name: "Ann B.", time_zone: "Europe/Berlin", theme: "dark" };
  for (const wrong of [{ name: "A\tb" }, { time_zone: "Mars" }, { theme: "purple" }]) {
    const refused = await ann.send("/settings/profile", { ...typed, ...wrong });
    expect([refused.status, refused.headers.get("set-cookie")]).toEqual([400, null]);
    expect(await refused.text()).toContain(`href="#own-${Object.keys(wrong)[0] ?? ""}"`);
  }
  const before = await ann.text("/settings");
  expect(before).toContain('value="ann"');
  expect(before).not.toContain('value="Europe/Berlin" selected');
  const saved = await ann.send("/settings/profile", typed);
  expect(saved.headers.getSetCookie().map((one) => one.split(";")[0])).toEqual([
    "picket-theme=dark",
  ]);
  const page = await ann.text("/settings");
  expect(page).toContain('value="Ann B."');
  expect(page).toMatch(/value="Europe\/Berlin" +selected/);
  const key = await byKey(here, "read");
  const { name: _name, ...looks } = typed;
  const kept = await key.send("/settings/profile", looks);
  expect(kept.headers.getSetCookie().map((one) => one.split(";")[0])).toEqual([
    "picket-theme=dark",
    "picket-zone=Europe/Berlin",
  ]);
});

test("a person with an account changes the name that others see, and one without has none to change", async () => {
  const here = await scene();
  const ann = await byAccount(here, "ann@example.com", "reader");
  expect((await ann.send("/settings/profile", { name: " Ann B. " })).status).toBe(303);
  const page = await ann.text("/settings?notice=profile");
  expect(page).toContain("Saved.");
  expect(page).toContain("<strong>Ann B.</strong>");
  const refused = await ann.send("/settings/profile", { name: "A\tb" });
  const said = await refused.text();
  expect([refused.status, said.includes('value="A\tb"')]).toEqual([400, true]);
  expect(said).toContain('href="#own-name"');
  const key = await byKey(here, "write", "night shift");
  const own = await key.text("/settings");
  expect(own).toContain("“night shift”, which has no password and no second factor. Its name is");
  expect(own).not.toContain('id="own-name"');
  expect((await key.send("/settings/profile", { name: "Ann" })).status).toBe(400);
  expect(await key.text("/changes?kind=person")).toContain("Name: ann → Ann B.");
});

test("no one takes the name of another person, so that all see who did something", async () => {
  const here = await scene();
  const ann = await byAccount(here, "ann@example.com", "editor");
  const bob = await byAccount(here, "bob@example.com", "reader");
  for (const name of ["Ann", "\uff21\uff2e\uff2e", "a\u200bnn"]) {
    const refused = await bob.send("/settings/profile", { name });
    const said = (await refused.text()).replaceAll(/\s+/g, " ");
    expect([refused.status, said.includes(`value="${name}"`)]).toEqual([400, true]);
    expect(said).toContain(
      '<a href="#own-name">Name already belongs to another person or an API key</a>.',
    );
  }
  expect(await bob.text("/settings")).toContain("<strong>bob</strong>");
  expect((await ann.send("/settings/profile", { name: "Ann" })).status).toBe(303);
});

test("whoever has no account chooses a time zone, too, which their browser keeps", async () => {
  const here = await scene();
  const zone = { time_zone: "America/New_York" };
  const key = await byKey(here, "read");
  const set = (await key.send("/settings/profile", zone)).headers.get("set-cookie") ?? "";
  expect(set).toBe(
    "picket-zone=America/New_York; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000",
  );
  const withZone = async (cookie: string, name: string): Promise<string> =>
    (await here.get("/settings", { cookie: `${cookie}; picket-zone=${name}` })).text();
  const page = await withZone(key.cookie, "America/New_York");
  expect(zoneIn(page)).toContain("Times are those of America/New York");
  expect(page.replaceAll(/\s+/g, " ")).toContain('value="America/New_York" selected');
  expect(page).toContain("This browser keeps it, because you have no account here.");
  // A zone that was chosen by its older name stays, whatever else is saved.
  const older = (await withZone(key.cookie, "Europe/Kiev")).replaceAll(/\s+/g, " ");
  expect(older).toContain('value="Europe/Kiev" selected');
  expect(zoneIn(await withZone(key.cookie, "Mars"))).toBe("Times and days are UTC.");
  expect((await key.send("/settings/profile", { time_zone: "Mars" })).status).toBe(400);
  const none = await key.send("/settings/profile", { time_zone: "" });
  expect(none.headers.get("set-cookie")).toContain("picket-zone=; Path=/; HttpOnly");
  const ann = await byAccount(here, "ann@example.com", "reader");
  expect(zoneIn(await withZone(ann.cookie, "America/New_York"))).toBe("Times and days are UTC.");
  const open = await operatorScene({ days: 0 });
  const local = await (await open.get("/settings", { cookie: "picket-zone=Asia/Tokyo" })).text();
  expect(zoneIn(local)).toContain("Times are those of Asia/Tokyo");
});

test("a theme is kept by the browser in which it was chosen, and one that is none is refused", async () => {
  const here = await scene();
  const key = await byKey(here, "read");
  const set =
    (await key.send("/settings/profile", { theme: "dark" })).headers.get("set-cookie") ?? "";
  expect(set).toMatch(/^picket-theme=dark; Path=\/; HttpOnly; SameSite=Lax; Max-Age=31536000$/);
  const dark = signedIn(here, `${key.cookie}; picket-theme=dark`);
  expect(await dark.text("/settings")).toMatch(
    /<html lang="en" data-theme="dark".*<option value="dark" +selected/,
  );
  for (const theme of ["", "; picket-theme=purple"])
    expect(await signedIn(here, `${key.cookie}${theme}`).text("/")).not.toContain("data-theme");
  expect((await key.send("/settings/profile", { theme: "purple" })).status).toBe(400);
  const none = await key.send("/settings/profile", { theme: "" });
  expect(none.headers.get("set-cookie")).toContain("Max-Age=0");
});
