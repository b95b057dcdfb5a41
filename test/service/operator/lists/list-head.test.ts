import { expect, test } from "vitest";
import { hours } from "#base/units";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { channelsListed, locationsListed } from "#limits/pages-limits";
import { notificationData } from "#service/notify/notification-message";
import { wireProviders } from "#service/notify/notification-providers";
import { agentBeat } from "../../../support/agent-beat.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

/** Each list: what it counts, and the act of whoever may change something. */
const lists: readonly (readonly [path: string, title: string, count: string, act: string])[] = [
  ["/", "Monitors", "4 failing, 1 degraded, of 12 monitors at 2 locations", "New monitor"],
  ["/incidents", "Incidents", "5 open incidents, 3 causes", "Acknowledge the other 4"],
  ["/channels", "Channels", "1 failing, of 2 channels", "New channel"],
  ["/locations", "Locations", "2 locations", "New location"],
  ["/status-pages", "Status pages", "2 status pages", "New status page"],
  ["/maintenances", "Maintenance", "Nothing is under way or silenced", "Plan maintenance"],
  ["/settings/people", "People", "No account yet", "Invite a person"],
  ["/settings/keys", "API keys", "3 API keys", "New API key"],
  ["/settings/sessions", "Sessions", "2 sessions", ""],
  ["/changes", "Audit log", "", ""],
];

/** What a page begins with: its title, count, sentence and act. */
function headOf(page: string) {
  const [head = ""] =
    /<div class="title-line list-head">.*?<\/div>\s*(?:<p class="acts">.*?<\/p>\s*)?(?:<form.*?<\/form>\s*)?<\/div>/.exec(
      page,
    ) ?? [];
  const part = (pattern: RegExp): string => (pattern.exec(head)?.[1] ?? "").trim();
  return {
    title: part(/<h1>(.*?)<\/h1>/),
    count: part(/<p class="lede">(.*?)<\/p>/),
    sentence: part(/<p class="about">(.*?)<\/p>/),
    act: part(/(?:class="button main" href="[^"]+" ?|<button[^>]*)>(.*?)<\/(?:a|button)/),
  };
}

test("every list begins with its title, its count, a sentence and what is done there most", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  await generatedPage(scene.service);
  const owner = await byKey(scene, "write", "owner");
  const reader = await byKey(scene, "read", "reader");
  for (const [path, title, count, act] of lists) {
    const head = headOf(await owner.text(path));
    expect(head).toEqual({ title, count, act, sentence: expect.stringMatching(/^[A-Z].*\.$/) });
    if (path.startsWith("/settings/")) continue;
    expect(headOf(await reader.text(path))).toMatchObject({ title, act: "" });
  }
});

test("the heads of channels and locations count what fails on all pages of the list", async () => {
  const { get, service, clock } = await operatorScene({ days: 0 });
  const { admin, url } = service;
  const { key } = await admin.createApiKey({ name: "plan", scope: "write" });
  const { notifications, locations } = connectManagement(url, key, directWay());
  const cellar = await admin.createPrivateLocation({
    name: "cellar",
    monitorIds: [],
    metadata: {},
  });
  for (let index = 0; index <= channelsListed; index += 1)
    await notifications.createNotification({
      name: `phone ${index}`,
      provider: wireProviders.ntfy,
      data: notificationData("ntfy", { topic: "shop" }),
      rules: { privateLocationIds: [cellar.id] },
    });
  // They are for a location that is gone, so none of them gets anything.
  await locations.deletePrivateLocation({ id: cellar.id });
  const tokens: string[] = [];
  for (let index = 0; index <= locationsListed; index += 1) {
    const place = { name: `office ${index}`, monitorIds: [], metadata: {} };
    tokens.push((await admin.createPrivateLocation(place)).token);
  }
  await agentBeat(url, tokens.at(-1) ?? "");
  clock.suspend(hours(1));
  const counts = async (path: string) =>
    headOf((await (await get(path)).text()).replaceAll(/\s+/g, " ")).count;
  expect(await counts("/channels")).toBe("101 failing, of 101 channels");
  expect(await counts("/channels?offset=100")).toBe("101 failing, of 101 channels");
  expect(await counts("/locations")).toBe("1 silent, of 51 locations");
});

test("the head of the status pages leads to the form of a new one, which an empty list has itself", async () => {
  const { get, service } = await operatorScene();
  const hasForm = async (path: string) =>
    (await (await get(path)).text()).includes('action="/status-pages"');
  expect(await hasForm("/status-pages")).toBe(true);
  await generatedPage(service);
  expect(await hasForm("/status-pages")).toBe(false);
  expect(await hasForm("/status-pages/new")).toBe(true);
});
