import { expect, test } from "vitest";
import { scriptTexts } from "#web/script-texts";
import { withZoneName } from "#web/page/zone-name";
import { fileBrowser } from "../../support/file-browser.ts";

const browser = fileBrowser();
const [winter, summer] = [Date.parse("2026-01-15T12:00Z"), Date.parse("2026-07-15T12:00Z")];

const names: readonly (readonly [zone: string, winter: string, summer: string])[] = [
  ["UTC", "UTC", "UTC"],
  ["Europe/London", "GMT", "BST"],
  ["Europe/Berlin", "CET", "CEST"],
  ["America/Chicago", "CST", "CDT"],
  ["America/St_Johns", "NST", "NDT"],
  ["Australia/Sydney", "AEDT", "AEST"],
  ["Asia/Kolkata", "IST", "IST"],
  ["Asia/Tokyo", "GMT+9", "GMT+9"],
  ["America/Sao_Paulo", "GMT−3", "GMT−3"],
];

const written = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "long" });

test.each(names)("a time in %s is %s in January and %s in July", (zone, ...expected) => {
  const shown = [winter, summer].map((at) => withZoneName(written(zone).format(at), zone, [at]));
  expect(shown.map((one) => one.split(" ").at(-1))).toEqual(expected);
});

test("two times between which clocks change have each its name", () => {
  const zone = "America/Chicago";
  const text = [winter, summer].map((at) => written(zone).format(at)).join(" to ");
  expect(withZoneName(text, zone, [winter, summer])).toBe("06:00:00 CST to 07:00:00 CDT");
});

test.skipIf(!browser.isThere)("a browser calls each zone as the service does", async () => {
  const module = scriptTexts().get("reader-zone.js") ?? "";
  const seen = [];
  for (const [timezoneId] of names) {
    await using context = await browser.newContext({ timezoneId });
    const page = await context.newPage();
    const shown = await page.evaluate(
      async ({ code, instants }) => {
        const { withZoneName: named } = await import(
          `data:text/javascript,${encodeURIComponent(code)}`
        );
        const format = new Intl.DateTimeFormat("en-GB", { timeStyle: "long" });
        return instants.map((at) =>
          String(named(format.format(at), at))
            .split(" ")
            .at(-1),
        );
      },
      { code: module, instants: [winter, summer] },
    );
    seen.push([timezoneId, ...shown]);
  }
  expect(seen).toEqual(names);
});
