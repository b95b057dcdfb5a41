import { afterAll, beforeAll, expect, test } from "vitest";
import { seconds } from "#base/units";
import { plainFact } from "#service/status-site/news/letter-facts";
import { wordsIn } from "#service/status-site/view/words";
import { type MailServer, startMailServer } from "../../../servers/mail-servers.ts";
import { complaints, looks, overhang, sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { readMail } from "../../../support/read-mail.ts";
import { byKey } from "../../../support/signed-in.ts";
import { statusScene, type StatusScene } from "../status-scene.ts";

/* The table of a mail to readers: when it is or was, and what it concerns. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());
const browser = fileBrowser();

/** A page with two components and a reader in English. */
async function acme(here: StatusScene) {
  let read = mails.mails.length;
  const next = async () => {
    await mails.had(read + 1);
    read += 1;
    const { html, text } = readMail(mails.mails[read - 1] ?? "");
    return { html, text: text.replaceAll("\r\n", "\n"), rows: rowsIn(html) };
  };
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  for (const name of ["Shop", "Desk"]) await here.call("AddStaticComponent", { pageId: "1", name });
  const emailChannel = { email: "ann@reader.test" };
  await here.call("CreatePageSubscription", { pageId: "1", emailChannel });
  return { next, operator: await byKey(here, "write") };
}

/** Label and value of each row, as a reader reads them. */
const rowsIn = (html: string): readonly (readonly string[])[] =>
  [...html.matchAll(/<th scope="row">([^<]*)<\/th>\s*<td[^>]*>([^]*?)<\/td>/g)].map(
    ([, name = "", value = ""]) => [
      name,
      value
        .replaceAll(/<br \/>/g, " | ")
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    ],
  );

const report = (here: StatusScene) =>
  here.call("CreateStatusReport", {
    title: "Cards fail",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "We look.",
    date: "2026-11-22T12:00:00Z",
    pageId: "1",
    componentImpacts: [{ pageComponentId: "1", impact: "PAGE_COMPONENT_IMPACT_PARTIAL_OUTAGE" }],
    notify: true,
  });

const update = (here: StatusScene, status: string, time: string) =>
  here.call("AddStatusReportUpdate", {
    statusReportId: "1",
    status: `STATUS_REPORT_STATUS_${status}`,
    message: "More.",
    date: `2026-11-22T${time}:00Z`,
    notify: true,
  });

test("a report's mails say since when it lasts, when something was added, and in the end how long it lasted", async () => {
  await using here = await statusScene([], mails);
  const { next } = await acme(here);
  await report(here);
  const affected = ["Affected", "Shop (partial outage)"];
  expect((await next()).rows).toEqual([["Began", "22 Nov 2026, 12:00 UTC"], affected]);
  here.clock.suspend(seconds(7200));
  await update(here, "IDENTIFIED", "12:13");
  const known = await next();
  expect(known.rows).toEqual([
    ["Began", "22 Nov 2026, 12:00 UTC"],
    ["Update", "22 Nov 2026, 12:13 UTC"],
    affected,
  ]);
  await update(here, "RESOLVED", "13:12");
  const over = await next();
  expect(over.rows).toEqual([
    ["When", "22 Nov 2026, 12:00 – 13:12 UTC"],
    ["Duration", "1 hour, 12 minutes"],
    ["Affected", "Shop"],
  ]);
  expect(over.text).toContain(
    "Resolved: Cards fail · Acme\n\nWhen: 22 Nov 2026, 12:00 – 13:12 UTC\nDuration: 1 hour, 12 minutes\nAffected: Shop\n\nMore.\n",
  );
  await update(here, "RESOLVED", "13:40");
  expect((await next()).rows.slice(0, 3)).toEqual([
    ["When", "22 Nov 2026, 12:00 – 13:12 UTC"],
    ["Duration", "1 hour, 12 minutes"],
    ["Update", "22 Nov 2026, 13:40 UTC"],
  ]);
});

const work = {
  title: "Backups",
  message: "Read-only.",
  page_id: "1",
  time_zone: "UTC",
  from: "2026-11-23T22:00",
  to: "2026-11-23T23:00",
  repeat: "weekly",
  notify: "yes",
};

test("of work with other times, each is next to the one from before, and so is its rule", async () => {
  await using here = await statusScene([], mails);
  const { next, operator } = await acme(here);
  const edit = async (changes: Record<string, string>) => {
    await here.clock.advance(seconds(1));
    await operator.send("/maintenances/1/edit", { ...work, ...changes });
    return (await next()).rows;
  };
  await operator.send("/maintenances/new", work);
  await next();
  const moved = { from: "2026-11-24T22:00", to: "2026-11-24T23:00" };
  const rule = "every Tuesday, 22:00 (UTC)";
  expect(await edit(moved)).toEqual([
    ["When", "24 Nov 2026, 22:00 – 23:00 UTC | Instead of: 23 Nov 2026, 22:00 – 23:00 UTC"],
    ["Then", expect.stringContaining("Tue 1 Dec · Tue 8 Dec")],
    ["Repeats", `${rule} | Instead of: every Monday, 22:00 (UTC)`],
    ["Affected", "All systems"],
  ]);
  expect(await edit({ ...moved, repeat: "once" })).toEqual([
    ["When", "24 Nov 2026, 22:00 – 23:00 UTC"],
    ["Repeats", `no | Instead of: ${rule}`],
    ["Affected", "All systems"],
  ]);
});

test("of work that concerns other components, these are above those from before, also if its times stay", async () => {
  await using here = await statusScene([], mails);
  const { next, operator } = await acme(here);
  const edit = async (changes: Record<string, string>) => {
    await here.clock.advance(seconds(1));
    await operator.send("/maintenances/1/edit", { ...work, repeat: "once", ...changes });
    return (await next()).rows;
  };
  await operator.send("/maintenances/new", { ...work, repeat: "once", page_component_ids: "1" });
  await next();
  const when = ["When", "23 Nov 2026, 22:00 – 23:00 UTC"];
  expect(await edit({ page_component_ids: "2" })).toEqual([
    when,
    ["Affected", "Desk | Instead of: Shop"],
  ]);
  expect(await edit({ message: "It is read-only." })).toEqual([
    when,
    ["Affected", "All systems | Instead of: Desk"],
  ]);
  const later = { to: "2026-11-23T23:30", page_component_ids: "1" };
  expect(await edit(later)).toEqual([
    ["When", "23 Nov 2026, 22:00 – 23:30 UTC | Instead of: 23 Nov 2026, 22:00 – 23:00 UTC"],
    ["Affected", "Shop | Instead of: All systems"],
  ]);
  expect(await edit(later)).toEqual([
    ["When", "23 Nov 2026, 22:00 – 23:30 UTC"],
    ["Affected", "Shop"],
  ]);
});

test("a chat has what a fact was in brackets", () => {
  const fact = { name: "When", value: "today", before: "tomorrow" };
  const inChat = (locale: "en" | "de") => plainFact(fact, wordsIn(locale)).value;
  expect([inChat("en"), inChat("de")]).toEqual([
    "today (instead of: tomorrow)",
    "today (statt bisher: tomorrow)",
  ]);
});

test.skipIf(!browser.isThere)(
  "a mail with a state, a table and times from before is without fault in both schemes and sizes",
  async () => {
    await using here = await statusScene([], mails);
    const { next, operator } = await acme(here);
    await report(here);
    const all = [(await next()).html];
    await operator.send("/maintenances/new", work);
    await next();
    await here.clock.advance(seconds(1));
    const long = { title: "Upgrade".repeat(20), message: "read-only".repeat(40) };
    const name = `${"shop".repeat(20)} · ${"desk".repeat(20)}`;
    await here.call("AddStaticComponent", { pageId: "1", name });
    const changes = { from: "2026-11-23T21:00", page_component_ids: "3" };
    await operator.send("/maintenances/1/edit", { ...work, ...long, ...changes });
    all.push((await next()).html);
    const shown = await browser.sharedPage();
    for (const html of all) {
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
