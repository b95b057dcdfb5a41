import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { locales } from "#service/status-page/page-definition";
import type { Store } from "#service/store/store";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const tokenIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
const wordsIn = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'");

/** Sends a form with the token of the page that has it; where it leads, or what the answer says. */
function sending({ get, post }: OperatorScene, on = "/status-pages/new") {
  return async (path: string, fields: Record<string, string>) => {
    const form = tokenIn(await (await get(on)).text());
    const answer = await post(path, { form, ...fields });
    const text = await answer.text();
    return { status: answer.status, to: answer.headers.get("location"), says: wordsIn(text), text };
  };
}

/** All fields of the form, as a browser sends them. */
const allSettings = {
  title: "Acme status",
  slug: "acme",
  description: "",
  access_type: "public",
  password: "",
  auth_email_domains: "",
  allowed_ip_ranges: "10.0.0.0/8, 192.0.2.7",
  custom_domain: "status.acme.example",
  homepage_url: "https://acme.example/",
  contact_url: "",
  icon: "https://acme.example/icon.png",
  theme: "system",
  "configuration.theme_key": "ocean",
  "custom_theme.light": "--radius: 1rem;\r\n\r\n--foreground : #bbbbbb",
  "custom_theme.light.--primary": "#117733",
  "custom_theme.dark": "",
  default_locale: "de",
  locales: "de",
  time_zone: "Europe/Berlin",
  "configuration.metric_type": "duration",
  "configuration.bar_type": "manual",
  "configuration.days": "30",
  "configuration.show_uptime": "yes",
  allow_index: "yes",
};

test("a page is made as a draft, gets components in groups, is published, withdrawn and deleted", async () => {
  const scene = await operatorScene();
  const { get } = scene;
  const send = sending(scene);
  const zone = { time_zone: "Europe/Berlin" };
  const made = await send("/status-pages", { title: "Acme <b>", slug: "ACME", ...zone });
  const settings = await (await get("/status-pages/1/settings")).text();
  expect(settings).toMatch(/<option\s+value="Europe\/Berlin"\s+selected/);
  expect([made.status, made.to]).toEqual([303, "/status-pages/1?add=monitors"]);
  expect((await get("/status/acme")).status).toBe(404);
  const said = async (): Promise<string> =>
    wordsIn(await (await get("/status-pages/1?notice=saved")).text());
  expect(await said()).toContain("Saved in the draft.");
  await send("/status-pages/1/groups", { name: "Money" });
  await send("/status-pages/1/monitors", { monitors: "2", group: "1" });
  await send("/status-pages/1/parts", { name: "Support desk", group: "" });
  await send("/status-pages/1/components/2", {
    name: "Help desk",
    description: "Weekdays",
    group: "1",
    place: "7",
  });
  const { components } = JSON.parse(await (await get("/status-pages/1.json")).text());
  expect(components).toEqual([
    { id: "1", name: "Billing API", description: "", monitor: "2", group: "1" },
    { id: "2", name: "Help desk", description: "Weekdays", monitor: null, group: "1" },
  ]);
  expect((await send("/status-pages/1/publish", {})).to).toBe("/status-pages/1?notice=published");
  expect(await said()).toContain("Saved. Whoever opens the page sees it.");
  const list = await (await get("/status-pages")).text();
  expect(wordsIn(list)).toContain("Published at /status/acme, open to everyone");
  expect(list).toMatch(
    /<a\s+class="button"\s+href="\/status\/acme"\s+aria-label="View Acme &lt;b&gt;"/,
  );
  const shown = wordsIn(await (await get("/status/acme")).text());
  for (const words of ["Acme &lt;b&gt;", "Money", "Billing API", "Help desk"])
    expect(shown).toContain(words);
  // As all pages of the service count it, and not by checks, which is the default of the API.
  expect(shown).not.toContain("uptime by checks");
  // A reader's browser chooses among all languages.
  const german = await (await get("/status/acme", { "accept-language": "de" })).text();
  expect(german).toContain('<html lang="de">');
  expect(german.match(/hreflang="\w+"/g)).toHaveLength(locales.length - 1);
  await send("/status-pages/1/components/1/remove", {});
  await send("/status-pages/1/groups/1/remove", {});
  const after = JSON.parse(await (await get("/status-pages/1.json")).text());
  expect([after.components.length, after.groups]).toEqual([1, []]);
  await send("/status-pages/1/withdraw", {});
  expect(await (await get("/status-pages")).text()).not.toContain('href="/status/acme"');
  expect(JSON.parse(await (await get("/status-pages.json")).text())).toMatchObject({
    total: 1,
    status_pages: [{ slug: "acme", published: false, access: "public" }],
  });
  expect((await send("/status-pages/1/delete", {})).to).toBe("/status-pages?deleted=page.1");
  expect((await get("/status-pages/1")).status).toBe(404);
});

