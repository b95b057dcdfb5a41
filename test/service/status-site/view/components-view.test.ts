import { expect, test } from "vitest";
import { hours, minutes } from "#base/units";
import { statusScene } from "../status-scene.ts";

/* What a reader in a hurry sees first, and what is left out. */

const bodyAt = (answer: Response): Promise<string> => answer.text();

test("a page says directly below its heading as of when it is, and not again at its end", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  const body = await bodyAt(await here.get("/status/acme"));
  expect(body).toMatch(
    /<\/h1>\s*<p class="fresh">\s*As of <time datetime="2026-11-22T12:00:00.000Z">/,
  );
  expect(body.match(/As of/g)).toHaveLength(1);
  // The other pages have it at their end.
  const events = await bodyAt(await here.get("/status/acme/events"));
  expect(events.match(/<footer>[^]*As of/g)).toHaveLength(1);
});

test("the description of a page takes the Markdown of its reports, and no HTML", async () => {
  await using here = await statusScene();
  const description = "**Live** state of <i>Acme</i>: [docs](https://acme.example/docs)";
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme", description });
  const body = await bodyAt(await here.get("/status/acme"));
  expect(body).toMatch(
    /<div class="advice said"><p><strong>Live<\/strong> state of &lt;i&gt;Acme&lt;\/i&gt;: <a href="https:\/\/acme.example\/docs"/,
  );
});

test("a component that no monitor measures has its days from the second one on, or from its first trouble", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateComponentGroup", { pageId: "1", name: "Desks" });
  await here.call("AddStaticComponent", { pageId: "1", name: "Phone", groupId: "1" });
  await here.call("AddStaticComponent", { pageId: "1", name: "Mail" });
  await here.clock.advance(minutes(30));
  const before = await bodyAt(await here.get("/status/acme"));
  expect(before).not.toMatch(/class="days"|No data yet|Counting begins/);
  expect(before.match(/>Operational</g)).toHaveLength(3);
  await here.call("AddMonitorComponent", { pageId: "1", monitorId: "1" });
  const measured = await bodyAt(await here.get("/status/acme"));
  expect(measured.match(/class="days"/g)).toHaveLength(1);
  await here.call("CreateStatusReport", {
    pageId: "1",
    title: "No one answers",
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "We look into it.",
    date: "2026-11-22T12:10:00Z",
    componentImpacts: [{ pageComponentId: "2", impact: "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE" }],
  });
  const troubled = await bodyAt(await here.get("/status/acme"));
  expect(troubled.match(/class="days"/g)).toHaveLength(2);
  // Each of a day's timers need not run for this.
  here.clock.suspend(hours(24));
  await here.clock.advance(minutes(1));
  // And the group's, next to that of the component in it.
  const later = await bodyAt(await here.get("/status/acme"));
  expect(later.match(/class="days"/g)).toHaveLength(4);
});

test("the button in the header is a primary one only if it subscribes: feeds alone are quiet", async () => {
  await using without = await statusScene();
  await without.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  const quiet = await bodyAt(await without.get("/status/acme"));
  expect(quiet).toMatch(/<details class="follow">\s*<summary>Feeds</);
  await using mailing = await statusScene([], { port: 9 });
  await mailing.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  const primary = await bodyAt(await mailing.get("/status/acme"));
  expect(primary).toMatch(/<details class="follow by-mail">\s*<summary>Subscribe</);
});
