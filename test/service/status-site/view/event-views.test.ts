import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { statusScene } from "../status-scene.ts";

/* The pages of one report and of one maintenance, to which mails and feeds lead. */

test("the page of a report has its title as the heading, says its state and does not link to itself", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateStatusReport", {
    pageId: "1",
    title: "The <shop> is down",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "We look into it.",
    date: "2026-11-22T11:40:00Z",
  });
  const body = await (await here.get("/status/acme/events/report/1")).text();
  expect(body).toContain("<h1>The &lt;shop&gt; is down</h1>");
  expect(body).toContain("<h2>Investigating</h2>");
  expect(body).not.toContain('href="/status/acme/events/report/1"');
  expect(body).toContain("<title>The &lt;shop&gt; is down: Investigating · Acme</title>");
});

test.each([
  ["en", "Resolved", "Lasted 42 min"],
  ["de", "Behoben", "Dauerte 42 Min."],
  ["fr", "Résolu", "A duré 42 min"],
  ["tr", "Çözüldü", "42 dk. sürdü"],
  ["hi", "हल हो गया", "42 मि॰ तक चला"],
  ["ko", "해결됨", "42분 동안 지속됨"],
])(
  "a report that is over says so once, and how long it lasted (%s)",
  async (locale, over, lasted) => {
    await using here = await statusScene();
    const locales = ["EN", "FR", "DE", "TR", "HI", "KO"].map((one) => `LOCALE_${one}`);
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme", locales });
    await here.call("CreateStatusReport", {
      pageId: "1",
      title: "Shop",
      status: "STATUS_REPORT_STATUS_INVESTIGATING",
      message: "One.",
      date: "2026-11-22T11:00:00Z",
    });
    await here.call("AddStatusReportUpdate", {
      statusReportId: "1",
      status: "STATUS_REPORT_STATUS_RESOLVED",
      message: "Two.",
      date: "2026-11-22T11:42:00Z",
    });
    const path = locale === "en" ? "" : `/${locale}`;
    for (const event of ["/events/report/1", "/events", ""]) {
      const words = wordsOf(await (await here.get(`/status/acme${path}${event}`)).text());
      expect([event, words.split(over).length, words.split(lasted).length]).toEqual([event, 2, 2]);
    }
  },
);

test("a report that was over from its first word says that, and no length", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateStatusReport", {
    pageId: "1",
    title: "Shop",
    status: "STATUS_REPORT_STATUS_RESOLVED",
    message: "It was slow.",
    date: "2026-11-22T11:00:00Z",
  });
  const words = wordsOf(await (await here.get("/status/acme/events/report/1")).text());
  expect(words.match(/Resolved/g)).toHaveLength(1);
  expect(words).not.toContain("Lasted");
});

test("the page of a maintenance says its title once, as its heading and in the tab", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateMaintenance", {
    title: "New disks",
    message: "The shop is read-only.",
    from: "2026-11-29T22:00:00Z",
    to: "2026-11-29T23:00:00Z",
    pageId: "1",
  });
  const body = await (await here.get("/status/acme/events/maintenance/1")).text();
  expect(body).toContain("<title>New disks · Acme</title>");
  const main = body.slice(body.indexOf("<main"));
  expect(main.match(/New disks/g)).toHaveLength(1);
  expect(main).toContain("The shop is read-only.");
});

const locales = ["LOCALE_EN", "LOCALE_DE"];

/** Every week on this day, for an hour and a half, and a page that shows it. */
async function weekly(from: string, day: string): Promise<Awaited<ReturnType<typeof statusScene>>> {
  const here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", locales });
  await here.call("AddStaticComponent", { pageId: "1", name: "Phone" });
  await here.call("CreateMaintenance", {
    title: "Patches",
    message: "The phone may be silent.",
    from,
    to: new Date(Date.parse(from) + 5_400_000).toISOString(),
    pageId: "1",
    recurrence: `FREQ=WEEKLY;BYDAY=${day}`,
    timeZone: "Europe/Berlin",
  });
  await here.call("CreateMaintenance", {
    title: "New disks",
    message: "The shop is read-only.",
    from: "2026-12-15T22:00:00Z",
    to: "2026-12-15T23:00:00Z",
    pageId: "1",
  });
  return here;
}

