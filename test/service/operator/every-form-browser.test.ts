import type { Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished, test } from "vitest";
import { minutes } from "#base/units";
import { silentLogger } from "#base/log";
import { forms, pages } from "#service/operator/page-routes";
import { startService } from "#service/server";
import { follow, openAll } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { inParts } from "../../support/in-parts.ts";
import { goneAtOnce } from "../../support/gone-at-once.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { samplePath } from "../../support/sample-path.ts";
import { sendingNowhere } from "../../support/sending-nowhere.ts";
import { formsIn } from "../../support/sent-form.ts";
import { byAccount, formTokenIn, password } from "../../support/signed-in.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

/*
 * What a person has typed into each form when, meanwhile, their session ends, the service restarts, or the thing is
 * deleted in another tab: in a browser. The table is made from the routes: a form that a person types in, and that has
 * no row, fails. What the service says to every form, without a browser, is in every-form.test.ts.
 */

const browser = fileBrowser();
const { isThere } = browser;
const email = "ann@example.com";

/** A form that a person types in. */
interface TypedForm {
  /** Boxes that are ticked as it opens, and are not to be. */
  readonly unticked?: readonly string[];
  /** The page that it is on. */
  readonly at: string;
  /** Which card is picked before. */
  readonly picked?: string;
  /** What is typed, by the names of its fields. The first is what is looked for. */
  readonly typed: Readonly<Record<string, string>>;
  /** The button that sends it. */
  readonly button: string;
  /** Where what was saved is read; null: the page that the form leads to has it in a field. */
  readonly savedAt: string | null;
  /** What becomes of it if the thing is deleted in another tab; none of a form that makes something new. */
  readonly deleted?: Deletion;
}

interface Deletion {
  /** The form that deletes it. */
  readonly by: string;
  /** What a person reads, and what they press then. */
  readonly steps: readonly (readonly [heading: string, next: string])[];
  /** Whether what was typed is saved after them. */
  readonly isSaved: boolean;
}

const restorable = (what: string, by: string): Deletion => ({
  by,
  steps: [[`This ${what} was deleted`, "Restore it, and send my form"]],
  isSaved: true,
});

/** The same of a part. */
const removable = (what: string, by: string): Deletion => ({
  by,
  steps: [[`This ${what} was removed`, `Restore the ${what}, and send my form`]],
  isSaved: true,
});

