import { expect, test } from "vitest";
import { hours, minutes } from "#base/units";
import { channelsListed } from "#limits/pages-limits";
import { delivered, stopped } from "#service/notify/outcomes";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { byKey } from "../../../support/signed-in.ts";

const fields = {
  name: "hook",
  endpoint: "https://hook.test/x",
  all_monitors: "yes",
  events: "error",
  time_zone: "UTC",
};

test("a channel says when it was last tested and with which outcome, also by its form before it was made", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const said = async (path: string): Promise<string> =>
    (await ann.text(path)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  await ann.send("/channels/new/webhook", fields);
  expect(await said("/channels/1")).toContain("No message yet");
  expect(await said("/channels")).toContain("No message yet No test yet");
  expect(await said("/channels/1")).not.toContain("Last test");
  await ann.send("/channels/1/test");
  scene.clock.suspend(120_000);
  expect(await said("/channels/1")).toContain("Last test, 2 min ago : the provider accepted it.");
  expect(await said("/channels/1")).toContain("Nothing else was sent");
  expect(await said("/channels")).toContain("No message yet Last test 2 min ago , accepted");
  expect(JSON.parse(await ann.text("/channels/1.json"))).toMatchObject({
    last_tested_at: expect.stringMatching(/^20/),
    last_test_trouble: "",
  });
  await ann.send("/channels/new/webhook", { ...fields, test: "yes" });
  await ann.send("/channels/new/webhook", { ...fields, endpoint: "https://hook.test/other" });
  expect(await said("/channels/2")).not.toContain("Last test");
  await ann.send("/channels/new/webhook", fields);
  expect(await said("/channels/3")).toContain("the provider accepted it");
});

test("a test that fails is said once at the channel, with why and what to do, and no time since", async () => {
  const outcome = (): DeliveryOutcome =>
    stopped("failing", "key_refused", "the provider answers 403", 403);
  const scene = await operatorScene({ pages: "signed in", days: 0, outcome });
  const ann = await byKey(scene, "write");
  await ann.send("/channels/new/webhook", fields);
  const answer = await ann.send("/channels/1/test");
  const page = (await answer.text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(page.split("the provider answers 403")).toHaveLength(2);
  expect(page).toContain("The last test message did not arrive: the provider answers 403.");
  expect(page).toContain("Last test, 0 s ago : it failed.");
  expect(page).not.toContain("Since ");
});

test("a channel in its quiet hours says until when, in the list and on its page", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const quiet = {
    ...fields,
    "quiet_hours[0].row": "",
    "quiet_hours[0].from": "10:00",
    "quiet_hours[0].to": "23:00",
  };
  await ann.send("/channels/new/webhook", quiet);
  for (const path of ["/channels", "/channels/1"]) {
    const page = (await ann.text(path)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    expect(page).toContain("Quiet until 23:00 UTC");
  }
  scene.clock.suspend(hours(12));
  expect(await ann.text("/channels")).not.toContain("Quiet until");
  await ann.send("/channels/1/edit", {
    ...quiet,
    "quiet_hours[0].days": "sun",
    "quiet_hours[0].to": "10:00",
  });
  expect(await ann.text("/channels/1")).toContain("Sunday, all day (10:00 to 10:00");
});

test("a test has its times in the zone of its channel, or of the form that it was sent by", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const zoned = { ...fields, time_zone: "Europe/Berlin" };
  await ann.send("/channels/new/webhook", { ...zoned, test: "yes" });
  expect(scene.sent.map(({ timeZone }) => timeZone)).toEqual(["Europe/Berlin"]);
  await ann.send("/channels/new/webhook", { ...zoned, time_zone: "Asia/Tokyo" });
  scene.clock.suspend(minutes(1));
  await ann.send("/channels/1/test");
  expect(scene.sent.at(-1)?.timeZone).toBe("Asia/Tokyo");
});