test("a new page's name in the address is made from its title if it is left empty, and typed if that cannot be", async () => {
  const scene = await operatorScene({ days: 0 });
  const send = sending(scene);
  const title = "Acme & Söhne";
  expect(wordsIn(await (await scene.get("/status-pages/new")).text())).toContain(
    "Left empty, it is made from the title.",
  );
  expect((await send("/status-pages", { title, slug: " " })).status).toBe(303);
  const { status_pages: pages } = JSON.parse(await (await scene.get("/status-pages.json")).text());
  expect(pages).toMatchObject([{ title, slug: "acme-soehne" }]);
  const twice = await send("/status-pages", { title, slug: "" });
  expect([twice.status, twice.says]).toEqual([
    422,
    expect.stringContaining("is the one of another status page"),
  ]);
  expect(twice.text).toContain('value="acme-soehne"');
  const other = await send("/status-pages", { title: "Статус", slug: "" });
  expect([other.status, other.says]).toEqual([
    422,
    expect.stringContaining("Name in the address cannot be made of this title: type one"),
  ]);
  const nothing = await send("/status-pages", { title: "", slug: "" });
  expect([nothing.status, nothing.says]).toEqual([422, expect.stringContaining("Enter a title.")]);
  expect(nothing.says).not.toContain("Name in the address must");
  const wrong = await send("/status-pages", { title: "Acme", slug: "No way" });
  expect(wordsIn(wrong.text)).toContain("The name in the address may have lower-case letters");
  expect(wordsIn(wrong.text)).not.toContain("Readers will find it");
});

test("the settings are changed by a form, which shows what was typed if it is wrong; a password is kept and never shown", async () => {
  const scene = await operatorScene({ days: 0 });
  const { get } = scene;
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const settings = { ...allSettings, access_type: "password", password: "planted sesame" };
  expect((await send("/status-pages/1", settings)).to).toBe(
    "/status-pages/1/settings?notice=saved",
  );
  const access = "/status-pages/1/access";
  await send(access, { ...settings, access_type: "ip-restriction" });
  expect((await send(access, settings)).to).toBe(`${access}?notice=saved`);
  expect((await send(access, { ...settings, password: "" })).status).toBe(303);
  const page = await (await get(access)).text();
  expect(page).toContain('value="10.0.0.0/8, 192.0.2.7"');
  expect(page).not.toContain("planted");
  const wrong = await send("/status-pages/1", { ...settings, title: "Typed", slug: "No Way!" });
  expect([wrong.status, wrong.says]).toEqual([
    422,
    expect.stringContaining("Name in the address may have lower-case letters"),
  ]);
  expect(wrong.text).toContain('value="Typed"');
  const none = await send(access, { ...settings, access_type: "nothing" });
  expect([none.status, none.says]).toEqual([
    422,
    expect.stringContaining("Who may read it is unspecified, which is not one of them"),
  ]);
  const twice = await send("/status-pages", { title: "Other", slug: "acme" });
  expect([twice.status, twice.says]).toEqual([
    422,
    expect.stringContaining("Name in the address is the one of another status page"),
  ]);
});

test("icon, colours, languages and uptime are set by the form, and what is wrong is said by its field", async () => {
  const scene = await operatorScene({ days: 0 });
  const { get } = scene;
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/parts", { name: "Shop" });
  await send("/status-pages/1/publish", {});
  for (const path of ["/status-pages/1", "/status-pages/1/look"])
    expect((await send(path, allSettings)).status).toBe(303);
  const tabs = ["/status-pages/1/settings", "/status-pages/1/look"];
  const texts = await Promise.all(tabs.map(async (path) => (await get(path)).text()));
  const form = texts.join("");
  const kept = ["ocean", "de", "duration", "manual", "30"].filter((one) =>
    new RegExp(`value="${one}"\\s+(?:selected|checked)`).test(form),
  );
  expect(kept).toEqual(["ocean", "de", "duration", "manual", "30"]);
  for (const [name, value] of [
    ["custom_theme.light.--primary", "#117733"],
    ["custom_theme.light.--foreground", "#bbbbbb"],
  ])
    expect(form).toMatch(new RegExp(`name="${name}"\\s+value="${value}"`));
  expect(form).toMatch(/name="custom_theme.light" [^>]*>--radius: 1rem<\/textarea/);
  expect(wordsIn(form)).toContain(
    "Text on background in light: the contrast is 1.7 to 1, and needs 4.5 to 1.",
  );
  const style = await (await get("/status/acme/style.css")).text();
  expect(style).toContain("--ground: #f3f8fb");
  expect(style).toContain("--link: #117733");
  const page = await (await get("/status/acme")).text();
  expect(page).toContain('<img src="https://acme.example/icon.png"');
  expect(page).toContain('lang="de"');
  expect(page).toMatch(
    /name="theme-color"\s+content="#f3f8fb"\s+media="\(prefers-color-scheme: light/,
  );
  const wrong = async (change: Record<string, string>) => {
    const isLook = Object.keys(change).some((field) =>
      /^(icon$|custom_theme|configuration)/.test(field),
    );
    const path = `/status-pages/1${isLook ? "/look" : ""}`;
    const { status, says } = await send(path, { ...allSettings, ...change });
    return [status, /Nothing was saved. .{0,120}/.exec(says)?.[0] ?? ""];
  };
  for (const [change, message] of [
    [{ icon: "http://acme.example/i.png" }, "URL of the picture must be an https URL"],
    [{ "configuration.theme_key": "neon" }, "Theme must be one of default, default-rounded"],
    [{ "custom_theme.dark": "primary: red" }, "Other variables in dark must have lines such as"],
    [
      { "custom_theme.dark.--card": "url(x)" },
      "Cards in dark must be a colour of CSS, for example #1c2719",
    ],
    [
      { "custom_theme.light.--foreground": "banana" },
      "Text in light must be a colour of CSS, for example #1c2719",
    ],
    [{ "custom_theme.light": "--logo: red" }, "Own colours has the variable"],
    [{ locales: "fr" }, "Language must be one of locales"],
    [{ locales: "xx" }, "Languages that readers may choose are"],
    [{ "configuration.metric_type": "" }, "Uptime is calculated must be one of duration"],
    [{ "configuration.bar_type": "x" }, "The bar of a day shows must be one of absolute"],
    [{ "configuration.days": "31" }, "Days that are shown must be one of 30"],
    [{ "configuration.days": "many" }, "Days that are shown must be one of 30"],
  ] as const)
    expect(await wrong(change)).toEqual([422, expect.stringContaining(message)]);
});