/** By the address that it is sent to. */
const typedForms: Readonly<Record<string, TypedForm>> = {
  "/monitors/new": {
    at: "/monitors/new",
    typed: { name: "Typed monitor", url: "https://typed.test/", description: "A line\nand one" },
    // Else it would change the location and the channels that other tabs edit.
    unticked: ["locations", "notifications", "active"],
    button: "Create monitor",
    savedAt: "/overview.json",
  },
  "/monitors/1/edit": {
    at: "/monitors/1/edit",
    typed: { name: "Typed shop", "alerting.objective": "99.5% over 30d" },
    button: "Save",
    savedAt: "/overview.json",
    deleted: restorable("monitor", "/monitors/1/delete"),
  },
  "/monitors/1/silence": {
    at: "/monitors/1",
    typed: { reason: "Typed reason" },
    button: "Silence",
    savedAt: "/maintenances",
    deleted: restorable("monitor", "/monitors/1/delete"),
  },
  "/incidents/7/comment": {
    at: "/incidents/7",
    typed: { comment: "Typed comment" },
    button: "Comment",
    savedAt: "/incidents/7.json",
  },
  "/incidents/5/comments/1/edit": {
    at: "/incidents/5/comments/1/edit",
    typed: { comment: "Typed correction of a comment" },
    button: "Save",
    savedAt: "/incidents/5.json",
  },
  "/incidents/7/silence": {
    at: "/incidents/7",
    typed: { reason: "Typed trouble" },
    button: "Silence",
    savedAt: "/maintenances",
  },
  "/locations/new": {
    at: "/locations/new",
    typed: { name: "Typed location" },
    button: "Create location",
    savedAt: "/locations.json",
  },
  "/locations/1/edit": {
    at: "/locations/1/edit",
    typed: { name: "Typed office", "metadata[0].value": "typed floor" },
    button: "Save",
    savedAt: "/locations.json",
    deleted: restorable("location", "/locations/1/delete"),
  },
  "/channels/new": {
    at: "/channels/new",
    typed: { url: "https://hooks.slack.com/services/T0/B0/typed" },
    button: "Next",
    savedAt: null,
  },
  "/channels/new/webhook": {
    at: "/channels/new/webhook",
    typed: { name: "Typed channel", endpoint: "https://hook.test/typed" },
    button: "Create channel",
    savedAt: "/channels.json",
  },
  "/channels/1/edit": {
    at: "/channels/1/edit",
    typed: { name: "Typed operations" },
    button: "Save",
    savedAt: "/channels.json",
    deleted: restorable("channel", "/channels/1/delete"),
  },
  "/maintenances/new": {
    at: "/maintenances/new?monitor=2",
    typed: {
      title: "Typed work",
      message: "Typed and long",
      from: "2026-12-01T22:00",
      to: "2026-12-01T23:00",
    },
    button: "Schedule maintenance",
    savedAt: "/maintenances.json",
  },
  "/maintenances/1/edit": {
    at: "/maintenances/1/edit",
    typed: { title: "Typed upgrade", to: "2026-11-30T01:15" },
    button: "Save",
    savedAt: "/maintenances.json",
    deleted: restorable("maintenance", "/maintenances/1/delete"),
  },
  "/maintenances/1/updates": {
    at: "/maintenances/1/updates",
    typed: { message: "Typed delay" },
    button: "Publish the update",
    savedAt: "/maintenances/1/updates",
    deleted: restorable("maintenance", "/maintenances/1/delete"),
  },
  "/settings/service": {
    at: "/settings/service",
    typed: { address: "https://typed.example.com" },
    button: "Save",
    savedAt: "/settings/service",
  },
  "/settings/mail": {
    at: "/settings/mail",
    typed: { host: "typed.example.com", sender: "picket@typed.example" },
    button: "Save",
    savedAt: "/settings/mail",
  },
  "/status-pages": {
    at: "/status-pages/new",
    typed: { title: "Typed page", slug: "typed" },
    button: "Create status page",
    savedAt: "/status-pages.json",
  },
  "/status-pages/1": {
    at: "/status-pages/1/settings",
    typed: { title: "Typed Acme", contact_url: "https://typed.example/" },
    button: "Save the page",
    savedAt: "/status-pages.json",
    deleted: restorable("status page", "/status-pages/1/delete"),
  },
  "/status-pages/4/access": {
    at: "/status-pages/4/access",
    picked: "networks",
    typed: { allowed_ip_ranges: "198.51.100.7" },
    button: "Save the access",
    savedAt: "/status-pages/4/access",
    deleted: restorable("status page", "/status-pages/4/delete"),
  },
  "/status-pages/3/look": {
    at: "/status-pages/3/look",
    typed: {
      icon: "https://typed.example/icon.png",
      "custom_theme.light": "--chart-1: #117733",
    },
    button: "Save the look",
    savedAt: "/status-pages/3/look",
    deleted: restorable("status page", "/status-pages/3/delete"),
  },
  "/status-pages/1/parts": {
    at: "/status-pages/1?add=parts",
    typed: { name: "Typed desk" },
    button: "Add component",
    savedAt: "/status-pages/1.json",
    deleted: restorable("status page", "/status-pages/1/delete"),
  },
  "/status-pages/1/groups": {
    at: "/status-pages/1?add=groups",
    typed: { name: "Typed group" },
    button: "Add group",
    savedAt: "/status-pages/1.json",
    deleted: restorable("status page", "/status-pages/1/delete"),
  },
  "/status-pages/2/components/7": {
    at: "/status-pages/2?edit=7",
    typed: { name: "Typed support", description: "Typed hours" },
    button: "Save",
    savedAt: "/status-pages/2.json",
    deleted: removable("component", "/status-pages/2/components/7/remove"),
  },
  "/status-pages/5/groups/3": {
    at: "/status-pages/5?edit=group-3",
    typed: { name: "Typed payments" },
    button: "Save",
    savedAt: "/status-pages/5.json",
    deleted: removable("group", "/status-pages/5/groups/3/remove"),
  },
  "/status-pages/1/reports/new": {
    at: "/status-pages/1/reports/new",
    typed: { title: "Typed report", message: "Typed words" },
    button: "Publish the report",
    savedAt: "/status-pages/1.json",
    deleted: restorable("status page", "/status-pages/1/delete"),
  },
  "/status-pages/2/templates/new": {
    at: "/status-pages/2/templates/new?for=maintenance",
    typed: { name: "Typed template", message: "Typed for later" },
    button: "Save the template",
    savedAt: "/status-pages/2.json",
    deleted: restorable("status page", "/status-pages/2/delete"),
  },
  "/status-pages/6/templates/1/edit": {
    at: "/status-pages/6/templates/1/edit",
    typed: { name: "Typed delay" },
    button: "Save the template",
    savedAt: "/status-pages/6.json",
    deleted: removable("template", "/status-pages/6/templates/1/remove"),
  },
  "/status-pages/1/subscribers": {
    at: "/status-pages/1/subscribers",
    typed: { name: "Typed wall", webhook_url: "https://wall.test/typed" },
    button: "Add subscriber",
    savedAt: "/status-pages/1/subscribers.json",
    deleted: restorable("status page", "/status-pages/1/delete"),
  },
  "/reports/2": {
    at: "/reports/2",
    typed: { message: "Typed news" },
    button: "Publish the update",
    savedAt: "/reports/2.json",
    deleted: restorable("report", "/reports/2/delete"),
  },
  "/reports/1/updates/1/edit": {
    at: "/reports/1/updates/1/edit",
    typed: { message: "Typed correction" },
    button: "Save",
    savedAt: "/reports/1.json",
    deleted: removable("update", "/reports/1/updates/1/remove"),
  },
  "/settings/people": {
    at: "/settings/people/new",
    typed: { name: "Typed Cy", email: "cy@typed.example" },
    button: "Invite",
    savedAt: "/settings/people",
  },
  "/settings/people/2": {
    at: "/settings/people/2",
    typed: { name: "Typed Bob" },
    button: "Save",
    savedAt: "/settings/people",
    deleted: {
      by: "/settings/people/2/delete",
      steps: [["This person was deleted", "Start again"]],
      isSaved: false,
    },
  },
  "/settings/keys": {
    at: "/settings/keys/new",
    typed: { name: "typed-key" },
    button: "Create key",
    savedAt: "/settings/keys",
  },
};

