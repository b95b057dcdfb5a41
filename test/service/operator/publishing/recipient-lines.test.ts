import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { startProvider } from "../../../servers/providers.ts";

/** It is 12:00 on 22 November: a page with two subscribers, one of which refuses what it gets. */
async function newsScene() {
  const scene = await operatorScene({ sends: "really" });
  const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
  const post = async (path: string, typed: Readonly<Record<string, string>> = {}) =>
    expect((await scene.post(path, { form, ...typed })).status, path).toBe(303);
  const words = async (path: string): Promise<string> =>
    (await (await scene.get(path)).text())
      .replaceAll(/<\/?time[^>]*>/g, "")
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll("\u00a0", " ")
      .replaceAll(/\s+/g, " ");
  /** What a page says once it has that, as the couriers work. */
  const saysInTime = async (path: string, text: string): Promise<void> => {
    await expect
      .poll(async () => {
        await scene.clock.advance(1_000);
        return words(path);
      })
      .toContain(text);
  };
  await post("/settings/service", { address: "https://picket.test" });
  await post("/status-pages", { title: "Acme", slug: "acme" });
  await post("/status-pages/1/monitors", { monitors: "2" });
  await post("/status-pages/1/publish");
  const add = (url: string) => post("/status-pages/1/subscribers", { webhook_url: url });
  return { ...scene, post, words, saysInTime, add };
}

test("planned work says how many subscribers got its announcement and each update, and why others did not", async () => {
  await using takes = await startProvider((_asked, response) => void response.end("ok"));
  await using refuses = await startProvider((_asked, response) => {
    response.writeHead(400);
    response.end();
  });
  const { clock, post, words, saysInTime, add } = await newsScene();
  await add(`${takes.url}/in`);
  await add(`${refuses.url}/in`);
  const plan = { title: "New disks", message: "Short.", time_zone: "UTC", repeat: "once" };
  const times = { from: "2026-11-22T12:00", to: "2026-11-22T14:00" };
  await post("/maintenances/new", { ...plan, ...times, page_id: "1", notify: "yes" });
  expect(await words("/maintenances/1?notice=under-way")).toContain("It is sent to 2 subscribers.");
  await saysInTime("/maintenances/1", "1 sent, 1 failed.");
  const said = await words("/maintenances/1");
  expect(said).toMatch(
    /Who was notified Failed Subscribers of Acme Announced, 12:00:00, to 2 by webhook: 1 sent, 1 failed\. The last one was sent 12:0\d:\d\d\. Last error, 12:0\d:\d\d: .*400/,
  );
  expect(said).not.toContain("No one was notified");
  // Which message each line is about.
  await post("/maintenances/1/updates", { message: "It goes well.", notify: "yes" });
  expect(await words("/maintenances/1")).toMatch(
    /Subscribers of Acme Update, 12:0\d:\d\d, to 2 by webhook: /,
  );
  await clock.advance(1_000);
  const longer = { ...plan, ...times, to: "2026-11-22T15:00", page_id: "1" };
  await post("/maintenances/1/edit", { ...longer, notify: "yes", say_times: "yes" });
  const changed = await words("/maintenances/1");
  expect(changed).toMatch(/Subscribers of Acme New times, 12:0\d:\d\d, to 2 by webhook: /);
  expect(changed).toContain("By itself, a message goes to subscribers when it is over.");
  await post("/maintenances/1/end");
  const ended = await words("/maintenances/1");
  expect(ended).toContain("No channel was notified");
  expect(takes.asked.length).toBeGreaterThan(0);
});

test("a report says of each update who got it, and what is quiet says nothing", async () => {
  await using takes = await startProvider((_asked, response) => void response.end("ok"));
  await using fails = await startProvider((_asked, response) => {
    response.writeHead(503);
    response.end();
  });
  const { post, words, saysInTime, add } = await newsScene();
  const report = { title: "Slow", status: "investigating", message: "We look." };
  await post("/status-pages/1/reports/new", { ...report, notify: "yes" });
  expect(await words("/reports/1")).toContain("Subscribers: no subscriber was to get it.");
  await add(`${takes.url}/in`);
  await add(`${fails.url}/in`);
  await post("/reports/1", { status: "identified", message: "A switch.", notify: "yes" });
  await saysInTime("/reports/1", "Subscribers: 1 sent, 1 failed and will be tried again.");
  expect(await words("/reports/1")).toMatch(/Last error, 12:0\d:\d\d: .*503/);
  await post("/status-pages/1/reports/new", { ...report, title: "Quiet" });
  expect(await words("/reports/2")).not.toContain("Subscribers:");
});

test("the audit log has a subscriber that ends its subscription by its own link, and one that the service ends", async () => {
  await using leaves = await startProvider((_asked, response) => void response.end("ok"));
  await using gone = await startProvider((_asked, response) => {
    response.writeHead(410);
    response.end();
  });
  const { post, words, saysInTime, add, service } = await newsScene();
  await add(`${leaves.url}/in`);
  await add(`${gone.url}/in`);
  const report = { title: "Slow", status: "investigating", message: "We look." };
  await post("/status-pages/1/reports/new", { ...report, notify: "yes" });
  await saysInTime("/reports/1", "Subscribers: 1 sent, 1 failed.");
  const { subscription } = JSON.parse(leaves.asked[0]?.body ?? "{}");
  const { pathname } = new URL(subscription.unsubscribe_url);
  expect((await fetch(`${service.url}${pathname}`, { method: "POST" })).status).toBe(200);
  const log = await words("/changes?kind=page&id=1");
  const host = new URL(leaves.url).host;
  expect(log).toContain(`The subscriber ${host} ended the subscription`);
  expect(log).toContain(`The service removed subscriber ${new URL(gone.url).host}`);
  expect(log).toContain(`added subscriber ${host}`);
  expect(log).toContain("These are the changes of status page Acme alone.");
});
