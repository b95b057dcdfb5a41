import { expect, test } from "vitest";
import { statusScene } from "../status-scene.ts";

/* What is over, by months, and since when something is wrong. */

const wordsOf = (body: string): string =>
  body
    .replace(/^[^]*<main/, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

test.each([
  ["", "November 2026", "October 2026", "Resolved", "Maintenance"],
  ["/fr", "Novembre 2026", "Octobre 2026", "Résolu", "Maintenance"],
])(
  "what is over is below its month in a few lines, with its last message alone (%s)",
  async (path, november, october, resolved, maintenance) => {
    await using here = await statusScene();
    const two = ["LOCALE_EN", "LOCALE_FR"];
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme", locales: two });
    const report = { pageId: "1", status: "STATUS_REPORT_STATUS_RESOLVED", message: "Over." };
    for (const date of ["2026-11-20T11:00:00Z", "2026-10-02T11:00:00Z"])
      await here.call("CreateStatusReport", { ...report, title: "Shop", date });
    await here.call("AddStatusReportUpdate", {
      statusReportId: "1",
      status: "STATUS_REPORT_STATUS_RESOLVED",
      message: "It was **a disk**.",
      date: "2026-11-20T12:00:00Z",
    });
    await here.call("CreateMaintenance", {
      pageId: "1",
      title: "New disks",
      message: "Read-only.",
      from: "2026-11-10T11:00:00Z",
      to: "2026-11-10T12:00:00Z",
    });
    const words = wordsOf(await (await here.get(`/status/acme${path}/events`)).text());
    expect(words).toMatch(
      new RegExp(
        `${november} Shop ${resolved} It was a disk .*New disks ${maintenance} Read-only.*${october} Shop ${resolved} Over`,
      ),
    );
    expect(words.match(/Over\./g)).toHaveLength(1);
  },
);

test("what ended in the program's own words says no sentence from before its end", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  let reports = 0;
  const said = async (title: string, messages: readonly string[]): Promise<string> => {
    const [first = "", ...later] = messages;
    const status = "STATUS_REPORT_STATUS_RESOLVED";
    reports += 1;
    await here.call("CreateStatusReport", {
      pageId: "1",
      title,
      status: "STATUS_REPORT_STATUS_INVESTIGATING",
      message: first,
      date: "2026-11-20T11:00:00Z",
    });
    for (const message of later)
      await here.call("AddStatusReportUpdate", {
        statusReportId: String(reports),
        status,
        message,
        date: "2026-11-20T12:00:00Z",
      });
    const words = wordsOf(await (await here.get("/status/acme/events")).text());
    return words.split(` ${title} Resolved `)[1]?.split("20 Nov")[0]?.trim() ?? "";
  };
  expect(await said("One", ["Cards fail.", "The problem is resolved."])).toBe("");
  expect(await said("Two", ["Cards fail.", "Das Problem ist behoben."])).toBe("");
  expect(await said("Three", ["Cards fail.", "It was a disk."])).toBe("It was a disk.");
  const given = ["We are investigating the problem.", "The problem is resolved."];
  expect(await said("Four", given)).toBe("");
  const added = ["Cards fail.", "It was a disk.", "The problem is resolved."];
  expect(await said("Five", added)).toBe("It was a disk.");
});

test.each([
  ["en", "Began: 22 Nov 2026, 11:00 UTC"],
  ["de", "Beginn: 22.11.2026, 11:00 UTC"],
  ["fr", "Début\u00a0: 22 nov. 2026, 11:00 UTC"],
])("a report that is open says once since when, above its updates (%s)", async (locale, began) => {
  await using here = await statusScene();
  const all = ["EN", "FR", "DE"].map((one) => `LOCALE_${one}`);
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", locales: all });
  await here.call("CreateStatusReport", {
    pageId: "1",
    title: "Shop",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "One.",
    date: "2026-11-22T11:00:00Z",
  });
  const words = async (): Promise<string> =>
    (await (await here.get(`/status/acme/${locale}`)).text()).replaceAll(/<[^>]*>/g, "");
  expect(await words()).not.toContain(began);
  await here.call("AddStatusReportUpdate", {
    statusReportId: "1",
    status: "STATUS_REPORT_STATUS_IDENTIFIED",
    message: "Two.",
    date: "2026-11-22T11:42:00Z",
  });
  expect((await words()).split(began)).toHaveLength(2);
});

test("what is over is folded on the page, and maintenance has what people said of it; its own page has all", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateMaintenance", {
    pageId: "1",
    title: "New disks",
    message: "Read-only.",
    from: "2026-11-22T10:00:00Z",
    to: "2026-11-22T11:00:00Z",
  });
  for (const message of ["The maintenance is over.", "One disk was late."])
    await here.call("AddMaintenanceUpdate", { maintenanceId: "1", message });
  const pageOf = async (path: string): Promise<string> =>
    (await here.get(`/status/acme${path}`)).text();
  const [, past = ""] = (await pageOf("")).split('id="past"');
  expect(past).toMatch(/<summary>\s*<time[^>]*>22 Nov 2026, 10:00/);
  expect(wordsOf(past)).toMatch(/New disks 22 Nov .* One disk was late\. .* Read-only\./);
  expect(past).not.toContain("The maintenance is over.");
  expect(await pageOf("/events/maintenance/1")).toContain("The maintenance is over.");
});