/** Typed again in a moment, or a secret that is on no page. */
const brief = {
  "/monitors/many": "a label, next to the monitors that are selected",
  "/monitors/many/silence": "a reason, next to the monitors that are selected",
  "/settings/profile": "a name, which only a person with an account has, and two choices",
  "/settings/password": "a secret",
  "/settings/factor": "a code of half a minute",
  "/status-pages/1/subscribers/1/edit":
    "a name and ticks of a subscriber, whom no page of these tests has",
} as const;

/** What is no more than a press of a button, or a choice: nothing is typed. */
const presses: readonly string[] = [
  "/channels/1/delete",
  "/channels/1/secret",
  "/channels/1/test",
  "/incidents/1/acknowledge",
  "/incidents/1/comments/1/delete",
  "/incidents/1/take-back",
  "/incidents/acknowledge",
  "/incidents/acknowledge/undo",
  "/incidents/comments/undo",
  "/locations/1/agents/remove",
  "/locations/1/delete",
  "/locations/1/token",
  "/locations/1/token/revoke",
  "/maintenances/1/begin",
  "/maintenances/1/begin/undo",
  "/maintenances/1/delete",
  "/maintenances/1/end",
  "/maintenances/1/end/undo",
  "/maintenances/1/extend",
  "/maintenances/1/skip",
  "/maintenances/1/updates/1/remove",
  "/monitors/1/check",
  "/monitors/1/delete",
  "/monitors/1/pause",
  "/monitors/1/resume",
  "/monitors/many/acknowledge",
  "/monitors/many/undo",
  "/reports/1/delete",
  "/reports/1/updates/1/remove",
  "/settings/factor/remove",
  "/settings/keys/1/revoke",
  "/settings/list-view",
  "/settings/mail/delete",
  "/settings/passkeys",
  "/settings/passkeys/1/remove",
  "/settings/passkeys/confirm",
  "/settings/people/1/delete",
  "/settings/people/1/factor/remove",
  "/settings/people/1/link",
  "/settings/people/1/passkeys/1/remove",
  "/settings/people/1/sessions/end",
  "/settings/sessions/1/end",
  "/settings/sessions/end-others",
  "/silences/1/end",
  "/silences/1/extend",
  "/silences/undo",
  "/status-pages/1/components/1/move",
  "/status-pages/1/components/1/remove",
  "/status-pages/1/delete",
  "/status-pages/1/groups/1/move",
  "/status-pages/1/groups/1/remove",
  "/status-pages/1/monitors",
  "/status-pages/1/publish",
  "/status-pages/1/subscribers/1/remove",
  "/status-pages/1/subscribers/1/resume",
  "/status-pages/1/subscribers/1/test",
  "/status-pages/1/templates/1/remove",
  "/status-pages/1/withdraw",
  "/undo",
  "/undo/close",
  "/undo/edit",
];

