import { afterAll, beforeAll, expect, test } from "vitest";
import { minutes } from "#base/units";
import { type MailServer, startMailServer } from "../../../servers/mail-servers.ts";
import { startProvider } from "../../../servers/providers.ts";
import { readMail } from "../../../support/read-mail.ts";
import { byKey } from "../../../support/signed-in.ts";
import { statusScene } from "../status-scene.ts";

/* Planned work that subscribers were sent, that repeats, and that does not take place. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());

/** A page with two subscribers, one of them in German, and work tomorrow that they were sent. */
async function announcedWork() {
  const here = await statusScene([], mails);
  let read = mails.mails.length;
  const next = async () => {
    await mails.had(read + 1);
    read += 1;
    const { text, ...mail } = readMail(mails.mails[read - 1] ?? "");
    return { ...mail, text: text.replaceAll("\r\n", "\n") };
  };
  const unread = () => mails.mails.length - read;
  await here.call("CreateStatusPage", {
    title: "Acme",
    slug: "acme",
    locales: ["LOCALE_EN", "LOCALE_DE"],
  });
  for (const name of ["Shop", "Desk"]) await here.call("AddStaticComponent", { pageId: "1", name });
  for (const path of ["", "/de"]) {
    const email = `ann${path.replace("/", "-")}@reader.test`;
    await here.post(`/status/acme${path}/subscribe`, { email });
    const link = (await next()).links.find((one) => one.includes("/verify/")) ?? "";
    await here.post(new URL(link).pathname, {});
  }
  const plan = (changes: object) =>
    here.call("CreateMaintenance", {
      title: "Database upgrade",
      message: "Read-only.",
      from: "2026-11-23T22:00:00Z",
      to: "2026-11-23T23:30:00Z",
      pageId: "1",
      pageComponentIds: ["1"],
      notify: true,
      ...changes,
    });
  await plan({});
  const announced = [await next(), await next()];
  return { here, next, unread, plan, announced, operator: await byKey(here, "write") };
}

test("who was sent planned work is sent that it will not take place, if its deletion says so and is not undone", async () => {
  const { here, next, unread, announced, operator } = await announcedWork();
  await using _ = here;
  const question = await operator.text("/maintenances/1/delete");
  expect(question).toMatch(/<button[^>]*name="notify"[^>]*>\s*Delete, and tell the 2 subscribers/);
  await operator.send("/maintenances/1/delete", { notify: "yes" });
  expect((await operator.send("/undo", { kind: "maintenance", ids: "1" })).status).toBe(303);
  await here.clock.advance(minutes(11));
  expect(unread()).toBe(0);
  const deleted = await operator.send("/maintenances/1/delete", { notify: "yes" });
  expect(await operator.text(deleted.headers.get("location") ?? "")).toMatch(
    /Database upgrade<\/strong> is deleted\. You can undo this until .+\. Then 2 subscribers are sent that it will not take place\./,
  );
  await here.clock.advance(minutes(9));
  expect(unread()).toBe(0);
  await here.clock.advance(minutes(2));
  const both = [await next(), await next()];
  const [english, german] = both.toSorted((a, b) => a.text.localeCompare(b.text));
  expect(english?.headers.get("subject")).toBe("Maintenance cancelled: Database upgrade · Acme");
  expect(german?.headers.get("subject")).toBe("Wartung abgesagt: Database upgrade · Acme");
  expect(english?.text).toContain(
    "This planned maintenance will not take place.\n\nWhen: 23 Nov 2026, 22:00 – 23:30 UTC\nAffected: Shop\n",
  );
  expect(german?.text).toContain(
    "Diese geplante Wartung findet nicht statt.\n\nWann: 23.11.2026, 22:00 – 23:30 UTC\nBetroffen: Shop\n",
  );
  expect(english?.links[0]).toBe("https://status.test/status/acme");
  // It is in the thread of the mail that announced it.
  const thread = announced[0]?.headers.get("references");
  expect(thread).toMatch(/^<maintenance-1\./);
  expect(both.map(({ headers }) => headers.get("references"))).toEqual([thread, thread]);
});

