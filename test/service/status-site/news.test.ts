import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as limits from "#limits/status-limits";
import { locales } from "#service/status-page/page-definition";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { type MailServer, startMailServer } from "../../servers/mail-servers.ts";
import { type ReadMail, readMail } from "../../support/read-mail.ts";
import { byKey } from "../../support/signed-in.ts";
import { statusScene, type StatusScene } from "./status-scene.ts";

/* Readers who want a page's news, over a real mail server. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());

const { news } = pageTexts.en;
const reader = "Ann@reader.test";

interface Mailbox {
  /** The next mail that comes. */
  next(): Promise<ReadMail>;
  /** How many came beside those that were read. */
  readonly unread: number;
}

/** What comes from now on: the server is one for all tests of the file. */
function mailbox(server: MailServer): Mailbox {
  let read = server.mails.length;
  return {
    next: async () => {
      await server.had(read + 1);
      read += 1;
      return readMail(server.mails[read - 1] ?? "");
    },
    get unread() {
      return server.mails.length - read;
    },
  };
}

/** A page with two components. */
async function acme(here: StatusScene, changes: object = {}): Promise<void> {
  const all = locales.map((one) => `LOCALE_${one.toUpperCase()}`);
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", locales: all, ...changes });
  for (const name of ["Shop", "Desk"]) await here.call("AddStaticComponent", { pageId: "1", name });
}

const report = (here: StatusScene, changes: object = {}) =>
  here.call("CreateStatusReport", {
    title: "Cards fail",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "We **look** <script>into</script> it.",
    date: "2026-11-22T12:00:00Z",
    pageId: "1",
    notify: true,
    ...changes,
  });

const subscribe = async (here: StatusScene, fields: Record<string, string> = {}) => {
  const answer = await here.post("/status/acme/subscribe", { email: reader, ...fields });
  return [answer.status, headingOf(await answer.text())];
};
const headingOf = (body: string): string => /<h1[^>]*>([^<]*)<\/h1>/.exec(body)?.[1] ?? "";
const taken = [200, news.asked];

/** The path of a link in a mail, at the service that is tried. */
const pathOf = (mail: ReadMail, word: string): string => {
  const link = mail.links.find((one) => one.includes(`/${word}/`)) ?? "";
  expect(link).toContain("https://status.test/status/acme/");
  return new URL(link).pathname;
};

/** Subscribes, and follows the link. */
async function confirmed(here: StatusScene, box: Mailbox, fields: Record<string, string> = {}) {
  expect(await subscribe(here, fields)).toEqual(taken);
  const answer = await here.post(pathOf(await box.next(), "verify"), {});
  expect([answer.status, headingOf(await answer.text())]).toEqual([200, news.confirmed]);
}

test("whoever confirmed reads the address and the choice, may change or end it, gets back to the page, and is not asked to subscribe", async () => {
  await using here = await statusScene([], mails);
  const box = mailbox(mails);
  await acme(here);
  expect(await subscribe(here, { component: "2" })).toEqual(taken);
  const mail = await box.next();
  expect(mail.text.replaceAll("\r\n", "\n")).toContain(
    "\nThe link works for 24 hours.\n\nComponents: Desk\n",
  );
  const path = pathOf(mail, "verify");
  const asked = await (await here.get(path)).text();
  expect(asked).toContain("/status/acme/subscribe");
  expect(asked).toContain(`E-mail address: <strong>${reader}</strong>`);
  expect(asked).toContain("Components: Desk</p>");
  const done = await here.post(path, {});
  // By its link again, too.
  for (const answer of [done, await here.get(path)]) {
    const page = await answer.text();
    expect(headingOf(page)).toBe(news.confirmed);
    expect(page).toContain(`E-mail address: <strong>${reader}</strong>`);
    expect(page).toContain("Components: Desk</p>");
    expect(page).toContain(`<a href="/status/acme">${news.openPage}</a>`);
    for (const [act, words] of [
      ["manage", news.manage],
      ["unsubscribe", news.leave],
    ]) {
      const href = new RegExp(`<a href="([^"]+/${act}/[^"]+)">${words}</a>`).exec(page)?.[1] ?? "";
      expect((await here.get(href)).status).toBe(200);
    }
    expect(page).not.toContain("/subscribe");
  }
});