test("a test that is sent from the list comes back to it, which says how it went and what to do", async () => {
  let isUp = true;
  const outcome = (): DeliveryOutcome =>
    isUp ? delivered(null) : stopped("failing", "key_refused", "the provider answers 403", 403);
  const scene = await operatorScene({ pages: "signed in", days: 0, outcome });
  const ann = await byKey(scene, "write");
  const said = async (path: string): Promise<string> =>
    (await ann.text(path)).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  await ann.send("/channels/new/webhook", fields);
  const sendTest = async (): Promise<string> => {
    const answer = await ann.send("/channels/1/test", { back: "/channels" });
    return answer.headers.get("location") ?? "";
  };
  const arrived = await sendTest();
  expect(arrived).toBe("/channels?notice=tested");
  expect(await ann.text(arrived)).toContain('data-wait="10000" data-waiting="In"');
  expect(await said(arrived)).toContain("The provider accepted the test message");
  scene.clock.suspend(11_000);
  isUp = false;
  const failed = await sendTest();
  expect(failed).toBe("/channels?notice=failed");
  expect(await said(failed)).toContain("The test message failed: its channel says why.");
  expect(await said(failed)).toContain(
    "Test failed hook The last test message did not arrive: the provider answers 403. Check the channel's data , then send a test message.",
  );
});

test("a test that is sent from a later page of the list comes back to that page, and never to another host", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  for (let number = 0; number <= channelsListed; number += 1)
    await ann.send("/channels/new/webhook", { ...fields, name: `hook ${100 + number}` });
  const list = `/channels?offset=${channelsListed}`;
  const page = await ann.text(list);
  const [, action = ""] = /action="(\/channels\/\d+\/test)"/.exec(page) ?? [];
  const sent = sentForm(page, action);
  expect(sent.get("back")).toBe(list);
  const answer = await scene.post(action, sent, { cookie: ann.cookie });
  const at = answer.headers.get("location") ?? "";
  expect(at).toBe(`${list}&notice=tested`);
  expect(await ann.text(at)).toContain("The provider accepted the test message");
  scene.clock.suspend(11_000);
  sent.set("back", "https://evil.test/");
  const away = await scene.post(action, sent, { cookie: ann.cookie });
  expect(away.headers.get("location")).toBe("/?notice=tested");
});

test("a channel without a name is called as its target is, with a number if that is taken", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const unnamed = { ...fields, name: "" };
  for (const name of ["", "", "ops"]) await ann.send("/channels/new/webhook", { ...unnamed, name });
  // Its own name is not one that is taken.
  await ann.send("/channels/2/edit", unnamed);
  const { channels }: { channels: readonly { name: string }[] } = JSON.parse(
    await ann.text("/channels.json"),
  );
  expect(channels.map(({ name }) => name)).toEqual([
    "Webhook to hook.test",
    "Webhook to hook.test (2)",
    "ops",
  ]);
});

test("the form of a new webhook shows the secret that signs its test, and the channel that it makes", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const path = "/channels/new/webhook";
  const page = await ann.text(path);
  const secretIn = (text: string) => /whsec_[\w+/=]+/.exec(text)?.[0] ?? "none";
  const secret = secretIn(page);
  const form = { ...fields, signing: sentForm(page, path).get("signing") ?? "" };
  const addressIn = (text: string) =>
    (/data-(?:page|unsaved)="([^"]*)"/.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");
  expect(secretIn(await ann.text(addressIn(page)))).toBe(secret);
  const refused = await (await ann.send(path, { ...form, endpoint: "" })).text();
  expect(secretIn(await ann.text(addressIn(refused)))).toBe(secret);
  // The address opens nothing in another session.
  const other = await byKey(scene, "write", "other");
  expect(secretIn(await other.text(addressIn(page)))).not.toBe(secret);
  expect(secretIn(await (await ann.send(path, { ...form, test: "yes" })).text())).toBe(secret);
  const made = await ann.send(path, form);
  expect(secretIn(await ann.text(made.headers.get("location") ?? ""))).toBe(secret);
  // Whoever goes back to the form, and makes another channel there, has another secret.
  expect(secretIn(await ann.text(addressIn(page)))).not.toBe(secret);
  expect(secretIn(await (await ann.send(path, { ...form, preview: "yes" })).text())).not.toBe(
    secret,
  );
  const second = await ann.send(path, { ...form, name: "second" });
  expect(second.status).toBe(303);
  expect(secretIn(await ann.text(second.headers.get("location") ?? ""))).not.toBe(secret);
  await ann.send("/channels/1/test");
  const signed = scene.sentTo.map(({ configuration }) => Object(configuration).signingSecrets);
  expect(signed.length).toBeGreaterThan(0);
  expect(signed).toEqual(signed.map(() => [secret]));
  // A secret of a person's own is not taken.
  const own = await ann.send(path, { ...form, signing: "whsec_AAAA" });
  expect(secretIn(await ann.text(own.headers.get("location") ?? ""))).not.toBe(secret);
});
