import { expect, test } from "vitest";
import { manyForm } from "#service/operator/monitors/many-form";
import { drawnOverview } from "#service/operator/overview-answers";
import { firstQuery } from "#service/operator/overview-query";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { epochMillis, millis } from "#base/units";

const monitor = (id: number, owner: string): PicturedMonitor => ({
  id,
  name: `shop ${id}`,
  kind: "tcp",
  target: "db:5432",
  labels: {},
  owner,
  period: millis(60_000),
  status: "active",
  since: epochMillis(0),
  lastCheckedAt: null,
  seenBy: [],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
});

/** A picture of monitors of these owners, which counts how often a search looks through the first of them. */
function countedPicture(owners: readonly string[]) {
  const looks = { count: 0 };
  const texts = new Proxy(
    owners.map((_, index) => `shop ${index}`),
    {
      get: (all, name) => {
        if (name === "0") looks.count += 1;
        return Reflect.get(all, name);
      },
    },
  );
  const picture: Picture = {
    at: epochMillis(0),
    detail: "whole",
    labels: [],
    texts,
    monitors: owners.map((owner, index) => monitor(index, owner)),
    locations: [],
    planned: { silences: [], maintenances: [] },
  };
  return { picture, looks };
}

/** What the page of a search draws. */
function drawn(picture: Picture, text: string): string {
  const query = { ...firstQuery, text };
  const { found } = drawnOverview(picture, query, "editor");
  return (
    manyForm(picture, query, found, { kind: "local", formToken: "", timeZone: "" })?.text ?? ""
  );
}

test("what a search finds is looked for once, however often its page with the form for it is looked at", () => {
  const { picture, looks } = countedPicture(["", "", "night"]);
  expect(drawn(picture, "shop")).toContain('data-found="3"');
  expect(drawn(picture, "shop")).toContain('data-found="3"');
  expect(looks.count).toBe(1);
});

test("a search that finds what files manage, and nothing else, says so", () => {
  const { picture } = countedPicture(["", "night", "night"]);
  const isOfFiles = (text: string): boolean => drawn(picture, text).includes("all-of-files");
  expect([isOfFiles("shop"), isOfFiles("shop 0"), isOfFiles("shop 1"), isOfFiles("none")]).toEqual([
    false,
    false,
    true,
    false,
  ]);
  expect(drawn(picture, "shop")).toContain('data-found="2"');
});
