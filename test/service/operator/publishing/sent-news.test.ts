import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

/** A published page with a component of a monitor, and forms of it. */
async function publishedPage() {
  const scene = await operatorScene({ days: 0 });
  const form = formTokenIn(await (await scene.get("/status-pages/new")).text());
  const send = async (path: string, fields: Record<string, string>): Promise<string> =>
    (await scene.post(path, { form, ...fields })).headers.get("location") ?? "";
  const text = async (path: string): Promise<string> =>
    (await (await scene.get(path)).text()).replaceAll(/\s+/g, " ");
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/parts", { name: "Shop" });
  await send("/settings/service", { address: "https://picket.test" });
  const subscribe = (host: string) =>
    send("/status-pages/1/subscribers", { webhook_url: `https://${host}.test/planted` });
  return { send, text, subscribe, clock: scene.clock };
}

const isTicked = (page: string): boolean => /name="notify" value="yes" checked/.test(page);
const noticeOf = (page: string): string =>
  (/<p class="notice [^>]*>(.*?)<\/p>/.exec(page)?.[1] ?? "")
    .replaceAll(/<svg.*?<\/svg>|<[^>]*>/g, "")
    .trim();

const work = {
  title: "Upgrade",
  message: "Read-only",
  from: "2026-11-22T11:30",
  to: "2026-11-22T14:00",
  time_zone: "UTC",
  repeat: "once",
  page_id: "1",
};
const report = { title: "Slow", status: "investigating", message: "We look." };
const update = { status: "identified", message: "A switch." };

test("the first word of planned work is sent as that of a report is, and an update to whoever was sent the first", async () => {
  const { send, text, subscribe } = await publishedPage();
  expect(isTicked(await text("/maintenances/new"))).toBe(false);
  await send("/status-pages/1/publish", {});
  await subscribe("wall");
  expect(isTicked(await text("/maintenances/new"))).toBe(true);
  await send("/maintenances/new", work);
  await send("/maintenances/new", { ...work, notify: "yes" });
  await send("/status-pages/1/reports/new", report);
  await send("/status-pages/1/reports/new", { ...report, notify: "yes" });
  const ticked = async (...paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => isTicked(await text(path))));
  expect(
    await ticked("/maintenances/1/updates", "/maintenances/2/updates", "/reports/1", "/reports/2"),
  ).toEqual([false, true, false, true]);
  // Other words for what was said are sent to no one again.
  expect(await ticked("/maintenances/2/edit", "/reports/2/updates/2/edit")).toEqual([false, false]);
  for (const path of ["/maintenances/1/updates", "/reports/1", "/status-pages/1/reports/new"])
    expect(await text(path), path).toMatch(/id="field-notify-help">1 subscriber gets it\.</);
});

test("after an update the notice says to how many it is sent, or why it is sent to no one", async () => {
  const { send, text, subscribe, clock } = await publishedPage();
  await send("/maintenances/new", work);
  await send("/status-pages/1/reports/new", report);
  const said = async (notify: Record<string, string>) => {
    await clock.advance(1_000);
    return [
      noticeOf(await text(await send("/maintenances/1/updates", { ...update, ...notify }))),
      noticeOf(await text(await send("/reports/1", { ...update, ...notify }))),
    ];
  };
  const published = "Published: whoever opens the page sees it.";
  const both = (sentence: string) => [
    `The update is published. ${sentence}`,
    `${published} ${sentence}`,
  ];
  const draft =
    "The status page “Acme” is a draft: no reader sees it before you publish the page, and nothing is sent.";
  expect(await said({ notify: "yes" })).toEqual([`The update is published. ${draft}`, draft]);
  await send("/status-pages/1/publish", {});
  const none = both("It is sent to no one: the page has no subscriber.");
  expect([await said({ notify: "yes" }), await said({})]).toEqual([none, none]);
  await subscribe("wall");
  await subscribe("desk");
  expect([await said({ notify: "yes" }), await said({})]).toEqual([
    both("It is sent to 2 subscribers."),
    both("It is sent to no one, as “Send it to the subscribers of the page” was not ticked."),
  ]);
});

test("on a page that is not published the box cannot be ticked, says why, and nothing that a form sends is counted", async () => {
  const { send, text, subscribe } = await publishedPage();
  await subscribe("wall");
  const forms = ["/maintenances/new", "/status-pages/1/reports/new"];
  await send("/maintenances/new", { ...work, notify: "yes" });
  await send("/status-pages/1/reports/new", { ...report, notify: "yes" });
  for (const path of [...forms, "/maintenances/1/updates", "/maintenances/1/edit", "/reports/1"]) {
    const page = await text(path);
    expect(page, path).toMatch(/name="notify" value="yes" disabled/);
    expect(page, path).toMatch(
      /id="field-notify-help">The page is a draft, so nothing is sent\. To send what you write, publish the page first\.</,
    );
  }
  for (const path of ["/maintenances/1", "/reports/1"]) {
    const page = await text(path);
    expect(page, path).not.toContain("no subscriber was to get it");
    expect(page, path).not.toContain(" waiting");
  }
  await send("/status-pages/1/publish", {});
  for (const path of [...forms, "/maintenances/1/updates", "/reports/1"])
    expect(await text(path), path).toMatch(/id="field-notify-help">1 subscriber gets it\.</);
  // No one was sent the first word of these.
  for (const path of ["/maintenances/1/updates", "/reports/1"])
    expect(isTicked(await text(path)), path).toBe(false);
});

test("the preview of an update of planned work is the work as the page shows it, with what was said before", async () => {
  const { send, text } = await publishedPage();
  await send("/status-pages/1/publish", {});
  await send("/maintenances/new", work);
  await send("/maintenances/1/updates", { message: "It goes well." });
  const preview = (await text("/maintenances/1/updates")).split('class="seen"')[1] ?? "";
  const [article = ""] = preview.split("</article>");
  for (const words of [
    "<h2>Upgrade</h2>",
    "Type a message, and it is shown here.",
    "It goes well.",
    "Read-only",
    "22 Nov 2026, 11:30",
  ])
    expect(article).toContain(words);
  expect(article.indexOf("Type a message")).toBeLessThan(article.indexOf("It goes well."));
});

test("the access of a page with subscribers says that closing it does not close their mails", async () => {
  const { text, subscribe } = await publishedPage();
  const said = "they still get all texts by mail and webhook";
  expect(await text("/status-pages/1/access")).not.toContain("all texts by mail");
  await subscribe("wall");
  await subscribe("desk");
  const page = await text("/status-pages/1/access");
  expect(page).toContain("This page has 2 subscribers.");
  expect(page).toContain(said);
});
