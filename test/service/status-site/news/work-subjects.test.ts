import { afterAll, beforeAll, expect, test } from "vitest";
import { minutes } from "#base/units";
import { plainText } from "#service/notify/message/plain";
import { locales } from "#service/status-page/page-definition";
import { repeatTexts } from "#service/status-page/texts/repeat-texts";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { type MailServer, startMailServer } from "../../../servers/mail-servers.ts";
import { startProvider } from "../../../servers/providers.ts";
import { readMail } from "../../../support/read-mail.ts";
import { byKey } from "../../../support/signed-in.ts";
import { statusScene } from "../status-scene.ts";

/* What the subjects of messages about planned work say is new, to readers in six languages and to a webhook. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());

/** A page with a reader in each language, and a webhook. */
async function scene() {
  const here = await statusScene([], mails);
  const hook = await startProvider((_asked, response) => void response.end());
  let read = mails.mails.length;
  const next = async (count: number) => {
    await mails.had(read + count);
    const all = mails.mails.slice(read, read + count).map((one) => readMail(one));
    read += count;
    return all;
  };
  const all = locales.map((one) => `LOCALE_${one.toUpperCase()}`);
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", locales: all });
  for (const locale of locales) {
    await here.post(`/status/acme/${locale}/subscribe`, { email: `${locale}@reader.test` });
    const [mail] = await next(1);
    const link = mail?.links.find((one) => one.includes("/verify/")) ?? "";
    await here.post(new URL(link).pathname, {});
  }
  const webhookChannel = { webhookUrl: hook.url, headers: [] };
  await here.call("CreatePageSubscription", { pageId: "1", webhookChannel });
  const plan = (changes: object) =>
    here.call("CreateMaintenance", {
      title: "Backups",
      message: "Read-only.",
      from: "2026-11-23T22:00:00Z",
      to: "2026-11-23T23:00:00Z",
      pageId: "1",
      notify: true,
      ...changes,
    });
  return {
    here,
    plan,
    operator: await byKey(here, "write"),
    /** By the language of their readers. */
    subjects: async () => {
      const sent = (await next(locales.length)).map(
        ({ headers, text }) => [headers.get("to")?.slice(0, 2) ?? "", headers, text] as const,
      );
      return new Map(sent.map(([to, headers]) => [to, headers.get("subject") ?? ""]));
    },
    texts: async () =>
      new Map(
        (await next(locales.length)).flatMap(({ headers, text }) =>
          locales
            .filter((locale) => headers.get("to") === `${locale}@reader.test`)
            .map((locale) => [locale, text] as const),
        ),
      ),
    english: async () =>
      (await next(locales.length))
        .find(({ headers }) => headers.get("to") === "en@reader.test")
        ?.text.replaceAll("\r\n", "\n"),
    event: async (count: number) => {
      await expect.poll(() => hook.asked.length).toBe(count);
      return JSON.parse(hook.asked[count - 1]?.body ?? "{}").data.maintenance;
    },
    [Symbol.asyncDispose]: async () => {
      await hook[Symbol.asyncDispose]();
      await here[Symbol.asyncDispose]();
    },
  };
}

const weekly = { recurrence: "FREQ=WEEKLY;BYDAY=MO" };
const subjectsOf = (state: "updated" | "dateCancelled" | "finished" | "begun") =>
  new Map(
    locales.map((one) => [
      one,
      plainText(`${pageTexts[one].news[state]}${pageTexts[one].colon}Backups · Acme`),
    ]),
  );

test("after a skip of one date the subject says that, and the mail and the webhook name that date and the next", async () => {
  await using one = await scene();
  const { here, plan, operator, subjects, event } = one;
  await plan(weekly);
  await subjects();
  await here.clock.advance(1_000);
  const begin = Date.parse("2026-11-23T22:00:00Z");
  await operator.send("/maintenances/1/skip", { from: String(begin), back: "/maintenances/1" });
  await operator.send("/maintenances/1/updates", { message: "Not this week.", notify: "yes" });
  expect(await subjects()).toEqual(subjectsOf("dateCancelled"));
  expect(await event(2)).toMatchObject({
    event: "date_cancelled",
    cancelled_date: { starts_at: "2026-11-23T22:00:00.000Z", ends_at: "2026-11-23T23:00:00.000Z" },
    starts_at: "2026-11-30T22:00:00.000Z",
  });
  await here.clock.advance(1_000);
  await operator.send("/maintenances/1/updates", { message: "As planned.", notify: "yes" });
  expect(await subjects()).toEqual(subjectsOf("updated"));
  expect(await event(3)).toMatchObject({ event: "updated", cancelled_date: null });
});

