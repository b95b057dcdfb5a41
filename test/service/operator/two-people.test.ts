import { beforeEach, expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { forms, pages } from "#service/operator/page-routes";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { samplePath } from "../../support/sample-path.ts";
import { formsIn, sentForm } from "../../support/sent-form.ts";
import { formTokenIn } from "../../support/signed-in.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

/*
 * Two people at once: each form that shows what is saved, and would write over it, is compared with what it showed. The
 * list is made from the pages: a form that comes filled with more than its first values, and is not compared, fails.
 */

/** Each form that edits something, the page it is on, a field that a person types in, and what the log says changed. */
const edits: readonly (readonly [action: string, page: string, field: string, changed: string])[] =
  [
    ["/channels/1/edit", "/channels/1/edit", "name", "name"],
    ["/locations/1/edit", "/locations/1/edit", "name", "name"],
    ["/maintenances/1/edit", "/maintenances/1/edit", "title", "title"],
    ["/monitors/1/edit", "/monitors/1/edit", "name", "name"],
    ["/reports/1", "/reports/1", "message", "update 4"],
    ["/reports/1/updates/1/edit", "/reports/1/updates/1/edit", "message", "update 1"],
    ["/settings/people/1", "/settings/people/1", "name", "name"],
    ["/settings/service", "/settings/service", "address", "value"],
    ["/status-pages/1", "/status-pages/1/settings", "title", "title"],
    ["/status-pages/1/access", "/status-pages/1/access", "auth_email_domains", "emailDomains"],
    ["/status-pages/1/look", "/status-pages/1/look", "custom_theme.light", "customTheme"],
    ["/status-pages/1/components/1", "/status-pages/1?edit=1", "name", "component 1"],
    ["/status-pages/1/groups/1", "/status-pages/1?edit=group-1", "name", "group 1"],
  ];

/** What makes something new is filled with first values; so is the silence among the acts on many. */
const makes =
  /^\/((monitors|channels|maintenances|status-pages\/\d+\/reports)\/new|monitors\/many$|\w+\/\d+\/silence$)/;

let scene: OperatorScene;
const text = async (path: string): Promise<string> => (await scene.get(path)).text();

beforeEach(async () => {
  scene = await operatorScene();
  await generatedPage(scene.service);
  const form = formTokenIn(await text("/settings/people/new"));
  const send = (path: string, fields: Record<string, string>) =>
    scene.post(path, { form, ...fields });
  await send("/settings/people", { name: "Cy", email: "cy@acme.example", role: "reader" });
  await send("/settings/keys", { name: "ci", scope: "read", days: "" });
  await send("/settings/service", { address: "https://picket.example.com" });
});

const typedIn = (field: string, who: string): string =>
  field === "address"
    ? `https://${who}.example.com`
    : field === "auth_email_domains"
      ? `${who}.example.com`
      : field === "custom_theme.light"
        ? `--primary: #1177${who === "ann" ? "33" : "44"}`
        : `typed by ${who}`;

/** The same where people read it: a colour is called by what it is of. */
const shownIn = (field: string, who: string): string =>
  typedIn(field, who).replace(/^--primary: /, "");

test.each(edits)(
  "a second person at %s sees what the first one changed, which is nothing else, and keeps what they typed",
  async (action, page, field, changed) => {
    const [ann, bob] = [sentForm(await text(page), action), sentForm(await text(page), action)];
    ann.set(field, typedIn(field, "ann"));
    bob.set(field, typedIn(field, "bob"));
    const first = await scene.post(action, ann);
    expect([first.status, first.headers.get("location") ?? ""]).toEqual([303, expect.any(String)]);
    const { changes } = JSON.parse(await text("/changes.json"));
    const fields = changes[0].fields.map((one: { readonly field: string }) => one.field);
    expect(fields.join()).toBe(changed);
    const second = await scene.post(action, bob);
    const words = await second.text();
    expect(second.status).toBe(409);
    expect(words).toContain("was changed meanwhile");
    expect(words).toContain(shownIn(field, "ann"));
    expect(words).toContain(shownIn(field, "bob"));
    expect(words).toMatch(/class="button main"\s+href="[^"]+"\s*>Take theirs/);
    // What it would change was tried, and undone.
    expect(JSON.parse(await text("/changes.json")).changes[0]).toEqual(changes[0]);
    const mine = sentForm(words, action);
    if (words.includes("Go on editing")) {
      mine.set("edit", "yes");
      const again = await scene.post(action, mine);
      expect([again.status, await again.text()]).toEqual([
        200,
        expect.stringContaining(shownIn(field, "bob")),
      ]);
      mine.delete("edit");
    }
    expect((await scene.post(action, mine)).status).toBe(303);
  },
);

test("a form that would ask before it saves is compared like others, and asks when a person decides for it", async () => {
  const action = "/monitors/1/edit";
  const [ann, bob] = [sentForm(await text(action), action), sentForm(await text(action), action)];
  ann.set("name", "typed by ann");
  expect((await scene.post(action, ann)).status).toBe(303);
  bob.delete("locations");
  bob.set("name", "typed by bob");
  const second = await scene.post(action, bob);
  const words = await second.text();
  expect(second.status).toBe(409);
  expect(words).toContain(`<th scope="col">Mine</th>`);
  expect(words).not.toContain("cannot be saved as it is");
  expect(words).toContain("typed by bob");
  const asked = await scene.post(action, sentForm(words, action));
  const question = await asked.text();
  expect([asked.status, question]).toEqual([200, expect.stringContaining("Not saved yet.")]);
  expect((await scene.post(action, sentForm(question, action))).status).toBe(303);
  expect(await text("/monitors/1")).toContain("typed by bob");
});

test("every form that comes filled with what is saved is one of these, and has the version that it shows", async () => {
  const filled = new Set<string>();
  const unversioned: string[] = [];
  for (const { path } of pages) {
    const address = samplePath(path, "1");
    const answer = await scene.get(address);
    if (answer.status !== 200) continue;
    const page = await answer.text();
    for (const form of formsIn(page)) {
      const isForm = forms.some(({ path: known }) => known.test(form.action));
      if (!isForm || makes.test(form.action) || !hasSavedText(form.text)) continue;
      filled.add(form.action);
      if (!form.text.includes('name="basis"')) unversioned.push(`${form.action} at ${address}`);
    }
  }
  const known = new Set(edits.map(([action]) => action));
  const others = [...filled].map((one) => one.replaceAll(/\d+/g, "1"));
  expect(others.filter((one) => !known.has(one))).toEqual([]);
  expect(unversioned).toEqual([]);
});

/** A text that a person sees in a field before they type. */
const hasSavedText = (form: string): boolean =>
  [...form.matchAll(/<input\b([^>]*)>/g)].some(
    ([, words = ""]) =>
      !/type="(hidden|checkbox|radio|search|submit)"/.test(words) && /value="[^"]+"/.test(words),
  ) || /<textarea[^>]*>[^<\s]/.test(form);