describe("a person at the operator's forms", () => {
  test("sends a report to subscribers by a tick, and none without it", async () => {
    await using here = await statusScene([], mails);
    const box = mailbox(mails);
    await acme(here);
    await confirmed(here, box);
    const { key } = await here.service.admin.createApiKey({ name: "night", scope: "write" });
    const signedIn = await here.post("/sign-in", { secret: key });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const page = await (await here.get("/status-pages/1", { cookie, accept: "text/html" })).text();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const write = async (title: string, fields: Record<string, string>) =>
      (
        await here.post(
          "/status-pages/1/reports/new",
          { form, title, status: "investigating", message: "We look.", ...fields },
          { cookie },
        )
      ).status;
    expect(await write("Quiet", {})).toBe(303);
    expect(await write("Loud", { notify: "yes" })).toBe(303);
    expect((await box.next()).headers.get("subject")).toContain("Loud");
    expect(box.unread).toBe(0);
  });
});

test("a mail has the colour of its report and how badly each is affected, in each language", async () => {
  await using here = await statusScene([], mails);
  const box = mailbox(mails);
  await acme(here);
  for (const [locale, impact, tone, affected] of [
    ["en", "PARTIAL_OUTAGE", "down", "Affected: Shop (partial outage)"],
    ["de", "PARTIAL_OUTAGE", "down", "Betroffen: Shop (Teilausfall)"],
    ["fr", "MAJOR_OUTAGE", "down", "Shop (panne)"],
    ["tr", "MAJOR_OUTAGE", "down", "Shop (kesinti)"],
    ["hi", "MAJOR_OUTAGE", "down", "Shop (रुकावट)"],
    ["ko", "DEGRADED_PERFORMANCE", "slow", "Shop (성능 저하)"],
  ] as const) {
    const email = `${locale}@reader.test`;
    await here.post(`/status/acme/${locale}/subscribe`, { email });
    const verify = new URL((await box.next()).links.find((one) => one.includes("/verify/")) ?? "");
    await here.post(verify.pathname, {});
    const componentImpacts = [{ pageComponentId: "1", impact: `PAGE_COMPONENT_IMPACT_${impact}` }];
    await report(here, { componentImpacts });
    const { html, text } = await box.next();
    expect(text).toContain(affected);
    // The page's name is above the heading, and in the subject.
    expect(html.replaceAll(/\s+(?=<)/g, "")).toContain(
      `Acme</p><p class="state ${tone}" dir="auto">${pageTexts[locale].report.investigating}</p><h1 dir="auto">Cards fail</h1>`,
    );
    expect(html).toContain("Cards fail · Acme</title>");
    await here.call("UnsubscribeFromPage", { pageId: "1", email });
  }
});

