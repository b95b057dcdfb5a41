import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { byAccount, type SignedIn } from "../../../support/signed-in.ts";

const plain = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function signedInScene() {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byAccount(scene, "ann@example.com", "owner");
  const bob = await byAccount(scene, "bob@example.com", "editor");
  return { scene, ann, bob };
}

/** Opens a form, changes fields of it, saves it, and gives the page where that leads. */
async function saved(
  scene: OperatorScene,
  { cookie, get }: SignedIn,
  action: string,
  fields: Readonly<Record<string, string | null>>,
) {
  const form = sentForm(await (await get(action)).text(), action);
  for (const [name, value] of Object.entries(fields))
    if (value === null) form.delete(name);
    else form.set(name, value);
  const first = await scene.post(action, form, { cookie });
  // It asks first before it takes a monitor from every location.
  const isAsked = first.status === 200;
  const again = isAsked ? sentForm(await first.text(), action) : form;
  const answer = isAsked ? await scene.post(action, again, { cookie }) : first;
  const led = answer.headers.get("location") ?? "";
  expect([answer.status, led]).toEqual([303, expect.stringContaining("?notice=saved")]);
  return (await get(led)).text();
}

/** Presses Undo of a page. */
async function undone(scene: OperatorScene, { cookie, get }: SignedIn, page: string) {
  const form = sentForm(page, "/undo/edit");
  const answer = await scene.post("/undo/edit", form, { cookie });
  const led = answer.headers.get("location") ?? "";
  return { led, words: plain(await (await get(led)).text()) };
}

const nameAt = async ({ get }: SignedIn, action: string): Promise<string | null> =>
  sentForm(await (await get(action)).text(), action).get("name");

const editOf = "/monitors/1/edit";

test("a saved change of a monitor can be undone, and the audit log says that it was", async () => {
  const { scene, ann } = await signedInScene();
  const before = await nameAt(ann, editOf);
  const page = await saved(scene, ann, editOf, { name: "Shop of Ann", timeout: "7 s" });
  expect(plain(page)).toMatch(/Saved\. Its agents .* You can undo this until \d\d:\d\d/);
  expect(await nameAt(ann, editOf)).toBe("Shop of Ann");
  const { led, words } = await undone(scene, ann, page);
  expect(led).toBe("/monitors/1?notice=edit-undone");
  expect(words).toContain("Undone: the monitor is as it was before your change.");
  expect(await nameAt(ann, editOf)).toBe(before);
  expect(plain(await ann.text("/changes"))).toContain("ann undid a change of monitor");
  // A second press finds that it was undone.
  expect((await undone(scene, ann, page)).words).toContain("It can no longer be undone");
});

test("an undo gives a monitor its locations and channels back, and what others assigned since stays", async () => {
  const { scene, ann, bob } = await signedInScene();
  const form = async () => sentForm(await (await ann.get(editOf)).text(), editOf);
  const before = await form();
  expect(before.getAll("locations").length).toBeGreaterThan(0);
  const page = await saved(scene, ann, editOf, { locations: null });
  expect((await form()).getAll("locations")).toEqual([]);
  const made = await bob.send("/locations/new", { name: "Cellar", monitor_ids: "1", known: "" });
  expect(made.status).toBe(303);
  const [cellar = ""] = (await form()).getAll("locations");
  expect((await undone(scene, ann, page)).words).toContain("Undone: the monitor");
  const after = await form();
  expect(after.getAll("locations").toSorted()).toEqual(
    [...before.getAll("locations"), cellar].toSorted(),
  );
  expect(after.getAll("notifications")).toEqual(before.getAll("notifications"));
});

test("an undo of what someone else changed since is refused, and their change stays", async () => {
  const { scene, ann, bob } = await signedInScene();
  const page = await saved(scene, ann, editOf, { name: "Shop of Ann" });
  await saved(scene, bob, editOf, { name: "Shop of Bob" });
  const { words } = await undone(scene, ann, page);
  expect(words).toContain("Nothing is undone: the monitor was changed again after you saved it.");
  expect(await nameAt(ann, editOf)).toBe("Shop of Bob");
});

test("an undo is for whoever saved the change, and only for ten minutes", async () => {
  const { scene, ann, bob } = await signedInScene();
  const page = await saved(scene, ann, editOf, { name: "Shop of Ann" });
  const word = sentForm(page, "/undo/edit").get("undo") ?? "";
  const other = await bob.send("/undo/edit", { undo: word, back: "/monitors/1" });
  expect(other.headers.get("location")).toBe("/monitors/1?notice=edit-late");
  expect(await bob.text(`/monitors/1?notice=saved&undo=${word}`)).not.toContain("/undo/edit");
  await scene.clock.advance(10 * 60_000);
  expect((await undone(scene, ann, page)).words).toContain("It can no longer be undone");
  expect(await nameAt(ann, editOf)).toBe("Shop of Ann");
});

