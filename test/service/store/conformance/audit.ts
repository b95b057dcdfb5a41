import { chainAfter, emptyChain } from "#machine/hash-chain";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { AuditChain } from "#cli/management/audit-chain";
import { auditChainedAtOnce, gonePartsNamed } from "#limits/store-limits";
import { auditHashesMax } from "#limits/wire-limits";
import { httpDefaults } from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import { actingAs, basedOn, rehearsing, type Actor } from "#service/store/audit/actor";
import type { AuditedKind } from "#service/store/audit/audited";
import type { AuditEntry, AuditQuery, NamedSubject } from "#service/store/audit/audit-log";
import type { IncidentChange } from "#service/store/alert-store";
import { channelId, keyId, locationId, monitorId, personId } from "#service/store/ids";
import type { InstanceRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { verbOf } from "#service/store/verb-table";
import { pageDefaults } from "#service/status-page/page-definition";
import { rulesDefault } from "#service/alerting/channel-rules";
import { epochMillis, millis } from "#base/units";
import { channelSnapshot } from "./alerts.ts";
import { someChannel } from "./channels.ts";
import { nothing, oneOfEach } from "./configuration.ts";
import { noon, type OpenFresh, slotAfter, someLocation, someMonitor, someToken } from "./scene.ts";

const ann: Actor = { kind: "person", name: "ann", from: "203.0.113.7", at: noon };

export const everything: AuditQuery = {
  before: null,
  after: 0,
  kind: null,
  id: null,
  who: "",
  name: "",
  since: epochMillis(0),
  until: null,
  limit: 1_000,
};

const somePage = (slug: string) => ({
  uid: `uid of ${slug}`,
  definition: { ...pageDefaults, title: `Page ${slug}`, slug },
  sealed: "",
  owner: "",
  labels: {},
  at: noon,
});

const someUpdate = {
  status: "investigating",
  at: noon,
  message: "We look into it.",
  impacts: [],
  createdAt: noon,
} as const;

const someKey = (hash: string) =>
  ({
    name: "ci",
    description: "",
    scope: "read",
    prefix: "pkt_key_abc",
    hash,
    at: noon,
    expiresAt: null,
  }) as const;

const someAccount = (email: string) =>
  ({
    name: email,
    email,
    role: "editor",
    hash: `link of ${email}`,
    until: slotAfter(100),
    at: noon,
  }) as const;

const someSession = (session: string) => ({
  session,
  who: "account 1",
  name: "Eve",
  address: "203.0.113.7",
  browser: "Firefox on Linux",
  at: noon,
  until: slotAfter(9),
});

const addPasskey = (store: Store, person: number) =>
  store.people.passkeys.add(
    personId(person),
    {
      name: "Laptop",
      credential: `of ${person}`,
      publicKey: "key",
      host: "example.com",
      counter: 0,
      transports: [],
      challenge: `of ${person}`,
      until: slotAfter(1),
      at: noon,
    },
    [],
    1,
  );

const someReader = (page: number, way: "email" | "webhook") =>
  ({
    page,
    way,
    mark: "mark of a reader",
    sealed: "sealed",
    name: "",
    source: "vendor",
    locale: "en",
    components: null,
    at: noon,
  }) as const;
const loggedReader = (page: number, way: "email" | "webhook") =>
  ({ page, way, name: "chat.test" }) as const;

/** The number of a reader who gets the news of a page. */
async function readerOn({ readers }: Store, page: number): Promise<number> {
  const made = someReader(page, "webhook");
  const added = await readers.subscribers.add(made, loggedReader(page, "webhook"));
  return typeof added === "string" ? 0 : added.id;
}

const someSaying = { at: noon, message: "It takes longer.", createdAt: noon } as const;
const someWindow = {
  title: "Move",
  message: "",
  from: noon,
  to: slotAfter(2),
  recurrence: "",
  timeZone: "UTC",
  page: "",
  components: [],
  monitors: [],
  locations: [],
  owner: "",
  notify: true,
  at: noon,
};

const someIncident = (monitor: number): IncidentChange => ({
  incident: {
    subject: { kind: "monitor", id: monitor },
    severity: "error",
    worst: "error",
    startedAt: noon,
    openedAt: noon,
    ended: null,
    openings: [noon],
    flapping: null,
    noDataSince: null,
    unwatchedSince: null,
    notBefore: null,
    well: [],
    passedSince: null,
    passes: [],
    acknowledged: null,
  },
  name: "shop",
  cause: "",
  at: noon,
  snapshot: channelSnapshot,
  events: [{ kind: "opened", to: { are: "channels", channels: [] } }],
});

async function openedIn({ store, monitor }: Pick<Scene, "store" | "monitor">): Promise<number> {
  await store.alerts.incidents.note(someIncident(monitor));
  const [opened] = await store.alerts.incidents.newest("monitor", [monitor]);
  return opened?.number ?? 0;
}

async function commented(scene: Pick<Scene, "store" | "monitor">) {
  const number = await openedIn(scene);
  const { comments } = scene.store.alerts;
  await comments.add(number, {
    at: noon,
    author: "ann",
    who: "account 1",
    message: "I look at it",
  });
  const [comment] = await comments.of(number);
  return { number, id: comment?.id ?? 0 };
}

const nothingChanged = { name: null, secret: null, rules: null, monitors: null, ownership: null };

/** But for its page. */
const someTemplate = {
  use: "report",
  name: "Slow",
  title: "",
  status: "identified",
  message: "Slow.",
  impacts: [],
  createdAt: noon,
} as const;

/** A store with one object of each kind, and what each verb does to them. */
interface Scene {
  readonly store: Store;
  readonly monitor: number;
  readonly location: number;
  readonly channel: number;
  readonly page: number;
  readonly group: number;
  readonly component: number;
  readonly report: number;
  readonly window: number;
  readonly silence: number;
  readonly key: number;
  readonly person: number;
}

async function sceneIn(store: Store): Promise<Scene> {
  const { state, alerts, pages } = store;
  const page = Number(await pages.pages.create(somePage("acme")));
  const web = { page, name: "Web", defaultOpen: true, createdAt: noon };
  const group = Number(await pages.groups.create(web));
  const row = { page, monitor: null, name: "Desk", description: "", order: null, at: noon };
  return {
    store,
    monitor: await state.monitors.create(someMonitor()),
    location: await state.locations.create(someLocation(), someToken()),
    channel: await alerts.channels.create(someChannel()),
    page,
    group,
    component: Number(await pages.components.create({ ...row, group })),
    report: await pages.reports.create({
      page,
      title: "Slow",
      components: [],
      update: someUpdate,
      announces: false,
    }),
    window: await alerts.maintenances.create(someWindow, false),
    silence: await alerts.silences.create({
      monitors: [1],
      locations: [],
      labels: {},
      from: noon,
      until: slotAfter(10),
      reason: "known",
      by: "ann",
    }),
    key: Number(await state.keys.create(someKey("hash of the scene's key"))),
    person: Number(await store.people.accounts.add(someAccount("eve@acme.test"))),
  };
}

type Recorded = readonly [kind: AuditedKind, deed: AuditEntry["deed"]];
interface AuditedCase {
  readonly act: (scene: Scene) => Promise<unknown>;
  readonly records: readonly Recorded[];
}

/** Each verb that is audited, what does it, and what the log then has. */
const cases: Readonly<Record<string, AuditedCase>> = {
  "monitors.create": {
    act: ({ store, location, channel }) =>
      store.state.monitors.create(someMonitor(), {
        locations: [locationId(location)],
        channels: [channelId(channel)],
      }),
    records: [
      ["monitor", "made"],
      ["channel", "changed"],
      ["location", "changed"],
    ],
  },
  "monitors.createEach": {
    act: ({ store, location, channel }) => {
      const places = { locations: [locationId(location)], channels: [channelId(channel)] };
      return store.state.monitors.createEach([
        { made: someMonitor(), places },
        { made: someMonitor(), places },
      ]);
    },
    records: [
      ["monitor", "made"],
      ["monitor", "made"],
      ["channel", "changed"],
      ["location", "changed"],
    ],
  },
  "monitors.update": {
    act: ({ store, monitor, location, channel }) =>
      store.state.monitors.update(monitorId(monitor), someMonitor({ owner: "files" }), {
        locations: [locationId(location)],
        channels: [channelId(channel)],
      }),
    records: [
      ["channel", "changed"],
      ["location", "changed"],
      ["monitor", "changed"],
    ],
  },
  "monitors.delete": {
    act: ({ store, monitor }) => store.state.monitors.delete(monitorId(monitor)),
    records: [["monitor", "deleted"]],
  },
  "monitors.changeEach": {
    act: async ({ store, monitor }) => {
      const made = { kind: "label", key: "team", value: "shop" } as const;
      const before = { ...made, value: null };
      await store.state.monitors.changeEach([monitorId(monitor)], made, noon);
      await store.state.monitors.changeEach([monitorId(monitor)], before, noon, made);
    },
    records: [
      ["monitor", "undone"],
      ["monitor", "changed"],
    ],
  },
  "locations.create": {
    act: ({ store }) => store.state.locations.create(someLocation(), someToken()),
    records: [["location", "made"]],
  },
  "locations.update": {
    act: ({ store, location, monitor }) =>
      store.state.locations.update(locationId(location), {
        name: null,
        metadata: null,
        monitors: [monitorId(monitor)],
        ownership: null,
        at: noon,
      }),
    records: [["location", "changed"]],
  },
  "locations.delete": {
    act: ({ store, location }) => store.state.locations.delete(locationId(location)),
    records: [["location", "deleted"]],
  },
  "locations.rotate": {
    act: ({ store, location }) =>
      store.state.locations.rotate(locationId(location), someToken(), noon, 5),
    records: [["location", "changed"]],
  },
  "instances.remove": {
    act: async ({ store: { state }, location }) => {
      const id = locationId(location);
      const { version } = await state.instances.of(id);
      const unplaced = { wanted: false, settled: false, steadyFrom: null, revision: "" };
      const agent: InstanceRow = {
        ...unplaced,
        id: "gone",
        lastSeenAt: noon,
        left: true,
        placement: "share",
        report: null,
      };
      await state.instances.keep(id, version, [agent], 10);
      await state.instances.remove(id, "gone", noon);
      await state.instances.remove(id, "gone", noon);
    },
    records: [["location", "changed"]],
  },
  "locations.endOldTokens": {
    act: async ({ store, location }) => {
      const { locations } = store.state;
      await locations.rotate(locationId(location), someToken(), slotAfter(10), 5);
      await locations.endOldTokens(locationId(location), slotAfter(1));
    },
    records: [
      ["location", "changed"],
      ["location", "changed"],
    ],
  },
  "channels.create": {
    act: ({ store }) => store.alerts.channels.create(someChannel()),
    records: [["channel", "made"]],
  },
  "channels.createAnnouncing": {
    act: ({ store }) => store.alerts.channels.createAnnouncing(someChannel()),
    records: [["channel", "made"]],
  },
  "channels.update": {
    act: ({ store, channel }) =>
      store.alerts.channels.update(channelId(channel), {
        ...nothingChanged,
        rules: { ...rulesDefault, delay: millis(60_000) },
        at: noon,
      }),
    records: [["channel", "changed"]],
  },
  "channels.delete": {
    act: ({ store, channel }) => store.alerts.channels.delete(channelId(channel)),
    records: [["channel", "deleted"]],
  },
  "pages.create": {
    act: ({ store }) => store.pages.pages.create(somePage("other")),
    records: [["page", "made"]],
  },
  "pages.update": {
    act: ({ store, page }) => store.pages.pages.update(page, somePage("renamed")),
    records: [["page", "changed"]],
  },
  "pages.delete": {
    act: ({ store, page }) => store.pages.pages.delete(page),
    records: [["page", "deleted"]],
  },
  "components.create": {
    act: ({ store, page }) =>
      store.pages.components.create({
        page,
        monitor: null,
        name: "Shop",
        description: "",
        order: null,
        group: null,
        at: noon,
      }),
    records: [["page", "changed"]],
  },
  "components.createEach": {
    act: ({ store, page }) =>
      store.pages.components.createEach({
        page,
        group: null,
        at: noon,
        parts: ["Desk", "Till"].map((name) => ({ monitor: null, name })),
      }),
    records: [["page", "changed"]],
  },
  "components.update": {
    act: async ({ store, component }) => {
      const row = await store.pages.components.get(component);
      if (row !== null) await store.pages.components.update({ ...row, name: "Till" });
    },
    records: [["page", "changed"]],
  },
  "components.arrange": {
    act: async ({ store, page, component }) => {
      const row = await store.pages.components.get(component);
      if (row === null) return;
      const { id, group, order, groupOrder } = row;
      const seen = { id, group, order, groupOrder };
      const wanted = [{ ...seen, order: order + 1 }];
      await store.pages.components.arrange({ page, seen: [seen], wanted, at: noon });
    },
    records: [["page", "changed"]],
  },
  "components.delete": {
    act: ({ store, component }) => store.pages.components.delete(component),
    records: [["page", "changed"]],
  },
  "groups.create": {
    act: ({ store, page }) =>
      store.pages.groups.create({ page, name: "API", defaultOpen: false, createdAt: noon }),
    records: [["page", "changed"]],
  },
  "groups.update": {
    act: async ({ store, group }) => {
      const row = await store.pages.groups.get(group);
      if (row !== null) await store.pages.groups.update({ ...row, name: "Sites" });
    },
    records: [["page", "changed"]],
  },
  "groups.delete": {
    act: ({ store, group }) => store.pages.groups.delete(group),
    records: [["page", "changed"]],
  },
  "templates.create": {
    act: ({ store, page }) => store.pages.templates.create({ ...someTemplate, page }),
    records: [["page", "changed"]],
  },
  "templates.update": {
    act: async ({ store, page }) => {
      const id = Number(await store.pages.templates.create({ ...someTemplate, page }));
      const row = await store.pages.templates.get(id);
      if (row !== null) await store.pages.templates.update({ ...row, message: "Fast." });
    },
    records: [
      ["page", "changed"],
      ["page", "changed"],
    ],
  },
  "templates.delete": {
    act: async ({ store, page }) => {
      const id = Number(await store.pages.templates.create({ ...someTemplate, page }));
      await store.pages.templates.delete(id);
    },
    records: [
      ["page", "changed"],
      ["page", "changed"],
    ],
  },
  "subscribers.add": {
    act: async ({ store, page }) => {
      await readerOn(store, page);
      await readerOn(store, page);
    },
    records: [
      ["subscriber", "changed"],
      ["subscriber", "made"],
    ],
  },
  "subscribers.confirm": {
    act: async ({ store: { readers }, page }) => {
      const asked = { ...someReader(page, "email"), mayGet: true, reader: "" };
      await readers.subscribers.ask(asked);
      const row = await readers.subscribers.ofMark(page, "email", asked.mark);
      const confirm = () =>
        readers.subscribers.confirm(row?.id ?? 0, noon, noon, loggedReader(page, "email"));
      await confirm();
      // It confirms nothing any more.
      await confirm();
    },
    records: [["subscriber", "made"]],
  },
  "subscribers.change": {
    act: async ({ store, page }) => {
      const id = await readerOn(store, page);
      const change = () =>
        store.readers.subscribers.change(
          id,
          { name: "Wall", components: null, seen: noon },
          noon,
          loggedReader(page, "webhook"),
        );
      await change();
      // Another was quicker.
      await change();
    },
    records: [
      ["subscriber", "changed"],
      ["subscriber", "made"],
    ],
  },
  "subscribers.leave": {
    act: async ({ store, page }) => {
      const id = await readerOn(store, page);
      const logged = loggedReader(page, "webhook");
      const leave = () => store.readers.subscribers.leave(id, noon, "reader", logged);
      await leave();
      await leave();
    },
    records: [
      ["subscriber", "deleted"],
      ["subscriber", "made"],
    ],
  },
  "subscribers.remove": {
    act: async ({ store, page }) => {
      const id = await readerOn(store, page);
      const logged = loggedReader(page, "webhook");
      const remove = () => store.readers.subscribers.remove(id, noon, logged);
      await remove();
      await remove();
    },
    records: [
      ["subscriber", "deleted"],
      ["subscriber", "made"],
    ],
  },
  "subscribers.restore": {
    act: async ({ store, page }) => {
      const id = await readerOn(store, page);
      const logged = loggedReader(page, "webhook");
      await store.readers.subscribers.remove(id, noon, logged);
      const restore = () => store.readers.subscribers.restore(id, epochMillis(0), logged);
      await restore();
      await restore();
    },
    records: [
      ["subscriber", "restored"],
      ["subscriber", "deleted"],
      ["subscriber", "made"],
    ],
  },
  "subscribers.resume": {
    act: async ({ store, page }) => {
      const id = await readerOn(store, page);
      const { letters } = store.readers;
      const plan = { ...someWindow, page: String(page), components: [] };
      await store.alerts.maintenances.create(plan, true);
      const [letter] = await letters.claim("me", "webhook", noon);
      await letters.settle("me", letter?.id ?? 0, { is: "ended", trouble: "it is gone" }, noon);
      const logged = loggedReader(page, "webhook");
      await store.readers.subscribers.resume(id, noon, logged);
      // It is there again: there is nothing to resume.
      await store.readers.subscribers.resume(id, noon, logged);
    },
    records: [
      ["subscriber", "restored"],
      ["subscriber", "deleted"],
      ["maintenance", "made"],
      ["subscriber", "made"],
    ],
  },
  "letters.settle": {
    act: async ({ store, page }) => {
      const { letters } = store.readers;
      await readerOn(store, page);
      const plan = { ...someWindow, page: String(page), components: [] };
      await store.alerts.maintenances.create(plan, true);
      const [letter] = await letters.claim("me", "webhook", noon);
      await letters.settle("me", letter?.id ?? 0, { is: "ended", trouble: "it is gone" }, noon);
    },
    records: [
      ["subscriber", "deleted"],
      ["maintenance", "made"],
      ["subscriber", "made"],
    ],
  },
  "reports.create": {
    act: ({ store, page }) =>
      store.pages.reports.create({
        page,
        title: "Down",
        components: [],
        update: someUpdate,
        announces: false,
      }),
    records: [["report", "made"]],
  },
  "reports.change": {
    act: ({ store, report }) =>
      store.pages.reports.change(report, { title: "Slower", components: null }, noon),
    records: [["report", "changed"]],
  },
  "reports.addUpdate": {
    act: ({ store, report }) => store.pages.reports.addUpdate(report, someUpdate, false, []),
    records: [["report", "changed"]],
  },
  "reports.correct": {
    act: async ({ store, report }) => {
      const update = (await store.pages.reports.get(report))?.updates[0]?.id ?? 0;
      const other = { ...someUpdate, message: "Other words", joining: [], leaving: [] };
      return store.pages.reports.correct(report, update, other, noon);
    },
    records: [["report", "changed"]],
  },
  "reports.withdraw": {
    act: async ({ store, report }) => {
      await store.pages.reports.addUpdate(report, someUpdate, false, []);
      const update = (await store.pages.reports.get(report))?.updates[0]?.id ?? 0;
      return store.pages.reports.withdraw(report, update, noon);
    },
    records: [
      ["report", "changed"],
      ["report", "changed"],
    ],
  },
  "reports.putBack": {
    act: async ({ store, report }) => {
      await store.pages.reports.addUpdate(report, someUpdate, false, []);
      const update = (await store.pages.reports.get(report))?.updates[0]?.id ?? 0;
      await store.pages.reports.withdraw(report, update, noon);
      return store.pages.reports.putBack(update, epochMillis(0), noon);
    },
    records: [
      ["report", "undone"],
      ["report", "changed"],
      ["report", "changed"],
    ],
  },
  "reports.delete": {
    act: ({ store, report }) => store.pages.reports.delete(report),
    records: [["report", "deleted"]],
  },
  "maintenances.create": {
    act: ({ store }) => store.alerts.maintenances.create(someWindow, false),
    records: [["maintenance", "made"]],
  },
  "maintenances.update": {
    act: ({ store, window }) =>
      store.alerts.maintenances.update(window, { ...someWindow, title: "Moved" }, false),
    records: [["maintenance", "changed"]],
  },
  "maintenances.moveEnd": {
    act: ({ store, window }) => {
      const { from, to: seen, at } = someWindow;
      return store.alerts.maintenances.moveEnd(window, {
        from,
        planned: seen,
        seen,
        to: slotAfter(20),
        isUndo: false,
        at,
      });
    },
    records: [["maintenance", "changed"]],
  },
  "maintenances.moveBegin": {
    act: ({ store, window }) => {
      const { from: seen, to: end, at } = someWindow;
      const move = { seen, end, from: slotAfter(-20), to: end, isUndo: false, at };
      return store.alerts.maintenances.moveBegin(window, move);
    },
    records: [["maintenance", "changed"]],
  },
  "maintenances.delete": {
    act: ({ store, window }) => store.alerts.maintenances.delete(window),
    records: [["maintenance", "deleted"]],
  },
  "maintenanceUpdates.add": {
    act: ({ store, window }) => store.alerts.maintenanceUpdates.add(window, someSaying, false),
    records: [["maintenance", "changed"]],
  },
  "maintenanceUpdates.change": {
    act: async ({ store, window }) => {
      const id = await store.alerts.maintenanceUpdates.add(window, someSaying, false);
      await store.alerts.maintenanceUpdates.change(id ?? 0, {
        ...someSaying,
        message: "It is done.",
        updatedAt: noon,
      });
    },
    records: [
      ["maintenance", "changed"],
      ["maintenance", "changed"],
    ],
  },
  "maintenanceUpdates.delete": {
    act: async ({ store, window }) => {
      const id = await store.alerts.maintenanceUpdates.add(window, someSaying, false);
      await store.alerts.maintenanceUpdates.delete(id ?? 0);
    },
    records: [
      ["maintenance", "changed"],
      ["maintenance", "changed"],
    ],
  },
  "maintenanceUpdates.putBack": {
    act: async ({ store, window }) => {
      const { maintenanceUpdates } = store.alerts;
      const id = (await maintenanceUpdates.add(window, someSaying, false)) ?? 0;
      await maintenanceUpdates.delete(id);
      return maintenanceUpdates.putBack(id, epochMillis(0));
    },
    records: [
      ["maintenance", "undone"],
      ["maintenance", "changed"],
      ["maintenance", "changed"],
    ],
  },
  "silences.create": {
    act: ({ store }) =>
      store.alerts.silences.create({
        monitors: [],
        locations: [],
        labels: { team: "shop" },
        from: noon,
        until: slotAfter(1),
        reason: "known",
        by: "ann",
      }),
    records: [["silence", "made"]],
  },
  "silences.end": {
    act: ({ store, silence }) => store.alerts.silences.end(silence, slotAfter(1)),
    records: [["silence", "changed"]],
  },
  "silences.putBack": {
    act: async ({ store, silence }) => {
      await store.alerts.silences.end(silence, slotAfter(1));
      await store.alerts.silences.putBack(silence, { seen: slotAfter(1), to: slotAfter(2) });
    },
    records: [
      ["silence", "undone"],
      ["silence", "changed"],
    ],
  },
  "silences.extend": {
    act: ({ store, silence }) => store.alerts.silences.extend(silence, slotAfter(99), noon),
    records: [["silence", "changed"]],
  },
  "incidents.acknowledge": {
    act: async (scene) =>
      scene.store.alerts.incidents.acknowledge(await openedIn(scene), noon, "ann"),
    records: [["incident", "changed"]],
  },
  "incidents.acknowledgeEach": {
    act: async (scene) =>
      scene.store.alerts.incidents.acknowledgeEach([await openedIn(scene), 987_654], noon, "ann"),
    records: [["incident", "changed"]],
  },
  "incidents.takeBack": {
    act: async (scene) => {
      const number = await openedIn(scene);
      await scene.store.alerts.incidents.acknowledge(number, noon, "bob");
      await scene.store.alerts.incidents.takeBack(number, noon, "ann");
    },
    records: [
      ["incident", "changed"],
      ["incident", "changed"],
    ],
  },
  "incidents.takeBackEach": {
    act: async (scene) => {
      const { incidents } = scene.store.alerts;
      const number = await openedIn(scene);
      await incidents.acknowledge(number, noon, "bob");
      const made = { at: noon, by: "bob" };
      await incidents.takeBackEach([number, 987_654], made, noon, "ann");
    },
    records: [
      ["incident", "changed"],
      ["incident", "changed"],
    ],
  },
  "comments.add": {
    act: async (scene) => {
      await commented(scene);
    },
    records: [["incident", "changed"]],
  },
  "comments.edit": {
    act: async (scene) => {
      const { number, id } = await commented(scene);
      await scene.store.alerts.comments.edit(number, id, "the disk is full", noon);
    },
    records: [
      ["incident", "changed"],
      ["incident", "changed"],
    ],
  },
  "comments.remove": {
    act: async (scene) => {
      const { number, id } = await commented(scene);
      await scene.store.alerts.comments.remove(number, id);
    },
    records: [
      ["incident", "changed"],
      ["incident", "changed"],
    ],
  },
  "comments.putBack": {
    act: async (scene) => {
      const { number, id } = await commented(scene);
      const { comments } = scene.store.alerts;
      const removed = await comments.remove(number, id);
      if (removed !== null) await comments.putBack(number, removed);
    },
    records: [
      ["incident", "undone"],
      ["incident", "changed"],
      ["incident", "changed"],
    ],
  },
  "keys.create": {
    act: ({ store }) => store.state.keys.create(someKey("hash of another key")),
    records: [["key", "made"]],
  },
  "keys.createFirst": {
    act: async ({ store, key }) => {
      await store.state.keys.revoke(keyId(key), noon);
      await store.state.keys.createFirst(someKey("hash of a first key"));
    },
    records: [
      ["key", "made"],
      ["key", "deleted"],
    ],
  },
  "keys.revoke": {
    act: ({ store, key }) => store.state.keys.revoke(keyId(key), noon),
    records: [["key", "deleted"]],
  },
  "accounts.add": {
    act: ({ store }) => store.people.accounts.add(someAccount("bob@acme.test")),
    records: [["person", "made"]],
  },
  "accounts.change": {
    act: ({ store, person }) =>
      store.people.accounts.change(personId(person), {
        name: "Eve",
        role: "reader",
        isDisabled: false,
        at: noon,
      }),
    records: [["person", "changed"]],
  },
  "accounts.remove": {
    act: ({ store, person }) => store.people.accounts.remove(personId(person)),
    records: [["person", "deleted"]],
  },
  "accounts.offerLink": {
    act: ({ store, person }) =>
      store.people.accounts.offerLink(personId(person), { hash: "other", until: slotAfter(9) }),
    records: [["person", "changed"]],
  },
  "accounts.offerReset": {
    act: async ({ store: { people }, person }) => {
      await people.accounts.setPassword(personId(person), "", "kept");
      await people.accounts.offerReset(personId(person), { hash: "other", until: slotAfter(9) });
    },
    records: [
      ["person", "changed"],
      ["person", "changed"],
    ],
  },
  "accounts.takeLink": {
    act: ({ store }) => store.people.accounts.takeLink("link of eve@acme.test", "kept", noon),
    records: [["person", "changed"]],
  },
  "accounts.setPassword": {
    act: ({ store, person }) => store.people.accounts.setPassword(personId(person), "", "kept"),
    records: [["person", "changed"]],
  },
  "accounts.rename": {
    act: ({ store, person }) => store.people.accounts.rename(personId(person), "Eve of the shop"),
    records: [["person", "changed"]],
  },
  "accounts.setTimeZone": {
    act: ({ store, person }) =>
      store.people.accounts.setTimeZone(personId(person), "Europe/Berlin"),
    records: [["person", "changed"]],
  },
  "accounts.putFactor": {
    act: ({ store, person }) =>
      store.people.accounts.putFactor(personId(person), "sealed factor", 1, ["code"]),
    records: [["person", "changed"]],
  },
  "accounts.removeFactor": {
    act: async ({ store, person }) => {
      await store.people.accounts.putFactor(personId(person), "sealed factor", 1, ["code"]);
      await store.people.accounts.removeFactor(personId(person));
    },
    records: [
      ["person", "changed"],
      ["person", "changed"],
    ],
  },
  "audit.note": {
    act: ({ store }) =>
      store.audit.note({
        deed: "signed in",
        who: "account 1",
        name: "Eve",
        facts: { by: "password" },
      }),
    records: [["session", "signed in"]],
  },
  "pageSessions.end": {
    act: async ({ store: { people } }) => {
      await people.sessions.note(someSession("one"));
      const [noted] = await people.sessions.list(null, noon, 1);
      await people.sessions.end(noted?.id ?? 0, true);
      await people.sessions.end(noted?.id ?? 0, true);
    },
    records: [["session", "ended"]],
  },
  "pageSessions.endAll": {
    act: async ({ store: { people } }) => {
      for (const session of ["one", "two", "three"])
        await people.sessions.note(someSession(session));
      await people.sessions.endAll("account 1", "three", true);
      await people.sessions.endAll("account 1", "three", true);
    },
    records: [["session", "ended"]],
  },
  "endedSessions.add": {
    act: async ({ store: { state } }) => {
      const whose = { who: "account 1", name: "Eve" };
      await state.endedSessions.add("one", slotAfter(2), whose, true);
      await state.endedSessions.add("one", slotAfter(2), whose, true);
    },
    records: [["session", "signed out"]],
  },
  "passkeys.add": {
    act: ({ store, person }) => addPasskey(store, person),
    records: [["person", "changed"]],
  },
  "passkeys.remove": {
    act: async ({ store, person }) => {
      await addPasskey(store, person);
      const [made] = await store.people.passkeys.list(personId(person));
      await store.people.passkeys.remove(personId(person), made?.id ?? 0);
    },
    records: [
      ["person", "changed"],
      ["person", "changed"],
    ],
  },
  "settings.put": {
    act: ({ store }) => store.state.settings.put("name", "Acme"),
    records: [["setting", "made"]],
  },
  "settings.remove": {
    act: async ({ store }) => {
      await store.state.settings.put("slug", "acme");
      await store.state.settings.remove("slug");
    },
    records: [
      ["setting", "deleted"],
      ["setting", "made"],
    ],
  },
  "trash.restore": {
    act: async ({ store, monitor }) => {
      await store.state.monitors.delete(monitorId(monitor));
      await store.trash.restore("monitor", monitor, epochMillis(0));
    },
    records: [
      ["monitor", "restored"],
      ["monitor", "deleted"],
    ],
  },
  "configuration.own": {
    act: ({ store, monitor }) => store.configuration.own("monitor", monitor, "files", ""),
    records: [["monitor", "changed"]],
  },
  "configuration.change": {
    act: async ({ store, monitor, group }) => {
      const { revision } = await store.configuration.estate();
      const made = oneOfEach(`uid of ${revision}`);
      await store.configuration.change(revision, {
        ...made,
        pages: [],
        maintenances: made.maintenances.map((one) => ({ ...one, page: null, components: [] })),
        removals: [
          { kind: "monitor", id: monitor },
          { kind: "group", id: group },
        ],
      });
    },
    records: [
      ["maintenance", "made"],
      ["channel", "made"],
      ["location", "made"],
      ["monitor", "made"],
      ["monitor", "made"],
      ["page", "changed"],
      ["monitor", "deleted"],
    ],
  },
};

/** What every engine says of the log of changes. */
export function auditConforms(open: OpenFresh): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const newest = async (): Promise<number> =>
    (await store.audit.list({ ...everything, limit: 1 }))[0]?.number ?? 0;
  const entriesOf = async (work: () => Promise<unknown>): Promise<readonly AuditEntry[]> => {
    const after = await newest();
    await actingAs(ann, work);
    return store.audit.list({ ...everything, after });
  };

  describe("a verb that writes", () => {
    const audited = [...verbOf.values()].filter(({ audit }) => audit.records !== "nothing");
    test("has a case here if it is audited, and else a reason", () => {
      expect(audited.map(({ name }) => name).toSorted()).toEqual(Object.keys(cases).toSorted());
      const silent = [...verbOf.values()].flatMap(({ audit, access, name }) =>
        access === "write" && audit.records === "nothing" && audit.why.length < 10 ? [name] : [],
      );
      expect(silent).toEqual([]);
    });
    test.each(Object.entries(cases))("records who did it and to what: %s", async (_name, one) => {
      await using fresh = new AsyncDisposableStack();
      const scene = await sceneIn(fresh.use(await open()));
      const before = (await scene.store.audit.list({ ...everything, limit: 1 }))[0]?.number ?? 0;
      await actingAs(ann, () => one.act(scene));
      const entries = await scene.store.audit.list({ ...everything, after: before });
      expect(entries.map(({ subject, deed }) => [subject.kind, deed])).toEqual(one.records);
      for (const { who, at, deed, fields } of entries) {
        expect(who).toEqual({ kind: "person", name: "ann", from: "203.0.113.7" });
        expect(at).toBe(noon);
        expect(fields.length > 0 || deed === "signed out").toBe(true);
      }
    });
  });

  test("an entry of ended sessions says whose and how many, and is found by its kind and by whose it is", async () => {
    for (const session of ["a", "b"]) await store.people.sessions.note(someSession(session));
    await entriesOf(() => store.people.sessions.endAll("account 1", "", true));
    const [entry] = await store.audit.list({ ...everything, kind: "session", id: "account 1" });
    expect(entry).toMatchObject({ name: "Eve", deed: "ended", who: { name: "ann" } });
    expect(entry?.fields).toEqual([{ field: "sessions", is: "text", before: null, after: "2" }]);
  });

  test("what is counted elsewhere ends sessions without an entry", async () => {
    const { sessions } = store.people;
    for (const session of ["c", "d"]) await sessions.note(someSession(session));
    const [one] = await sessions.list("account 1", noon, 1);
    const owner = { who: "account 1", name: "Eve" };
    const entries = await entriesOf(async () => {
      expect((await sessions.end(one?.id ?? 0, false)).count).toBe(1);
      expect((await sessions.endAll("account 1", "", false)).count).toBe(1);
      expect(await store.state.endedSessions.add("e", slotAfter(2), owner, false)).toBe(true);
    });
    expect(entries).toEqual([]);
  });

  test("an entry has each field that changed, before and after, and no other", async () => {
    const id = await store.state.monitors.create(someMonitor());
    const { definition } = someMonitor();
    const [entry] = await entriesOf(() =>
      store.state.monitors.update(id, {
        ...someMonitor(),
        definition: { ...definition, name: "till", periodicity: "1m", labels: { team: "shop" } },
      }),
    );
    expect(entry?.name).toBe("till");
    expect(entry?.fields).toEqual([
      { field: "name", is: "text", before: "shop", after: "till" },
      { field: "periodicity", is: "text", before: "30s", after: "1m" },
      { field: "labels", is: "text", before: null, after: '{"team":"shop"}' },
    ]);
  });
  test("labels that a monitor and its file have alike are one field, and labels of the file alone are another", async () => {
    const id = await store.state.monitors.create(someMonitor());
    const label = { kind: "label", key: "team", value: "shop" } as const;
    const [byHand] = await entriesOf(() => store.state.monitors.changeEach([id], label, noon));
    const labels = { field: "labels", is: "text", before: null, after: '{"team":"shop"}' };
    expect(byHand?.fields).toEqual([labels]);
    const other = await store.state.monitors.create(someMonitor());
    const [byFile] = await entriesOf(() =>
      store.state.monitors.update(other, someMonitor({ labels: { team: "till" } })),
    );
    expect(byFile?.fields).toEqual([
      { field: "file labels", is: "text", before: null, after: '{"team":"till"}' },
    ]);
  });
  test("a silence is called by what it silences, and what is gone keeps the name that it had", async () => {
    const shop = await store.state.monitors.create(someMonitor());
    const office = await store.state.locations.create(
      someLocation({ monitors: [shop] }),
      someToken(),
    );
    const silence = {
      monitors: [shop],
      locations: [office],
      labels: {},
      from: noon,
      until: slotAfter(1),
      reason: "known",
      by: "ann",
    };
    const [made] = await entriesOf(() => store.alerts.silences.create(silence));
    const location = (await store.state.locations.get(office))?.name ?? "";
    const monitor = (await store.state.monitors.get(shop))?.definition.name ?? "";
    expect(made?.name).toBe(`${monitor} at ${location}`);
    await store.state.monitors.delete(shop);
    const asked = [
      { kind: "monitor", id: String(shop) },
      { kind: "location", id: String(office) },
      { kind: "monitor", id: "999999" },
    ] as const;
    expect([...(await store.audit.names(asked))]).toEqual([
      [`monitor ${shop}`, monitor],
      [`location ${office}`, location],
    ]);
  });
  test("a part of a status page has its name in the log also when it is gone", async () => {
    const page = Number(await store.pages.pages.create(somePage("acme")));
    const part = { page, monitor: null, description: "", order: null, group: null, at: noon };
    const kept = await store.pages.components.create({ ...part, name: "Mail" });
    const gone = Number(await store.pages.components.create({ ...part, name: "Post office" }));
    await store.pages.components.delete(gone);
    const other = String(await store.pages.pages.create(somePage("other")));
    const named = async (on: string | null) => {
      const asked = [kept, gone, 999_999].map(
        (id) => ({ kind: "component", id: String(id), page: on }) as const,
      );
      return [...(await store.audit.names(asked)).values()];
    };
    expect(await named(String(page))).toEqual(["Mail", "Post office"]);
    expect(await named(other)).toEqual(["Mail"]);
    expect(await named(null)).toEqual(["Mail"]);
  });
  test("of many parts of a status page that are gone, some have their names in the log", async () => {
    const page = Number(await store.pages.pages.create(somePage("many")));
    const part = { page, monitor: null, description: "", order: null, group: null, at: noon };
    const asked: NamedSubject[] = [];
    for (let count = 0; count <= gonePartsNamed; count += 1) {
      const id = await store.pages.components.create({ ...part, name: `Part ${count}` });
      asked.push({ kind: "component", id: String(id), page: String(page) });
    }
    await store.pages.pages.delete(page);
    const names = await store.audit.names([...asked, ...asked]);
    expect([...names.values()]).toEqual(
      Array.from({ length: gonePartsNamed }, (_, count) => `Part ${count}`),
    );
  });
  test("what is written again as it was is recorded by nothing", async () => {
    const id = await store.state.monitors.create(someMonitor());
    expect(await entriesOf(() => store.state.monitors.update(id, someMonitor()))).toEqual([]);
  });
  test("monitors of a location are those that came and those that went", async () => {
    const [a, b] = [
      await store.state.monitors.create(someMonitor()),
      await store.state.monitors.create(someMonitor()),
    ];
    const id = await store.state.locations.create(someLocation({ monitors: [a] }), someToken());
    const change = { name: null, metadata: null, ownership: null, at: noon };
    const [entry] = await entriesOf(() =>
      store.state.locations.update(id, { ...change, monitors: [b] }),
    );
    expect(entry?.fields).toEqual([
      { field: "monitors", is: "set", removed: [String(a)], added: [String(b)] },
    ]);
  });
  test("a secret has a digest that changes with it, and is nowhere in the log", async () => {
    const planted = "planted-7f3a";
    const secretive = (mark: string) => ({
      ...httpDefaults,
      name: "shop",
      periodicity: "30s",
      url: `https://ann:${planted}${mark}@shop.test/?key=${planted}${mark}`,
      body: `${planted}${mark}`,
      headers: [{ key: "Authorization", value: `${planted}${mark}` }],
      headerAssertions: [{ key: "Set-Cookie", target: `${planted}${mark}`, comparator: "eq" }],
      otel: {
        endpoint: `https://otel.test/?token=${planted}${mark}`,
        headers: [{ key: "x-token", value: `${planted}${mark}` }],
      },
    });
    const made = someMonitor({ definition: secretive("1") });
    const id = await store.state.monitors.create(made);
    const metadata = [{ key: "authorization", value: planted }];
    const grpc = { ...kindTable.grpc.defaults, name: "rpc", metadata };
    await store.state.monitors.create(someMonitor({ definition: grpc }));
    const [entry] = await entriesOf(() =>
      store.state.monitors.update(id, someMonitor({ definition: secretive("2") })),
    );
    expect(entry?.fields.map(({ field }) => field)).toEqual([
      "otel endpoint",
      "otel headers: x-token",
      "url",
      "body",
      "headers: Authorization",
      "headerAssertions: Set-Cookie",
    ]);
    const { lines } = await store.audit.lines(0, epochMillis(0), 10_000);
    expect(lines.filter((line) => line.includes(planted))).toEqual([]);
  });
  test("of a comment it has that one was written, and not what it says", async () => {
    const monitor = await store.state.monitors.create(someMonitor());
    const number = await openedIn({ store, monitor });
    const comment = {
      at: noon,
      author: "ann",
      who: "account 1",
      message: "the disk-9c1e is full",
    };
    const [entry] = await entriesOf(() => store.alerts.comments.add(number, comment));
    expect(entry?.subject).toEqual({ kind: "incident", id: String(number) });
    expect(entry?.fields).toEqual([{ field: "comments", is: "text", before: null, after: "1" }]);
    const { lines } = await store.audit.lines(0, epochMillis(0), 10_000);
    expect(lines.filter((line) => line.includes("disk-9c1e"))).toEqual([]);
  });
  test("each line names the hash of the one before, and its own hash is of its bytes", async () => {
    await store.state.monitors.create(someMonitor());
    await store.state.monitors.create(someMonitor());
    const { lines, next } = await store.audit.lines(0, epochMillis(0), 10_000);
    expect(next).toBeNull();
    let previous = "";
    for (const line of lines) {
      const { hash, previous: named, number } = JSON.parse(line);
      const bytes = `${line.slice(0, line.lastIndexOf(',"hash":'))}}`;
      expect([number, named]).toEqual([number, previous]);
      expect(createHash("sha256").update(bytes).digest("base64url")).toBe(hash);
      previous = hash;
    }
    expect(lines.length).toBeGreaterThan(1);
  });
  test("a proof continues from an entry by hashes alone, in portions, and ends in the newest head", async () => {
    for (const _one of [1, 2, 3]) await store.state.monitors.create(someMonitor());
    const { lines } = await store.audit.lines(0, epochMillis(0), 10_000);
    const entries: { number: number; hash: string; chain: string }[] = lines.map((line) =>
      JSON.parse(line),
    );
    const [known, newest] = [entries.at(-4), entries.at(-1)];
    const whole = await store.audit.proof(known?.number ?? 0, 10);
    expect(whole).toEqual({
      number: newest?.number,
      chain: newest?.chain,
      hashes: entries.slice(-3).map(({ hash }) => hash),
    });
    expect(whole.hashes.reduce(chainAfter, known?.chain ?? "")).toBe(newest?.chain);
    expect(entries.map(({ hash }) => hash).reduce(chainAfter, emptyChain)).toBe(newest?.chain);
    const portion = await store.audit.proof(known?.number ?? 0, 2);
    expect(portion).toMatchObject({ number: entries.at(-2)?.number, chain: entries.at(-2)?.chain });
    const head = { number: newest?.number, chain: newest?.chain, hashes: [] };
    for (const after of [0, newest?.number ?? 0, (newest?.number ?? 0) + 7])
      expect(await store.audit.proof(after, 10)).toEqual(head);
  });
  test("entries are found by object, by who, by name and since when, page by page", async () => {
    await store.state.monitors.create(someMonitor());
    const id = await actingAs({ ...ann, name: "Eve 100%" }, () =>
      store.state.monitors.create(someMonitor()),
    );
    const found = await store.audit.list({ ...everything, kind: "monitor", id: String(id) });
    expect(found).toHaveLength(1);
    expect(await store.audit.list({ ...everything, who: "eve 100%" })).toEqual(found);
    expect(await store.audit.list({ ...everything, who: "eve 1%" })).toEqual([]);
    expect(await store.audit.list({ ...everything, name: "SHO", who: "eve" })).toEqual(found);
    expect(await store.audit.list({ ...everything, since: slotAfter(1), who: "eve" })).toEqual([]);
    expect(await store.audit.list({ ...everything, until: noon, who: "eve" })).toEqual([]);
    expect(await store.audit.list({ ...everything, until: slotAfter(1), who: "eve" })).toEqual(
      found,
    );
    const [last] = await store.audit.list({ ...everything, limit: 1 });
    const [before] = await store.audit.list({
      ...everything,
      before: last?.number ?? 0,
      limit: 1,
    });
    expect(before?.number).toBe((last?.number ?? 0) - 1);
  });
  test("a write that is based on an older version is refused, and changes nothing", async () => {
    const id = await store.state.monitors.create(someMonitor());
    const subject = { kind: "monitor", id: String(id) } as const;
    const version = await store.audit.version(subject);
    const save = (name: string, at: number): Promise<boolean> =>
      basedOn({ ...subject, version: at }, () =>
        store.state.monitors.update(id, {
          ...someMonitor(),
          definition: { ...someMonitor().definition, name },
        }),
      );
    expect(await save("first", version)).toBe(true);
    await expect(save("second", version)).rejects.toMatchObject({ code: "overtaken" });
    expect((await store.state.monitors.get(id))?.definition.name).toBe("first");
    expect(await save("third", await store.audit.version(subject))).toBe(true);
  });
  test("a write that is only rehearsed says what it would change, and changes nothing", async () => {
    const id = await store.state.monitors.create(someMonitor());
    const subject = { kind: "monitor", id: String(id) } as const;
    const version = await store.audit.version(subject);
    const { definition } = someMonitor();
    const save = rehearsing(() =>
      store.state.monitors.update(id, {
        ...someMonitor(),
        definition: { ...definition, name: "tried" },
      }),
    );
    const error: unknown = await save.catch((fault: unknown) => fault);
    expect(error).toMatchObject({ code: "rehearsed" });
    const said: unknown = JSON.parse(Error.isError(error) ? error.message : "");
    expect(said).toMatchObject([
      { subject, fields: [{ field: "name", before: definition.name, after: "tried" }] },
    ]);
    expect((await store.state.monitors.get(id))?.definition.name).toBe(definition.name);
    expect(await store.audit.version(subject)).toBe(version);
  });
  test("of two who save the same version at once one is refused", async () => {
    const id = await store.state.monitors.create(someMonitor());
    const subject = { kind: "monitor", id: String(id) } as const;
    const version = await store.audit.version(subject);
    const saves = ["a", "b", "c", "d"].map((name) =>
      basedOn({ ...subject, version }, () =>
        store.state.monitors.update(id, {
          ...someMonitor(),
          definition: { ...someMonitor().definition, name },
        }),
      ),
    );
    const ends = await Promise.allSettled(saves);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
  test("what is older than a year is forgotten from the front, and the chain continues", async () => {
    await using fresh = new AsyncDisposableStack();
    const own = fresh.use(await open());
    const make = (at: number): Promise<unknown> =>
      actingAs({ ...ann, at: epochMillis(noon + at) }, () =>
        own.state.monitors.create(someMonitor()),
      );
    for (const at of [0, 1, 5, 2, 6]) await make(at);
    expect(await own.audit.forget(epochMillis(noon + 4))).toBe(false);
    const left = await own.audit.list(everything);
    expect(left.map(({ number }) => number)).toEqual([5, 4, 3]);
    await own.audit.forget(epochMillis(noon + 10));
    await make(11);
    expect((await own.audit.list(everything)).map(({ number }) => number)).toEqual([6]);
  });
  test("a verb that fails records nothing", async () => {
    const after = await newest();
    const empty = { ...nothing, removals: [{ kind: "monitor", id: 1 }] } as const;
    expect(await store.configuration.change("another revision", empty)).toBeNull();
    expect(await store.audit.list({ ...everything, after })).toEqual([]);
  });
}

/** Opens a store whose tables the test can change as another release would, with one statement. */
type OpenChangeable = () => Promise<{
  readonly store: Store;
  readonly change: (statement: string) => Promise<void>;
}>;

/** What every engine says of entries that a replica of a release without the chain wrote, while a service is updated. */
export function auditChainConforms(open: OpenChangeable): void {
  async function opened() {
    const { store, change } = await open();
    onTestFinished(() => store[Symbol.asyncDispose]());
    const make = (): Promise<unknown> => store.state.monitors.create(someMonitor());
    const newest = async (): Promise<number> => (await store.audit.range()).newest;
    /** Entries as that release writes them: without a chain, and with the head of the chain where it was. */
    const makeWithoutChain = async (count: number): Promise<void> => {
      const [before, { chain }] = [await newest(), await store.audit.proof(0, 1)];
      for (let made = 0; made < count; made += 1) await make();
      await change(`UPDATE audit_entries SET chain = '' WHERE number > ${before}`);
      await change(`UPDATE audit_head SET chain = '${chain}'`);
    };
    const isVerified = async (): Promise<boolean> => {
      const chain = new AuditChain();
      const { lines } = await store.audit.lines(0, epochMillis(0), 10_000);
      return lines.every((line) => chain.take(line) === null);
    };
    return { store, make, makeWithoutChain, newest, isVerified };
  }

  test("entries without a chain are shown to agents once the next change has continued it", async () => {
    const { store, make, makeWithoutChain, newest, isVerified } = await opened();
    await make();
    const known = await store.audit.proof(0, 10);
    await makeWithoutChain(2);
    expect(await newest()).toBe(known.number + 2);
    for (const after of [0, known.number, known.number + 1])
      expect(await store.audit.proof(after, 10)).toEqual(known);
    await make();
    const proof = await store.audit.proof(known.number, 10);
    expect(proof.number).toBe(known.number + 3);
    expect(proof.hashes).toHaveLength(3);
    expect(proof.hashes.reduce(chainAfter, known.chain)).toBe(proof.chain);
    expect(await isVerified()).toBe(true);
  });

  test("more entries without a chain than one change continues it over are left to the next", async () => {
    const { store, make, makeWithoutChain, newest, isVerified } = await opened();
    await make();
    const known = await store.audit.proof(0, 10);
    await makeWithoutChain(auditChainedAtOnce + 1);
    await make();
    const part = await store.audit.proof(known.number, auditHashesMax);
    expect(part.number).toBe(known.number + auditChainedAtOnce);
    expect(part.hashes.reduce(chainAfter, known.chain)).toBe(part.chain);
    await make();
    const whole = await store.audit.proof(part.number, auditHashesMax);
    expect(whole.number).toBe(await newest());
    expect(whole.hashes.reduce(chainAfter, part.chain)).toBe(whole.chain);
    expect(await isVerified()).toBe(true);
  });
}