test("the words that the form fills in after a skip are in the mail once", async () => {
  await using one = await scene();
  const { here, plan, operator, english } = one;
  await plan(weekly);
  await english();
  await here.clock.advance(1_000);
  const begin = Date.parse("2026-11-23T22:00:00Z");
  await operator.send("/maintenances/1/skip", { from: String(begin), back: "/maintenances/1" });
  const form = await operator.text(`/maintenances/1/updates?fill=skipped.${begin}`);
  const [, message = ""] = /<textarea[^>]*name="message"[^>]*>\s*([^<]+)</.exec(form) ?? [];
  await operator.send("/maintenances/1/updates", { message, notify: "yes" });
  const text = await english();
  expect(text).toMatch(
    /\nDoes not take place: 23 Nov 2026, 22:00\s–\s23:00 UTC\nPlanned maintenance: 30 Nov 2026, 22:00\s–\s23:00 UTC\nThen: /,
  );
  expect(text?.split("Does not take place").length).toBe(2);
});

test("what the form fills in is in the language of each reader, in mails and on the page, and only once", async () => {
  await using one = await scene();
  const { plan, operator, subjects, texts } = one;
  await plan({ recurrence: "FREQ=WEEKLY;BYDAY=MO", timeZone: "Europe/Berlin" });
  await subjects();
  const work = {
    title: "Backups",
    message: "Read-only.",
    page_id: "1",
    time_zone: "Europe/Berlin",
  };
  const times = { from: "2026-11-24T18:00", to: "2026-11-24T19:00", repeat: "weekly" };
  await operator.send("/maintenances/1/edit", { ...work, ...times });
  const filled = async (fill: string) => {
    const form = await operator.text(`/maintenances/1/updates?fill=${fill}`);
    const [, message = ""] = /<textarea[^>]*name="message"[^>]*>\s*([^<]+)</.exec(form) ?? [];
    await operator.send("/maintenances/1/updates", { message, notify: "yes" });
    return texts();
  };
  const mails = await filled("times");
  for (const locale of locales) {
    const { newTimes } = pageTexts[locale].news;
    const text = mails.get(locale) ?? "";
    // The times from before say it.
    expect(text).not.toContain(newTimes);
    expect(text.split(pageTexts[locale].news.before).length).toBe(3);
    expect(text.split(repeatTexts[locale].label).length).toBe(2);
    if (locale !== "en") expect(text).not.toContain("new times");
    const page = await operator.text(`/status/acme/${locale}/events/maintenance/1`);
    expect(page.split(newTimes).length).toBe(2);
    const feed = await operator.text(`/status/acme/${locale}/feed/atom`);
    if (locale !== "en") expect(feed).not.toContain("new times");
  }
});

test("of new times that the form filled in the page has those that are true still, in its language", async () => {
  await using one = await scene();
  const { here, plan, operator } = one;
  await plan({ timeZone: "Europe/Berlin" });
  const work = { title: "Backups", message: "Soon.", page_id: "1", time_zone: "Europe/Berlin" };
  for (const day of ["24", "25", "26"]) {
    const times = { from: `2026-11-${day}T22:00`, to: `2026-11-${day}T23:30` };
    await operator.send("/maintenances/1/edit", { ...work, ...times });
    const form = await operator.text("/maintenances/1/updates?fill=times");
    const [, message = ""] = /<textarea[^>]*name="message"[^>]*>\s*([^<]+)</.exec(form) ?? [];
    await operator.send("/maintenances/1/updates", { message });
  }
  for (const locale of locales) {
    const page = await operator.text(`/status/acme/${locale}/events/maintenance/1`);
    expect(page.split(pageTexts[locale].news.newTimes).length).toBe(2);
  }
  await here.clock.advance(minutes(1));
  await operator.send("/maintenances/1/updates", { message: "The disks are here." });
  await operator.send("/maintenances/1/begin", { back: "/maintenances/1" });
  const [, seen = ""] = (await operator.text("/maintenances/1/updates")).split('class="seen"');
  expect(seen.slice(0, seen.indexOf("</article>"))).not.toContain(pageTexts.en.news.newTimes);
  for (const path of ["events/maintenance/1", "feed/atom", "feed/rss"]) {
    const page = await operator.text(`/status/acme/${path}`);
    expect(page).not.toContain(pageTexts.en.news.newTimes);
    expect(page).toContain("The disks are here.");
  }
});