test("a report, the list and the question before deletion count those who have not confirmed apart", async () => {
  const opened: Store[] = [];
  const scene = await operatorScene({
    days: 0,
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      opened.push(store);
      return store;
    },
  });
  await sending(scene)("/status-pages", { title: "Acme", slug: "acme" });
  await sending(scene)("/status-pages/1/publish", {});
  const at = scene.clock.wall();
  const asked = { page: 1, mark: "m", sealed: "s", mayGet: true, reader: "r", at };
  for (const { readers } of opened)
    await readers.subscribers.ask({ ...asked, locale: "en", components: null });
  expect(wordsIn(await (await scene.get("/status-pages/1/reports/new")).text())).toContain(
    "No subscriber of the page has confirmed yet: 1 has a mail with a link, and gets nothing before that.",
  );
  expect(wordsIn(await (await scene.get("/status-pages/1/subscribers")).text())).toMatch(
    /Not confirmed .*Waiting for confirmation since 22 Nov, 12:00 UTC\s?\. It gets no news before that\. If it is not confirmed, it is deleted after 24 Nov, 12:00 UTC/,
  );
  expect(wordsIn(await (await scene.get("/status-pages/1/subscribers")).text())).toContain(
    "0 subscribers, and 1 not confirmed yet.",
  );
  const question = wordsIn(await (await scene.get("/status-pages/1/delete")).text());
  expect(question).toContain("1 subscription not confirmed yet can no longer be confirmed.");
  expect(question).not.toContain("no more news");
});

test("subscribers are added, listed without their URL, tested and removed by forms", async () => {
  const scene = await operatorScene({ days: 0 });
  const { get, sent } = scene;
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1", { ...allSettings });
  const path = "/status-pages/1/subscribers";
  const add = (to: string) => send(path, { webhook_url: to, name: "Wall" });
  const url = "https://chat.test/planted";
  expect((await add(url)).to).toMatch(/subscribers\?subscriber=1&shown=.+&notice=added$/);
  await send("/status-pages/1/publish", {});
  const writing = await (await get("/status-pages/1/reports/new")).text();
  expect(wordsIn(writing)).toContain("1 subscriber gets it.");
  for (const [to, message] of [
    ["ann@reader.test", "Webhook URL is an e-mail address, but mail needs a server"],
    ["nobody", "Webhook URL must be a URL that begins with https:// or http://, or one"],
    ["ftp://chat.test/in", "Webhook URL must be an https or http URL"],
    [
      "http://169.254.169.254/latest",
      "Webhook URL leads to an address that is link-local or hands out credentials",
    ],
    ["http://[fe80::1]/in", "leads to an address that is link-local"],
    // The same URL once more is said, and nothing is added.
    [url, "Webhook URL is subscribed already"],
  ] as const) {
    const { status, says, text } = await add(to);
    expect([status, says]).toEqual([422, expect.stringContaining(message)]);
    expect(text).toContain(`value="${to}"`);
  }
  expect(JSON.parse(await (await get(`${path}.json`)).text())).toMatchObject({ total: 1 });
  const page = await (await get(path)).text();
  expect(wordsIn(page)).toContain("Wall, chat.test");
  expect(page).not.toContain("planted");
  const list = JSON.parse(await (await get(`${path}.json`)).text());
  expect(list).toMatchObject({ total: 1, subscribers: [{ kind: "webhook", to: "chat.test" }] });
  expect((await send(`${path}/1/test`, {})).to).toBe(`${path}?notice=tested`);
  expect(sent).toMatchObject([{ notice: { body: { version: "1", type: "test" } } }]);
  expect(wordsIn(await (await get(`${path}/1/remove`)).text())).toMatch(
    /Remove the subscriber Wall, chat\.test\? Subscriber Number 1, by webhook Added .* What happens then/,
  );
  expect((await send(`${path}/1/remove`, {})).to).toBe(`${path}?deleted=subscriber.1`);
  expect(JSON.parse(await (await get(`${path}.json`)).text())).toMatchObject({ total: 0 });
  expect((await send("/status-pages/1/subscribers/9/remove", {})).status).toBe(404);
  // Both are in the log, by the host alone: also in that of the page, and found by the host.
  for (const query of ["", "?kind=page&id=1", "?kind=subscriber", "?name=chat.test"]) {
    const log = await (await get(`/changes${query}`)).text();
    expect(wordsIn(log), query).toMatch(
      /removed subscriber chat\.test .*Subscription number 1, by webhook – .*added subscriber chat\.test .*Page Acme|Page – Acme/,
    );
    expect(log, query).not.toContain("planted");
  }
});

