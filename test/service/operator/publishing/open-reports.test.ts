import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { pictureShownFor } from "#limits/pages-limits";
import { OpenReports } from "#service/operator/publishing/open-reports";
import { pageDefaults } from "#service/status-page/page-definition";
import { CountedStore } from "../../../support/counted-store.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { quickFolder } from "../../../support/running-service.ts";

test("open reports are read once for all who look, until something of a status page changes", async () => {
  const counted = new CountedStore();
  const database = path.join(quickFolder(), "service.sqlite");
  await using store = await counted.open({ database, use: "command", onProgress: () => {} });
  const clock = new FakeClock();
  const open = new OpenReports({ store, clock });
  const seen = async (): Promise<readonly [readonly string[], number]> => [
    (await open.now()).map(({ report }) => report.title),
    counted.count("reports.list"),
  ];
  await Promise.all([open.now(), open.now()]);
  expect(await seen()).toEqual([[], 1]);
  const at = clock.wall();
  const definition = { ...pageDefaults, title: "Acme", slug: "acme" };
  await store.pages.pages.create({ uid: "u", definition, sealed: "", owner: "", labels: {}, at });
  const update = { at, message: "m", impacts: [], createdAt: at };
  const made = (title: string, status: "resolved" | "investigating") =>
    store.pages.reports.create({
      page: 1,
      title,
      components: [],
      update: { ...update, status },
      announces: false,
    });
  await made("slow", "investigating");
  await made("over", "resolved");
  // What has changed is said in the next turn.
  await nextTurn();
  expect(await seen()).toEqual([["slow"], 2]);
  expect(await seen()).toEqual([["slow"], 2]);
  // Another replica's news may be lost.
  clock.suspend(pictureShownFor);
  expect(await seen()).toEqual([["slow"], 3]);
});
