import { expect, test } from "vitest";
import { kinds } from "#check/monitor";
import { providers } from "#service/notify/channel";
import { pages } from "#service/operator/page-routes";
import { operatorScene } from "../../support/operator-scene.ts";
import { samplePath } from "../../support/sample-path.ts";
import { formsIn, sentForm } from "../../support/sent-form.ts";
import { formTokenIn } from "../../support/signed-in.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

/*
 * One bad value for each field of each form, from the pages themselves: what is refused is said at the field, and what was
 * typed is still in it.
 */

const addresses = [
  ...new Set([
    ...pages.map(({ path }) => samplePath(path, "1")),
    ...kinds.map((kind) => `/monitors/new?kind=${kind}`),
    ...providers.map((provider) => `/channels/new/${provider}`),
  ]),
];

/** What a new thing needs, so that one field alone is wrong. */
const good: readonly (readonly [path: RegExp, fields: Readonly<Record<string, string>>])[] = [
  [/^\/monitors\/new/, { name: "New", url: "https://new.test/", uri: "new.test:53" }],
  [/^\/locations\/new/, { name: "New" }],
  [
    /^\/maintenances\/new/,
    {
      title: "New",
      message: "It is new.",
      from: "2026-12-01T10:00",
      to: "2026-12-01T11:00",
      page_id: "1",
    },
  ],
  [/^\/status-pages$/, { title: "New", slug: "new" }],
  [/^\/status-pages\/1\/reports\/new/, { title: "New", message: "It is new." }],
  [/^\/status-pages\/1\/templates\/new/, { name: "New", message: "It is new." }],
  [/^\/reports\/1$/, { message: "It is new." }],
  [/^\/status-pages\/1\/subscribers/, { name: "New", webhook_url: "https://hook.test/x" }],
  [/^\/status-pages\/1\/(parts|groups)/, { name: "New" }],
];

/** What takes any text; what is no field of the thing; and choices that no page offers, which only a program sends. */
const others = new Set([
  "body",
  "headers[0].key",
  "headers[0].value",
  "paste",
  "at",
  "recurrence",
  "repeat",
  "role",
  "scope",
  // For a test mail alone: settings/mail-page.test.ts has what it refuses.
  "test_to",
]);
/**
 * A new channel is refused for what it lacks first; its choices are tried at a channel that is there. The pages offer no zone
 * and no theme that is not known.
 */
const triedElsewhere =
  /^\/channels\/new\/\w+ (monitor_ids|locations|events)$|^\/settings\/profile (time_zone|theme)$/;
const accessOf: Readonly<Record<string, string>> = {
  auth_email_domains: "email-domain",
  allowed_ip_ranges: "ip-restriction",
};
/** A box that was deleted meanwhile is no longer listed. */
const isGone = (bad: string): boolean => bad === "999999";

interface Field {
  readonly name: string;
  readonly bad: string;
}

/** The fields of a form that a person fills in, each with what none takes. */
function fieldsIn(form: string): readonly Field[] {
  const found = new Map<string, string>();
  for (const [, tag = "", words = ""] of form.matchAll(/<(input|textarea|select)\b([^>]*)>/g)) {
    const name = /\sname="([^"]*)"/.exec(words)?.[1] ?? "";
    const type = /\stype="([^"]*)"/.exec(words)?.[1] ?? "text";
    if (name === "" || type === "hidden" || type === "search" || type === "password") continue;
    // A file is no text: status-site/icons/page-icon.test.ts has what is refused of one.
    if (type === "file") continue;
    if (type === "checkbox" && /\svalue="yes"/.test(words)) continue;
    if (tag === "select" || type === "checkbox" || type === "radio") found.set(name, "999999");
    else if (/inputmode="(decimal|numeric)"/.test(words)) found.set(name, "minus three");
    else found.set(name, "x".repeat(9_000));
  }
  return [...found].map(([name, bad]) => ({ name, bad }));
}

test("a bad value of any field is refused at the field, and is still there", async () => {
  const scene = await operatorScene();
  await generatedPage(scene.service);
  const tried: string[] = [];
  const faults: string[] = [];
  const form = formTokenIn(await (await scene.get("/settings/service")).text());
  await scene.post("/settings/service", { form, address: "https://picket.example.com" });
  for (const address of addresses) {
    const text = async () => {
      const answer = await scene.get(address);
      return answer.status === 200 ? answer.text() : "";
    };
    for (const { action, text: controls } of formsIn(await text())) {
      if (!controls.includes('class="field')) continue;
      for (const { name, bad } of fieldsIn(controls)) {
        const fresh = await text();
        if (!formsIn(fresh).some((one) => one.action === action)) continue;
        const sent = sentForm(fresh, action);
        for (const [path, fields] of good)
          if (path.test(action))
            for (const [one, value] of Object.entries(fields)) sent.set(one, value);
        // A monitor with the name of another one is asked about first.
        if (action === "/monitors/new") sent.set("name", `New ${tried.length}`);
        if (action === "/status-pages/1/monitors") sent.set("monitors", "9");
        if (address.endsWith("=icmp") || address.endsWith("=dns")) sent.set("uri", "new.test");
        // Of the fields of each access, that of the chosen one is checked.
        const access = accessOf[name];
        if (access !== undefined) sent.set("access_type", access);
        sent.set(name, bad);
        const answer = await scene.post(action, sent);
        const page = await answer.text();
        const ids = [name, name.replace(/\[.*/, "")].map((one) => one.replaceAll(/[^\w]+/g, "-"));
        const isAtField = ids.some((id) => page.includes(`field-${id}-wrong"`));
        const isKept = page.includes(bad);
        tried.push(`${action} ${name}`);
        if (others.has(name) || triedElsewhere.test(`${action} ${name}`)) continue;
        const isRefused = answer.status === 422 || answer.status === 400;
        if (!isRefused || !isAtField || !(isKept || isGone(bad)))
          faults.push(`${address}: ${answer.status} ${name}, ${isAtField} ${isKept}`);
      }
    }
  }
  expect(faults).toEqual([]);
  expect(tried.length).toBeGreaterThan(100);
});
