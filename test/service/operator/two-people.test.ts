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
    ["/incidents/7/comments/1/edit", "/incidents/7/comments/1/edit", "comment", "comment 1"],
    ["/locations/1/edit", "/locations/1/edit", "name", "name"],
    ["/maintenances/1/edit", "/maintenances/1/edit", "title", "title"],
    ["/monitors/1/edit", "/monitors/1/edit", "name", "name"],
    ["/reports/1", "/reports/1", "message", "update 4"],
    ["/reports/1/updates/1/edit", "/reports/1/updates/1/edit", "message", "update 1"],
    ["/settings/people/1", "/settings/people/1", "name", "name"],
    ["/settings/service", "/settings/service", "address", "value"],
    ["/settings/mail", "/settings/mail", "host", "host"],
    ["/status-pages/1", "/status-pages/1/settings", "title", "title"],
    ["/status-pages/1/access", "/status-pages/1/access", "auth_email_domains", "emailDomains"],
    ["/status-pages/1/look", "/status-pages/1/look", "icon", "icon"],
    ["/status-pages/1/look", "/status-pages/1/look", "custom_theme.light", "customTheme"],
    ["/status-pages/1/components/1", "/status-pages/1?edit=1", "name", "component 1"],
    ["/status-pages/1/groups/1", "/status-pages/1?edit=group-1", "name", "group 1"],
    ["/status-pages/1/templates/1/edit", "/status-pages/1/templates/1/edit", "name", "template 1"],
  ];

/** What makes something new is filled with first values; so is the silence among the acts on many. */
const makes =
  /^\/((monitors|channels|maintenances|status-pages\/\d+\/(reports|templates))\/new|monitors\/many$|\w+\/\d+\/silence$)/;

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
  await send("/incidents/7/comment", { comment: "The disk is full." });
  await send("/settings/service", { address: "https://picket.example.com" });
  await send("/settings/mail", { host: "mail.example.com", sender: "picket@example.com" });
  await send("/status-pages/1/templates/new", {
    name: "Slow",
    status: "investigating",
    message: "It is slow.",
  });
  // Domains are saved only with the access that asks for them.
  const access = { access_type: "email-domain", auth_email_domains: "acme.example" };
  await send("/status-pages/1/access", access);
});

const typedIn = (field: string, who: string): string =>
  field === "host"
    ? `${who}.example.com`
    : field === "address"
      ? `https://${who}.example.com`
      : field === "auth_email_domains"
        ? `${who}.example.com`
        : field === "icon"
          ? `https://${who}.example.com/icon.png`
          : field === "custom_theme.light"
            ? `--primary: #1177${who === "ann" ? "33" : "44"}`
            : `typed by ${who}`;

/** The same where people read it: a colour is called by what it is of. */
const shownIn = (field: string, who: string): string =>
  typedIn(field, who).replace(/^--primary: /, "");

/** What two people have of a form that both opened now. */
async function twoForms(action: string, page = action) {
  const shown = await text(page);
  return [sentForm(shown, action), sentForm(shown, action)] as const;
}

const saved = async (action: string, form: URLSearchParams): Promise<void> => {
  const { status, headers } = await scene.post(action, form);
  expect([status, headers.get("location") ?? ""]).toEqual([303, expect.any(String)]);
};

/** The page of a form that was overtaken. */
async function overtaken(action: string, form: URLSearchParams): Promise<string> {
  const { changes } = JSON.parse(await text("/changes.json"));
  const answer = await scene.post(action, form);
  const words = await answer.text();
  expect([answer.status, words]).toEqual([409, expect.stringContaining("was changed meanwhile")]);
  // What it would change was tried, and undone.
  expect(JSON.parse(await text("/changes.json")).changes[0]).toEqual(changes[0]);
  return words;
}

/** Another update of a report is no change of the first one: there is nothing to choose. */
const isAddition = (action: string): boolean => action === "/reports/1";

test.each(edits)(
  "a second person at %s sees what the first one changed, which is nothing else, and keeps what they typed",
  async (action, page, field, changed) => {
    const [ann, bob] = await twoForms(action, page);
    ann.set(field, typedIn(field, "ann"));
    bob.set(field, typedIn(field, "bob"));
    await saved(action, ann);
    const { changes } = JSON.parse(await text("/changes.json"));
    const fields = changes[0].fields.map((one: { readonly field: string }) => one.field);
    expect(fields.join()).toBe(changed);
    const words = await overtaken(action, bob);
    const seen = words.replaceAll(/<input type="hidden"[^>]*>/g, "");
    expect(seen).toContain(shownIn(field, "ann"));
    expect(seen).toContain(shownIn(field, "bob"));
    const main = isAddition(action) ? "Save both" : "Save with your choices";
    expect(words).toMatch(new RegExp(`<button type="submit" class="main">\\s*${main}`));
    const mine = sentForm(words, action);
    expect(mine.get(`keep:${field}`)).toBe(isAddition(action) ? null : "mine");
    if (words.includes("Go on editing")) {
      mine.set("edit", "yes");
      const again = await scene.post(action, mine);
      expect([again.status, await again.text()]).toEqual([
        200,
        expect.stringContaining(shownIn(field, "bob")),
      ]);
      mine.delete("edit");
    }
    await saved(action, mine);
    expect(await text(page)).toContain(shownIn(field, "bob"));
  },
);

