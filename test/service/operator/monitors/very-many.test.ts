import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { tcpDefaults } from "#check/definition";
import * as limits from "#limits/pages-limits";
import { startService } from "#service/server";
import { fillMonitors } from "../../../../bench/pages/many-monitors.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { quickFolder } from "../../../support/running-service.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

/** More than a form could name, and more than one undo puts back. */
const count = 6_500;

/** A service with so many monitors at one location, and what sends one of its forms. */
async function serviceOfMany() {
  const database = path.join(quickFolder(), "service.sqlite");
  const now = systemClock.wall();
  await fillMonitors({ database, monitors: count, days: 0, token: "pkt_loc_bench", now });
  const service = await startService({
    database,
    host: "127.0.0.1",
    port: 0,
    pages: "local",
    clock: systemClock,
    log: silentLogger,
    opensStore: openStoreHere,
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  const token = formTokenIn(await (await fetch(`${service.url}/`)).text());
  const send = (to: string, fields: Record<string, string>) =>
    fetch(`${service.url}${to}`, {
      method: "POST",
      body: new URLSearchParams({ form: token, ...fields }),
      redirect: "manual",
    });
  return { service, send };
}

const fieldsIn = (page: string): Record<string, string> =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]) => [name, value],
    ),
  );

test("all of very many monitors are deleted by the page that asks, which says that no undo follows", async () => {
  const { service, send } = await serviceOfMany();
  const other = { name: "other", uri: "db.test:5432", periodicity: "1m", active: true };
  await service.admin.createMonitor({ ...tcpDefaults, ...other }, "management");
  const all = { act: "delete", all: "yes", query: "?text=Service" };
  const asked = await (await send("/monitors/many", all)).text();
  expect(asked.length).toBeLessThan(limits.formBytesMax);
  expect(asked).toContain("You cannot undo this");
  const fields = fieldsIn(asked);
  const fewer = await send("/monitors/many", { ...fields, count: String(count - 1) });
  expect(await fewer.text()).toContain("Nothing is deleted yet: the search finds more monitors");
  const deleted = await send("/monitors/many", fields);
  expect(deleted.headers.get("location")).toBe(`/?text=Service&notice=delete.${count}.0`);
  const after = await fetch(`${service.url}/?notice=delete.${count}.0`);
  expect(await after.text()).toMatch(/6\u202f500 monitors are deleted\./);
});

test("a form that is too long says so, and that nothing was saved", async () => {
  const { post } = await operatorScene({ days: 0 });
  const long = await post("/locations/1/edit", { name: "x".repeat(limits.formBytesMax) });
  expect(long.status).toBe(413);
  expect(await long.text()).toContain("nothing was saved");
});