test("the address of work that was deleted says who was notified of it, and that it is cancelled", async () => {
  const { here, next, operator } = await announcedWork();
  await using _ = here;
  await operator.send("/maintenances/1/delete", { notify: "yes" });
  const asBrowser = { cookie: operator.cookie, accept: "text/html" };
  const words = async () =>
    (await (await here.get("/maintenances/1", asBrowser)).text())
      .replaceAll(/<time[^>]*>[^<]*<\/time>/g, "TIME")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ");
  expect(await words()).toMatch(
    /Who was notified Sent Subscribers Announced, TIME, to 2 by e-mail: 2 sent/,
  );
  expect(await words()).not.toContain("Cancelled");
  await here.clock.advance(minutes(11));
  await next();
  await next();
  await expect
    .poll(words)
    .toMatch(
      /Who was notified Sent Subscribers Cancelled, TIME, to 2 by e-mail: 2 sent\..* Announced, TIME/,
    );
});

test("work that begins before its deletion can no longer be undone is cancelled at once, and once", async () => {
  const { here, next, unread, plan, operator } = await announcedWork();
  await using _ = here;
  await plan({ from: "2026-11-22T12:05:00Z", to: "2026-11-22T13:00:00Z" });
  for (let had = 0; had < 2; had += 1) await next();
  expect(await operator.text("/maintenances/2/delete")).toContain(
    "a message that it will not take place goes out at once, because the work begins too soon to wait for the ten minutes of undo. Undo restores the work, but cannot take back the message.",
  );
  const deleted = await operator.send("/maintenances/2/delete", { notify: "yes" });
  const subjects = [await next(), await next()].map(({ headers }) => headers.get("subject"));
  expect(subjects).toContain("Maintenance cancelled: Database upgrade · Acme");
  expect(await operator.text(deleted.headers.get("location") ?? "")).toMatch(
    /You can undo this until .+\. 2 subscribers were sent at once that it will not take place\. Undo restores the work and sends nothing: send an update then\./,
  );
  await here.clock.advance(minutes(11));
  expect(unread()).toBe(0);
});

test("work that began a moment ago can still be cancelled, at once", async () => {
  const { here, next, plan, operator } = await announcedWork();
  await using _ = here;
  await plan({ from: "2026-11-22T11:55:00Z", to: "2026-11-22T13:00:00Z" });
  for (let had = 0; had < 2; had += 1) await next();
  expect(await operator.text("/maintenances/2/delete")).toContain(
    "goes out at once, because the work has begun.",
  );
  await operator.send("/maintenances/2/delete", { notify: "yes" });
  const subjects = [await next(), await next()].map(({ headers }) => headers.get("subject"));
  expect(subjects).toContain("Wartung abgesagt: Database upgrade · Acme");
});

test("whoever subscribed after work was announced is not sent that it is cancelled, and is not counted", async () => {
  const { here, next, unread, operator } = await announcedWork();
  await using _ = here;
  const add = (email: string) =>
    here.call("CreatePageSubscription", { pageId: "1", emailChannel: { email } });
  here.clock.suspend(1_000);
  await add("before-the-deletion@reader.test");
  expect(await operator.text("/maintenances/1/delete")).toContain("and tell the 2 subscribers");
  const deleted = await operator.send("/maintenances/1/delete", { notify: "yes" });
  await add("after-the-deletion@reader.test");
  expect(await operator.text(deleted.headers.get("location") ?? "")).toContain(
    "Then 2 subscribers are sent that it will not take place.",
  );
  await here.clock.advance(minutes(11));
  const both = [await next(), await next()].map(({ headers }) => headers.get("to"));
  expect(new Set(both)).toEqual(new Set(["ann-de@reader.test", "ann@reader.test"]));
  expect(unread()).toBe(0);
});

test("no one is sent anything of work that is deleted without that, or that no one was sent", async () => {
  const { here, unread, plan, operator } = await announcedWork();
  await using _ = here;
  await plan({ notify: false });
  const question = await operator.text("/maintenances/2/delete");
  expect(question).toContain("Delete maintenance");
  expect(question).not.toContain("and tell the");
  await operator.send("/maintenances/2/delete", { notify: "yes" });
  const deleted = await operator.send("/maintenances/1/delete");
  const notice = await operator.text(deleted.headers.get("location") ?? "");
  expect(notice).toContain("You can undo this until");
  expect(notice).not.toContain("sent that it will not take place");
  await here.clock.advance(minutes(11));
  expect(unread()).toBe(0);
});