test.each(edits.filter(([action]) => !isAddition(action)))(
  "a second person at %s who takes the other's version of a field saves that",
  async (action, page, field) => {
    const [ann, bob] = await twoForms(action, page);
    ann.set(field, typedIn(field, "ann"));
    bob.set(field, typedIn(field, "bob"));
    await saved(action, ann);
    const mine = sentForm(await overtaken(action, bob), action);
    mine.set(`keep:${field}`, "theirs");
    // Nothing else of it was changed, so nothing is saved.
    const before = await text("/changes.json");
    await saved(action, mine);
    expect(await text("/changes.json")).toBe(before);
    expect(await text(page)).toContain(shownIn(field, "ann"));
    expect(await text(page)).not.toContain(shownIn(field, "bob"));
  },
);

test("what two people changed in different fields is merged, and saved with one button", async () => {
  const action = "/monitors/1/edit";
  const [ann, bob] = await twoForms(action);
  ann.set("name", "typed by ann");
  ann.append("labels[1].key", "owner");
  ann.append("labels[1].value", "ann");
  bob.set("description", "typed by bob");
  bob.append("labels[1].key", "tier");
  bob.append("labels[1].value", "1");
  await saved(action, ann);
  const words = await overtaken(action, bob);
  expect(words).toContain("Both changes are kept");
  expect(words).toMatch(/<button type="submit" class="main">\s*Save both/);
  expect(words).not.toContain('type="radio"');
  // Without signing in, all are called alike.
  expect(words).toMatch(
    /Name<\/th>.*?typed by ann.*?a person on this machine, perhaps you in another tab/s,
  );
  expect(words).toMatch(
    /<strong>a person on this machine<\/strong>.*?, perhaps you in another tab\)/s,
  );
  expect(words).toMatch(/typed by bob<\/strong>.*?you<\/td>/s);
  expect((await text(action)).includes("typed by bob")).toBe(false);
  await saved(action, sentForm(words, action));
  const after = sentForm(await text(action), action);
  const kept = ["name", "description"].map((name) => after.get(name));
  expect(kept).toEqual(["typed by ann", "typed by bob"]);
  const labels = [...after].filter(([name]) => /^labels\[\d\]\.(key|value)$/.test(name));
  expect(labels.map(([, value]) => value)).toEqual(["team", "web", "owner", "ann", "tier", "1"]);
});

test("boxes that two people ticked and cleared are merged one by one", async () => {
  const action = "/locations/1/edit";
  const [ann, bob] = await twoForms(action);
  const [first = "", second = "", ...others] = ann.getAll("monitor_ids");
  const keep = (form: URLSearchParams, ids: readonly string[]): void => {
    form.delete("monitor_ids");
    for (const id of ids) form.append("monitor_ids", id);
  };
  keep(ann, [second, ...others]);
  keep(bob, [first, ...others]);
  await saved(action, ann);
  await saved(action, sentForm(await overtaken(action, bob), action));
  expect(
    sentForm(await text(action), action)
      .getAll("monitor_ids")
      .toSorted(),
  ).toEqual(others.toSorted());
});

test("three people in a row each see those before them, and the last one's page is merged again", async () => {
  const action = "/channels/1/edit";
  const shown = await text(action);
  const [ann, bob, cy] = [1, 2, 3].map(() => sentForm(shown, action));
  if (ann === undefined || bob === undefined || cy === undefined) throw new Error("no form");
  ann.set("name", "typed by ann");
  bob.set("delay", "7m");
  cy.set("reminder", "9h");
  await saved(action, ann);
  const ofCy = sentForm(await overtaken(action, cy), action);
  await saved(action, sentForm(await overtaken(action, bob), action));
  const again = await overtaken(action, ofCy);
  expect(again).toMatch(/Save both/);
  await saved(action, sentForm(again, action));
  const after = sentForm(await text(action), action);
  expect(["name", "delay", "reminder"].map((name) => after.get(name))).toEqual([
    "typed by ann",
    "7 min",
    "9 h",
  ]);
});

