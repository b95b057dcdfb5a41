import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock";
import { epochMillis } from "#base/units";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { silentLogger } from "#base/log";
import { tcpDefaults } from "#check/definition";
import { silencedMax } from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import { seenWord } from "#service/operator/monitors/many-selection";
import { startService } from "#service/server";
import { locationId, monitorId } from "#service/store/ids";
import { StoreFault } from "#service/store/store-fault";
import { fillMonitors, resultOf } from "../../../../bench/pages/many-monitors.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { quickFolder } from "../../../support/running-service.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { serviceClient } from "../../../support/service-client.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

/** More than a form could name, and more than one undo puts back. */
const count = 6_500;

/** A service with so many monitors at one location, and what sends one of its forms. */
async function serviceOfMany(monitors = count, opensStore = openStoreHere) {
  const database = path.join(quickFolder(), "service.sqlite");
  const now = systemClock.wall();
  await fillMonitors({ database, monitors, days: 0, token: "pkt_loc_bench", now });
  const service = await startService({
    database,
    host: "127.0.0.1",
    port: 0,
    pages: "local",
    clock: systemClock,
    log: silentLogger,
    opensStore,
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const token = formTokenIn(await (await fetch(`${service.url}/`)).text());
  const post = (to: string, body: URLSearchParams) =>
    fetch(`${service.url}${to}`, { method: "POST", body, redirect: "manual" });
  const send = (to: string, fields: Record<string, string>) =>
    post(to, new URLSearchParams({ form: token, ...fields }));
  return { service, post, send };
}

const fieldsIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );

test("all of very many monitors are deleted by the page that asks, which says how they can be put back", async () => {
  const { service, send } = await serviceOfMany();
  const other = { name: "other", uri: "db.test:5432", periodicity: "1m", active: true };
  await service.admin.createMonitor({ ...tcpDefaults, ...other }, "management");
  const all = { act: "delete", all: "yes", query: "?text=Service" };
  const asked = await (await send("/monitors/many", all)).text();
  expect(asked.length).toBeLessThan(limits.formBytesMax);
  expect(asked).toMatch(/You can undo this for ten minutes, in parts of 1\u202f000\./);
  const fields = fieldsIn(asked);
  const renamed = (id: string, name: string) =>
    service.admin.updateMonitor(id, { ...tcpDefaults, ...other, name }, "management");
  await renamed(String(count + 1), "Service other");
  await renamed("1", "first");
  const others = await (await send("/monitors/many", fields)).text();
  expect(others).toContain(
    "Nothing is done yet: the search finds other monitors than on your page, and as many.",
  );
  await renamed(String(count + 1), "other");
  await renamed("1", "Service 1");
  const deleted = await send("/monitors/many", fields);
  expect(deleted.headers.get("location")).toMatch(
    new RegExp(`^/\\?text=Service&notice=delete\\.${count}\\.0&undo=[\\w-]{20,}$`),
  );
  const after = await fetch(`${service.url}/?notice=delete.${count}.0`);
  expect(await after.text()).toMatch(/6\u202f500 monitors are deleted\./);
});

test("more deletions than one undo puts back are undone in parts, once each", async () => {
  const { service, send } = await serviceOfMany(limits.undoneAtOnce + 1);
  const textOf = async (path: string) =>
    (await (await fetch(`${service.url}${path}`)).text()).replaceAll(/\s+/g, " ");
  const counted = async () => JSON.parse(await textOf("/overview.json")).matched;
  const asked = fieldsIn(
    await (await send("/monitors/many", { act: "delete", all: "yes" })).text(),
  );
  const deleted = (await send("/monitors/many", asked)).headers.get("location") ?? "";
  expect(await textOf(deleted)).toMatch(/1 001 monitors are deleted\. You can undo this until/);
  expect(await counted()).toBe(0);
  const undo = async (from: string) => {
    const word = new URL(from, service.url).searchParams.get("undo") ?? "";
    const answer = await send("/monitors/many/undo", { undo: word, query: "" });
    return answer.headers.get("location") ?? "";
  };
  const first = await undo(deleted);
  expect(first).toMatch(
    /^\/\?restored=monitor\.1000&picked=1-rr&notice=more\.1\.0&undo=[\w-]{20,}$/,
  );
  const page = await textOf(first);
  expect(page).toContain("1 000 monitors are restored.");
  expect(page).toContain("1 monitor is still deleted. You can undo this until");
  expect(await counted()).toBe(limits.undoneAtOnce);
  expect(await undo(deleted)).toBe("/?notice=late");
  expect(await undo(first)).toBe("/?restored=monitor.1&picked=rt");
  expect(await counted()).toBe(limits.undoneAtOnce + 1);
});

test("an undo in whose middle the database fails is pressed again, and all comes back", async () => {
  let restores = 0;
  const { service, send } = await serviceOfMany(limits.undoneAtOnce + 1, async (place) => {
    const store = await openStoreHere(place);
    const restore: typeof store.trash.restore = (...asked) => {
      restores += 1;
      if (restores === 3) throw new StoreFault("store_unreachable", "away for a moment");
      return store.trash.restore(...asked);
    };
    return { ...store, trash: { ...store.trash, restore } };
  });
  const counted = async () => {
    const picture = await (await fetch(`${service.url}/overview.json`)).text();
    return JSON.parse(picture).matched;
  };
  const asked = fieldsIn(
    await (await send("/monitors/many", { act: "delete", all: "yes" })).text(),
  );
  const deleted = (await send("/monitors/many", asked)).headers.get("location") ?? "";
  const undo = (from: string) => {
    const word = new URL(from, service.url).searchParams.get("undo") ?? "";
    return send("/monitors/many/undo", { undo: word, query: "" });
  };
  expect((await undo(deleted)).status).toBe(503);
  const again = (await undo(deleted)).headers.get("location") ?? "";
  expect(again).toMatch(/notice=more\.1\.0&undo=[\w-]{20,}$/);
  expect((await undo(again)).headers.get("location")).toBe("/?restored=monitor.1&picked=rt");
  expect(await counted()).toBe(limits.undoneAtOnce + 1);
});

test("more monitors than one silence has are not silenced, which the page says before", async () => {
  const most = silencedMax + 1;
  const { service, send } = await serviceOfMany(most);
  const textOf = async (path: string) =>
    (await (await fetch(`${service.url}${path}`)).text()).replaceAll(/\s+/g, " ");
  const words = /1 001 match: one silence is for 1 000 monitors at most\. Search for fewer/;
  expect(await textOf("/")).toMatch(words);
  expect(await textOf("/?text=service+100")).not.toContain("one silence is for");
  const all = { all: "yes", query: "", length: "1h" };
  const refused = await send("/monitors/many/silence", all);
  expect(refused.status).toBe(422);
  expect((await refused.text()).replaceAll(/\s+/g, " ")).toContain(
    "Nothing is silenced, of 1 001 monitors: one silence is for 1 000 monitors at most.",
  );
  expect(await textOf("/maintenances")).toContain("Nothing is under way or silenced");
});

test("5,000 open incidents of one cause are a group, and are acknowledged in one act", async () => {
  const monitors = 5_000;
  const { service, send } = await serviceOfMany(monitors, async (place) => {
    const store = await openStoreHere(place);
    const slot = epochMillis(systemClock.wall() - 1_000);
    const failure = { code: "dns_timeout", phase: "dns" } as const;
    const results = Array.from({ length: monitors }, (_, index) => ({
      ...resultOf(monitorId(index + 1), slot, true),
      failure,
    }));
    await store.results.append({ location: locationId(1), storedAt: slot, results });
    return store;
  });
  const page = async () =>
    (await (await fetch(`${service.url}/incidents`)).text()).replaceAll(/\s+/g, " ");
  await expect.poll(page, { timeout: 60_000 }).toContain("Acknowledge all 5 000");
  const grouped = await page();
  expect(grouped).toContain("5 000 open incidents, 1 cause");
  expect(grouped).toContain('href="/incidents?state=open&amp;grouped=no">All 5 000, a row each');
  const one = await (await fetch(`${service.url}/incidents/1`)).text();
  expect(one.replaceAll(/\s+/g, " ")).toMatch(
    /Acknowledge all 5.000.*<summary>95 more<\/summary>.*4.899 more in the list/,
  );
  const [, numbers = ""] = /name="numbers" value="([^"]*)"/.exec(grouped) ?? [];
  expect(numbers).toBe("1-5000");
  const done = await send("/incidents/acknowledge", { numbers });
  expect(done.headers.get("location")).toMatch(
    /^\/incidents\?acknowledged=done\.5000\.0&undo=[\w-]+$/,
  );
  const after = await page();
  expect(after).toContain("acknowledged by");
  expect(after).not.toContain('action="/incidents/1/acknowledge"');
});

