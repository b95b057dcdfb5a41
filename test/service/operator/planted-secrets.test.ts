import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { kinds } from "#check/monitor";
import { providers } from "#service/notify/channel";
import { channelFields } from "#service/operator/channels/channel-fields";
import type { FormFields } from "#check/form-field";
import { locationFields } from "#service/operator/locations/location-fields";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { pages } from "#service/operator/page-routes";
import { fieldsWith } from "#service/operator/planned/maintenance-fields";
import { reportFields } from "#service/operator/publishing/report-fields";
import {
  lookFormFields,
  settingsFormFields,
} from "#service/operator/publishing/status-page-fields";
import { subscriberFields } from "#service/operator/publishing/subscriber-views";
import { mailFields } from "#service/operator/settings/mail-fields";
import { pageDefaults } from "#service/status-page/page-definition";
import { type AuditedKind, auditedKinds } from "#service/store/audit/audited";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { accounts } from "../../support/notices.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { samplePath } from "../../support/sample-path.ts";
import { byKey, type SignedIn } from "../../support/signed-in.ts";

/*
 * A secret is planted in every field of every form that may have one, as the tables of fields say. Then it is looked for
 * wherever a person or a program can read. A kind of object, a form or a secret field without a row here fails.
 */

/** A form of an object: its fields, where it is sent, and what is typed that is no secret. */
interface PlantedForm {
  readonly to: string;
  readonly fields: FormFields;
  readonly typed: Readonly<Record<string, string>>;
}

/** What is typed into each field that may have a secret, by its name; all of it says "planted". */
const plants: Readonly<Record<string, string>> = {
  url: "https://ann:planted-password@shop.test/pay?token=planted-query",
  otlp_endpoint: "https://ann:planted-collector@otel.test/v1?key=planted-endpoint",
  "otlp_headers[0].value": "planted-otlp",
  "headers[0].value": "Bearer planted-header",
  "header_assertions[0].target": "planted-target",
  body: '{"card":"planted-body"}',
  "metadata[0].value": "planted-metadata",
  server_url: "https://ann:planted-ntfy@ntfy.test/",
  token: "tk_planted",
  integration_key: "planted0123456789planted01234567",
  api_key: "planted-0123-4567",
  endpoint: "https://hook.test/planted",
  webhook_url: "https://chat.test/planted?key=planted-hook&token=planted",
  password: "planted sesame",
};

const monitorForm = (kind: (typeof kinds)[number]): PlantedForm => ({
  to: `/monitors/new?kind=${kind}`,
  fields: monitorFields(kind),
  typed: {
    kind,
    name: kind,
    periodicity: "1m",
    active: "yes",
    uri: kind === "dns" || kind === "icmp" ? "shop.test" : "shop.test:443",
    ...(kind === "http" ? { method: "POST", "headers[0].key": "authorization" } : {}),
    ...(kind === "http"
      ? { "header_assertions[0].key": "x-token", "header_assertions[0].comparator": "eq" }
      : {}),
    ...(kind === "grpc" ? { "metadata[0].key": "x-grpc" } : {}),
    "otlp_headers[0].key": "x-otlp",
  },
});

const publicTexts = {
  topic: "shop",
  region: "eu",
  email: "ops@example.com",
  phone_number: "+49 170 1234567",
  chat_id: "-1001",
  "headers[0].key": "authorization",
};

/** The forms of each kind of object, in the order in which they are sent; none: no person types anything of it. */
const forms: { readonly [K in AuditedKind]: readonly PlantedForm[] } = {
  // Channels that send mail need its server.
  setting: [
    {
      to: "/settings/mail",
      fields: mailFields,
      typed: { host: "mail.test", user: "ann", sender: "picket@acme.example" },
    },
  ],
  monitor: kinds.map(monitorForm),
  location: [{ to: "/locations/new", fields: locationFields, typed: { name: "office" } }],
  channel: providers.map((provider) => ({
    to: `/channels/new/${provider}`,
    fields: channelFields(provider),
    typed: {
      name: provider,
      all_monitors: "yes",
      events: "error",
      time_zone: "UTC",
      ...publicTexts,
    },
  })),
  page: [
    { to: "/status-pages", fields: {}, typed: { title: "Acme", slug: "acme" } },
    {
      to: "/status-pages/1",
      fields: settingsFormFields.page,
      typed: {
        title: "Acme",
        slug: "acme",
        custom_domain: "status.acme.example",
        default_locale: "en",
        time_zone: "UTC",
      },
    },
    {
      to: "/status-pages/1/access",
      fields: settingsFormFields.access,
      typed: { access_type: "password" },
    },
    {
      to: "/status-pages/1/look",
      fields: lookFormFields(pageDefaults),
      typed: {
        theme: "system",
        "configuration.metric_type": "duration",
        "configuration.bar_type": "absolute",
        "configuration.theme_key": "default",
        "configuration.days": "30",
      },
    },
    { to: "/status-pages/1/publish", fields: {}, typed: {} },
    { to: "/status-pages/1/parts", fields: {}, typed: { name: "Shop" } },
    { to: "/status-pages/1/subscribers", fields: subscriberFields, typed: { name: "wall" } },
  ],
  report: [
    {
      to: "/status-pages/1/reports/new",
      fields: reportFields.report,
      typed: { title: "Slow", status: "investigating", message: "We look." },
    },
  ],
  maintenance: [
    {
      to: "/maintenances/new",
      fields: fieldsWith([]),
      typed: {
        title: "Upgrade",
        message: "m",
        from: "2026-11-23T22:00",
        to: "2026-11-23T23:00",
        time_zone: "UTC",
        repeat: "once",
        monitor_ids: "1",
      },
    },
  ],
  silence: [{ to: "/monitors/1/silence", fields: {}, typed: { reason: "known", length: "1h" } }],
  // No one types anything of it.
  incident: [],
  key: [{ to: "/settings/keys", fields: {}, typed: { name: "ci", scope: "read", days: "" } }],
  person: [
    {
      to: "/settings/people",
      fields: {},
      typed: { name: "Cy", email: "cy@acme.example", role: "reader" },
    },
  ],
  subscriber: [],
  session: [],
};