test("what is sent after it began early says that it has begun, instead of when, and so does its line", async () => {
  await using one = await scene();
  const { here, plan, operator, subjects, event } = one;
  await plan({ from: "2026-11-22T12:30:00Z", to: "2026-11-22T13:30:00Z" });
  await subjects();
  await here.clock.advance(minutes(1));
  await operator.send("/maintenances/1/begin", { back: "/maintenances/1" });
  await operator.send("/maintenances/1/updates", { message: "Now.", notify: "yes" });
  expect(await subjects()).toEqual(subjectsOf("begun"));
  expect(await event(2)).toMatchObject({
    event: "begun",
    previous: { starts_at: "2026-11-22T12:30:00.000Z", ends_at: "2026-11-22T13:30:00.000Z" },
  });
  await here.clock.advance(minutes(1));
  await operator.send("/maintenances/1/end", { back: "/maintenances/1" });
  await operator.send("/maintenances/1/updates", { message: "Over.", notify: "yes" });
  expect(await subjects()).toEqual(subjectsOf("finished"));
  const lines = [
    ...(await operator.text("/maintenances/1")).matchAll(
      /(Announced|It has begun|It is over|New times|Update), </g,
    ),
  ];
  expect(lines.map(([, said]) => said)).toEqual(["It is over", "It has begun", "Announced"]);
});

test("a date of a series that began early has begun, instead of when, and is over as it was", async () => {
  await using one = await scene();
  const { here, plan, operator, subjects, event } = one;
  await plan(weekly);
  await subjects();
  await here.clock.advance(minutes(1));
  const planned = { starts_at: "2026-11-23T22:00:00.000Z", ends_at: "2026-11-23T23:00:00.000Z" };
  await operator.send("/maintenances/1/begin", { back: "/maintenances/1" });
  await operator.send("/maintenances/1/updates", { message: "Now.", notify: "yes" });
  expect(await subjects()).toEqual(subjectsOf("begun"));
  const begun = await event(2);
  expect(begun).toMatchObject({ event: "begun", previous: planned });
  await here.clock.advance(minutes(1));
  await operator.send("/maintenances/1/updates", { message: "All is well.", notify: "yes" });
  expect(await subjects()).toEqual(subjectsOf("updated"));
  expect(await event(3)).toMatchObject({ event: "updated", previous: null });
  await here.clock.advance(minutes(1));
  await operator.send("/maintenances/1/end", { back: "/maintenances/1" });
  const form = await operator.text("/maintenances/1/updates?fill=over");
  expect(form).toMatch(/<p class="when period">22 Nov 2026, 12:0/);
  await operator.send("/maintenances/1/updates", { message: "Over.", notify: "yes" });
  expect(await subjects()).toEqual(subjectsOf("finished"));
  const ended = await event(4);
  expect(ended).toMatchObject({ event: "ended", starts_at: begun.starts_at, previous: null });
  expect(Date.parse(ended.ends_at) - Date.parse(ended.starts_at)).toBeLessThan(minutes(5));
  expect(Date.parse(ended.ends_at)).toBeGreaterThan(Date.parse(ended.starts_at));
});