/** Every object as the first of its kind, and every provider of channels as the first. */
const general = (action: string): string =>
  action.replace(/^\/channels\/new\/\w+$/, "/channels/new/discord").replaceAll(/\d+/g, "1");
const rows = new Set([...Object.keys(typedForms), ...Object.keys(brief)].map(general));

/** Pages with something of each kind, and two people. */
async function sceneFor(access: "signed in" | "local"): Promise<OperatorScene> {
  const scene = await operatorScene({ pages: access });
  await generatedPage(scene.service);
  if (access === "signed in") {
    const ann = await byAccount(scene, email, "owner");
    await byAccount(scene, "bob@example.com", "reader");
    for (const [path, fields] of morePages) await ann.send(path, fields);
    return scene;
  }
  for (const [name, role] of [
    ["Ann", "owner"],
    ["Bob", "reader"],
  ] as const)
    await press(scene, "/settings/people", { name, email: `${name}@example.com`, role });
  for (const [path, fields] of morePages) await press(scene, path, fields);
  return scene;
}

/** A page whose look is edited while the other two are: each form saves over no other one. */
/** Two forms that are open at once edit no page together. */
const morePages = [
  // Subscribers need it.
  ["/settings/service", { address: "https://picket.example.com" }],
  ["/incidents/5/comment", { comment: "A first comment" }],
  ["/status-pages", { title: "Third", slug: "third" }],
  ["/status-pages", { title: "Fourth", slug: "fourth" }],
  ["/status-pages", { title: "Fifth", slug: "fifth" }],
  ["/status-pages", { title: "Sixth", slug: "sixth" }],
  ["/status-pages/5/groups", { name: "Payments" }],
  ["/status-pages/6/templates/new", { for: "maintenance", name: "Delay", message: "Later." }],
] as const;

/** Sends a form, where no one signs in. */
async function press(scene: OperatorScene, to: string, fields = {}): Promise<number> {
  const form = formTokenIn(await (await scene.get("/settings/people/new")).text());
  return (await scene.post(to, { form, ...fields })).status;
}

test("each form of the routes has a row in the table, or is a press of a button", () => {
  const all = forms.map(({ path }) => samplePath(path, "1"));
  expect(all.toSorted()).toEqual([...rows, ...presses].toSorted());
});