test("the question and the notice of a deletion count those alone whom the work concerns", async () => {
  const { here, next, plan, operator } = await announcedWork();
  await using _ = here;
  await here.post("/status/acme/subscribe", { email: "cy@reader.test", component: "2" });
  const link = (await next()).links.find((one) => one.includes("/verify/")) ?? "";
  await here.post(new URL(link).pathname, {});
  await plan({ title: "New desk", pageComponentIds: ["2"] });
  const offers: string[] = [];
  const notices: string[] = [];
  for (const id of [1, 2]) {
    const path = `/maintenances/${id}/delete`;
    offers.push(/tell the \d+ subscribers/.exec(await operator.text(path))?.[0] ?? "");
    const deleted = await operator.send(path, { notify: "yes" });
    const notice = await operator.text(deleted.headers.get("location") ?? "");
    notices.push(/Then \d+ subscribers/.exec(notice)?.[0] ?? "");
  }
  expect([offers, notices]).toEqual([
    ["tell the 2 subscribers", "tell the 3 subscribers"],
    ["Then 2 subscribers", "Then 3 subscribers"],
  ]);
});

test("work that began more than ten minutes ago takes place: its deletion offers to tell no one", async () => {
  const { here, next, plan, operator } = await announcedWork();
  await using _ = here;
  await plan({ from: "2026-11-22T11:00:00Z", to: "2026-11-22T13:00:00Z" });
  await next();
  expect(await operator.text("/maintenances/2/delete")).not.toContain("and tell the");
});

test("work under way is sent as that, and its early end offers to tell whoever was sent it that it is over", async () => {
  const { here, next, plan, operator } = await announcedWork();
  await using _ = here;
  await plan({ from: "2026-11-22T11:00:00Z", to: "2026-11-22T13:00:00Z" });
  const subjects = async () =>
    [await next(), await next()].map(({ headers }) => headers.get("subject") ?? "").toSorted();
  expect(await subjects()).toEqual([
    "Laufende Wartung: Database upgrade · Acme",
    "Maintenance under way: Database upgrade · Acme",
  ]);
  const ended = await operator.send("/maintenances/2/end", { back: "/maintenances/2" });
  const page = await operator.text(ended.headers.get("location") ?? "");
  expect(page).toMatch(
    /href="\/maintenances\/2\/updates\?fill=over"\s*>Tell the 2 subscribers that it is over</,
  );
  const form = await operator.text("/maintenances/2/updates?fill=over");
  expect(form).toMatch(/<textarea[^>]*name="message"[^>]*>\s*The maintenance is over\.</);
  expect(form).toMatch(/<input[^>]*name="notify"[^>]*checked/);
  const update = { message: "The maintenance is over.", notify: "yes" };
  await operator.send("/maintenances/2/updates", update);
  expect(await subjects()).toEqual([
    "Maintenance finished: Database upgrade · Acme",
    "Wartung beendet: Database upgrade · Acme",
  ]);
});

test("the early end of work that no one was sent offers to tell no one", async () => {
  const { here, plan, operator } = await announcedWork();
  await using _ = here;
  await plan({ from: "2026-11-22T11:00:00Z", to: "2026-11-22T13:00:00Z", notify: false });
  const ended = await operator.send("/maintenances/2/end", { back: "/maintenances/2" });
  const page = await operator.text(ended.headers.get("location") ?? "");
  expect(page).toContain("was to end at");
  expect(page).not.toContain("that it is over");
});

test("an update of work that repeats has its next time, not the first, and names the days after it", async () => {
  const { here, next, plan } = await announcedWork();
  await using _ = here;
  await plan({
    title: "Backups",
    from: "2026-11-22T13:00:00Z",
    to: "2026-11-22T14:00:00Z",
    recurrence: "FREQ=WEEKLY;BYDAY=SU;COUNT=4",
  });
  const [first, german] = [await next(), await next()];
  expect(first.text).toContain(
    "22 Nov 2026, 13:00 – 14:00 UTC\nThen: Sun 29 Nov · Sun 6 Dec · Sun 13 Dec\nRepeats: every Sunday, 13:00 (UTC), 4 times\nAffected: Shop\n",
  );
  expect(german.text).toContain("\nDann: So., 29. Nov. · So., 6. Dez.");
  expect(german.text).toContain("\nWiederholt sich: jeden Sonntag, 13:00 (UTC), 4-mal\n");
  expect(first.html).toMatch(
    /<th[^>]*>Repeats<\/th>\s*<td[^>]*>\s*every Sunday, 13:00 \(UTC\), 4 times\s*<\/td>/,
  );
  await here.clock.advance(minutes(121));
  const update = { maintenanceId: "2", message: "As last week.", notify: true };
  await here.call("AddMaintenanceUpdate", update);
  const mail = await next();
  expect(mail.text).toContain(
    "29 Nov 2026, 13:00 – 14:00 UTC\nThen: Sun 6 Dec · Sun 13 Dec\nRepeats: every Sunday, 13:00 (UTC), 4 times\nAffected: Shop\n\nAs last week.",
  );
});

