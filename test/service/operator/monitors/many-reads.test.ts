import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import type { Store } from "#service/store/store";
import { FakeClock } from "../../../support/fake-clock.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { quickFolder } from "../../../support/running-service.ts";

/** A service with two monitors, whose pictures are counted: each reads what was seen last. */
async function countedService() {
  let looks = 0;
  const counting = (store: Store): Store => ({
    ...store,
    state: {
      ...store.state,
      locations: {
        ...store.state.locations,
        list: (page) => {
          looks += 1;
          return store.state.locations.list(page);
        },
      },
    },
  });
  const service = await startService({
    database: path.join(quickFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    pages: "local",
    clock: new FakeClock(),
    log: silentLogger,
    opensStore: async (place) => counting(await openStoreHere(place)),
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  for (const name of ["api", "db"]) {
    const named = { name, uri: `${name}.test:5432`, periodicity: "30s", active: true };
    await service.admin.createMonitor({ ...tcpDefaults, ...named }, "management");
  }
  const page = await (await fetch(`${service.url}/`)).text();
  const [, form = ""] = /name="form" value="([^"]*)"/.exec(page) ?? [];
  const [, seen = ""] = /name="seen" value="([^"]*)"/.exec(page) ?? [];
  const label = async (value: string, query = ""): Promise<string | null> => {
    const fields = { form, seen, query, all: "yes", act: "label", key: "team", value };
    const answer = await fetch(`${service.url}/monitors/many`, {
      method: "POST",
      headers: { origin: service.url, accept: "text/html" },
      body: new URLSearchParams(fields),
      redirect: "manual",
    });
    return answer.headers.get("location");
  };
  return { label, looks: () => looks };
}

test("an act on all monitors takes no picture of how they are", async () => {
  const { label, looks } = await countedService();
  const before = looks();
  expect(await label("web")).toContain("notice=label.2.0");
  expect(await label("shop", "?sort=name")).toContain("notice=label.2.0");
  expect(looks()).toBe(before);
  // What is searched for may be how they are.
  expect(await label("mail", "?text=test")).toContain("notice=label.2.0");
  expect(looks()).toBe(before + 1);
});