test("each form of the pages that a person types in has a row in the table", async () => {
  const scene = await sceneFor("local");
  const typedIn = new Set<string>();
  for (const { path } of pages)
    for (const id of ["1", "2", "7"]) {
      const answer = await scene.get(samplePath(path, id));
      const page = await answer.text();
      for (const { action, text } of formsIn(page)) if (hasText(text)) typedIn.add(general(action));
    }
  expect([...typedIn].filter((action) => !rows.has(action))).toEqual([]);
  expect(typedIn.size).toBeGreaterThan(20);
});

/** Whether a person may type in a form. */
const hasText = (form: string): boolean =>
  form.includes("<textarea") ||
  [...form.matchAll(/<input\b([^>]*)>/g)].some(
    ([, words = ""]) => !/type="(hidden|checkbox|radio|search|submit)"/.test(words),
  );

async function signIn(page: Page): Promise<void> {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await follow(page.getByRole("button", { name: "Sign in" }).first());
}

/** What is typed in the table above and may be a secret: it is said to be typed, and not shown. */
const secretsTyped: Readonly<Record<string, readonly string[]>> = {
  "/channels/new": ["https://hooks.slack.com/services/T0/B0/typed"],
  "/channels/new/webhook": ["https://hook.test/typed"],
  "/status-pages/1/subscribers": ["https://wall.test/typed"],
};

/** A moment is read with a space in it. */
const isMissingIn =
  (list: string) =>
  (value: string): boolean =>
    !list.includes(value) && !list.includes(value.replace("T", " "));

const formOf = (page: Page, action: string): Locator =>
  page.locator(`form[action="${action}"]`).first();

/** Opens the page and types; nothing is sent. */
async function type(
  page: Page,
  url: string,
  [action, { at, picked, unticked = [], typed }]: Row,
): Promise<void> {
  await page.goto(`${url}${at}`);
  await openAll(page);
  if (picked !== undefined) await formOf(page, action).getByRole("radio", { name: picked }).check();
  for (const name of unticked)
    for (const box of await formOf(page, action).locator(`[name="${name}"]`).all())
      await box.uncheck();
  for (const [name, value] of Object.entries(typed))
    await formOf(page, action).locator(`[name="${name}"]:visible`).fill(value);
}

async function send(page: Page, [action, { button }]: Row): Promise<void> {
  const all = formOf(page, action).getByRole("button", { name: button, exact: true });
  await follow(all.last());
}

type Row = readonly [action: string, form: TypedForm];

/** Whether what was typed is saved, or what the page says instead. */
async function savedBy(page: Page, url: string, [, { savedAt, typed }]: Row): Promise<string> {
  const [wanted = ""] = Object.values(typed);
  const values = (): Promise<readonly unknown[]> =>
    page.locator("main input").evaluateAll((all) => all.map((one) => Reflect.get(one, "value")));
  const isSaved =
    savedAt === null
      ? (await values()).includes(wanted)
      : (await (await page.context().request.get(`${url}${savedAt}`)).text()).includes(wanted);
  return isSaved ? "saved" : (await page.locator("main").innerText()).slice(0, 300);
}

const table = Object.entries(typedForms);
const allSavedOf = (rows: readonly Row[]): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.map(([action]) => [action, "saved"]));
/** Each open tab refreshes itself: the fewer there are at once, the less each waits. */
const parts = inParts(table, 8).map((rows) => ({ from: rows[0]?.[0], rows }));

