import { expect, test } from "vitest";
import { startMailServer } from "../../../servers/mail-servers.ts";
import { readMail } from "../../../support/read-mail.ts";
import { statusScene } from "../status-scene.ts";

test("a page's zone is that of its times in mail, in feeds and on the page, and its zone for programs", async () => {
  await using mails = await startMailServer();
  await using here = await statusScene([], mails);
  const zone = { timeZone: "Europe/Berlin" };
  const made = await here.call("CreateStatusPage", { title: "Acme", slug: "acme", ...zone });
  expect(made).toMatchObject({ statusPage: zone });
  const emailChannel = { email: "ann@reader.test" };
  await here.call("CreatePageSubscription", { pageId: "1", emailChannel });
  await here.call("CreateMaintenance", {
    title: "Patches",
    from: "2026-11-22T22:30:00Z",
    to: "2026-11-22T23:30:00Z",
    message: "Slow.",
    pageId: "1",
    notify: true,
  });
  await mails.had(1);
  const period = "22 Nov 2026, 23:30 – 23 Nov 2026, 00:30 CET";
  const mail = readMail(mails.mails[0] ?? "");
  for (const part of [mail.text, mail.html.replaceAll(/<[^>]*>/g, "")])
    expect(part).toContain(period);
  for (const path of ["", "/feed/atom", "/feed/rss"])
    expect(await (await here.get(`/status/acme${path}`)).text()).toContain(period);
  expect(await (await here.get("/status/acme")).text()).toContain("22 Nov 2026, 13:00 CET");
  const summary = await (await here.get("/status/acme/summary.json")).text();
  expect(JSON.parse(summary)).toMatchObject({ page: { time_zone: "Europe/Berlin" } });
});

test("a page without a zone has UTC, also after a mask takes it away, and one that is none is refused", async () => {
  await using here = await statusScene();
  const made = await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  expect(made).toMatchObject({ statusPage: { timeZone: "UTC" } });
  const update = (changes: object) => here.call("UpdateStatusPage", { id: "1", ...changes });
  const zone = { timeZone: "Asia/Tokyo" };
  expect(await update(zone)).toMatchObject({ statusPage: zone });
  expect(await update({ title: "Acme 2" })).toMatchObject({ statusPage: zone });
  await expect(update({ timeZone: "Berlin" })).rejects.toThrow(
    "time_zone must be an IANA name, for example Europe/Berlin",
  );
  const cleared = await update({ updateMask: "timeZone" });
  expect(cleared).toMatchObject({ statusPage: { timeZone: "UTC" } });
});
