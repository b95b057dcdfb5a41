import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pageDefaults, type PageDefinition } from "#service/status-page/page-definition";
import { mailBrand } from "#service/status-site/news/mail-brand";
import { type MailServer, startMailServer } from "../../../servers/mail-servers.ts";
import { complaints, looks, overhang, sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { readMail } from "../../../support/read-mail.ts";
import { statusScene } from "../status-scene.ts";

/* The top of mails to readers: the page's name, its icon and its colour. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());
const browser = fileBrowser();

const file = `icon/${"0123456789abcdef".repeat(2)}`;
const page: PageDefinition = { ...pageDefaults, title: "Acme", slug: "acme", icon: `${file}.png` };
const address = "https://status.test/status/acme";
const iconOf = (changes: Partial<PageDefinition>, at = address) =>
  mailBrand({ ...page, ...changes }, at).icon;

describe("the icon of a mail", () => {
  test("is a file of a public page, by its https address", () => {
    expect(iconOf({})).toBe(`${address}/${file}.png`);
    expect(iconOf({ icon: `${file}.jpg` })).toBe(`${address}/${file}.jpg`);
  });

  test("is left out if it is elsewhere, of a closed page, without https, or of a kind that mail programs do not draw", () => {
    expect(iconOf({ icon: "" })).toBeNull();
    expect(iconOf({ icon: "https://cdn.test/icon.png" })).toBeNull();
    expect(iconOf({ access: "password" })).toBeNull();
    expect(iconOf({}, "http://status.test/status/acme")).toBeNull();
    for (const end of ["svg", "ico"]) expect(iconOf({ icon: `${file}.${end}` })).toBeNull();
  });
});

test("the colour of a mail is the accent of the page's theme, or that of links if it refers to another", () => {
  const configuration = { ...page.configuration, themeKey: "ocean" } as const;
  expect(mailBrand({ ...page, configuration }, address).accent).toEqual({
    light: "#00608a",
    dark: "#7cc8f2",
  });
  const customTheme = { light: { "--primary": "#123456" }, dark: { "--primary": "var(--ring)" } };
  expect(mailBrand({ ...page, customTheme }, address).accent).toEqual({
    light: "#123456",
    dark: "#8ab8f5",
  });
});

test("links and buttons of a mail have the accent where it can be read, and else the colour of links", () => {
  const linksOf = (light: string, dark: string) => {
    const customTheme = { light: { "--primary": light }, dark: { "--primary": dark } };
    return mailBrand({ ...page, customTheme }, address).links;
  };
  expect(linksOf("#123456", "#abcdef")).toEqual({ light: "#123456", dark: "#abcdef" });
  expect(linksOf("#ffcc00", "#ffcc00")).toEqual({ light: "#0b57a4", dark: "#ffcc00" });
  expect(linksOf("#123456", "#333333")).toEqual({ light: "#123456", dark: "#8ab8f5" });
  // 4.7 to 1 on white, and 4.4 to 1 on the ground of what people wrote.
  expect(linksOf("#747474", "#abcdef").light).toBe("#0b57a4");
});

/** What a reader gets who subscribes to a page with colours of its own. */
async function confirmation(darkAccent = "#abcdef"): Promise<ReturnType<typeof readMail>> {
  await using here = await statusScene([], mails);
  const before = mails.mails.length;
  await here.call("CreateStatusPage", {
    title: "Acme <b>",
    slug: "acme",
    customTheme: { light: { "--primary": "#123456" }, dark: { "--primary": darkAccent } },
  });
  await here.post("/status/acme/subscribe", { email: "ann@reader.test" });
  await mails.had(before + 1);
  return readMail(mails.mails[before] ?? "");
}

test("a mail has the page's name and colour at its top, and its text has neither", async () => {
  const { html, text } = await confirmation();
  expect(html).toMatch(/<p class="brand" dir="auto">\s*Acme &lt;b&gt;\s*<\/p>\s*<h1 /);
  expect(html).toContain("border-top-color: #123456;");
  expect(html).toContain("border-top-color: #abcdef;");
  expect(html).not.toContain("<img");
  // Those of every mail in both schemes, and those of this page after them.
  expect(html.match(/\.note a \{ color: #\w+/g)).toEqual(
    ["#0b57a4", "#8ab8f5", "#123456", "#abcdef"].map((one) => `.note a { color: ${one}`),
  );
  expect(html.length).toBeLessThan(6_000);
  expect(text).not.toMatch(/#123456|brand/);
});

test.skipIf(!browser.isThere)(
  "a mail with the name and colour of its page is without fault in both schemes and sizes",
  async () => {
    const shown = await browser.sharedPage();
    // One can be read in both schemes, one in light alone.
    for (const darkAccent of ["#abcdef", "#123456"]) {
      const { html } = await confirmation(darkAccent);
      await shown.setContent(html);
      for (const { colorScheme, size, rules } of looks) {
        await shown.emulateMedia({ colorScheme });
        await shown.setViewportSize(sizes[size]);
        expect(await complaints(shown, rules)).toEqual([]);
        expect(await overhang(shown)).toBe(0);
      }
    }
  },
);