describe.skipIf(!isThere)("what was typed into each form", () => {
  test.each(parts)(
    "is still there after signing in again if the session ended, and can be saved, from $from on",
    async ({ rows }) => {
      const scene = await sceneFor("signed in");
      await using context = await browser.newContext();
      const page = await context.newPage();
      const { url } = scene.service;
      await page.goto(`${url}/settings`);
      await signIn(page);
      const seen: Record<string, string> = {};
      for (const row of rows) {
        const [action] = row;
        await type(page, url, row);
        const [session] = await context.cookies();
        const form = await page.locator('.out input[name="form"]').inputValue();
        await scene.post("/sign-out", { form }, { cookie: `${session?.name}=${session?.value}` });
        // No address may sign in many times within a minute.
        scene.clock.suspend(minutes(1));
        await send(page, row);
        await signIn(page);
        expect([action, await page.locator("h1").innerText()]).toEqual([
          action,
          "What you typed is still here",
        ]);
        const list = await page.locator(".kept-texts").textContent();
        expect([action, ...Object.values(row[1].typed).filter(isMissingIn(list ?? ""))]).toEqual([
          action,
          ...(secretsTyped[action] ?? []),
        ]);
        await follow(page.getByRole("button", { name: "Send it now" }));
        seen[action] = await savedBy(page, url, row);
      }
      expect(seen).toEqual(allSavedOf(rows));
    },
  );

  test.each(
    parts.flatMap((part) =>
      (["signed in", "local"] as const).map((access) => ({ access, ...part })),
    ),
  )(
    "can be saved if the service was restarted while the form was open, with pages that are $access, from $from on",
    async ({ access, rows }) => {
      const { service, database, clock } = await sceneFor(access);
      const { url, port } = service;
      await using context = await browser.newContext();
      const tabs: (readonly [Page, Row])[] = [];
      for (const row of rows) {
        const page = await context.newPage();
        if (tabs.length === 0 && access === "signed in") {
          await page.goto(`${url}/settings`);
          await signIn(page);
        }
        await type(page, url, row);
        tabs.push([page, row]);
      }
      // A browser may keep a connection on which it asks nothing yet.
      service.abandon();
      await service[Symbol.asyncDispose]();
      const again = await startService({
        database,
        host: "127.0.0.1",
        port,
        clock,
        log: silentLogger,
        pages: access,
        sender: sendingNowhere([], []),
        opensStore: openStoreHere,
      });
      onTestFinished(() => goneAtOnce(again));
      const seen: Record<string, string> = {};
      for (const [page, row] of tabs) {
        await send(page, row);
        seen[row[0]] = await savedBy(page, url, row);
        await page.close();
      }
      expect(seen).toEqual(allSavedOf(rows));
    },
  );

  test("is on the page that says that the thing was deleted in another tab, with a next step", async () => {
    const scene = await sceneFor("local");
    const { url } = scene.service;
    await using context = await browser.newContext();
    const deletable = table.filter(([, { deleted }]) => deleted !== undefined);
    const byDeletion = Map.groupBy(deletable, ([, { deleted }]) => deleted?.by ?? "");
    for (const [by, rowsOfIt] of byDeletion) {
      const tabs: (readonly [Page, Row])[] = [];
      for (const row of rowsOfIt) {
        const page = await context.newPage();
        await type(page, url, row);
        tabs.push([page, row]);
      }
      expect([by, await press(scene, by)]).toEqual([by, 303]);
      for (const [page, row] of tabs) await send(page, row);
      for (const [page, row] of tabs) await walk(page, url, row);
    }
  });
});

/** What is sent again by a button, of which not all is shown: it may be a secret. */
const keptIn = (page: Page): Promise<readonly unknown[]> =>
  page.locator(".kept input").evaluateAll((all) => all.map((one) => Reflect.get(one, "value")));

/** Reads and presses what a person would whose thing was deleted. */
async function walk(page: Page, url: string, row: Row): Promise<void> {
  const [action, { deleted, typed }] = row;
  const [wanted = ""] = Object.values(typed);
  for (const [heading, next] of deleted?.steps ?? []) {
    expect([action, await page.locator("h1").innerText()]).toEqual([action, heading]);
    expect([await page.locator("main").innerText(), ...(await keptIn(page))].join("\n")).toContain(
      wanted,
    );
    await follow(page.locator("main").locator("a, button").filter({ hasText: next }).first());
  }
  const saved = await savedBy(page, url, row);
  expect([action, saved === "saved"]).toEqual([action, deleted?.isSaved]);
  await page.close();
}
