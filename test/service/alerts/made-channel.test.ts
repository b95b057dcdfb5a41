import { expect, test } from "vitest";
import { after, seconds } from "#base/units";
import { cookieOf, formTokenIn } from "../../support/signed-in.ts";
import { alertedOffice, type Office } from "./alerted-office.ts";

/** A person's browser that does not follow, by its cookie. */
const asked = (
  { service: { url } }: Office,
  path: string,
  cookie: string,
  body: URLSearchParams | null = null,
): Promise<Response> =>
  fetch(`${url}${path}`, {
    redirect: "manual",
    headers: { accept: "text/html", cookie },
    ...(body === null ? {} : { method: "POST", body }),
  });
const signedIn = async (office: Office): Promise<string> =>
  cookieOf(await asked(office, "/sign-in", "", new URLSearchParams({ secret: office.key })));

/** Makes a channel as a person does, with the form of the pages; gives where that leads, and what the page there says. */
async function channelByForm(
  office: Office,
  events: readonly string[],
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly path: string; readonly words: string }> {
  const cookie = await signedIn(office);
  const form = formTokenIn(await (await asked(office, "/channels/new/slack", cookie)).text());
  const webhook = { webhook_url: "https://hooks.slack.test/1", time_zone: "UTC" };
  const body = new URLSearchParams({ form, ...webhook, ...fields });
  for (const event of events) body.append("events", event);
  const made = await asked(office, "/channels/new/slack", cookie, body);
  const path = made.headers.get("location") ?? "";
  return { path, words: await (await asked(office, path, cookie)).text() };
}

test("a channel that the form makes says which open incidents are silenced, and is notified when the silence ends", async () => {
  const office = await alertedOffice(2);
  await office.beat();
  await office.report("error");
  await office.until(async () => (await office.store.alerts.incidents.openCount()).open === 2);
  await office.store.alerts.silences.create({
    from: office.clock.wall(),
    until: after(office.clock.wall(), seconds(60)),
    monitors: [Number(office.monitors[0])],
    locations: [],
    labels: {},
    reason: "",
    by: "ann",
  });
  const ops = await channelByForm(office, ["error", "recovery"], {
    name: "ops",
    all_monitors: "yes",
    next: "/start",
  });
  expect(ops.path).toBe("/start?notified=1&silenced=1");
  expect(ops.words).toContain(
    "Created. The channel is notified of 1 incident that is open. 1 more is silenced: the channel is notified when the silence ends.",
  );
  await office.pass(30);
  expect(office.mailbox.notices("ops")).toMatchObject([{ monitor: { name: "m1" } }]);
  await office.until(() => office.mailbox.taken.length > 1);
  expect(office.mailbox.notices("ops")[1]).toMatchObject({ monitor: { name: "m0" } });
});

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

test("a channel of before whose quiet hours cover the whole week is nowhere said to notify anyone, or to end that", async () => {
  const office = await alertedOffice();
  const quietHours = [{ days: [], from: "09:00", to: "09:00" }];
  await office.channel("ops", "slack", { allMonitors: true, quietHours });
  await office.beat();
  await office.report("error");
  await office.until(async () => (await office.store.alerts.incidents.openCount()).open === 1);
  await office.pass(20);
  const cookie = await signedIn(office);
  const wordsOf = async (path: string): Promise<string> =>
    (await (await asked(office, path, cookie)).text())
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ");
  const sentence = "of nothing: its quiet hours cover the whole week, so it never sends.";
  const waits = "the channel is always quiet: it never sends";
  const said = {
    "/channels": ["Always quiet", sentence, "1 monitor notifies no one."],
    "/channels/1": ["Always quiet", sentence, waits],
    "/monitors/1": [
      "No channel is notified of this monitor.",
      "ops , always quiet: it never sends",
    ],
    "/incidents/1": [`waits: ${waits}`],
    "/incidents/1.json": [`waits: ${waits}`],
  };
  for (const [path, sentences] of Object.entries(said)) {
    const words = await wordsOf(path);
    for (const one of sentences) expect(words).toContain(one);
    expect(words).not.toMatch(/(Quiet|quiet hours) until/);
  }
  expect(office.mailbox.taken).toEqual([]);
});
