import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { byKey } from "../../support/signed-in.ts";

const wordsOf = async (answer: Promise<Response>): Promise<string> =>
  (await (await answer).text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** Monitors of these names and labels; the last one is paused. */
async function madeIn({ service }: OperatorScene, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const url = `https://${name}.test/`;
    const labels = name.startsWith("shop") ? { team: "shop" } : undefined;
    await service.admin.createMonitor(
      {
        ...httpDefaults,
        name,
        url,
        periodicity: "1m",
        active: name !== "paused",
        ...(labels && { labels }),
      },
      "management",
    );
  }
}

const slack = {
  webhook_url: "https://hooks.slack.com/services/T0/B0/x",
  events: "error",
  time_zone: "UTC",
};

test("the overview, the list of channels and the monitor say who notifies no one, until a channel is for all monitors", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  await madeIn(scene, "shop-1", "mail", "paused");
  const counts = async () => {
    const { notify_no_one: count, monitors } = JSON.parse(
      await (await ann.get("/overview.json?unheard=yes")).text(),
    );
    return [count, monitors.map(({ name }: { readonly name: string }) => name)];
  };
  expect(await counts()).toEqual([2, ["mail", "shop-1"]]);
  expect(await wordsOf(ann.get("/"))).toContain("Notify no one 2");
  expect(await wordsOf(ann.get("/channels"))).toContain("2 monitors notify no one.");
  expect(await wordsOf(ann.get("/monitors/1"))).toContain(
    "No channel is notified of this monitor.",
  );
  // A channel whose labels leave one out, and one that is notified of nothing that fails.
  await ann.send("/channels/new/slack", {
    ...slack,
    name: "shops",
    all_monitors: "yes",
    "labels[0].key": "team",
    "labels[0].value": "shop",
  });
  await ann.send("/channels/new/slack", {
    ...slack,
    name: "plans",
    all_monitors: "yes",
    events: "maintenance",
  });
  expect(await counts()).toEqual([1, ["mail"]]);
  expect(await wordsOf(ann.get("/?unheard=yes"))).toContain("Notifies no one 1");
  await ann.send("/channels/new/slack", { ...slack, name: "mails", monitor_ids: "2" });
  expect(await counts()).toEqual([0, []]);
  expect(await wordsOf(ann.get("/"))).not.toContain("no one");
  await madeIn(scene, "news");
  expect(await counts()).toEqual([1, ["news"]]);
  await ann.send("/channels/new/slack", { ...slack, name: "all", all_monitors: "yes" });
  await madeIn(scene, "later");
  expect(await counts()).toEqual([0, []]);
  expect(await wordsOf(ann.get("/channels"))).not.toContain("no one");
});
