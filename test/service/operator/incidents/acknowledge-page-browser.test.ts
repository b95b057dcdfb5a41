import { expect, onTestFinished, test, vi } from "vitest";
import type { Page } from "playwright-core";
import type { Store } from "#service/store/store";
import { complaints, follow, overhang } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { alertedOffice, type Office } from "../../alerts/alerted-office.ts";

const browser = fileBrowser();

/** An office in trouble whose channel has the zone of Paris, and the link of its message. */
async function linkedOffice(
  opensStore = openStoreHere,
): Promise<{ readonly office: Office; readonly url: string }> {
  const office = await alertedOffice(1, { opensStore });
  await office.channel("ops", "slack", { timeZone: "Europe/Paris" });
  await office.beat();
  await office.report("error");
  await office.until(() => office.mailbox.taken.length > 0);
  return { office, url: newestLink(office) };
}

/** Of the newest message: what opens again has another. */
function newestLink({ mailbox, service }: Office): string {
  const notice = mailbox.notices("ops").at(-1);
  const link = notice !== undefined && "incident" in notice ? notice.incident.acknowledgeUrl : "";
  return `${service.url}${new URL(link ?? "").pathname}`;
}

/** The page in a browser of New York. */
async function opened(url: string): Promise<Page> {
  const context = await browser.newContext({ timezoneId: "America/New_York" });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.clock.setFixedTime("2026-08-13T12:00:00Z");
  await page.goto(url);
  return page;
}

const sinceOn = async (page: Page): Promise<string> =>
  (await page.locator("main .kind").innerText()).replaceAll(/\s/g, " ");

test.skipIf(!browser.isThere)(
  "the page behind a message's link has its times in the zone of the message, and no sign-in",
  async () => {
    const { url } = await linkedOffice();
    const page = await opened(url);
    expect(await sinceOn(page)).toMatch(
      /^Incident 1, since 12 Aug 2026, 14:00:00 CEST, for \d+ s$/,
    );
    await page.getByRole("button", { name: "Acknowledge" }).click();
    const noted = async (): Promise<string> =>
      (await page.getByRole("status").innerText()).replaceAll(/\s+/g, " ");
    const words =
      /^Acknowledged by a link in a message to ops, 12 Aug 2026, 14:00:\d\d CEST: no reminders/;
    expect(await noted()).toMatch(words);
    expect(await complaints(page, "all")).toEqual([]);
    await page.goto(url);
    expect(await noted()).toMatch(words);
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("Taken back").waitFor();
    expect(await noted()).toBe("Taken back: reminders follow again.");
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByRole("button", { name: "Take back" }).waitFor();
  },
);

test.skipIf(!browser.isThere)(
  "a link whose channel was deleted has its times in the zone of the reader",
  async () => {
    const { office, url } = await linkedOffice();
    for (const { id } of await office.store.alerts.channels.heads())
      await office.store.alerts.channels.delete(id);
    const page = await opened(url);
    await page.getByText("EDT").first().waitFor();
    expect(await sinceOn(page)).toMatch(/^Incident 1, since 12 Aug, 08:00:00 EDT, for \d+ s$/);
    expect(await (await fetch(url)).text()).toContain("12\u00a0Aug, 12:00:00 UTC</time");
  },
);

test("the page behind a message's link calls what flaps or recovers as the list of incidents does", async () => {
  const { office } = await linkedOffice();
  const title = async (): Promise<string> =>
    /<h1[^>]*>([^<]*)/.exec(await (await fetch(newestLink(office))).text())?.[1] ?? "";
  const checks = async (line: string): Promise<void> => {
    for (const one of line) {
      await office.beat();
      await office.report(one === "x" ? "error" : "success");
      await office.pass(30);
    }
  };
  expect(await title()).toBe("Failing: m0");
  await checks("x.");
  expect(await title()).toBe("Recovering: m0");
  await checks(".x..x");
  expect(await title()).toBe("Flapping: m0");
});

test("what someone else acknowledged is not taken back by a link", async () => {
  const { office, url } = await linkedOffice();
  const { incidents } = office.store.alerts;
  await incidents.acknowledge(1, office.clock.wall(), "Ann");
  const answer = await fetch(`${url}?take-back`, { method: "POST" });
  expect(await answer.text()).not.toContain("Take back");
  expect((await incidents.story(1))?.incident.acknowledged?.by).toBe("Ann");
});

test("what opened again is said to last since then, as in its message", async () => {
  const { office } = await linkedOffice();
  for (const one of "...x") {
    await office.pass(30);
    await office.beat();
    await office.report(one === "x" ? "error" : "success");
  }
  await office.until(() => office.mailbox.words("ops").at(-1) === "monitor.error");
  const said = (await (await fetch(newestLink(office))).text()).replaceAll(/\s+/g, " ");
  expect(said).toMatch(/since 12 Aug 2026, 14:02:\d\d CEST, for \d+ s/);
});

test.skipIf(!browser.isThere)(
  "the page behind the link of a group names all in the zone of the message, acknowledges them, and axe has no complaint",
  async () => {
    const office = await alertedOffice(4);
    office.agent.failure = { code: "protocol_error", phase: "receive", message: "it is not HTTP" };
    await office.channel("ops", "slack", { timeZone: "Europe/Paris" });
    await office.beat();
    await office.report("error");
    await office.until(() => office.mailbox.taken.length > 0);
    const [notice] = office.mailbox.notices("ops");
    const link = notice?.type === "digest" ? notice.acknowledgeUrl : null;
    const page = await opened(`${office.service.url}${new URL(link ?? "").pathname}`);
    const judged = async (): Promise<void> => {
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [1280, 390]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 800 });
          expect([await complaints(page, "all"), await overhang(page)]).toEqual([[], 0]);
        }
    };
    const lines = async (): Promise<readonly string[]> =>
      (await page.getByRole("listitem").allInnerTexts()).map((one) => one.replaceAll(/\s+/g, " "));
    expect((await lines())[0]).toBe("Failing m0, since 12 Aug 2026, 14:00:00 CEST");
    await judged();
    await follow(page.getByRole("button", { name: "Acknowledge all 4" }));
    expect(await page.getByRole("status").innerText()).toContain("no reminders follow");
    expect(await page.getByRole("status").innerText()).toContain("by a link in a message to ops");
    expect((await lines())[3]).toBe("Failing m3, since 12 Aug 2026, 14:00:00 CEST");
    await judged();
    await follow(page.getByRole("button", { name: "Take back" }));
    expect(await page.getByRole("status").innerText()).toContain("reminders follow again");
    expect(await page.getByRole("button", { name: "Acknowledge all 4" }).count()).toBe(1);
  },
);

test("the link of a message takes back no acknowledgement that a person made while it was read", async () => {
  const opened: Store[] = [];
  const { office, url } = await linkedOffice(async (place) => {
    const store = await openStoreHere(place);
    opened.push(store);
    return store;
  });
  await fetch(url, { method: "POST" });
  const { incidents } = opened[0]!.alerts;
  const story = incidents.story.bind(incidents);
  const reading = vi.spyOn(incidents, "story").mockImplementationOnce(async (number) => {
    const read = await story(number);
    await incidents.takeBack(number, office.clock.wall(), "Ann");
    await incidents.acknowledge(number, office.clock.wall(), "Ann");
    return read;
  });
  const page = await (await fetch(`${url}?take-back`, { method: "POST" })).text();
  expect(reading).toHaveBeenCalled();
  expect((await story(1))?.incident.acknowledged?.by).toBe("Ann");
  expect(page).toContain("by Ann,");
  expect(page).not.toContain("Take back");
});