describe("a reader", () => {
  test("whom an operator removed can still unsubscribe, and is not put back then", async () => {
    await using here = await statusScene([], mails);
    const box = mailbox(mails);
    await acme(here);
    await subscribe(here);
    await here.post(pathOf(await box.next(), "verify"), {});
    await report(here);
    const leave = pathOf(await box.next(), "unsubscribe");
    const operator = await byKey(here, "write");
    await operator.send("/status-pages/1/subscribers/1/remove");
    const removed = await operator.text("/status-pages");
    expect(removed).toContain("<strong>A•••@reader.test</strong> is removed.");
    expect(removed).not.toContain(reader);
    // A link that said it was over already would leave its reader to be put back.
    expect(headingOf(await (await here.get(leave)).text())).toBe(news.leave);
    expect(headingOf(await (await here.post(leave, {})).text())).toBe(news.left);
    expect(headingOf(await (await here.get(leave)).text())).toBe(news.left);
    const undo = await operator.send("/undo", { kind: "subscriber", ids: "1" });
    expect([undo.status, await undo.text()]).toEqual([
      409,
      expect.stringContaining("its reader unsubscribed"),
    ]);
  });

  test("subscribes by a mail's link, gets what is announced, and leaves by one click", async () => {
    await using here = await statusScene([], mails);
    const box = mailbox(mails);
    await acme(here);
    const page = await (await here.get("/status/acme")).text();
    expect(page).toContain('href="https://status.test/status/acme/subscribe"');
    expect(headingOf(await (await here.get("/status/acme/subscribe")).text())).toBe(news.subscribe);
    await report(here);
    expect(await subscribe(here)).toEqual(taken);
    const asking = await box.next();
    expect(asking.headers.get("to")).toBe(reader);
    expect(asking.headers.get("subject")).toBe(`${news.confirmTitle}: Acme`);
    expect(asking.text).toContain("Components: All systems");
    expect(asking.headers.has("list-unsubscribe")).toBe(false);
    const verify = pathOf(asking, "verify");
    // What looks at mail opens links.
    const opened = await here.get(verify);
    expect([opened.status, headingOf(await opened.text())]).toEqual([200, news.confirmTitle]);
    await report(here, { title: "Nobody confirmed" });
    await here.post(verify, {});
    const again = await here.post(verify, {});
    expect([again.status, headingOf(await again.text())]).toEqual([200, news.confirmed]);
    await report(here, { title: "Quiet", notify: false });
    await report(here);
    const mail = await box.next();
    expect(mail.headers.get("subject")).toBe("Investigating: Cards fail · Acme");
    expect(mail.text).toContain("We look <script>into</script> it.");
    expect(mail.html).toContain("<strong>look</strong> &lt;script&gt;");
    expect(mail.links[0]).toBe("https://status.test/status/acme/events/report/4");
    const leave = pathOf(mail, "unsubscribe");
    expect(mail.headers.get("list-unsubscribe")).toBe(`<https://status.test${leave}>`);
    expect(mail.headers.get("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(mail.headers.get("references")).toMatch(/^<report-4\..*@acme\.test>$/);
    expect((await here.get(leave)).status).toBe(200);
    // RFC 8058: without cookie, by a program, from anywhere.
    const oneClick = await here.post(leave, { "List-Unsubscribe": "One-Click" });
    const goodbye = await oneClick.text();
    expect([oneClick.status, headingOf(goodbye)]).toEqual([200, news.left]);
    expect(goodbye).toContain(`<button type="submit">${news.again}</button>`);
    await report(here, { title: "After" });
    const list = await here.call("ListSubscribers", { pageId: "1", includeUnsubscribed: true });
    expect(list).toMatchObject({ subscribers: [{ email: reader, unsubscribedAt: /^2026/ }] });
    expect(box.unread).toBe(0);
  });

  test("of one component gets what concerns it or all, in the language of the form", async () => {
    await using here = await statusScene([], mails);
    const box = mailbox(mails);
    await acme(here);
    const german = await here.post("/status/acme/de/subscribe", { email: reader, component: "1" });
    expect(headingOf(await german.text())).toBe(pageTexts.de.news.asked);
    const verify = await box.next();
    expect(verify.headers.get("subject")).toBe(`${pageTexts.de.news.confirmTitle}: Acme`);
    await here.post(pathOf(verify, "de/verify"), {});
    await report(here, { title: "Desk", pageComponentIds: ["2"] });
    await report(here, { title: "Shop", pageComponentIds: ["1"] });
    const mail = await box.next();
    expect(mail.headers.get("subject")).toBe("Wird untersucht: Shop · Acme");
    expect(mail.text).toContain("Betroffen: Shop");
    const manage = pathOf(mail, "manage");
    const own = await (await here.get(manage)).text();
    expect(own).toContain('value="1" checked');
    expect(own).not.toContain("/subscribe");
    const asked = await here.get(pathOf(mail, "unsubscribe"));
    expect(await asked.text()).not.toContain("/subscribe");
    const saved = await here.post(manage, { component: "2" });
    expect(await saved.text()).toContain(pageTexts.de.news.saved);
    await report(here, { title: "Shop again", pageComponentIds: ["1"] });
    await here.call("CreateMaintenance", {
      title: "Upgrade",
      message: "Two\n\nlines",
      pageId: "1",
      pageComponentIds: ["2"],
      from: "2026-11-23T22:00:00Z",
      to: "2026-11-23T23:30:00Z",
      notify: true,
    });
    const unread = async (): Promise<number> => {
      await here.clock.advance(1_000);
      return box.unread;
    };
    await expect.poll(unread).toBe(1);
    const planned = await box.next();
    expect(planned.headers.get("subject")).toBe("Geplante Wartung: Upgrade · Acme");
    expect(planned.text).toContain("23.11.2026, 22:00 – 23:30 UTC");
    expect(box.unread).toBe(0);
  });

  test("learns nothing of other readers: each address has the same answer, and few mails", async () => {
    await using here = await statusScene([], mails);
    const box = mailbox(mails);
    await acme(here);
    await confirmed(here, box);
    const answerTo = async (email: string) => {
      const answer = await here.post("/status/acme/subscribe", { email });
      return [answer.status, await answer.text()];
    };
    const strange = await answerTo("stranger@reader.test");
    await box.next();
    expect(await answerTo(reader)).toEqual(strange);
    here.clock.suspend(limits.asksApart);
    expect((await answerTo("ANN@READER.TEST"))[0]).toBe(200);
    const known = await box.next();
    expect(known.headers.get("subject")).toBe(`${news.manageTitle}: Acme`);
    expect((await answerTo("no address"))[0]).toBe(400);
    const elsewhere = { "sec-fetch-site": "cross-site" };
    const forged = await here.post("/status/acme/subscribe", { email: "x@y.test" }, elsewhere);
    expect(forged.status).toBe(403);
    const answers = [];
    for (let tried = 4; tried < limits.asksOfReaderMax + 1; tried += 1)
      answers.push((await answerTo(`r${tried}@reader.test`))[0]);
    expect(answers.slice(0, -1)).toEqual(answers.slice(0, -1).map(() => 200));
    expect(answers.at(-1)).toBe(429);
  });

  test("is refused with a link that is old or forged; that of another page leads there", async () => {
    await using here = await statusScene([], mails);
    const box = mailbox(mails);
    await acme(here);
    await here.call("CreateStatusPage", { title: "Other", slug: "other" });
    await subscribe(here);
    const verify = pathOf(await box.next(), "verify");
    const statusOf = async (path: string) => (await here.post(path, {})).status;
    const other = verify.replace("/acme/", "/other/");
    const [id, askedAt, signature] = verify.split("/").at(-1)?.split(".") ?? [];
    const forged = `/status/acme/verify/${Number(id) + 1}.${askedAt}.${signature}`;
    const manage = verify.replace("/verify/", "/manage/");
    const leave = verify.replace("/verify/", "/unsubscribe/");
    const led = await here.get(other);
    expect([led.status, led.headers.get("location")]).toEqual([301, verify]);
    for (const path of [forged, manage, leave, `${verify}x`])
      expect([path, await statusOf(path)]).toEqual([path, 410]);
    here.clock.suspend(limits.confirmationWithin);
    expect(await statusOf(verify)).toBe(410);
  });
});

test("a closed page's news need its password to be asked for, and none to be ended", async () => {
  await using here = await statusScene([], mails);
  const box = mailbox(mails);
  await acme(here);
  await confirmed(here, box);
  await report(here);
  const leave = pathOf(await box.next(), "unsubscribe");
  const password = { accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password: "sesame" };
  await here.call("UpdateStatusPage", { id: "1", ...password });
  expect((await here.get("/status/acme/subscribe")).status).toBe(403);
  expect((await subscribe(here))[0]).toBe(403);
  const deleted = await fetch(`${here.service.url}${leave}`, { method: "DELETE" });
  expect(deleted.status).toBe(405);
  expect((await here.post(leave, {})).status).toBe(200);
  await here.call("UpdateStatusPage", { id: "1", published: false });
  expect((await here.get("/status/acme/subscribe")).status).toBe(404);
});

test("a page whose mails could not lead anywhere offers none", async () => {
  await using here = await statusScene();
  await acme(here);
  expect(await (await here.get("/status/acme")).text()).not.toContain("subscribe");
  expect((await here.get("/status/acme/subscribe")).status).toBe(404);
  await expect(here.call("SubscribeToPage", { pageId: "1", email: "a@b.test" })).rejects.toThrow(
    "PICKET_SMTP_URL",
  );
});
