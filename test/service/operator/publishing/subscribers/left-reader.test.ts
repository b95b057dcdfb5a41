import { afterAll, beforeAll, expect, test } from "vitest";
import { type MailServer, startMailServer } from "../../../../servers/mail-servers.ts";
import { readMail } from "../../../../support/read-mail.ts";
import { byKey } from "../../../../support/signed-in.ts";
import { statusScene } from "../../../status-site/status-scene.ts";

/* A reader who unsubscribed, and an operator who adds the address again. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());

const list = "/status-pages/1/subscribers";
const email = "bob@reader.test";

/** A page with two components, whose one reader chose the second and unsubscribed. */
async function leftPage() {
  const here = await statusScene([], mails);
  let read = mails.mails.length;
  const next = async () => {
    await mails.had(read + 1);
    read += 1;
    return readMail(mails.mails[read - 1] ?? "");
  };
  const verify = async () => {
    const link = (await next()).links.find((one) => one.includes("/verify/")) ?? "";
    return (await here.post(new URL(link).pathname, {})).text();
  };
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  for (const name of ["Shop", "Desk"]) await here.call("AddStaticComponent", { pageId: "1", name });
  await here.post("/status/acme/subscribe", { email, component: "2" });
  const [leave = ""] = /\/status\/acme\/unsubscribe\/[^"]+/.exec(await verify()) ?? [];
  expect((await here.post(leave, {})).status).toBe(200);
  here.clock.suspend(1_000);
  const operator = await byKey(here, "write");
  const words = async (path: string): Promise<string> =>
    (await operator.text(path)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  return { here, verify, unread: () => mails.mails.length - read, operator, words };
}

test("a reader who unsubscribed is sent a mail that asks, and comes back with the same components once it is confirmed", async () => {
  const { here, verify, unread, operator, words } = await leftPage();
  await using _ = here;
  expect(await words(`${list}?add=subscriber`)).toContain("One that unsubscribed is sent a mail");
  const added = await operator.send(list, { webhook_url: email, components: "1" });
  const shown = added.headers.get("location") ?? "";
  expect(shown).toBe(`${list}?subscriber=1&notice=asked`);
  expect(await words(shown)).toMatch(
    /bob@reader\.test unsubscribed 22 Nov, 12:00 UTC , so it was not added\. It was sent a mail that asks whether it wants announcements again\./,
  );
  expect(await words(`${list}?state=unsubscribed`)).toMatch(
    /A mail asked it 22 Nov, 12:00 UTC whether it wants news again\./,
  );
  const again = await operator.send(list, { webhook_url: email });
  expect(again.status).toBe(422);
  expect(await again.text()).toContain("reader unsubscribed, and no further mail");
  expect(await verify()).toContain("Components: Desk</p>");
  expect(unread()).toBe(0);
  // What the address says is true no more.
  expect(await words(shown)).not.toContain("was sent a mail that asks");
  expect(await words(list)).toContain("By e-mail: Desk");
});

test("a call that adds a reader who unsubscribed says that it is not subscribed", async () => {
  const { here, verify } = await leftPage();
  await using _ = here;
  const channel = { pageId: "1", emailChannel: { email } };
  const at = "2026-11-22T12:00:00.000Z";
  const { subscriber } = await here.call("CreatePageSubscription", channel);
  expect(subscriber).toMatchObject({ id: "1", unsubscribedAt: at, componentIds: ["2"] });
  await verify();
  expect(await here.call("ListSubscribers", { pageId: "1" })).toMatchObject({
    subscribers: [{ id: "1", unsubscribedAt: "", componentIds: ["2"] }],
  });
});
