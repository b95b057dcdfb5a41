import { expect, test } from "vitest";
import { cookieOf, formTokenIn } from "../../support/signed-in.ts";
import { alertedOffice, type Office } from "./alerted-office.ts";

/** Makes a channel as a person does, with the form of the pages; gives where that leads, and what the page there says. */
async function channelByForm(
  { service: { url }, key }: Office,
  events: readonly string[],
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly path: string; readonly words: string }> {
  const asked = (path: string, cookie: string, body: URLSearchParams | null): Promise<Response> =>
    fetch(`${url}${path}`, {
      redirect: "manual",
      headers: { accept: "text/html", cookie },
      ...(body === null ? {} : { method: "POST", body }),
    });
  const cookie = cookieOf(await asked("/sign-in", "", new URLSearchParams({ secret: key })));
  const form = formTokenIn(await (await asked("/channels/new/slack", cookie, null)).text());
  const webhook = { webhook_url: "https://hooks.slack.test/1", time_zone: "UTC" };
  const body = new URLSearchParams({ form, ...webhook, ...fields });
  for (const event of events) body.append("events", event);
  const made = await asked("/channels/new/slack", cookie, body);
  const path = made.headers.get("location") ?? "";
  return { path, words: await (await asked(path, cookie, null)).text() };
}

test("a channel that the form makes is notified once of what failed before, and of its end", async () => {
  const office = await alertedOffice();
  await office.beat();
  await office.report("error");
  await office.until(async () => (await office.store.alerts.incidents.openCount()).open === 1);
  await office.channel("client");
  const ops = await channelByForm(office, ["error", "recovery"], {
    name: "ops",
    all_monitors: "yes",
    next: "/start",
  });
  expect(ops.path).toBe("/start?notified=1");
  expect(ops.words).toContain("Created. The channel is notified of 1 incident that is open.");
  await office.until(() => office.mailbox.taken.length > 0);
  await office.pass(30);
  expect(office.mailbox.notices("ops")).toMatchObject([
    { type: "monitor.error", monitor: { name: "m0" }, incident: { number: 1 } },
  ]);
  for (let round = 0; round < 2; round += 1) {
    await office.pass(15);
    await office.beat();
    await office.report("success");
  }
  await office.until(() => office.mailbox.taken.length > 1);
  await office.pass(30);
  expect(office.mailbox.words("ops")).toEqual(["monitor.error", "monitor.recovered"]);
  // Whoever makes channels by calls is notified of what fails from then on, as ever.
  expect(office.mailbox.words("client")).toEqual([]);
});

test("a channel that the form makes is not notified of what it does not select, or of what is acknowledged", async () => {
  const office = await alertedOffice(2);
  await office.beat();
  await office.report("error");
  await office.until(async () => (await office.store.alerts.incidents.openCount()).open === 2);
  const [, second = ""] = office.monitors;
  const [one, other] = await office.store.alerts.incidents.newest(
    "monitor",
    office.monitors.map(Number),
  );
  const slow = await channelByForm(office, ["degraded"], { name: "slow", all_monitors: "yes" });
  expect(slow.path).toBe("/channels/1?notice=made");
  expect(slow.words).toContain("Created.");
  const own = await channelByForm(office, ["error"], {
    name: "own",
    monitor_ids: second,
  });
  expect(own.path).toBe("/channels/2?notice=made&notified=1");
  expect(own.words).toContain("Created. The channel is notified of 1 incident that is open.");
  for (const { number } of [one!, other!])
    await office.store.alerts.incidents.acknowledge(number, office.clock.wall(), "ann");
  const late = await channelByForm(office, ["error"], { name: "late", all_monitors: "yes" });
  expect(late.path).toBe("/channels/3?notice=made");
  await office.until(() => office.mailbox.taken.length > 0);
  await office.pass(30);
  expect(office.mailbox.taken.map(({ channel }) => channel.name)).toEqual(["own"]);
});