test("a secret that a save replaced comes back with the undo, and is on no page and plain in no file", async () => {
  const { scene, ann } = await signedInScene();
  const [first, second] = ["planted-first-7261", "planted-second-9135"];
  const header = (value: string) => ({ "headers[0].key": "x-key", "headers[0].value": value });
  await saved(scene, ann, editOf, header(first));
  const page = await saved(scene, ann, editOf, header(second));
  expect(page).not.toContain("planted-");
  using file = new DatabaseSync(scene.database, { readOnly: true });
  const kept = file.prepare("SELECT sealed FROM kept_forms").all();
  expect(kept.length).toBeGreaterThan(0);
  expect(JSON.stringify(kept)).not.toContain("planted-");
  const definition = (): string =>
    JSON.stringify(file.prepare("SELECT definition FROM monitors WHERE id = 1").get());
  const { words } = await undone(scene, ann, page);
  expect(words).not.toContain("planted-");
  expect(definition()).toContain(first);
  expect(definition()).not.toContain(second);
});

const channelOf = "/channels/1/edit";

test("a saved change of a channel can be undone: its address comes back, and is on no page", async () => {
  const { scene, ann } = await signedInScene();
  const hook = (word: string) => `https://hooks.example.com/${word}`;
  const create = "/channels/new/webhook";
  const form = sentForm(await (await ann.get(create)).text(), create);
  form.set("name", "Hook");
  form.set("endpoint", hook("planted-first-5520"));
  const made = await scene.post(create, form, { cookie: ann.cookie });
  const [, id = ""] = /\/channels\/(\d+)/.exec(made.headers.get("location") ?? "") ?? [];
  expect([made.status, id]).toEqual([303, expect.stringMatching(/^\d+$/)]);
  const edit = `/channels/${id}/edit`;
  using file = new DatabaseSync(scene.database, { readOnly: true });
  const print = () => {
    const row = file.prepare("SELECT * FROM channels WHERE id = ?").get(Number(id));
    return [row?.["name"], row?.["fingerprint"], JSON.parse(String(row?.["rules"]))];
  };
  const before = print();
  const page = await saved(scene, ann, edit, {
    name: "Other",
    endpoint: hook("planted-next-1187"),
  });
  expect(plain(page)).toMatch(/Saved\. You can undo this until \d\d:\d\d/);
  expect(page).not.toContain("planted-");
  expect(print()).not.toEqual(before);
  const { led, words } = await undone(scene, ann, page);
  expect(led).toBe(`/channels/${id}?notice=edit-undone`);
  expect(words).toContain("Undone: the channel is as it was before your change.");
  expect(print()).toEqual(before);
});

test("an undo of a channel that someone else changed since is refused", async () => {
  const { scene, ann, bob } = await signedInScene();
  const page = await saved(scene, ann, channelOf, { name: "Ops of Ann" });
  await saved(scene, bob, channelOf, { name: "Ops of Bob" });
  const { words } = await undone(scene, ann, page);
  expect(words).toContain("Nothing is undone: the channel was changed again after you saved it.");
  expect(await nameAt(ann, channelOf)).toBe("Ops of Bob");
});

test("a saved change of a location can be undone: its name and its monitors come back", async () => {
  const { scene, ann, bob } = await signedInScene();
  const edit = "/locations/1/edit";
  const form = async () => sentForm(await (await ann.get(edit)).text(), edit);
  const before = await form();
  expect(before.getAll("monitor_ids").length).toBeGreaterThan(1);
  const page = await saved(scene, ann, edit, { name: "Head office", monitor_ids: "2" });
  expect(plain(page)).toMatch(/Saved\. You can undo this until \d\d:\d\d/);
  expect((await form()).getAll("monitor_ids")).toEqual(["2"]);
  const { led, words } = await undone(scene, ann, page);
  expect(led).toBe("/locations/1?notice=edit-undone");
  expect(words).toContain("Undone: the location is as it was before your change.");
  const after = await form();
  expect(after.get("name")).toBe(before.get("name"));
  expect(after.getAll("monitor_ids")).toEqual(before.getAll("monitor_ids"));
  const again = await saved(scene, ann, edit, { name: "Head office" });
  await saved(scene, bob, edit, { name: "Annex" });
  expect((await undone(scene, ann, again)).words).toContain(
    "Nothing is undone: the location was changed again",
  );
});

test("a save that changes nothing offers no undo", async () => {
  const { scene, ann } = await signedInScene();
  const page = await saved(scene, ann, editOf, {});
  expect(page).toContain("Saved.");
  expect(page).not.toContain("/undo/edit");
});
