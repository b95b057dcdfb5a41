import { expect, test } from "vitest";
import { epochMillis } from "#base/units";
import { namedActs, verbAndName } from "#service/operator/monitors/named-acts";
import type { KnownReader } from "#service/operator/page-request";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const reader: KnownReader = { kind: "local", formToken: "t", timeZone: "" };
const signedIn = { kind: "signed in", name: "", timeZone: "", who: "", session: "" } as const;
const shop = { id: 7, name: "Shop", status: "active", owner: "", incident: null } as const;
const wordsOf = (...asked: Parameters<typeof namedActs>): readonly string[] =>
  namedActs(...asked).map(({ words }) => words);

test("a text is a verb, also its first letters, and a name", () => {
  expect(verbAndName("pause Shop 2")).toEqual({ verbs: ["pause"], name: "Shop 2" });
  expect(verbAndName("CHECK shop now")).toEqual({ verbs: ["check"], name: "shop" });
  expect(verbAndName("res shop")).toEqual({ verbs: ["resume"], name: "shop" });
  expect(verbAndName("mute shop")).toEqual({ verbs: ["silence"], name: "shop" });
  for (const text of ["pause", "p shop", "shop pause", ""]) expect(verbAndName(text)).toBeNull();
});

test("a monitor's acts are those that its reader may do, while they can be done", () => {
  const all = [
    "Check Shop now",
    "Silence Shop for 1 hour",
    "Edit Shop",
    "Pause Shop",
    "Copy Shop",
    "Plan maintenance of Shop",
    "Delete Shop",
  ];
  expect(wordsOf(shop, reader)).toEqual(all);
  expect(wordsOf({ ...shop, status: "inactive" }, reader, ["check", "pause", "resume"])).toEqual([
    "Resume Shop",
  ]);
  expect(wordsOf({ ...shop, owner: "files" }, reader)).toEqual([
    "Check Shop now",
    "Silence Shop for 1 hour",
    "Copy Shop",
    "Plan maintenance of Shop",
  ]);
  const responder = { ...signedIn, role: "responder", formToken: "t" } as const;
  const incident = {
    number: 3,
    cause: "",
    since: epochMillis(0),
    acknowledged: false,
    flapping: null,
  };
  expect(namedActs({ ...shop, incident }, responder)).toEqual([
    { words: "Acknowledge Shop", path: "/incidents/3/acknowledge", isSent: true, fields: {} },
    { words: "Check Shop now", path: "/monitors/7/check", isSent: true, fields: {} },
    {
      words: "Silence Shop for 1 hour",
      path: "/monitors/7/silence",
      isSent: true,
      fields: { length: "1h" },
    },
  ]);
  expect(wordsOf(shop, { ...responder, role: "reader" })).toEqual([]);
});

test("the box finds a monitor with the acts of the first one, and by a verb the acts of each", async () => {
  const { get } = await operatorScene();
  const found = async (text: string) =>
    JSON.parse(await (await get(`/jump.json?${new URLSearchParams({ text }).toString()}`)).text());
  const { monitors, acts } = await found("billing");
  expect(monitors.map(({ name }: { name: string }) => name)).toEqual(["Billing API"]);
  expect(acts.map(({ words }: { words: string }) => words)).toContain("Pause Billing API");
  const paused = await found("pause billing");
  expect(paused.monitors).toEqual([]);
  expect(paused.acts).toEqual([
    {
      words: "Pause Billing API",
      note: "Monitor",
      path: "/monitors/2/pause",
      is_sent: true,
      fields: {},
    },
  ]);
});

test("the box finds locations, channels, status pages and settings by their names and by what people call them", async () => {
  const { get, service } = await operatorScene();
  await generatedPage(service);
  const found = async (text: string): Promise<readonly unknown[]> =>
    JSON.parse(await (await get(`/jump.json?${new URLSearchParams({ text }).toString()}`)).text())
      .places;
  expect(await found("ware")).toEqual([
    { words: "Warehouse", note: "Location", path: "/locations/2" },
  ]);
  expect(await found("operations")).toEqual([
    { words: "Operations", note: "Channel", path: "/channels/1" },
  ]);
  expect((await found("ACME")).slice(0, 1)).toEqual([
    { words: "Acme", note: "Status page", path: "/status-pages/1" },
  ]);
  expect(await found("audit")).toEqual([
    { words: "Audit log", note: "Settings", path: "/changes" },
  ]);
  expect(await found("new user")).toEqual([
    { words: "Invite a person", note: "Settings", path: "/settings/people/new" },
  ]);
});

test("the box leads a reader to none of an owner's settings", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0 });
  const { text } = await byKey(here, "read");
  const { places } = JSON.parse(await text("/jump.json?text=key"));
  expect(places).toEqual([{ words: "Passkeys", note: "Settings", path: "/settings/passkeys" }]);
});
