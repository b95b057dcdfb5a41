import { expect, test } from "vitest";
import { startMailServer } from "../../servers/mail-servers.ts";
import { readMail } from "../../support/read-mail.ts";
import { statusScene } from "./status-scene.ts";

const given = "First.\r\n\r\nSecond:\r\n- one\r- two";
const kept = "First.\n\nSecond:\n- one\n- two";
/** A mail has the list as a part of its own. */
const mailed = "First.\n\nSecond:\n\n- one\n- two";

test("the messages of reports and maintenance keep their lines, whichever line ends a call has", async () => {
  await using mails = await startMailServer();
  await using here = await statusScene([], mails);
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  const emailChannel = { email: "ann@reader.test" };
  await here.call("CreatePageSubscription", { pageId: "1", emailChannel });
  const report = { pageId: "1", title: "Cards fail", date: "2026-11-22T12:00:00Z", message: given };
  const status = "STATUS_REPORT_STATUS_INVESTIGATING";
  await here.call("CreateStatusReport", { ...report, status, notify: true });
  const added = { statusReportId: "1", status, message: given };
  const { statusReport } = await here.call("AddStatusReportUpdate", added);
  expect(Reflect.get(statusReport ?? {}, "updates")).toMatchObject([
    { message: kept },
    { message: kept },
  ]);
  const window = { from: "2026-11-29T22:00:00Z", to: "2026-11-29T23:30:00Z" };
  const made = { pageId: "1", title: "Upgrade", message: given, ...window };
  const { maintenance } = await here.call("CreateMaintenance", made);
  expect(maintenance).toMatchObject({ message: kept });
  await mails.had(1);
  const mail = readMail(mails.mails[0] ?? "");
  expect(mail.text.replaceAll("\r\n", "\n")).toContain(mailed);
  const pages = ["", "/feed/atom", "/feed/rss", "/events/maintenance/1"];
  const shown = pages.map(async (path) => (await here.get(`/status/acme${path}`)).text());
  expect([mail.html, ...(await Promise.all(shown))].filter((text) => /\ufffd/.test(text))).toEqual(
    [],
  );
});
