import { afterAll, beforeAll, expect, test } from "vitest";
import { hours, minutes, seconds } from "#base/units";
import { type MailServer, startMailServer } from "../../../servers/mail-servers.ts";
import { startProvider } from "../../../servers/providers.ts";
import { readMail } from "../../../support/read-mail.ts";
import { byKey } from "../../../support/signed-in.ts";
import { statusScene } from "../status-scene.ts";

/* Planned work of which subscribers are sent by itself that it begins soon, begins and is over, and when it has other times. */

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
afterAll(() => mails[Symbol.asyncDispose]());

const work = {
  title: "Upgrade",
  message: "Read-only.",
  from: "2026-11-22T15:00",
  to: "2026-11-22T15:30",
  time_zone: "UTC",
  repeat: "once",
  page_id: "1",
};
const said = { notify: "yes", remind: "yes", say_times: "yes" };

/** A page with a reader in German and a webhook, at noon. */
async function scene() {
  const here = await statusScene([], mails);
  const hook = await startProvider((_asked, response) => void response.end());
  let read = mails.mails.length;
  const next = async () => {
    await mails.had(read + 1);
    read += 1;
    const { text, headers, links } = readMail(mails.mails[read - 1] ?? "");
    return { subject: headers.get("subject"), text: text.replaceAll("\r\n", "\n"), links };
  };
  await here.call("CreateStatusPage", {
    title: "Acme",
    slug: "acme",
    locales: ["LOCALE_EN", "LOCALE_DE"],
  });
  await here.post("/status/acme/de/subscribe", { email: "ann@reader.test" });
  const link = (await next()).links.find((one) => one.includes("/verify/")) ?? "";
  await here.post(new URL(link).pathname, {});
  await here.call("CreatePageSubscription", {
    pageId: "1",
    webhookChannel: { webhookUrl: hook.url, headers: [] },
  });
  const operator = await byKey(here, "write");
  const events = () =>
    hook.asked.map(({ body }) => JSON.parse(body).data.maintenance.event as unknown);
  return {
    here,
    next,
    operator,
    events,
    newest: () => JSON.parse(hook.asked.at(-1)?.body ?? "{}").data.maintenance,
    unread: () => mails.mails.length - read,
    /** Nothing runs in a pause of the machine, until its last seconds. */
    wait: async (pause: number) => {
      here.clock.suspend(pause - seconds(30));
      await here.clock.advance(seconds(30));
    },
    [Symbol.asyncDispose]: async () => {
      await hook[Symbol.asyncDispose]();
      await here[Symbol.asyncDispose]();
    },
  };
}

test("announced work sends a reminder an hour before, that it begins, and that it is over, once each", async () => {
  await using one = await scene();
  const { next, operator, events, wait } = one;
  const form = await operator.text("/maintenances/new");
  for (const name of ["remind", "say_times"])
    expect(form).toMatch(new RegExp(`<input[^>]*name="${name}"[^>]*checked`));
  expect((await operator.send("/maintenances/new", { ...work, ...said })).status).toBe(303);
  expect((await next()).subject).toBe("Geplante Wartung: Upgrade · Acme");
  expect(await operator.text("/maintenances/1")).toContain(
    "a message goes to subscribers an hour before it starts, and when it starts and is over.",
  );
  await wait(hours(2) + seconds(15));
  const reminder = await next();
  expect(reminder.subject).toBe("Wartung beginnt bald: Upgrade · Acme");
  expect(reminder.text).toContain("Read-only.");
  await wait(hours(1));
  expect((await next()).subject).toBe("Wartung hat begonnen: Upgrade · Acme");
  await wait(minutes(30));
  const ended = await next();
  expect(ended.subject).toBe("Wartung beendet: Upgrade · Acme");
  expect(ended.text).toContain("Die Wartung ist beendet.");
  expect(ended.text).not.toContain("Read-only.");
  await expect.poll(events).toEqual(["announced", "reminder", "begun", "ended"]);
  await wait(minutes(2));
  expect([one.unread(), events().length]).toEqual([0, 4]);
});

test("work without these boxes, that is deleted, or whose end comes by hand sends nothing by itself", async () => {
  await using one = await scene();
  const { next, operator, wait } = one;
  await operator.send("/maintenances/new", { ...work, notify: "yes" });
  await operator.send("/maintenances/new", { ...work, remind: "yes", say_times: "yes" });
  await operator.send("/maintenances/new", { ...work, ...said });
  await operator.send("/maintenances/new", { ...work, notify: "yes", say_times: "yes" });
  for (const _ of [1, 3, 4]) await next();
  await operator.send("/maintenances/3/delete");
  await wait(hours(3) + seconds(15));
  expect((await next()).subject).toBe("Wartung hat begonnen: Upgrade · Acme");
  await operator.send("/maintenances/4/end", { back: "/maintenances/4" });
  await wait(minutes(2));
  expect(one.unread()).toBe(0);
});

test("a beginning that the service slept through is not said later", async () => {
  await using one = await scene();
  const { next, operator, wait } = one;
  await operator.send("/maintenances/new", { ...work, ...said });
  await next();
  await wait(hours(3) + minutes(15));
  await wait(minutes(2));
  expect(one.unread()).toBe(0);
});

test("a letter about other times says so in its subject, and names the times before, also if an update has them", async () => {
  await using one = await scene();
  const { here, next, operator, newest } = one;
  const edit = (changes: Record<string, string>) =>
    operator.send("/maintenances/1/edit", { ...work, ...changes });
  await operator.send("/maintenances/new", { ...work, notify: "yes" });
  await next();
  await here.clock.advance(seconds(1));
  const later = { from: "2026-11-22T16:00", to: "2026-11-22T16:30" };
  await edit({ ...later, notify: "yes" });
  const changed = await next();
  expect(changed.subject).toBe("Wartung geändert: Upgrade · Acme");
  expect(changed.text).toMatch(
    /Wann: 22\.11\.2026, 16:00\s–\s16:30 UTC\n {2}Statt bisher: 22\.11\.2026, 15:00\s–\s15:30 UTC\n/,
  );
  await expect.poll(() => newest()?.event).toBe("changed");
  expect(newest()).toMatchObject({
    starts_at: "2026-11-22T16:00:00.000Z",
    previous: { starts_at: "2026-11-22T15:00:00.000Z", ends_at: "2026-11-22T15:30:00.000Z" },
  });
  await here.clock.advance(seconds(1));
  await edit({ ...later, message: "It is read-only.", notify: "yes" });
  expect((await next()).subject).toBe("Neues zur Wartung: Upgrade · Acme");
  await here.clock.advance(seconds(1));
  await edit({ ...later, to: "2026-11-22T17:00", repeat: "weekly" });
  await operator.send("/maintenances/1/updates", { message: "It takes longer.", notify: "yes" });
  const longer = await next();
  expect(longer.subject).toBe("Wartung geändert: Upgrade · Acme");
  expect(longer.text).toMatch(
    /16:00\s–\s17:00 UTC\n {2}Statt bisher: 22\.11\.2026, 16:00\s–\s16:30 UTC\nDann: /,
  );
});
