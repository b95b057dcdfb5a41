import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey, type SignedIn } from "../../../support/signed-in.ts";

const scene = () => operatorScene({ pages: "signed in", days: 0 });
const shop = "https://picket.shop.test";

/** Where the newest message leads that the service sent. */
const linked = ({ sent }: OperatorScene): string | null | undefined => {
  const notice = sent.at(-1)?.notice;
  return notice?.type === "test" ? notice.service.url : undefined;
};

/** Makes a channel and sends a test message to it. */
async function channelOf(owner: SignedIn): Promise<void> {
  await owner.send("/channels/new/webhook", {
    name: "Operations",
    endpoint: "https://hook.test/",
    every_monitor: "yes",
    events: "error",
    time_zone: "UTC",
  });
  await owner.send("/channels/1/test");
}

test("messages have links as soon as an owner has given the public address, and none after it is taken away", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const before = await owner.text("/settings/service");
  expect(before).toContain("Messages have no links yet");
  expect(before).toContain(`value="${here.service.url}"`);
  await channelOf(owner);
  expect(linked(here)).toBe(null);
  const note = "Links lead nowhere yet: service.url, monitor.url and incident.url are null";
  expect(await owner.text("/channels/new/webhook")).toContain(note);
  const given = await owner.send("/settings/service", { address: ` ${shop} ` });
  expect(given.headers.get("location")).toBe("/settings/service?notice=address");
  here.clock.suspend(minutes(1));
  await owner.send("/channels/1/test");
  expect(linked(here)).toBe(`${shop}/`);
  expect(await owner.text("/channels/new/webhook")).not.toContain(note);
  const after = await owner.text("/settings/service");
  expect(after).toContain(`lead to <strong>${shop}/</strong>`);
  const log = (await owner.text("/changes")).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(log).toContain("created setting public address");
  expect(log).toContain(`Value – ${shop}/`);
  await owner.send("/settings/service", { address: "" });
  here.clock.suspend(minutes(1));
  await owner.send("/channels/1/test");
  expect(linked(here)).toBe(null);
});

test.each([
  "shop",
  "ftp://shop.test",
  `${shop}/path`,
  `${shop}?a`,
  "https://a:b@shop.test",
  "https://a$(id).example.com",
  "https://a;id;.com",
  "http://`reboot`/",
  "x".repeat(400),
])("what is no address of a service is refused at its field, and kept: %s", async (address) => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const refused = await owner.send("/settings/service", { address });
  const page = await refused.text();
  expect([refused.status, page.includes(`value="${address}"`)]).toEqual([400, true]);
  expect(page).toContain("It must be a scheme and a host, e.g. https://picket.example.com.");
});

test("the first steps offer an owner the address in use, and say to others who can give it", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  expect(await owner.text("/start")).toContain(`>Use ${here.service.url}</button>`);
  const editor = await byAccount(here, "ed@example.com", "editor");
  const words = await editor.text("/start");
  expect(words).toContain("An owner can say it in <em>Settings → Service</em>.");
  expect(words).not.toContain("/settings/service");
  const used = await owner.send("/settings/service", { address: here.service.url, next: "/start" });
  expect(used.headers.get("location")).toBe("/start?notice=address");
  const started = await owner.text("/start?notice=address");
  expect(started).toContain("Links in messages lead there from now on.");
  expect(started).not.toContain("Messages have no links yet");
});