/** The fields of a table that may have a secret, by the names under which they are sent. */
const secretFields = (fields: FormFields, prefix = ""): readonly string[] =>
  Object.entries(fields).flatMap(([name, { control }]): readonly string[] => {
    switch (control.is) {
      case "secret":
      case "password":
      case "address":
        return [`${prefix}${name}`];
      case "rows":
      case "pairs":
        return secretFields(control.columns, `${prefix}${name}[0].`);
      case "section":
        return secretFields(control.fields, `${prefix}${name}.`);
      default:
        return [];
    }
  });

/** Sends a form with a secret in every field that may have one. What the service makes up itself is in its answer, once. */
async function plant(owner: SignedIn, { to, fields, typed }: PlantedForm): Promise<void> {
  const planted = secretFields(fields).map((name) => {
    const value = plants[name];
    if (value === undefined) throw new Error(`say above what is planted in the field ${name}`);
    return [name, value] as const;
  });
  const answer = await owner.send(to, { ...typed, ...Object.fromEntries(planted) });
  const page = await answer.text();
  const refused = /class="mistakes"[^>]*>(.*?)<\/ul>/s.exec(page)?.[1] ?? "";
  const isMade = answer.status === 303 || /pkt_(key|link)_/.test(page);
  expect([to, refused, isMade]).toEqual([to, "", true]);
}

/** The secrets in a text: what was planted, and credentials that the service made. */
const secretsIn = (text: string): readonly string[] => [
  ...new Set(text.match(/.{0,40}planted.{0,20}|pkt_(?:loc|link|key)_[\w-]{20,}/g) ?? []),
];

/** Every page and document there is, of each object that was made; by whoever reads it. */
async function leaksOfPages(person: SignedIn): Promise<{ leaks: string[]; read: number }> {
  const leaks: string[] = [];
  let read = 0;
  for (const { path } of pages) {
    const ids = /\(\?<id>/.test(path.source)
      ? Array.from({ length: providers.length }, (_, at) => at + 1)
      : [1];
    for (const id of ids)
      for (const address of [
        samplePath(path, String(id)),
        `${samplePath(path, String(id))}.json`,
      ]) {
        if (!path.test(address)) continue;
        const answer = await person.get(address);
        const text = await answer.text();
        if (answer.status === 200) read += 1;
        leaks.push(...secretsIn(text).map((one) => `${address}: ${one}`));
      }
  }
  return { leaks, read };
}

/** What a program may read of all that there is, by `picket export` with a key of a reader. */
async function exportOf({ service }: OperatorScene): Promise<string> {
  const { key } = await service.admin.createApiKey({ name: "export", scope: "read" });
  const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key });
  expect(await main(["export"], io)).toBe(0);
  return io.written.stdout();
}

const deletable = [
  ...kinds.map((_, at) => `/monitors/${at + 1}`),
  ...providers.map((_, at) => `/channels/${at + 1}`),
  "/reports/1",
  "/status-pages/1",
];

test("a secret that is typed into any field of any object is in no page, document, log, export, audit log or undo", async () => {
  const without = { ...accounts, smtp: null };
  const scene = await operatorScene({ pages: "signed in", days: 0, accounts: without });
  const owner = await byKey(scene, "write", "owner");
  const others = auditedKinds.filter((kind) => kind !== "setting");
  for (const kind of ["setting", ...others] as const)
    for (const form of forms[kind]) await plant(owner, form);
  const reader = await byKey(scene, "read", "reader");
  const other = await byKey(scene, "write", "other owner");
  for (const person of [reader, other]) {
    const { leaks, read } = await leaksOfPages(person);
    expect(leaks).toEqual([]);
    expect(read).toBeGreaterThan(60);
  }
  expect(secretsIn(await exportOf(scene))).toEqual([]);
  for (const path of deletable) {
    const deleted = await other.send(`${path}/delete`);
    const notice = await other.get(deleted.headers.get("location") ?? "");
    expect(secretsIn(await notice.text())).toEqual([]);
  }
  const lines = await (await other.get("/changes/after/0.jsonl")).text();
  expect(lines).toContain('"deleted"');
  expect(secretsIn(lines)).toEqual([]);
  expect(secretsIn(JSON.stringify(scene.log.said))).toEqual([]);
  using file = new DatabaseSync(scene.database, { readOnly: true });
  // They are kept where they are used, so what was looked for was there to be found.
  const used = file.prepare("SELECT kept FROM trash WHERE kind = 'monitor'").all();
  expect(secretsIn(JSON.stringify(used)).length).toBeGreaterThan(5);
  const kept = file.prepare("SELECT * FROM trash WHERE kind <> 'monitor'").all();
  const entries = file.prepare("SELECT * FROM audit_entries").all();
  expect(kept.length).toBeGreaterThan(providers.length);
  const settings = file.prepare("SELECT * FROM settings WHERE name = 'mail server'").all();
  expect(settings.length).toBe(1);
  expect(secretsIn(JSON.stringify([kept, entries, settings]))).toEqual([]);
});