test("of work that repeats seldom, a letter names the one time after the next with its year", async () => {
  const { here, next, plan } = await announcedWork();
  await using _ = here;
  await plan({ title: "Audit", recurrence: "FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=23" });
  expect((await next()).text).toContain(
    "23 Nov 2026, 22:00 – 23:30 UTC\nThen: 23 Nov 2027\nRepeats: every year on 23 November, 22:00 (UTC)\nAffected: Shop\n",
  );
});

test("of work that repeats, and is deleted, mails and webhooks say that none of its times takes place", async () => {
  const { here, next, plan, operator } = await announcedWork();
  await using _ = here;
  await using hook = await startProvider((_asked, response) => void response.end());
  await here.call("CreatePageSubscription", {
    pageId: "1",
    webhookChannel: { webhookUrl: hook.url, headers: [] },
  });
  await plan({ title: "Backups", recurrence: "FREQ=WEEKLY;BYDAY=MO;COUNT=4" });
  await next();
  await next();
  expect(await operator.text("/maintenances/2/delete")).toContain(
    "a message that none of its coming times will take place goes out",
  );
  const deleted = await operator.send("/maintenances/2/delete", { notify: "yes" });
  expect(await operator.text(deleted.headers.get("location") ?? "")).toContain(
    "Then 3 subscribers are sent that none of its coming times will take place.",
  );
  await here.clock.advance(minutes(11));
  const both = [await next(), await next()].map(({ text }) => text).toSorted();
  expect(both[0]).toContain(
    "None of its coming times will take place.\n\nWhen: 23 Nov 2026, 22:00 – 23:30 UTC\nRepeats: every Monday, 22:00 (UTC), 4 times\nAffected: Shop\n",
  );
  expect(both[1]).toContain("\nKeiner der kommenden Termine findet statt.\n");
  await expect.poll(() => hook.asked.length).toBe(2);
  expect(JSON.parse(hook.asked[1]?.body ?? "{}").data.maintenance).toMatchObject({
    cancelled: true,
    message: "None of its coming times will take place.",
    repeats: { rule: "FREQ=WEEKLY;BYDAY=MO;COUNT=4", time_zone: "UTC", next: [] },
  });
});

test("an edit that gives announced work other times offers an update that has them, and one of words does not", async () => {
  const { here, operator } = await announcedWork();
  await using _ = here;
  const edit = async (changes: Record<string, string>) => {
    const work = {
      title: "Database upgrade",
      message: "Read-only.",
      page_id: "1",
      time_zone: "UTC",
    };
    const times = { from: "2026-11-23T22:00", to: "2026-11-23T23:30", repeat: "once" };
    const saved = await operator.send("/maintenances/1/edit", { ...work, ...times, ...changes });
    return operator.text(saved.headers.get("location") ?? "");
  };
  const worded = await edit({ message: "It is read-only." });
  expect(worded).toContain("Saved.");
  expect(worded).not.toContain("of the new times");
  const later = { from: "2026-11-24T22:00", to: "2026-11-24T23:30", repeat: "weekly" };
  expect(await edit(later)).toMatch(
    /href="\/maintenances\/1\/updates\?fill=times"\s*>Tell the 2 subscribers of the new times</,
  );
  const form = await operator.text("/maintenances/1/updates?fill=times");
  expect(form).toMatch(
    /<textarea[^>]*name="message"[^>]*>\s*The maintenance has new times: 24 Nov 2026, 22:00\s?–\s?23:30 UTC\s+Repeats: every Tuesday, 22:00 \(UTC\)</,
  );
  expect(form).toMatch(/<input[^>]*name="notify"[^>]*checked/);
  expect(await edit({ notify: "yes" })).not.toContain("of the new times");
});