test("a monitor that a location got meanwhile stays with it, and no one is asked about it", async () => {
  const action = "/locations/1/edit";
  const ann = sentForm(await text(action), action);
  const before = ann.getAll("monitor_ids");
  const { id } = await scene.service.admin.createMonitor(
    { ...httpDefaults, name: "new", url: "https://new.test/", periodicity: "30s", active: true },
    "management",
  );
  const bob = sentForm(await text(action), action);
  bob.append("monitor_ids", id);
  expect((await scene.post(action, bob)).status).toBe(303);
  ann.set("name", "typed by ann");
  ann.delete("monitor_ids");
  for (const one of before.slice(1)) ann.append("monitor_ids", one);
  expect((await scene.post(action, ann)).status).toBe(303);
  const shown = await text(action);
  const after = sentForm(shown, action);
  expect([after.get("name"), after.getAll("monitor_ids").toSorted()]).toEqual([
    "typed by ann",
    [...before.slice(1), id].toSorted(),
  ]);
});

test("a monitor that a location got and that was deleted again is not missed by a form that never showed it", async () => {
  const action = "/locations/1/edit";
  const ann = sentForm(await text(action), action);
  const before = ann.getAll("monitor_ids");
  const made = async (name: string): Promise<string> => {
    const { id } = await scene.service.admin.createMonitor(
      { ...httpDefaults, name, url: "https://new.test/", periodicity: "30s", active: true },
      "management",
    );
    const bob = sentForm(await text(action), action);
    bob.append("monitor_ids", id);
    expect((await scene.post(action, bob)).status).toBe(303);
    return id;
  };
  const [gone, kept] = [await made("gone"), await made("kept")];
  const form = ann.get("form") ?? "";
  expect((await scene.post(`/monitors/${gone}/delete`, { form })).status).toBe(303);
  ann.set("name", "typed after it was deleted");
  expect((await scene.post(action, ann)).status).toBe(303);
  const after = sentForm(await text(action), action);
  expect([after.get("name"), after.getAll("monitor_ids").toSorted()]).toEqual([
    "typed after it was deleted",
    [...before, kept].toSorted(),
  ]);
});
