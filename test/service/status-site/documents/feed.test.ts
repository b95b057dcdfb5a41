import { expect, test } from "vitest";
import { hours } from "#base/units";
import { statusScene } from "../status-scene.ts";

/* It is 12:00 on 22 November. */

/** Titles and contents of the entries of a page's feed, by their ids. */
async function entriesOf(here: Awaited<ReturnType<typeof statusScene>>, path = "") {
  const feed = JSON.parse(await (await here.get(`/status/acme${path}/feed/json`)).text());
  return new Map<string, { title: string; content_html: string }>(
    feed.items.map((one: { id: string }) => [one.id.replace(/^.*\/events\//, ""), one]),
  );
}

test("the titles of a feed say what is planned, under way, over or resolved, and its entries what is affected", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  for (const name of ["Phone", "Shop"])
    await here.call("AddStaticComponent", { pageId: "1", name });
  for (const [title, status, component] of [
    ["Calls drop", "INVESTIGATING", "1"],
    ["Cards fail", "RESOLVED", "2"],
  ])
    await here.call("CreateStatusReport", {
      pageId: "1",
      title,
      status: `STATUS_REPORT_STATUS_${status}`,
      message: "Words.",
      date: "2026-11-22T11:00:00Z",
      pageComponentIds: [component],
    });
  for (const [title, from] of [
    ["New disks", "2026-11-22T13:00:00Z"],
    ["Patches", "2026-11-22T11:30:00Z"],
  ] as const)
    await here.call("CreateMaintenance", {
      pageId: "1",
      title,
      message: "Words.",
      from,
      to: new Date(Date.parse(from) + hours(1)).toISOString(),
      pageComponentIds: ["2"],
    });
  const entries = await entriesOf(here);
  expect(new Map([...entries].map(([id, { title }]) => [id, title]))).toEqual(
    new Map([
      ["report/1", "Investigating: Calls drop"],
      ["report/2", "Resolved: Cards fail"],
      ["maintenance/1", "Planned maintenance: New disks"],
      ["maintenance/2", "Maintenance under way: Patches"],
    ]),
  );
  expect(entries.get("report/1")?.content_html).toContain("Affected: Phone");
  expect(entries.get("maintenance/1")?.content_html).toContain("Affected: Shop");
  for (const name of ["atom", "rss"]) {
    const feed = await (await here.get(`/status/acme/feed/${name}`)).text();
    expect(feed).toContain("<title>Resolved: Cards fail</title>");
    expect(feed).toContain("<title>Planned maintenance: New disks</title>");
  }
});

test("they say so in the language of the page, also of work that is over", async () => {
  await using here = await statusScene();
  const locales = ["LOCALE_DE"];
  const page = { title: "Acme", slug: "acme", locales, defaultLocale: "LOCALE_DE" };
  await here.call("CreateStatusPage", page);
  await here.call("CreateMaintenance", {
    pageId: "1",
    title: "Neue Platten",
    message: "Worte.",
    from: "2026-11-22T10:00:00Z",
    to: "2026-11-22T11:00:00Z",
  });
  const [entry] = (await entriesOf(here)).values();
  expect(entry?.title).toMatch(/^\S.*: Neue Platten$/);
  expect(entry?.title).not.toContain("Maintenance");
});
