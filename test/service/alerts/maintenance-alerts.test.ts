import { expect, test } from "vitest";
import { channelEvents } from "#service/alerting/channel-rules";
import { actingAs } from "#service/store/audit/actor";
import { pageDefaults } from "#service/status-page/page-definition";
import type { TrashKind } from "#service/store/trash/trash-store";
import { after, epochMillis, type EpochMillis, hours } from "#base/units";
import { openStoreHere } from "../../support/open-store-here.ts";
import { alertedOffice, type Office, plannedWork } from "./alerted-office.ts";

/** Work of four hours that a channel heard of. */
async function announced(office: Office, page = ""): Promise<number> {
  await office.channel("ops", "slack", { events: [...channelEvents] });
  await office.beat();
  const from = office.clock.wall();
  const window = { from, to: after(from, hours(4)), notify: true, page };
  const id = await office.store.alerts.maintenances.create(plannedWork(office, window), false);
  await office.until(() => office.mailbox.words("ops").length === 1);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started"]);
  return id;
}

const deleting = ({ clock }: Office, act: () => Promise<boolean>): Promise<boolean> =>
  actingAs({ kind: "command", name: "test", from: "", at: clock.wall() }, act);

async function pageOf({ store, clock }: Office): Promise<number> {
  const definition = { ...pageDefaults, title: "Shop", slug: "shop" };
  const made = { uid: "u", definition, sealed: "", owner: "", labels: {}, at: clock.wall() };
  return Number(await store.pages.pages.create(made));
}

test("announced work that is deleted with its status page is cancelled once the page's Undo is over", async () => {
  const office = await alertedOffice();
  const page = await pageOf(office);
  await announced(office, String(page));
  const { pages, trash } = office.store;
  const since = epochMillis(office.clock.wall() - 1);
  expect(await deleting(office, () => pages.pages.delete(page))).toBe(true);
  await office.pass(60);
  expect(await trash.restore("page", page, since)).toBe("restored");
  await office.pass(60);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started"]);
  expect(await deleting(office, () => pages.pages.delete(page))).toBe(true);
  await office.pass(560);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started"]);
  await office.pass(90);
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started", "maintenance.ended"]);
  expect(office.mailbox.notices("ops")[1]).toMatchObject({ isCancelled: true });
});

test("announced work that is put back while the service looks for it stays announced", async () => {
  let undoing: (() => Promise<unknown>) | null = null;
  /** Undoes the deletion right after the first question about the work is answered. */
  const answered = async <T>(answer: Promise<T>): Promise<T> => {
    const came = await answer;
    const undo = undoing;
    undoing = null;
    await undo?.();
    return came;
  };
  const office = await alertedOffice(1, {
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      const { maintenances } = store.alerts;
      const { trash } = store;
      return Object.assign(store, {
        alerts: {
          ...store.alerts,
          maintenances: { ...maintenances, get: (id: number) => answered(maintenances.get(id)) },
        },
        trash: {
          ...trash,
          get: (kind: TrashKind, id: number, since: EpochMillis) =>
            answered(trash.get(kind, id, since)),
        },
      });
    },
  });
  const id = await announced(office);
  const { alerts, trash } = office.store;
  const since = epochMillis(office.clock.wall() - 1);
  undoing = () => trash.restore("maintenance", id, since);
  expect(await deleting(office, () => alerts.maintenances.delete(id))).toBe(true);
  await office.pass(60);
  expect(undoing).toBeNull();
  expect(office.mailbox.words("ops")).toEqual(["maintenance.started"]);
});
