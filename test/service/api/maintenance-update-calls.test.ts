import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { MaintenanceService } from "#contract/openstatus/maintenance/v1/maintenance_pb";
import * as limits from "#limits/alerts-limits";
import { minutes } from "#base/units";
import { statusScene, type StatusScene } from "../status-site/status-scene.ts";
import { serviceClient } from "../../support/service-client.ts";

/** What is said of planned work after it was announced: by calls, on the public page, in feeds. */

const words = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

const from = "2026-11-22T12:30:00Z";
const to = "2026-11-22T14:00:00Z";

/** A published page with work that is planned on it, once or each day. */
async function planned(more: object = {}): Promise<StatusScene> {
  const here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("UpdateStatusPage", { id: "1", published: true });
  const plan = { title: "Upgrade", message: "The shop is read-only.", from, to, pageId: "1" };
  await here.call("CreateMaintenance", { ...plan, ...more });
  return here;
}

test("updates are listed the newest first, changed and deleted, in binary as in JSON", async () => {
  await using here = await planned();
  await here.call("AddMaintenanceUpdate", { maintenanceId: "1", message: "It begins." });
  here.clock.suspend(minutes(40));
  const earlier = { date: "2026-11-22T12:10:00Z", message: "We are ready." };
  await here.call("AddMaintenanceUpdate", { maintenanceId: "1", ...earlier });
  const { key } = await here.service.admin.createApiKey({ name: "binary", scope: "write" });
  const client = serviceClient(MaintenanceService, here.service.url, "x-service-key", key);
  const { maintenance } = await client.getMaintenance({ id: "1" });
  expect(maintenance?.updates).toMatchObject([
    { id: "2", maintenanceId: "1", date: "2026-11-22T12:10:00.000Z", message: "We are ready." },
    { id: "1", date: "2026-11-22T12:00:00.000Z", message: "It begins." },
  ]);
  const { maintenance: changed } = await client.updateMaintenanceUpdate({
    id: "1",
    message: "It began.\r\nAll is well.",
  });
  expect(changed?.updates[1]).toMatchObject({
    message: "It began.\nAll is well.",
    date: "2026-11-22T12:00:00.000Z",
    createdAt: "2026-11-22T12:00:00.000Z",
    updatedAt: "2026-11-22T12:40:00.000Z",
  });
  expect(await client.deleteMaintenanceUpdate({ id: "2" })).toMatchObject({ success: true });
  const left: unknown = await here.call("GetMaintenance", { id: "1" });
  expect(left).toMatchObject({ maintenance: { updates: [{ id: "1" }] } });
  await client.deleteMaintenance({ id: "1" });
  await expect(client.updateMaintenanceUpdate({ id: "1" })).rejects.toThrow(
    "there is no maintenance update 1",
  );
});

test("what is wrong with an update is refused by its field, and what is not there by its name", async () => {
  await using here = await planned();
  const { key } = await here.service.admin.createApiKey({ name: "binary", scope: "write" });
  const client = serviceClient(MaintenanceService, here.service.url, "x-service-key", key);
  const refused = async (ask: Parameters<typeof client.addMaintenanceUpdate>[0]) => {
    const error = ConnectError.from(
      await client.addMaintenanceUpdate(ask).catch((thrown: unknown) => thrown),
    );
    return `${Code[error.code]}: ${error.rawMessage}`;
  };
  const max = limits.maintenanceMessageCharsMax;
  const tooLong = `InvalidArgument: message must be 1 to ${max} characters long`;
  expect(await refused({ maintenanceId: "1", message: " \n" })).toBe(tooLong);
  expect(await refused({ maintenanceId: "1", message: "m".repeat(max + 1) })).toBe(tooLong);
  expect(await refused({ maintenanceId: "1", message: "m", date: "soon" })).toMatch(
    /^InvalidArgument: date /,
  );
  expect(await refused({ maintenanceId: "7", message: "m" })).toBe(
    "NotFound: there is no maintenance 7",
  );
  const read = await here.service.admin.createApiKey({ name: "read", scope: "read" });
  const reader = serviceClient(MaintenanceService, here.service.url, "x-service-key", read.key);
  const forbidden = reader.addMaintenanceUpdate({ maintenanceId: "1", message: "m" });
  await expect(forbidden).rejects.toThrow("the API key may only read");
});

test("the public page and its feeds show them with the window that they were written for", async () => {
  await using here = await planned({ recurrence: "FREQ=DAILY" });
  here.clock.suspend(minutes(40));
  await here.call("AddMaintenanceUpdate", { maintenanceId: "1", message: "It takes **longer**." });
  // A day on, the next window runs.
  here.clock.suspend(minutes(24 * 60));
  const page = await (await here.get("/status/acme/events/maintenance/1")).text();
  expect(page).toMatch(/<h1[^>]*>Upgrade<\/h1>/);
  const [now = "", past = ""] = page.split("<section>").slice(1);
  expect(now).toContain("23 Nov 2026");
  // With the days of the windows that follow it.
  expect(words(now)).toContain("Then: Tue 24 Nov");
  expect(now).not.toContain("longer");
  expect(words(past)).toContain(
    "22 Nov 2026, 12:30 – 14:00 UTC Affected: All systems Update 22 Nov 2026, 12:40 UTC It takes longer . Announced 22 Nov 2026, 12:00 UTC The shop is read-only.",
  );
  const feed = await (await here.get("/status/acme/feed/atom")).text();
  expect(feed).toContain("longer");
  const listed: unknown = await (await here.get("/status/acme/feed/json")).json();
  expect(JSON.stringify(listed)).toContain("It takes **longer**.");
});

test("a call says what subscribers are sent of the times by itself, and leaves what it does not say", async () => {
  await using here = await planned({ sayTimes: true });
  const { key } = await here.service.admin.createApiKey({ name: "binary", scope: "write" });
  const client = serviceClient(MaintenanceService, here.service.url, "x-service-key", key);
  const says = async () => {
    const { maintenance } = await client.getMaintenance({ id: "1" });
    return [maintenance?.remindSubscribers, maintenance?.sayTimes];
  };
  expect(await says()).toEqual([false, true]);
  await client.updateMaintenance({ id: "1", remindSubscribers: true });
  expect(await says()).toEqual([true, true]);
  await client.updateMaintenance({ id: "1", title: "Move" });
  expect(await says()).toEqual([true, true]);
  await client.updateMaintenance({ id: "1", sayTimes: false });
  expect(await says()).toEqual([true, false]);
  const { maintenances } = await client.listMaintenances({});
  expect(maintenances).toMatchObject([{ remindSubscribers: true, sayTimes: false }]);
  // Whoever subscribed to no page is sent nothing.
  const alone = { title: "Alone", message: "m", from, to, privateLocationIds: ["1"] };
  await expect(client.createMaintenance({ ...alone, remindSubscribers: true })).rejects.toThrow(
    "remind_subscribers is for subscribers of a status page, but no page shows it",
  );
});