test("a secret that two people changed is a choice that shows neither, and theirs stays if it is taken", async () => {
  const action = "/channels/1/edit";
  const hook = (who: string): string => `https://hooks.slack.com/services/T0/B0/${who}`;
  const digest = async (): Promise<string> => {
    const { changes } = JSON.parse(await text("/changes.json"));
    return changes[0].fields[0].after;
  };
  const [ann, bob] = await twoForms(action);
  ann.set("webhook_url", hook("planted-ann"));
  bob.set("webhook_url", hook("planted-bob"));
  await saved(action, ann);
  const byAnn = await digest();
  const words = await overtaken(action, bob);
  const seen = words.replaceAll(/<input type="hidden"[^>]*>/g, "");
  expect(seen).not.toContain("planted");
  expect(words).not.toContain("planted-ann");
  expect(seen).toMatch(/typed, not shown.*the saved one, not shown/s);
  const mine = sentForm(words, action);
  mine.set("keep:webhook_url", "theirs");
  mine.set("name", "typed by bob");
  await saved(action, mine);
  expect(JSON.parse(await text("/changes.json")).changes[0].fields).toEqual([
    expect.objectContaining({ field: "name" }),
  ]);
  expect(await digest()).not.toBe(byAnn);
});

test("a secret that only one person changed stays, and no one is asked", async () => {
  const action = "/channels/1/edit";
  const [ann, bob] = await twoForms(action);
  ann.set("webhook_url", "https://hooks.slack.com/services/T0/B0/planted");
  bob.set("name", "typed by bob");
  await saved(action, ann);
  const words = await overtaken(action, bob);
  expect(words).not.toContain("planted");
  expect(words).not.toContain('type="radio"');
  await saved(action, sentForm(words, action));
  expect(JSON.parse(await text("/changes.json")).changes[0].fields).toEqual([
    expect.objectContaining({ field: "name" }),
  ]);
});

test("a form that would ask before it saves is compared like others, and asks when a person decides for it", async () => {
  const action = "/monitors/1/edit";
  const [ann, bob] = await twoForms(action);
  ann.set("name", "typed by ann");
  await saved(action, ann);
  bob.delete("locations");
  bob.set("description", "typed by bob");
  const words = await overtaken(action, bob);
  expect(words).not.toContain("cannot be saved as it is");
  expect(words).toContain("typed by bob");
  const asked = await scene.post(action, sentForm(words, action));
  const question = await asked.text();
  expect([asked.status, question]).toEqual([200, expect.stringContaining("Not saved yet.")]);
  await saved(action, sentForm(question, action));
  expect(await text(action)).toContain("typed by ann");
  expect(await text(action)).toContain("typed by bob");
});

test("a form that cannot be saved as it is comes back to be edited, with what the other saved", async () => {
  const action = "/monitors/1/edit";
  const [ann, bob] = await twoForms(action);
  ann.set("name", "typed by ann");
  await saved(action, ann);
  bob.set("url", "nowhere at all");
  const words = await overtaken(action, bob);
  expect(words).toContain("Your form cannot be saved as it is");
  expect(words).not.toContain("Save both");
  const mine = sentForm(words, action);
  mine.set("edit", "yes");
  const again = sentForm(await (await scene.post(action, mine)).text(), action);
  expect([again.get("name"), again.get("url")]).toEqual(["typed by ann", "nowhere at all"]);
});

test("a form with the version of another object is taken as if it had none", async () => {
  const [ann] = await twoForms("/monitors/1/edit");
  ann.set("name", "typed by ann");
  const basis = ann.get("basis") ?? "";
  await saved("/monitors/1/edit", ann);
  const [bob] = await twoForms("/channels/1/edit");
  bob.set("basis", basis);
  bob.set("name", "typed by bob");
  await saved("/channels/1/edit", bob);
  expect(await text("/channels/1/edit")).toContain("typed by bob");
});

test("names that a form does not have are dropped when two people's forms are merged", async () => {
  const action = "/monitors/1/edit";
  const [ann, bob] = await twoForms(action);
  ann.set("name", "typed by ann");
  bob.set("description", "typed by bob");
  for (let index = 0; index < 2_000; index += 1) bob.set(`planted${index}`, "");
  await saved(action, ann);
  const words = await overtaken(action, bob);
  expect(words).not.toContain("planted");
  expect(sentForm(words, action).get("description")).toBe("typed by bob");
});

test("a form that does not say what it showed has a choice for each field that differs", async () => {
  const action = "/monitors/1/edit";
  const [ann, bob] = await twoForms(action);
  ann.set("name", "typed by ann");
  bob.delete("shown");
  await saved(action, ann);
  const mine = sentForm(await overtaken(action, bob), action);
  expect([...mine.keys()].filter((name) => name.startsWith("keep:"))).toEqual(["keep:name"]);
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