test("the removal of a subscriber can be undone for ten minutes, unless it was added again", async () => {
  const scene = await operatorScene({ days: 0 });
  const { get, post, clock } = scene;
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1", { ...allSettings });
  const path = "/status-pages/1/subscribers";
  const add = () => send(path, { webhook_url: "https://chat.test/planted", name: "Wall" });
  await add();
  expect(wordsIn(await (await get(`${path}/1/remove`)).text())).toContain(
    "You can undo this for ten minutes.",
  );
  const listed = async (at: string) => wordsIn(await (await get(at)).text());
  const remove = async (): Promise<Record<string, string>> => {
    const { to } = await send(`${path}/1/remove`, {});
    const page = await (await get(to ?? "")).text();
    expect(wordsIn(page)).toContain("The subscriber chat.test is removed. You can undo this until");
    expect(page).not.toContain("planted");
    return { form: formTokenIn(page), kind: "subscriber", ids: "1", back: path };
  };
  const answer = await post("/undo", await remove());
  const back = answer.headers.get("location") ?? "";
  expect([answer.status, back]).toEqual([303, `${path}?restored=subscriber.1`]);
  expect(await listed(back)).toContain("The subscriber is restored.");
  expect(await listed(path)).toContain("Wall, chat.test");
  expect(await listed("/changes")).toMatch(
    /restored subscriber chat\.test .*removed subscriber chat\.test .*added subscriber chat\.test /,
  );
  const form = await remove();
  expect(await listed("/status-pages")).toContain("The subscriber chat.test is removed.");
  await add();
  const refused = await post("/undo", form);
  expect([refused.status, wordsIn(await refused.text())]).toEqual([
    409,
    expect.stringContaining("subscribed again meanwhile, so nothing was restored"),
  ]);
  const late = await remove();
  clock.suspend(minutes(10));
  expect((await post("/undo", late)).status).toBe(409);
  expect(await listed(path)).toContain(
    "No subscriber yet. Subscribers get a report or planned work if",
  );
});

test("two webhooks of one host differ by the end of their URLs, their numbers and when they were added", async () => {
  const scene = await operatorScene({ days: 0 });
  const send = sending(scene);
  const path = "/status-pages/1/subscribers";
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const before = await (await scene.get(path)).text();
  expect(wordsIn(before)).toContain(
    "No news can be sent yet: its links need an address. Give the service’s address in Settings → Service , or give this page a domain",
  );
  expect(before).toContain('href="/settings/service"');
  // A form that cannot be sent yet has no button.
  expect(before).toContain("<fieldset  disabled>");
  expect(before).not.toMatch(/>\s*Add subscriber\s*<\/button>/);
  const early = await send(path, { webhook_url: "https://chat.test/in/planted-one-1a2b" });
  expect([early.status, early.says]).toEqual([
    422,
    expect.stringContaining("give the service's address in Settings → Service"),
  ]);
  await send("/settings/service", { address: "https://picket.test" });
  for (const end of ["1a2b", "9y8z"])
    await send(path, { webhook_url: `https://chat.test/in/planted-one-${end}` });
  const page = await (await scene.get(path)).text();
  expect(page).not.toContain("planted");
  expect(page).not.toContain("No news can be sent yet");
  expect(page).toMatch(/>\s*Add subscriber\s*<\/a\s*>/);
  // Without a mail server, no address is asked for.
  expect(page).toContain('href="/status-pages/1/subscribers?add=subscriber"');
  const adding = wordsIn(await (await scene.get(`${path}?add=subscriber`)).text());
  expect(adding).toContain("Add a subscriber Webhook URL The URL of Slack");
  expect(adding).toContain("Only webhooks can be added, because mail needs a server. Set a mail");
  expect(adding).toContain("If it begins with http://, messages can be read on the way");
  expect(wordsIn(page)).toMatch(
    /chat\.test …1a2b By webhook, added 22 Nov, 12:00 UTC .*chat\.test …9y8z By webhook,/,
  );
  expect(page).toContain('aria-label="Remove: chat.test …9y8z (number 2, by webhook)"');
});

test("planned work is said on a status page, of the parts that show its monitors, and sent if that is ticked", async () => {
  const scene = await operatorScene();
  const { get, sent } = scene;
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1", allSettings);
  await send("/status-pages/1/publish", {});
  await send("/status-pages/1/monitors", { monitors: "2" });
  await send("/status-pages/1/subscribers", { webhook_url: "https://wall.test/in" });
  const plan = {
    title: "Upgrade",
    message: "m",
    from: "2026-11-23T22:00",
    to: "2026-11-23T23:00",
    time_zone: "UTC",
    repeat: "once",
    monitor_ids: "2",
  };
  const planned = (fields: Record<string, string>) =>
    send("/maintenances/new", { ...plan, ...fields });
  const nowhere = await planned({ notify: "yes" });
  // The box is ticked before a page is chosen, and counts for nothing without one.
  expect(nowhere.status).toBe(303);
  expect((await planned({ title: "Quiet", page_id: "1" })).status).toBe(303);
  expect((await planned({ page_id: "1", notify: "yes" })).status).toBe(303);
  const shown = wordsIn(await (await get("/status/acme")).text());
  expect(shown).toContain("Geplante Wartung");
  const said = () => sent.flatMap(({ notice }) => (notice.type === "page.news" ? [notice] : []));
  const heard = async () => {
    await scene.clock.advance(1_000);
    return said().map(({ title, facts }) => [title, facts[1]?.value]);
  };
  await expect.poll(heard).toEqual([["Geplante Wartung: Upgrade · Acme status", "Billing API"]]);
});

