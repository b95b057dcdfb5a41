import { expect, test } from "vitest";
import { statusScene } from "../status-scene.ts";

/* The pages of one report and of one maintenance, to which mails and feeds lead. */

test("the page of a report has its title as the heading, says its state and does not link to itself", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateStatusReport", {
    pageId: "1",
    title: "The <shop> is down",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "We look into it.",
    date: "2026-11-22T11:40:00Z",
  });
  const body = await (await here.get("/status/acme/events/report/1")).text();
  expect(body).toContain("<h1>The &lt;shop&gt; is down</h1>");
  expect(body).toContain("<h2>Investigating</h2>");
  expect(body).not.toContain('href="/status/acme/events/report/1"');
  expect(body).toContain("<title>The &lt;shop&gt; is down: Investigating · Acme</title>");
});

test("the page of a maintenance says its title once, as its heading and in the tab", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateMaintenance", {
    title: "New disks",
    message: "The shop is read-only.",
    from: "2026-11-29T22:00:00Z",
    to: "2026-11-29T23:00:00Z",
    pageId: "1",
  });
  const body = await (await here.get("/status/acme/events/maintenance/1")).text();
  expect(body).toContain("<title>New disks · Acme</title>");
  const main = body.slice(body.indexOf("<main"));
  expect(main.match(/New disks/g)).toHaveLength(1);
  expect(main).toContain("The shop is read-only.");
});