test("the form of a location with 10,000 monitors is searched, changed and saved", async () => {
  const { service, post } = await serviceOfMany(10_000);
  const path = "/locations/1/edit";
  const wordsOf = (text: string) => text.replaceAll(/\s+/g, " ");
  const shown = async () => wordsOf(await (await fetch(`${service.url}${path}`)).text());
  const page = await shown();
  expect(page).toContain("10 000 of 10 000 selected. 50 of them are listed");
  expect(page.length).toBeLessThan(limits.formBytesMax);
  const form = sentForm(page, path);
  const [first = "", second = "", ...others] = form.getAll("monitor_ids");
  expect(others.length).toBe(48);
  form.delete("monitor_ids", first);
  const search = new URLSearchParams(form);
  search.set("monitor_ids.find", "Service 9");
  search.set("find", "monitor_ids");
  const found = wordsOf(await (await post(path, search)).text());
  expect(found).toContain("9 999 of 10 000 selected.");
  const again = sentForm(found, path);
  expect(again.getAll("monitor_ids")).not.toContain(second);
  again.set("name", "Berlin");
  again.delete("monitor_ids.find");
  expect((await post(path, again)).headers.get("location")).toMatch(
    /^\/locations\/1\?notice=saved/,
  );
  const saved = await shown();
  expect(saved).toContain("9 999 of 10 000 selected.");
  expect(sentForm(saved, path).getAll("monitor_ids")).not.toContain(first);
});

