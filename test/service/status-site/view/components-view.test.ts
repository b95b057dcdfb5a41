import { expect, test } from "vitest";
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

test("a component that no monitor measures has no days before its first report", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateComponentGroup", { pageId: "1", name: "Desks" });
  await here.call("AddStaticComponent", { pageId: "1", name: "Phone", groupId: "1" });
  await here.call("AddStaticComponent", { pageId: "1", name: "Mail" });
  const before = await bodyAt(await here.get("/status/acme"));
  expect(before).not.toMatch(/class="days"|No data yet|Counting begins/);
  expect(before.match(/>Operational</g)).toHaveLength(3);
  await here.call("AddMonitorComponent", { pageId: "1", monitorId: "1" });
  const measured = await bodyAt(await here.get("/status/acme"));
  expect(measured.match(/class="days"/g)).toHaveLength(1);
  expect(measured).toContain("Counting begins with the first result.");
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