const wordsOf = (body: string): string =>
  body
    .replace(/^[^]*<main/, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

test("work that repeats is on the page once, by its next time, with the days of the others in one line", async () => {
  await using here = await weekly("2026-11-24T21:00:00Z", "TU");
  const main = async (path: string) =>
    wordsOf(await (await here.get(`/status/acme${path}`)).text());
  for (const path of ["/events", "/events/maintenance/1"]) {
    const words = await main(path);
    expect(words.match(/Planned maintenance/g)).toHaveLength(1);
    expect(words.match(/The phone may be silent/g)).toHaveLength(1);
    expect(words).toMatch(
      /24 Nov 2026, 21:00 – 22:30 UTC .*Then: Tue,? 1 Dec · Tue,? 8 Dec · Tue,? 15 Dec · Tue,? 22 Dec .*22 Dec 2026, 21:00 – 22:30 UTC/,
    );
  }
  const { scheduled_maintenances: all } = JSON.parse(
    await (await here.get("/status/acme/summary.json")).text(),
  );
  expect(all).toHaveLength(6);
});

test("planned work that begins soon is above the components, and all other below them", async () => {
  const pageOf = async (from: string, day: string): Promise<string> => {
    await using here = await weekly(from, day);
    return wordsOf(await (await here.get("/status/acme")).text());
  };
  const later = await pageOf("2026-11-26T21:00:00Z", "TH");
  expect(later).toMatch(/Components .*Planned maintenance Patches .*New disks .*Past reports/);
  const soon = await pageOf("2026-11-23T21:00:00Z", "MO");
  expect(soon).toMatch(
    /Planned maintenance Patches .*Components .*Later maintenance New disks .*Past reports/,
  );
  for (const words of [later, soon])
    expect(words.match(/Planned maintenance|The phone may be silent/g)).toHaveLength(2);
});

test("while a report is open, work that has not begun is below the components, and work under way above them", async () => {
  const pageOf = async (from: string, day: string): Promise<string> => {
    await using here = await weekly(from, day);
    await here.call("CreateStatusReport", {
      pageId: "1",
      title: "Payments fail",
      status: "STATUS_REPORT_STATUS_INVESTIGATING",
      message: "We look into it.",
      date: "2026-11-22T11:40:00Z",
    });
    return wordsOf(await (await here.get("/status/acme")).text());
  };
  expect(await pageOf("2026-11-23T21:00:00Z", "MO")).toMatch(
    /Payments fail .*Components .*Planned maintenance Patches .*New disks/,
  );
  expect(await pageOf("2026-11-22T11:00:00Z", "SU")).toMatch(
    /Payments fail .*Maintenance under way Patches .*Components .*Planned maintenance New disks/,
  );
});

test("work that repeats and is under way is in full there, with the days to come", async () => {
  await using here = await weekly("2026-11-22T11:00:00Z", "SU");
  const words = wordsOf(await (await here.get("/status/acme")).text());
  expect(words).toMatch(
    /Maintenance under way Patches .*Then: Sun,? 29 Nov · .*Planned maintenance New/,
  );
  expect(words.match(/The phone may be silent/g)).toHaveLength(1);
});

test("work that comes next in months says how it repeats, and its past times do not", async () => {
  await using here = await weekly("2026-11-17T21:00:00Z", "TU");
  const work = { pageId: "1", message: "The shop is read-only.", timeZone: "Europe/Berlin" };
  await here.call("CreateMaintenance", {
    ...work,
    title: "Restore test",
    from: "2027-01-29T21:00:00Z",
    to: "2027-01-29T22:00:00Z",
    recurrence: "FREQ=MONTHLY;BYDAY=-1FR",
  });
  const words = wordsOf(await (await here.get("/status/acme/events")).text());
  expect(words).toMatch(
    /Restore test 29 Jan 2027, 21:00 – 22:00 UTC Repeats: every month on the last Friday, 22:00 \(Europe\/Berlin\) Affected/,
  );
  expect(words.match(/Repeats: every Tuesday, 22:00 \(Europe\/Berlin\)/g)).toHaveLength(1);
  const german = wordsOf(await (await here.get("/status/acme/de/events")).text());
  expect(german).toContain(
    "Wiederholt sich: jeden Monat am letzten Freitag, 22:00 (Europe/Berlin)",
  );
});

test("what was said of planned work since is labelled as an update, on its page and in feeds", async () => {
  await using here = await weekly("2026-11-24T21:00:00Z", "TU");
  await here.call("AddMaintenanceUpdate", { maintenanceId: "1", message: "It takes longer." });
  const words = wordsOf(await (await here.get("/status/acme/events/maintenance/1")).text());
  expect(words).toMatch(
    /Update 22 Nov 2026, 12:00 UTC It takes longer\. Announced 22 Nov 2026, 12:00 UTC The phone may be silent/,
  );
  const feed = await (await here.get("/status/acme/feed/rss")).text();
  expect(feed).toContain("Update&lt;/strong&gt; (22 Nov 2026, 12:00 UTC)");
});

test("work that repeats is one entry of a feed, of when it was planned, changed or spoken of", async () => {
  await using here = await weekly("2026-11-22T10:40:00Z", "SU");
  const entries = async (): Promise<readonly object[]> =>
    JSON.parse(await (await here.get("/status/acme/feed/json")).text()).items;
  const entry = async (): Promise<object> => {
    const own = (await entries()).filter((one) =>
      String(Object(one).id).endsWith("/maintenance/1"),
    );
    expect(own).toHaveLength(1);
    return Object(own[0]);
  };
  const planned = "2026-11-22T12:00:00.000Z";
  expect(await entries()).toHaveLength(2);
  expect(await entry()).toMatchObject({
    date_published: planned,
    date_modified: planned,
    content_html: expect.stringMatching(/22 Nov 2026, 10:40[^]*Repeats: every Sunday, 11:40/),
  });
  // Its first time passes.
  await here.clock.advance(minutes(12));
  expect(await entry()).toMatchObject({
    date_modified: planned,
    content_html: expect.stringContaining("29 Nov 2026, 10:40"),
  });
  await here.call("UpdateMaintenance", { id: "1", title: "More patches" });
  const changed = "2026-11-22T12:12:00.000Z";
  expect(await entry()).toMatchObject({ date_published: planned, date_modified: changed });
});

test("maintenance that is over is among the past reports, under its day, with its times and updates", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", locales });
  await here.call("CreateMaintenance", {
    title: "New disks",
    message: "The shop is read-only.",
    from: "2026-11-22T12:30:00Z",
    to: "2026-11-22T13:00:00Z",
    pageId: "1",
  });
  await here.call("CreateMaintenance", {
    title: "Patches",
    message: "The phone may be silent.",
    from: "2026-11-22T12:10:00Z",
    to: "2026-11-22T12:20:00Z",
    pageId: "1",
    recurrence: "FREQ=DAILY",
  });
  const main = async (path: string) =>
    wordsOf(await (await here.get(`/status/acme${path}`)).text());
  expect(await main("")).toMatch(/Past reports There are no reports/);
  here.clock.suspend(minutes(45));
  await here.call("AddMaintenanceUpdate", { maintenanceId: "1", message: "Half is done." });
  here.clock.suspend(minutes(60));
  const words = await main("");
  expect(words).toMatch(
    /Past reports and maintenance 22 Nov 2026 Maintenance New disks 22 Nov 2026, 12:30 – 13:00 UTC Affected: All systems Update 22 Nov 2026, 12:45 UTC Half is done\. Announced 22 Nov 2026, \d\d:\d\d UTC The shop is read-only\. Maintenance Patches 22 Nov 2026, 12:10 – 12:20 UTC Affected: All systems 8 Nov – 21 Nov: No reports/,
  );
  // What repeats says its words where it comes next.
  expect(words.match(/The phone may be silent/g)).toHaveLength(1);
  expect(await main("/de")).toContain("Frühere Meldungen und Wartungen");
});