test("a report is written, gets updates and is deleted; what is wrong is said next to what was typed", async () => {
  const scene = await operatorScene({ days: 0 });
  const { get } = scene;
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/parts", { name: "Shop" });
  const report = { title: "Slow cards", status: "investigating", message: "We *look*." };
  const empty = await send("/status-pages/1/reports/new", { ...report, message: " " });
  expect(empty.status).toBe(422);
  expect(wordsIn(empty.text)).toContain("Enter a message.");
  expect(empty.text).toContain('value="Slow cards"');
  const about = { components: "1", impact: "major_outage" };
  const made = await send("/status-pages/1/reports/new", { ...report, ...about });
  expect(made.to).toBe("/reports/1?notice=reported");
  const update = { status: "resolved", message: "한".repeat(8_000) };
  expect((await send("/reports/1", update)).to).toBe("/reports/1?notice=reported");
  const odd = await send("/reports/1", { status: "fine", message: "typed" });
  expect([odd.status, odd.text.includes("typed")]).toEqual([422, true]);
  const shows = async (): Promise<unknown> =>
    JSON.parse(await (await get("/reports/1.json")).text());
  const corrected = { status: "identified", message: "A switch", components: "1", impact: "" };
  expect((await send("/reports/1/updates/2/edit", corrected)).to).toBe(
    "/reports/1?notice=corrected",
  );
  expect(await shows()).toMatchObject({
    status: "identified",
    updates: [{ message: "A switch" }, {}],
  });
  expect((await send("/reports/1/updates/2/edit", { ...update })).to).toBe(
    "/reports/1?notice=corrected",
  );
  const kept = { status: "investigating", message: "We *look*.", ...about };
  await send("/reports/1/updates/1/edit", kept);
  const renamed = "/reports/1/updates/1/edit";
  expect((await send(renamed, { ...kept, title: " " })).status).toBe(422);
  expect((await send(renamed, { ...kept, title: "Card payments" })).to).toBe(
    "/reports/1?notice=corrected",
  );
  expect(wordsIn(await (await scene.get("/reports/1")).text())).toContain("Card payments");
  expect(wordsIn(await (await scene.get("/changes?kind=report")).text())).toContain(
    "→ Card payments",
  );
  // The forms of two updates have the same title: one that was left alone never brings an old one back.
  const left = { ...kept, title: "Slow cards", "title-shown": "Slow cards" };
  expect((await send(renamed, left)).to).toBe("/reports/1?notice=corrected");
  const overtaken = await send(renamed, { ...left, title: "Cards" });
  expect(overtaken.status).toBe(409);
  expect(wordsIn(overtaken.text)).toContain("was renamed meanwhile to “Card payments”");
  expect(overtaken.text).toContain('name="title-shown" value="Card payments"');
  expect(JSON.parse(await (await get("/reports/1.json")).text())).toMatchObject({
    title: "Card payments",
    status: "resolved",
    components: ["1"],
    updates: [{ status: "resolved" }, { message: "We *look*.", impacts: { 1: "major_outage" } }],
  });
  expect(await (await get("/reports/1")).text()).toContain("We <em>look</em>.");
  expect((await send("/reports/1/updates/2/remove", {})).to).toBe("/reports/1?deleted=update.2");
  const undo = await get("/reports/1?deleted=update.2");
  expect(wordsIn(await undo.text())).toContain(
    "The update of Card payments is removed. You can undo this until",
  );
  expect(wordsIn(await (await get("/")).text())).toContain(
    "The update of Card payments is removed.",
  );
  expect(await shows()).toMatchObject({ status: "investigating", updates: [{}] });
  const putBack = { kind: "update", ids: "2", back: "/reports/1" };
  expect((await send("/undo", putBack)).to).toBe("/reports/1?restored=update.1");
  expect(await shows()).toMatchObject({ status: "resolved", updates: [{}, {}] });
  expect(await (await get("/reports/1?restored=update.1")).text()).toContain(
    "The update is restored.",
  );
  expect((await send("/undo", putBack)).status).toBe(409);
  await send("/reports/1/updates/2/remove", {});
  expect(await shows()).toMatchObject({ status: "investigating", updates: [{}] });
  const only = await send("/reports/1/updates/1/remove", {});
  expect([only.status, only.text]).toEqual([400, expect.stringContaining("the only update")]);
  expect((await send("/reports/1/delete", {})).to).toBe("/status-pages/1/reports?deleted=report.1");
  expect((await get("/reports/1")).status).toBe(404);
});

test("only Picket's form, by a person who may write, changes a page, and only its parts", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const { get, post, service } = scene;
  const signedIn = async (scope: "read" | "write") => {
    const { key } = await service.admin.createApiKey({ name: scope, scope });
    const answer = await post("/sign-in", { secret: key });
    const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    return { cookie, form: tokenIn(await (await get("/status-pages/new", { cookie })).text()) };
  };
  const { cookie, form } = await signedIn("write");
  const fields = { title: "Acme", slug: "acme" };
  expect((await post("/status-pages", fields, { cookie })).status).toBe(403);
  for (const slug of ["acme", "other"])
    await post("/status-pages", { ...fields, slug, form }, { cookie });
  await post("/status-pages/2/parts", { name: "Of the other", form }, { cookie });
  const foreign = await post("/status-pages/1/components/1/remove", { form }, { cookie });
  expect(foreign.status).toBe(400);
  const reader = await signedIn("read");
  const seen = await (await get("/status-pages/2", { cookie: reader.cookie })).text();
  expect(seen).toContain("Of the other");
  expect(seen).not.toContain('action="/status-pages');
  const refused = await post(
    "/status-pages/2/publish",
    { form: reader.form },
    { cookie: reader.cookie },
  );
  expect(refused.status).toBe(403);
});

