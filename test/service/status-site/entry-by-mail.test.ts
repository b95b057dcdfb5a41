import { expect, test } from "vitest";
import * as limits from "#limits/status-limits";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { startMailServer } from "../../servers/mail-servers.ts";
import { readMail } from "../../support/read-mail.ts";
import { statusScene, type StatusScene } from "./status-scene.ts";

/* A page that is open by mail to the addresses of some domains. */

const routes = ["", "/events", "/subscribe", "/summary.json", "/feed/atom", "/feed/json"].concat([
  "/badge",
  "/badge.json",
  "/badge/1",
  "/calendar.ics",
  "/robots.txt",
]);
const { news } = pageTexts.en;

async function staffPage(here: StatusScene): Promise<void> {
  const access = { accessType: "PAGE_ACCESS_TYPE_AUTHENTICATED", authEmailDomains: ["acme.test"] };
  await here.call("CreateStatusPage", { title: "Staff", slug: "staff", ...access });
  await here.call("AddStaticComponent", { pageId: "1", name: "Desk" });
}

const statuses = (here: StatusScene, cookie = "") =>
  Promise.all(
    routes.map(async (one) => (await here.get(`/status/staff${one}`, { cookie })).status),
  );
const all = (status: number) => routes.map(() => status);

test("a mail's link lets in once, to every route, until a week is over or its domain is gone", async () => {
  await using mails = await startMailServer();
  await using here = await statusScene([], mails);
  await staffPage(here);
  expect(await statuses(here)).toEqual(all(403));
  const form = await (await here.get("/status/staff/events?a=b")).text();
  expect(form).toContain('name="next" value="/status/staff/events?a=b"');
  expect(form).not.toMatch(/Desk|acme\.test/);
  const ask = async (email: string) => {
    const fields = { email, next: "/status/staff/events?a=b" };
    const answer = await here.post("/status/staff/en/sign-in", fields);
    return [answer.status, await answer.text()];
  };
  // Whose address may not see the page learns nothing, and gets nothing.
  const strange = await ask("mallory@evil.test");
  expect(await ask("Ann@ACME.test")).toEqual(strange);
  expect(strange[0]).toBe(200);
  expect((await ask("no address"))[0]).toBe(400);
  const linkOf = async (number: number): Promise<string> => {
    await mails.had(number);
    const mail = readMail(mails.mails[number - 1] ?? "");
    expect(mail.headers.get("to")).toBe("Ann@acme.test");
    expect(mail.headers.get("subject")).toBe(`${news.entryTitle}: Staff`);
    expect(mail.html).toContain(`<h1 dir="auto">${news.entryTitle}</h1>`);
    // It has nothing to leave, so no line is below its button.
    expect(mail.html).not.toContain("<footer>");
    return new URL(mail.links[0] ?? "").pathname;
  };
  const link = await linkOf(1);
  // What looks at mail opens links, and uses none up.
  expect([(await here.get(link)).status, (await here.get(link)).status]).toEqual([200, 200]);
  const forged = await here.post(link, {}, { "sec-fetch-site": "cross-site" });
  expect(forged.status).toBe(403);
  const entered = await here.post(link, {});
  expect([entered.status, entered.headers.get("location")]).toEqual([
    303,
    "/status/staff/events?a=b",
  ]);
  const set = entered.headers.get("set-cookie") ?? "";
  expect(set).toMatch(
    /^picket-page-1=[\w.-]+; Path=\/status\/staff; HttpOnly; SameSite=Lax; Max-Age=604800$/,
  );
  const cookie = set.split(";")[0] ?? "";
  expect(await statuses(here, cookie)).toEqual(all(200));
  expect((await here.post(link, {})).status).toBe(410);
  await here.call("UpdateStatusPage", { id: "1", authEmailDomains: ["other.test"] });
  expect(await statuses(here, cookie)).toEqual(all(403));
  await here.call("UpdateStatusPage", { id: "1", authEmailDomains: ["acme.test"] });
  here.clock.suspend(limits.asksApart);
  await ask("Ann@ACME.test");
  const late = await linkOf(2);
  here.clock.suspend(limits.entryWithin);
  expect((await here.post(late, {})).status).toBe(410);
  expect((await statuses(here, cookie))[0]).toBe(200);
  here.clock.suspend(limits.entrySessionLength);
  expect((await statuses(here, cookie))[0]).toBe(403);
  expect(mails.mails.length).toBe(2);
});

test("whoever asks too often is refused alike, whether the page is open to the address or not", async () => {
  await using mails = await startMailServer();
  for (const domain of ["acme.test", "evil.test"]) {
    await using here = await statusScene([], mails);
    await staffPage(here);
    const answers: number[] = [];
    for (let ask = 0; ask <= limits.asksOfReaderMax; ask += 1)
      answers.push(
        (await here.post("/status/staff/en/sign-in", { email: `ann${ask}@${domain}` })).status,
      );
    expect([domain, answers.slice(-2)]).toEqual([domain, [200, 429]]);
  }
});

test("if no mail can be sent, no one is let in, and the page says so", async () => {
  await using here = await statusScene();
  await staffPage(here);
  const page = await (await here.get("/status/staff")).text();
  expect(page).toContain(pageTexts.en.closedToMail);
  expect(page).not.toContain("<form");
  const fields = { email: "ann@acme.test" };
  expect((await here.post("/status/staff/sign-in", fields)).status).toBe(403);
});