test("the subject in the preview of new times is that of their message", async () => {
  await using one = await scene();
  const { plan, operator, subjects } = one;
  await plan({});
  await subjects();
  const work = { title: "Backups", message: "Read-only.", page_id: "1", time_zone: "UTC" };
  const preview = async (from: string) => {
    const sent = { ...work, from, to: "2026-11-24T23:00", repeat: "once", preview: "part" };
    const answer = await operator.send("/maintenances/1/edit", { ...sent, notify: "yes" });
    return /(Maintenance [a-z ]+|Planned maintenance): Backups · Acme/.exec(
      await answer.text(),
    )?.[1];
  };
  expect([await preview("2026-11-24T22:00"), await preview("2026-11-22T11:00")]).toEqual([
    "Maintenance changed",
    "Maintenance has begun",
  ]);
});

test("what is sent after an early end is finished, and a webhook has `ended`, of work that repeats too", async () => {
  await using one = await scene();
  const { here, plan, operator, subjects, event } = one;
  let count = 0;
  for (const [id, changes] of [
    [1, {}],
    [2, { recurrence: "FREQ=DAILY" }],
  ] as const) {
    await plan({ from: "2026-11-22T11:00:00Z", to: "2026-11-22T13:00:00Z", ...changes });
    await subjects();
    await here.clock.advance(minutes(1));
    await operator.send(`/maintenances/${id}/end`, { back: `/maintenances/${id}` });
    await operator.send(`/maintenances/${id}/updates`, { message: "Over.", notify: "yes" });
    expect(await subjects()).toEqual(subjectsOf("finished"));
    count += 2;
    expect(await event(count)).toMatchObject({ event: "ended", previous: null });
  }
});

test("work that is planned anew after its time was over is changed, and has the times from before", async () => {
  await using one = await scene();
  const { here, plan, operator, subjects, event } = one;
  await plan({ from: "2026-11-22T12:00:30Z", to: "2026-11-22T12:01:00Z" });
  await subjects();
  await here.clock.advance(minutes(2));
  const work = { title: "Backups", message: "Again.", page_id: "1", time_zone: "UTC" };
  const times = { from: "2026-11-24T22:00", to: "2026-11-24T23:00", repeat: "once" };
  await operator.send("/maintenances/1/edit", { ...work, ...times, notify: "yes" });
  await subjects();
  expect(await event(2)).toMatchObject({
    event: "changed",
    previous: { starts_at: "2026-11-22T12:00:30.000Z", ends_at: "2026-11-22T12:01:00.000Z" },
  });
});

test("an extension leads to an update that is filled in with the later end, in the language of the page", async () => {
  await using one = await scene();
  const { here, plan, operator, subjects } = one;
  await plan({ from: "2026-11-22T11:00:00Z", to: "2026-11-22T13:00:00Z", ...weekly });
  await plan({ from: "2026-11-22T11:00:00Z", to: "2026-11-22T13:00:00Z" });
  await subjects();
  await subjects();
  await here.call("UpdateStatusPage", { id: "1", defaultLocale: "LOCALE_DE" });
  const extended = await operator.send("/maintenances/2/extend", {
    length: "1h",
    back: "/maintenances/2",
  });
  const page = await operator.text(extended.headers.get("location") ?? "");
  expect(page).toMatch(/updates\?fill=later"\s*>Tell the 7 subscribers that it ends later</);
  const form = await operator.text("/maintenances/2/updates?fill=later");
  expect(form).toMatch(
    /<textarea[^>]*name="message"[^>]*>\s*Die Wartung endet später als geplant: 22\. Nov\. 2026, 11:00\s?–\s?14:00 Uhr UTC</,
  );
  expect(form).toMatch(/<input[^>]*name="notify"[^>]*checked/);
});

test("the notice after new times are saved and sent says to how many subscribers they go", async () => {
  await using one = await scene();
  const { here, plan, operator, subjects } = one;
  await plan({});
  await subjects();
  await here.clock.advance(1_000);
  const work = { title: "Backups", message: "Read-only.", page_id: "1", time_zone: "UTC" };
  const times = { from: "2026-11-24T22:00", to: "2026-11-24T23:00", repeat: "once" };
  const sent = { ...work, ...times, notify: "yes" };
  const saved = await operator.send("/maintenances/1/edit", sent);
  expect(await operator.text(saved.headers.get("location") ?? "")).toContain(
    "It is sent to 7 subscribers.",
  );
});
