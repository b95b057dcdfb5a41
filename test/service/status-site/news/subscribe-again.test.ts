import { afterAll, beforeAll, expect, test } from "vitest";
import * as limits from "#limits/status-limits";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { type MailServer, startMailServer } from "../../../servers/mail-servers.ts";
import { readMail } from "../../../support/read-mail.ts";
import { statusScene, type StatusScene } from "../status-scene.ts";

/* Readers who unsubscribed by mistake, over a real mail server. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());

const { news } = pageTexts.en;
const email = "Ann@reader.test";
const masked = `${news.address}: <strong>A•••@reader.test</strong>`;

/** The path of a link in the newest mail, of so many. */
async function pathIn(count: number, word: string): Promise<string> {
  await mails.had(count);
  const mail = readMail(mails.mails[count - 1] ?? "");
  return new URL(mail.links.find((one) => one.includes(`/${word}/`)) ?? "").pathname;
}

/** A page with two components, and the paths by which its one reader changes and ends the subscription to the second. */
async function subscribed(here: StatusScene) {
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  for (const name of ["Shop", "Desk"]) await here.call("AddStaticComponent", { pageId: "1", name });
  const before = mails.mails.length;
  await here.post("/status/acme/subscribe", { email, component: "2" });
  const done = await here.post(await pathIn(before + 1, "verify"), {});
  const [leave = ""] = /\/status\/acme\/unsubscribe\/[^"]+/.exec(await done.text()) ?? [];
  return { leave, manage: leave.replace("/unsubscribe/", "/manage/"), had: before + 1 };
}

const linkIn = (body: string): string => /name="link" value="([^"]+)"/.exec(body)?.[1] ?? "";

test("whoever unsubscribed subscribes again by one button, with the same components, and the mail comes at once", async () => {
  await using here = await statusScene([], mails);
  const { leave, had } = await subscribed(here);
  const left = await (await here.post(leave, {})).text();
  expect(left).toContain(masked);
  expect(left).not.toContain(email);
  expect(left).toContain('action="/status/acme/subscribe"');
  const link = linkIn(left);
  const again = await (await here.post("/status/acme/subscribe", { link })).text();
  expect(again).toContain(news.askedAbout);
  const verify = await pathIn(had + 1, "verify");
  const confirmed = await (await here.post(verify, {})).text();
  expect(confirmed).toContain(news.confirmed);
  expect(confirmed).toContain("Components: Desk</p>");
});

test("a second press within ten minutes has the same answer and sends nothing, and five mails a day stay the most", async () => {
  await using here = await statusScene([], mails);
  const { leave, had } = await subscribed(here);
  here.clock.suspend(1_000);
  const link = linkIn(await (await here.post(leave, {})).text());
  here.clock.suspend(1_000);
  const press = async () => (await here.post("/status/acme/subscribe", { link })).status;
  expect([await press(), await press()]).toEqual([200, 200]);
  for (let sent = 2; sent < limits.asksOfAddressMax; sent += 1) {
    await here.post(await pathIn(had + sent - 1, "verify"), {});
    here.clock.suspend(1_000);
    await here.post(leave, {});
    here.clock.suspend(1_000);
    await press();
  }
  const verify = await pathIn(had + limits.asksOfAddressMax - 1, "verify");
  await here.post(verify, {});
  await here.post(leave, {});
  expect(await press()).toBe(200);
  await here.clock.advance(1_000);
  expect(mails.mails.length).toBe(had + limits.asksOfAddressMax - 1);
});

test("a link of another page subscribes no one, and a closed page asks for its password first", async () => {
  await using here = await statusScene([], mails);
  const { leave } = await subscribed(here);
  const link = linkIn(await (await here.post(leave, {})).text());
  await here.call("CreateStatusPage", { title: "Other", slug: "other" });
  expect((await here.post("/status/other/subscribe", { link })).status).toBe(410);
  expect((await here.post("/status/acme/subscribe", { link: `${link}x` })).status).toBe(410);
  const password = { accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password: "sesame" };
  await here.call("UpdateStatusPage", { id: "1", ...password });
  expect((await here.post("/status/acme/subscribe", { link })).status).toBe(403);
});

test("the pages that change and end a subscription name its address, masked, since mails are forwarded", async () => {
  await using here = await statusScene([], mails);
  const { leave, manage } = await subscribed(here);
  for (const path of [leave, manage]) {
    const page = await (await here.get(path)).text();
    expect(page).toContain(masked);
    expect(page).not.toContain(email);
  }
});