test("what two people move at once is moved once: the later one is shown how it is now", async () => {
  const scene = await operatorScene({ days: 0 });
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  for (const name of ["One", "Two", "Three"]) await send("/status-pages/1/parts", { name });
  const page = await (await scene.get("/status-pages/1")).text();
  const [, seen = ""] = /name="seen" value="([^"]+)"/.exec(page) ?? [];
  const order = async (): Promise<readonly string[]> => {
    const { components } = JSON.parse(await (await scene.get("/status-pages/1.json")).text());
    return components.map((one: { readonly name: string }) => one.name);
  };
  const moved = await send("/status-pages/1/components/1/move", { to: "3", seen });
  expect([moved.status, await order()]).toEqual([303, ["Two", "Three", "One"]]);
  const later = await send("/status-pages/1/components/2/move", { to: "down", seen });
  expect(later.status).toBe(409);
  expect(later.says).toContain(
    "This was not done: someone else changed the list meanwhile. It is shown as it is now, so move it again.",
  );
  expect(await order()).toEqual(["Two", "Three", "One"]);
  const [, now = ""] = /name="seen" value="([^"]+)"/.exec(later.text) ?? [];
  expect((await send("/status-pages/1/components/2/move", { to: "down", seen: now })).status).toBe(
    303,
  );
  expect(await order()).toEqual(["Three", "Two", "One"]);
  // However many are moved, it is one change of the page.
  const { changes } = JSON.parse(await (await scene.get("/changes.json?kind=page&id=1")).text());
  expect(changes[0].fields.map((one: { readonly field: string }) => one.field)).toEqual([
    "component 2",
    "component 3",
  ]);
});

test("a page is published and taken back from each tab, which is shown again", async () => {
  const scene = await operatorScene({ days: 0 });
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  for (const tab of ["components", "reports", "look", "access", "subscribers", "settings"]) {
    const path = `/status-pages/1${tab === "components" ? "" : `/${tab}`}`;
    for (const [act, notice] of [
      ["publish", "published"],
      ["withdraw", "withdrawn"],
    ] as const) {
      const text = await (await scene.get(path)).text();
      const asked = `/status-pages/1/withdraw?tab=${tab}`;
      expect(text.includes(`href="${asked}"`)).toBe(act === "withdraw");
      // What takes it from its readers asks once.
      const offer = act === "publish" ? text : await (await scene.get(asked)).text();
      expect(offer).toMatch(
        new RegExp(`action="/status-pages/1/${act}"[^]*?name="tab" value="${tab}"`),
      );
      expect(text.includes("<strong>Draft:</strong>")).toBe(act === "publish");
      const { to } = await send(`/status-pages/1/${act}`, { tab });
      expect(to).toBe(`${path}?notice=${notice}`);
      const said = wordsIn(await (await scene.get(to ?? "")).text());
      expect(said).toContain(
        act === "publish" ? "Published. Whoever opens" : "Unpublished: no one",
      );
    }
  }
  const { to } = await send("/status-pages/1/publish", { tab: "no" });
  expect(to).toBe("/status-pages/1?notice=published");
});

test("a monitor is named in the list of components only if it is called otherwise", async () => {
  const scene = await operatorScene();
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/monitors", { monitors: "1" });
  const line = async () => {
    const text = await (await scene.get("/status-pages/1")).text();
    const [, kind = ""] = /class="component"[^]*?<p class="kind">([^]*?)<\/p>/.exec(text) ?? [];
    return wordsIn(kind).trim();
  };
  expect(await line()).toMatch(/^HTTP · +\S+$/);
  const other = { name: "Our shop", description: "", group: "", place: "1" };
  await send("/status-pages/1/components/1", other);
  expect(await line()).toMatch(/^Monitor +Shop$/);
});

test("a mistyped query is refused by its name on each page that lists", async () => {
  const { get } = await operatorScene({ days: 0 });
  const says = async (path: string) => {
    const answer = await get(path, { accept: "*/*" });
    return [answer.status, await answer.text()];
  };
  for (const path of ["/channels", "/maintenances", "/status-pages", "/channels.json"])
    expect([path, ...(await says(`${path}?offset=1O`))]).toEqual([
      path,
      400,
      expect.stringContaining("offset must be a whole number, for example 50."),
    ]);
  expect(await says("/maintenances/new?monitor=shop")).toEqual([
    400,
    expect.stringContaining("monitor must be a whole number, for example 50."),
  ]);
});

test("the forms of the page, of its access and of its look keep what the others have", async () => {
  const scene = await operatorScene({ days: 0 });
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const page = { ...allSettings, access_type: "password", password: "open sesame" };
  await send("/status-pages/1/access", page);
  await send("/status-pages/1", page);
  const changed = async (): Promise<readonly string[]> => {
    const { changes } = JSON.parse(await (await scene.get("/changes.json")).text());
    return changes[0].fields.map((one: { readonly field: string }) => one.field).toSorted();
  };
  const whole = { ...allSettings, access_type: "public", title: "Not of this form" };
  await send("/status-pages/1/look", whole);
  expect(await changed()).toEqual(["configuration", "customTheme", "icon"]);
  await send("/status-pages/1", { ...page, title: "Renamed", password: "", theme: "dark" });
  expect(await changed()).toEqual(["title"]);
  await send("/status-pages/1/access", {
    ...page,
    access_type: "public",
    title: "Not of this form",
  });
  // The password is that of another choice: it stays.
  expect(await changed()).toEqual(["access"]);
});

