import { afterAll, beforeAll, expect, test } from "vitest";
import { formerAddressesMax } from "#limits/status-limits";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { type MailServer, startMailServer } from "../../servers/mail-servers.ts";
import { readMail, type ReadMail } from "../../support/read-mail.ts";
import { requestAs, type StatusScene, statusScene } from "./status-scene.ts";

/* What was sent out with a page's name, or its domain, after that has changed. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());

const { news } = pageTexts.en;
const acme = { title: "Acme", slug: "acme" };

const change = (here: StatusScene, id: string, changes: object) =>
  here.call("UpdateStatusPage", { id, ...changes });
const nextMail = async (): Promise<ReadMail> => {
  const before = mails.mails.length;
  await mails.had(before + 1);
  return readMail(mails.mails[before] ?? "");
};
const placeOf = async (answer: Promise<Response>): Promise<readonly unknown[]> => {
  const { status, headers } = await answer;
  return [status, headers.get("location")];
};
/** What a subscriber's first letter has: where its link leads, without the service's address. */
const linkIn = ({ links }: ReadMail, word: string): string =>
  new URL(links.find((one) => one.includes(`/${word}/`)) ?? "").pathname;

/** Subscribes to the page, and gives the links of the next letter. */
async function subscribed(here: StatusScene) {
  const asked = nextMail();
  await here.post("/status/acme/subscribe", { email: "ann@reader.test" });
  const verify = linkIn(await asked, "verify");
  const letter = nextMail();
  await here.post(verify, {});
  await here.call("CreateStatusReport", {
    title: "Cards fail",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "We look into it.",
    date: "2026-11-22T12:00:00Z",
    pageId: "1",
    notify: true,
  });
  const mail = await letter;
  return { manage: linkIn(mail, "manage"), leave: linkIn(mail, "unsubscribe") };
}

test("all that was read by an earlier name leads to the name of now, with its path and query, until the page is deleted", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", acme);
  await change(here, "1", { slug: "acme-status" });
  for (const path of ["", "/badge?style=flat", "/feed/rss", "/calendar.ics", "/events"])
    expect(await placeOf(here.get(`/status/ACME${path}`))).toEqual([
      301,
      `/status/acme-status${path}`,
    ]);
  const badge = await here.get("/status/acme/badge");
  expect(badge.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(badge.headers.get("cache-control")).toBe("no-cache");
  expect(await placeOf(here.post("/status/acme/subscribe", {}))).toEqual([
    308,
    "/status/acme-status/subscribe",
  ]);
  // Renamed again, both lead there; and by its first name again, nothing leads in a circle.
  await change(here, "1", { slug: "third" });
  expect(await placeOf(here.get("/status/acme"))).toEqual([301, "/status/third"]);
  expect(await placeOf(here.get("/status/acme-status"))).toEqual([301, "/status/third"]);
  await change(here, "1", { slug: "acme" });
  expect((await here.get("/status/acme")).status).toBe(200);
  expect(await placeOf(here.get("/status/third"))).toEqual([301, "/status/acme"]);
  await here.call("DeleteStatusPage", { id: "1" });
  expect((await here.get("/status/third")).status).toBe(404);
  await here.call("CreateStatusPage", { title: "Other", slug: "third" });
  expect((await here.get("/status/third")).status).toBe(200);
});

test("another page is refused an earlier name, which says where links lead", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", acme);
  await change(here, "1", { slug: "acme-status" });
  const said =
    "acme is an earlier one of another status page, and links that were sent out lead there: choose another";
  await expect(here.call("CreateStatusPage", { title: "Other", slug: "acme" })).rejects.toThrow(
    said,
  );
  await here.call("CreateStatusPage", { title: "Other", slug: "other" });
  await expect(change(here, "2", { slug: "acme" })).rejects.toThrow(said);
});

test("links of letters work after a change of the name, also once another page has it", async () => {
  await using here = await statusScene([], mails);
  await here.call("CreateStatusPage", acme);
  await here.call("AddStaticComponent", { pageId: "1", name: "Shop" });
  const { manage, leave } = await subscribed(here);
  await change(here, "1", { slug: "acme-status" });
  const now = (path: string): string => path.replace("/status/acme/", "/status/acme-status/");
  expect(await placeOf(here.get(manage))).toEqual([301, now(manage)]);
  expect(await (await here.get(now(manage))).text()).toContain(news.manageTitle);
  // So often that the name is free again, and another page has it.
  for (let count = 0; count <= formerAddressesMax; count += 1) {
    here.clock.suspend(1_000);
    await change(here, "1", { slug: `acme-${count}` });
  }
  await here.call("CreateStatusPage", { title: "Other", slug: "acme" });
  expect((await here.get("/status/acme")).status).toBe(200);
  const last = (path: string): string => path.replace("/status/acme/", "/status/acme-20/");
  expect(await placeOf(here.get(manage))).toEqual([301, last(manage)]);
  expect(await placeOf(here.get(leave))).toEqual([301, last(leave)]);
  expect(await placeOf(here.get(leave.replace("/acme/", "/nothing/")))).toEqual([301, last(leave)]);
  expect((await here.get(`${leave}x`)).status).toBe(410);
  // RFC 8058: what the program of a mailbox sends is answered, and not led elsewhere.
  const ended = await here.post(leave, { "List-Unsubscribe": "One-Click" });
  expect([ended.status, await ended.text()]).toEqual([200, expect.stringContaining(news.left)]);
  expect(await (await here.get(last(leave))).text()).toContain(news.left);
});

test("an earlier domain leads to the page, and gets a certificate still", async () => {
  await using here = await statusScene([], mails);
  await here.call("CreateStatusPage", { ...acme, customDomain: "status.acme.test" });
  const { leave } = await subscribed(here);
  const path = leave.replace("/status/acme", "");
  const by = (method: string, to: string) =>
    requestAs(`${here.service.url}${to}`, { method, headers: { host: "status.acme.test" } });
  expect((await by("GET", path)).status).toBe(200);
  await change(here, "1", { customDomain: "" });
  const gone = await by("GET", `${path}?a=1`);
  expect([gone.status, gone.body]).toEqual([
    301,
    `See https://status.test/status/acme${path}?a=1\n`,
  ]);
  expect((await by("GET", "/")).body).toBe("See https://status.test/status/acme/\n");
  expect((await here.get("/v1/domains/ask?domain=status.acme.test")).status).toBe(200);
  expect((await by("POST", path)).status).toBe(200);
  expect(await (await here.get(leave)).text()).toContain(news.left);
});