test("10,000 monitors are assigned though the search found fewer before, and an agent refuses them", async () => {
  const { service, send } = await serviceOfMany(10_000);
  const { id, token } = await service.admin.createPrivateLocation({
    name: "cellar",
    monitorIds: [],
    metadata: {},
  });
  const agent = serviceClient(PrivateLocationService, service.url, "x-service-token", token);
  const targets = { deny: ["0.0.0.0/0", "::/0"] };
  await agent.heartbeat({ instanceId: "a", hostname: "office-1", targets });
  const seen = seenWord(Array.from({ length: 9_999 }, (_, index) => ({ id: index + 1 })));
  const asked = { act: "assign", location: id, all: "yes", seen, query: "" };
  const changed = await (await send("/monitors/many", asked)).text();
  expect(changed).toMatch(/the search finds 10.000 monitors, and 9.999 were on your page\./);
  const remarks = await (await send("/monitors/many", fieldsIn(changed))).text();
  expect(remarks).toContain("Assign anyway");
  expect(remarks.length).toBeLessThan(limits.formBytesMax);
  const assigned = await send("/monitors/many", fieldsIn(remarks));
  expect(assigned.headers.get("location")).toMatch(/notice=assign\.10000\.0/);
});

test("a form that is too long says so, and that nothing was saved", async () => {
  const { post } = await operatorScene({ days: 0 });
  const long = await post("/locations/1/edit", { name: "x".repeat(limits.formBytesMax) });
  expect(long.status).toBe(413);
  expect(await long.text()).toContain("nothing was saved");
});
