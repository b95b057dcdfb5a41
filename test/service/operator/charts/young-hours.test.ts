import { expect, test } from "vitest";
import { alertedOffice } from "../../alerts/alerted-office.ts";
import { readingMarkup } from "../../../support/reading-pages.ts";

test("a young monitor shows its hours, whose downtime is that of its day, and the list below has the day", async () => {
  const office = await alertedOffice();
  const read = await readingMarkup(office);
  await office.beat();
  for (const one of "..xxxx..x") {
    await office.report(one === "x" ? "error" : "success");
    await office.pass(30);
  }
  const page = (await read("/monitors/1")).replaceAll("\u00a0", " ").replaceAll(/\s+/g, " ");
  const [, bars = ""] =
    /<ol class="day-bars of-day" aria-label="[^"]*"> ?(.*?)<\/ol>/.exec(page) ?? [];
  expect(bars.match(/<li/g)).toHaveLength(24);
  expect(bars.match(/<li class="before"/g)).toHaveLength(23);
  const [, ofHour] = /aria-label="[^"]* to [^"]* UTC: down for ([^";]*)/.exec(bars) ?? [];
  const [, ofDay] = /<ul class="remarks bad-days">.*? down for ([^;<]*)/.exec(page) ?? [];
  expect(ofHour).toMatch(/^2 min/);
  expect(ofDay?.trim()).toBe(ofHour);
  expect(page).toContain(`1 hour: down for ${ofHour}.`);
  expect(bars).toMatch(
    /<time datetime="[^"]+">\d+ [A-Z][a-z]+, \d\d:00<\/time> to <time [^>]*>\d\d:00 UTC</,
  );
});
