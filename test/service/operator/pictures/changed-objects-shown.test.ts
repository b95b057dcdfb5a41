import { expect, test } from "vitest";
import { epochMillis, minutes } from "#base/units";
import { httpDefaults } from "#check/definition";
import { locationId, monitorId } from "#service/store/ids";
import type { Change, Store } from "#service/store/store";
import { someChannel } from "../../store/conformance/channels.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

/** Of a store that hears only of some changes. */
interface Hearing {
  readonly hears?: (change: Change) => boolean;
}

/** A service with one monitor and its store: what is done there is as another replica would do it. */
async function sceneWithStore({ hears = () => true }: Hearing = {}) {
  const opened: Store[] = [];
  const { service, clock } = await operatorScene({
    days: 0,
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      opened.push(store);
      const heard = (listener: (change: Change, isCertain: boolean) => void) =>
        store.onChange((change, isCertain) => {
          if (hears(change)) listener(change, isCertain);
        });
      return { ...store, onChange: heard };
    },
  });
  const [store] = opened;
  if (store === undefined) throw new Error("the service opened no store");
  const url = "https://shop.test/";
  const made = { ...httpDefaults, name: "shop", url, periodicity: "1m", active: true } as const;
  const { id } = await service.admin.createMonitor(made, "management");
  const list = async (): Promise<string> => (await fetch(`${service.url}/`)).text();
  const overview = async (): Promise<unknown> =>
    (await fetch(`${service.url}/overview.json`)).json();
  return { service, clock, store, list, overview, monitor: Number(id) };
}

const chip = '<span class="chip files"';

test("the list says at the next look whose files own a monitor, and that they no longer do", async () => {
  const { store, list, monitor } = await sceneWithStore();
  expect(await list()).not.toContain(chip);
  await store.configuration.own("monitor", monitor, "shop-files", "");
  expect(await list()).toContain(`${chip} title="Managed by the files of shop-files"`);
  await store.configuration.own("monitor", monitor, "", "shop-files");
  expect(await list()).not.toContain(chip);
});

test("the list has at the next look what a replica of the version before did, which says no more than assignments", async () => {
  const { store, list, monitor } = await sceneWithStore({ hears: (one) => one !== "objects" });
  expect(await list()).toContain("shop");
  await store.state.monitors.delete(monitorId(monitor));
  expect(await list()).not.toContain("shop");
});

test("the list says at the next look that a monitor notifies no one any more", async () => {
  const { store, overview, monitor } = await sceneWithStore();
  expect(await overview()).toMatchObject({ notify_no_one: 1 });
  const channel = await store.alerts.channels.create(
    someChannel({ monitors: [monitorId(monitor)] }),
  );
  expect(await overview()).toMatchObject({ notify_no_one: 0 });
  await store.alerts.channels.delete(channel);
  expect(await overview()).toMatchObject({ notify_no_one: 1 });
});

test("a monitor that no location has checked yet waits for its first check, and Cancel keeps it selected", async () => {
  const { service, store, list, monitor } = await sceneWithStore();
  await service.admin.createPrivateLocation({ name: "office", monitorIds: [], metadata: {} });
  const change = { kind: "location", location: locationId(1), assigned: true } as const;
  await store.state.monitors.changeEach([monitorId(monitor)], change, epochMillis(0));
  const page = (await list()).replaceAll(/\s+/g, " ");
  expect(page).toContain("Waiting for its first check at office.");
  expect(page).not.toContain("For 0 s");
  const form = /name="form" value="([^"]*)"/.exec(page)?.[1] ?? "";
  const asked = await fetch(`${service.url}/monitors/many`, {
    method: "POST",
    body: new URLSearchParams({ form, act: "delete", monitor: String(monitor), query: "" }),
    headers: { origin: service.url },
  });
  const [, back = ""] = /href="([^"]*)">Cancel/.exec(await asked.text()) ?? [];
  const again = await (await fetch(`${service.url}${back}`)).text();
  expect(again).toMatch(/name="monitor"\s+value="1"\s+form="many"\s+checked/);
});

test("a service that runs says of no object that it changed, so that no list is read anew", async () => {
  const { clock, store } = await sceneWithStore();
  const signOfLife = async () => (await store.state.settings.all()).get("courier/alive");
  const before = await signOfLife();
  const heard: Change[] = [];
  using _listening = store.onChange((change) => heard.push(change));
  await clock.advance(minutes(1));
  expect(await signOfLife()).not.toBe(before);
  expect(heard).not.toContain("objects");
});