test("each tab of a page leads to the others, and frames the page as its readers see it, which no other site may", async () => {
  const { get, ...scene } = await operatorScene({ days: 0 });
  await sending({ get, ...scene })("/status-pages", { title: "Acme", slug: "acme" });
  const tabs = ["", "/reports", "/look", "/access", "/subscribers", "/share", "/settings"];
  for (const tab of tabs) {
    const answer = await get(`/status-pages/1${tab}`);
    const text = await answer.text();
    const [, nav = ""] = /<nav class="parts"([^]*?)<\/nav>/.exec(text) ?? [];
    expect([...nav.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)).toEqual(
      tabs.map((one) => `/status-pages/1${one}`),
    );
    expect(nav).toMatch(new RegExp(`href="/status-pages/1${tab}"\\s+aria-current="page"`));
    // Who gets the news is not seen there, nor what others take, and hardly a setting.
    if (["/subscribers", "/share", "/settings"].includes(tab)) {
      expect(text).not.toContain('<iframe src="/status-pages/1/preview"');
      continue;
    }
    expect(text).toMatch(/<iframe src="\/status-pages\/1\/preview" title="Preview of Acme"/);
    expect(answer.headers.get("content-security-policy")).toMatch(
      /frame-ancestors 'none'.*; frame-src 'self'$/,
    );
  }
  const preview = await get("/status-pages/1/preview");
  expect(preview.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
});

test("a draft has one first act, which publishes it, and a preview that no one else can read; a published page is read", async () => {
  const scene = await operatorScene();
  const { get } = scene;
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/monitors", { monitors: "2" });
  const firstActs = async (): Promise<readonly string[]> => {
    const [head = ""] = (await (await get("/status-pages/1")).text()).split("<section");
    return [...head.matchAll(/class="(?:button )?main"[^>]*>([^<]*)</g)].map(([, words = ""]) =>
      words.trim(),
    );
  };
  expect(await firstActs()).toEqual(["Publish"]);
  const preview = await get("/status-pages/1/preview");
  const [text, style] = [await preview.text(), await get("/status-pages/1/preview/style.css")];
  expect([preview.status, preview.headers.get("x-robots-tag")]).toEqual([200, "noindex"]);
  expect(wordsIn(text)).toContain("Billing API");
  expect(text).toContain('href="/status-pages/1/preview/style.css"');
  expect([style.status, style.headers.get("content-type")]).toEqual([
    200,
    "text/css; charset=utf-8",
  ]);
  const below = ["/events", "/monitors/2", "/badge", "/nothing", "s"];
  const statuses = below.map(async (path) => (await get(`/status-pages/1/preview${path}`)).status);
  expect(await Promise.all(statuses)).toEqual([200, 200, 200, 404, 404]);
  expect((await get("/status/acme")).status).toBe(404);
  const report = { title: "Slow", status: "investigating", message: "We look.", notify: "yes" };
  const previewed = async (): Promise<string> =>
    (await send("/status-pages/1/reports/new", { ...report, preview: "yes" })).says;
  expect(await previewed()).toContain("The page is a draft: publish it");
  await send("/status-pages/1/publish", {});
  expect(await firstActs()).toEqual(["View page"]);
  expect(await previewed()).toContain("The page's subscribers get it, too.");
});

test("a new group takes components of no group at once, in the page's order, and no other's", async () => {
  const scene = await operatorScene();
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const form = tokenIn(await (await scene.get("/status-pages/new")).text());
  const sendAll = (fields: [string, string][]) =>
    scene.post("/status-pages/1/groups", new URLSearchParams([["form", form], ...fields]));
  for (const name of ["One", "Two", "Three"]) await send("/status-pages/1/parts", { name });
  const groupsOf = async (): Promise<unknown> => {
    const { components } = JSON.parse(await (await scene.get("/status-pages/1.json")).text());
    return components.map(({ name, group }: { name: string; group: string }) => [name, group]);
  };
  const offered = async (): Promise<readonly string[]> => {
    const text = await (await scene.get("/status-pages/1?add=groups")).text();
    return [...text.matchAll(/name="components"\s+value="(\d+)"/g)].map(([, id = ""]) => id);
  };
  expect(await offered()).toEqual(["1", "2", "3"]);
  const made = await sendAll([
    ["name", "Money"],
    ["components", "3"],
    ["components", "1"],
  ]);
  expect(made.status).toBe(303);
  expect(await groupsOf()).toEqual([
    ["One", "1"],
    ["Two", null],
    ["Three", "1"],
  ]);
  expect(await offered()).toEqual(["2"]);
  const refused = await sendAll([
    ["name", "Other"],
    ["components", "1"],
  ]);
  expect(refused.status).toBe(422);
  expect(await groupsOf()).toContainEqual(["One", "1"]);
  expect(await (await scene.get("/status-pages/1")).text()).not.toContain("Other");
});

test("monitors come to a page all at once, or those with a label, without a tick for each", async () => {
  const scene = await operatorScene();
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const offered = async (): Promise<readonly string[]> => {
    const page = await (await scene.get("/status-pages/1?add=monitors")).text();
    const [, list = ""] = /<select[^>]*name="which"[^>]*>(.*?)<\/select>/s.exec(page) ?? [];
    return [...list.matchAll(/<option[^>]*>(.*?)<\/option>/g)].map(([, words = ""]) => words);
  };
  const shown = async (): Promise<readonly string[]> => {
    const { components } = JSON.parse(await (await scene.get("/status-pages/1.json")).text());
    return Array.from(components, (one) => String(Object(one).name));
  };
  expect(await offered()).toEqual([
    "Those ticked below",
    "All 12",
    "All 2 with team:build",
    "All 3 with team:data",
    "All 3 with team:warehouse",
    "All 4 with team:web",
  ]);
  const refused = await send("/status-pages/1/monitors", { which: "team:none" });
  expect(refused.status).toBe(422);
  const none = await send("/status-pages/1/monitors", { which: "" });
  expect(none.status).toBe(422);
  expect(await shown()).toEqual([]);
  // What is ticked is added, too, and once.
  const web = ["Billing API", "Intranet", "Shop", "Wiki"];
  const page = await (await scene.get("/status-pages/1?add=monitors")).text();
  const [, registry = ""] = /value="(\d+)"[^>]*>\s*Registry/.exec(page) ?? [];
  await send("/status-pages/1/monitors", { which: "team:web", monitors: registry });
  expect((await shown()).toSorted()).toEqual([...web, "Registry"].toSorted());
  expect((await offered()).slice(1, 3)).toEqual(["All 7", "All 1 with team:build"]);
  // They come together: the log of changes has the page as it was made, and one change.
  const { changes } = JSON.parse(await (await scene.get("/changes.json?kind=page")).text());
  expect(changes).toHaveLength(2);
  await send("/status-pages/1/monitors", { which: "all" });
  expect((await shown()).length).toBe(12);
  expect(await offered()).toEqual([]);
});

/** A store in which someone deletes the first component as soon as a group is made. */
const losingStore: typeof openStoreHere = async (place) => {
  const store = await openStoreHere(place);
  const { groups, components } = store.pages;
  const create: typeof groups.create = async (made) => {
    const id = await groups.create(made);
    await components.delete(1);
    return id;
  };
  return { ...store, pages: { ...store.pages, groups: { ...groups, create } } };
};

test("a new group takes the rest if a component is deleted meanwhile", async () => {
  const scene = await operatorScene({ opensStore: losingStore });
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  for (const name of ["One", "Two"]) await send("/status-pages/1/parts", { name });
  const form = tokenIn(await (await scene.get("/status-pages/new")).text());
  const fields = { form, name: "Money" };
  const chosen = ["1", "2"].map((id) => ["components", id]);
  const all = new URLSearchParams([...Object.entries(fields), ...chosen]);
  expect((await scene.post("/status-pages/1/groups", all)).status).toBe(303);
  const { components, groups } = JSON.parse(await (await scene.get("/status-pages/1.json")).text());
  expect(components).toMatchObject([{ name: "Two", group: "1" }]);
  expect(groups).toHaveLength(1);
});

test("a published page says to its editors that what they change is seen at once; a draft does not", async () => {
  const scene = await operatorScene();
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const said = async (tab = ""): Promise<number> => {
    const text = wordsIn(await (await scene.get(`/status-pages/1${tab}`)).text());
    return text.split("This page is public: what you change here is seen at once.").length - 1;
  };
  expect(await said()).toBe(0);
  await send("/status-pages/1/publish", {});
  // On each tab, so that the tabs stay where they are.
  for (const tab of ["", "/reports", "/look", "/access", "/subscribers", "/settings"])
    expect(await said(tab)).toBe(1);
});

test("the form of the first page has no Cancel, which would lead to itself", async () => {
  const scene = await operatorScene();
  const cancels = async (path: string): Promise<boolean> =>
    (await (await scene.get(path)).text()).includes(">Cancel</a");
  expect(await cancels("/status-pages")).toBe(false);
  expect(await cancels("/status-pages/new")).toBe(true);
});

test("networks without the address of whoever saves them are saved, with a warning that names it", async () => {
  const scene = await operatorScene();
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const path = "/status-pages/1/access";
  const save = async (allowed_ip_ranges: string): Promise<string> => {
    const saved = await send(path, { access_type: "ip-restriction", allowed_ip_ranges });
    expect(saved.status).toBe(303);
    return saved.to ?? "";
  };
  const saved = `${path}?notice=saved`;
  expect(await save("192.0.2.0/24")).toBe(saved);
  // What a link says is not believed: whoever follows it would let that address in.
  const page = await (await scene.get(`${saved}&from=198.51.100.7`)).text();
  expect(page).toContain('class="notice warn"');
  expect(wordsIn(page)).toContain(
    "your address, as the service sees it, is 127.0.0.1, and no network",
  );
  expect(page).not.toContain("198.51.100.7");
  expect(await save("192.0.2.0/24, 127.0.0.0/8")).toBe(saved);
  expect(await (await scene.get(saved)).text()).toContain('class="notice good"');
});

test("a mail address and a host name are taken as links, and shown as the links that they are", async () => {
  const scene = await operatorScene();
  const send = sending(scene);
  await send("/status-pages", { title: "Acme", slug: "acme" });
  const links = { homepage_url: "acme.test", contact_url: "help@acme.test" };
  const saved = await send("/status-pages/1", { ...allSettings, ...links });
  expect(saved.to).toContain("notice=saved");
  const settings = await (await scene.get("/status-pages/1/settings")).text();
  for (const link of ["https://acme.test", "mailto:help@acme.test"])
    expect(settings).toContain(`value="${link}"`);
  const refused = await send("/status-pages/1", { ...allSettings, contact_url: "the help desk" });
  expect([refused.status, refused.says.includes("must be an http, https or mailto URL")]).toEqual([
    422,
    true,
  ]);
});
