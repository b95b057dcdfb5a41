import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

/** A service with a published page, and who sends its forms. */
async function pageScene() {
  const { get, post } = await operatorScene({ days: 0 });
  const form = formTokenIn(await (await get("/status-pages/new")).text());
  const send = (path: string, fields: Record<string, string> = {}) =>
    post(path, { form, ...fields });
  await send("/status-pages", { title: "Acme", slug: "acme" });
  await send("/status-pages/1/publish");
  const words = async (path: string): Promise<string> =>
    (await (await get(path)).text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  return { send, words };
}

const work = {
  message: "It moves.",
  from: "2026-11-30T00:45",
  to: "2026-11-30T02:15",
  time_zone: "UTC",
  repeat: "once",
  page_id: "1",
};

test("the question of a page's deletion says how much planned work goes with it", async () => {
  const { send, words } = await pageScene();
  expect(await words("/status-pages/1/delete")).not.toContain("maintenance that");
  expect((await send("/maintenances/new", { ...work, title: "Disks" })).status).toBe(303);
  expect(await words("/status-pages/1/delete")).toContain(
    "1 planned maintenance that it shows goes with it, and monitors that it covers open incidents.",
  );
  await send("/maintenances/new", { ...work, title: "Racks" });
  expect(await words("/status-pages/1/delete")).toContain(
    "2 planned maintenances that it shows go with it, and monitors that they cover open incidents.",
  );
});

test("the question of the deletion of a report that was sent says that its deletion is not", async () => {
  const { send, words } = await pageScene();
  await send("/status-pages/1/subscribers", { webhook_url: "https://chat.test/x", name: "Wall" });
  const report = { title: "Cards fail", status: "investigating", message: "We look." };
  await send("/status-pages/1/reports/new", { ...report, notify: "yes" });
  const says =
    "Subscribers who were sent it are not sent that it is deleted. To tell them, post an update before.";
  expect(await words("/reports/1/delete")).toContain(says);
  await send("/status-pages/1/reports/new", { ...report, title: "Phones fail" });
  expect(await words("/reports/2/delete")).not.toContain("not sent");
});
