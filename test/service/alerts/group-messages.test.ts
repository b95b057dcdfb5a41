import { expect, test } from "vitest";
import { say } from "#service/notify/message/say";
import { cookieOf } from "../../support/signed-in.ts";
import { alertedOffice, type Office } from "./alerted-office.ts";

/** A page as a person reads it. */
const wordsOf = async (answer: Promise<Response>): Promise<string> =>
  (await (await answer).text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

const at = ({ service: { url } }: Office, address: string | null | undefined): string => {
  const { pathname, search } = new URL(address ?? "");
  return `${url}${pathname}${search}`;
};

async function round(office: Office, status: "success" | "error"): Promise<void> {
  await office.beat();
  await office.report(status);
  await office.pass(30);
}

test("one link of a group acknowledges all of it, is taken back, and ends with it; another leads to the list of its incidents", async () => {
  const office = await alertedOffice(4);
  const { agent, mailbox, service, store } = office;
  agent.failure = { code: "protocol_error", phase: "receive", message: "it is not HTTP" };
  await office.channel("ops");
  await round(office, "error");
  await office.until(() => mailbox.taken.length > 0);
  const [notice] = mailbox.notices("ops");
  if (notice?.type !== "digest") throw new Error("a group is one message");
  const { acknowledgeUrl, links, title } = say(notice, "UTC");
  expect(title).toBe("Down: 4 of 4 monitors at office");
  const link = at(office, acknowledgeUrl);
  expect(await wordsOf(fetch(link))).toMatch(
    /4 open incidents.*Failing m0 , since .*Acknowledge all 4/,
  );
  const acknowledged = async () => (await store.alerts.incidents.openCount()).acknowledged;
  expect(await acknowledged()).toBe(0);
  expect(await wordsOf(fetch(link, { method: "POST" }))).toMatch(
    /Acknowledged by a link in a message to ops: no reminders follow.*Take back/,
  );
  expect(await acknowledged()).toBe(4);
  expect(await wordsOf(fetch(`${link}?take-back`, { method: "POST" }))).toContain("Taken back");
  expect(await acknowledged()).toBe(0);
  const cookie = cookieOf(
    await fetch(`${service.url}/sign-in`, {
      method: "POST",
      redirect: "manual",
      headers: { accept: "text/html" },
      body: new URLSearchParams({ secret: office.key }),
    }),
  );
  const list = at(office, links[0]?.url);
  const first = list.replace(/numbers=.*/, "numbers=2-3");
  const headers = { cookie };
  expect(await wordsOf(fetch(list, { headers }))).toContain("4 open incidents");
  expect(await wordsOf(fetch(first, { headers }))).toContain("2 open incidents");
  expect((await fetch(`${list}x`, { headers })).status).toBe(400);
  for (let count = 0; count < 3; count += 1) await round(office, "success");
  expect((await fetch(link)).status).toBe(410);
});

test("the link of a group acknowledges all that fail by its cause, also what messages before had, and says which others have", async () => {
  const office = await alertedOffice(4);
  const { agent, mailbox, monitors, store } = office;
  agent.failure = { code: "protocol_error", phase: "receive", message: "it is not HTTP" };
  await office.channel("ops");
  for (let count = 0; count < 2; count += 1) {
    await office.beat();
    for (const monitor of monitors) {
      await office.report("error", [monitor]);
      await office.pass(7);
    }
    await office.pass(2);
  }
  expect(mailbox.words("ops")).toEqual(["monitor.error", "digest of 3"]);
  const [, notice] = mailbox.notices("ops");
  if (notice === undefined) return expect.fail("the second is a group");
  const { acknowledgeUrl, acknowledgeLabel, links, title } = say(notice, "UTC");
  expect(title).toBe("Down: 3 monitors at office, 4 of 4 fail the same way");
  expect(acknowledgeLabel).toBe("Acknowledge all 4");
  expect(links[0]?.url).toMatch(/numbers=1-4$/);
  await store.alerts.incidents.acknowledge(2, office.clock.wall(), "ann");
  const link = at(office, acknowledgeUrl);
  expect(await wordsOf(fetch(link))).toMatch(
    /4 open incidents.*m0 , since [^,]+, \d\S+ UTC Failing m2 .*m3 .*m1 , since [^,]+, \d\S+ UTC, acknowledged by ann Acknowledge the other 3/,
  );
  await fetch(link, { method: "POST" });
  const takers = [1, 2, 3, 4].map(async (number) => {
    const story = await store.alerts.incidents.story(number);
    return story?.incident.acknowledged?.by;
  });
  const byLink = "a link in a message to ops";
  expect(await Promise.all(takers)).toEqual([byLink, "ann", byLink, byLink]);
});
