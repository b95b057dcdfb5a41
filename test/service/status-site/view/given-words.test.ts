import { expect, test } from "vitest";
import { locales } from "#service/status-page/page-definition";
import { reportStatuses } from "#service/status-page/report-words";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { reportText } from "#service/status-site/view/given-words";
import { wordsIn } from "#service/status-site/view/words";
import { statusScene } from "../status-scene.ts";

test("the first words of a form are in the language of the reader, whichever language they were filled in in", () => {
  for (const from of locales)
    for (const to of locales)
      for (const status of reportStatuses)
        expect(reportText(` ${pageTexts[from].firstWords[status]}\n`, wordsIn(to))).toBe(
          pageTexts[to].firstWords[status],
        );
});

test("those with the names of components are translated without them, and what a person wrote stays", () => {
  const named = "We are investigating why Shop and Wiki are not available.";
  expect(reportText(named, wordsIn("en"))).toBe(named);
  expect(reportText(named, wordsIn("de"))).toBe(pageTexts.de.firstWords.investigating);
  for (const own of [
    "We are investigating why Shop is not available. Sorry.",
    "The problem is resolved. **Cause**: a disk.",
  ])
    expect(reportText(own, wordsIn("de"))).toBe(own);
});

test("a page and its feeds have the first words of a report in their language", async () => {
  await using here = await statusScene();
  const locale = { locales: ["LOCALE_DE"], defaultLocale: "LOCALE_DE" };
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", ...locale });
  await here.call("CreateStatusReport", {
    pageId: "1",
    title: "Shop",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: pageTexts.en.firstWords.investigating,
    date: "2026-11-22T11:00:00Z",
  });
  for (const path of ["", "/events", "/events/report/1", "/feed/atom", "/feed/rss"]) {
    const answer = await here.get(`/status/acme${path}`);
    const page = await answer.text();
    expect([path, page.includes(pageTexts.de.firstWords.investigating)]).toEqual([path, true]);
    expect(page).not.toContain(pageTexts.en.firstWords.investigating);
  }
});
