import { writeFileSync } from "node:fs";
import type { Argument, Arguments } from "#check/argument";
import { type Kind, kinds } from "#check/monitor";
import { channelArguments } from "#resources/channel-arguments";
import { maintenanceArguments } from "#resources/maintenance-arguments";
import { locationArguments } from "#resources/configuration-arguments";
import { listOf, monitorArguments } from "#check/monitor-arguments";

/** docs/monitors.md, made from the tables that a monitors file is read by. */
export function monitorsPage(): string {
  return `# Monitors files

Write down what to check, then run it: \`picket up --monitors monitors.yaml\` on one machine, or
\`picket apply -f monitors.yaml --location office\` for a service. A mistake is shown with its line and column, and
nothing is changed. This page is made by \`npm run generate:docs\`.

A file is YAML with a list for each kind of check. Anchors and aliases work. Text that starts with a special character, or that
looks like a number, needs quotes.

${asCode}
${kinds.map((kind) => section(listOf(kind), monitorArguments[kind], examples[kind])).join("\n")}
${section("private_locations", locationArguments, locationExample)}
${section("notifications", channelArguments, channelExample)}
${section("maintenances", maintenanceArguments, maintenanceExample)}
${defaultsSection}`;
}

const asCode = `## Configuration as code

Keep what a service has in files, and see what would change before it does:

\`\`\`sh
picket plan -f config/            # 0: nothing would change, 2: something would, 1: a mistake
picket apply -f config/           # shows the same, then does it
picket export > config/all.yaml   # the file that would make what is there
\`\`\`

\`\`\`
$ picket plan -f config/
+ http "shop"
~ tcp  "database": timeout 5000 → 2000, headers changed
~ private location "office": monitors + http "shop"
1 to create, 2 to update, 1 the same.
3 objects of the service are in no file and stay (--verbose names them).
\`\`\`

- \`-f\` takes a file, a folder with its \`.yaml\` and \`.yml\` files, or \`-\` for standard input, as often as you like. Their order
  means nothing. Names and references hold across all files.
- A monitor is the same by kind and name, everything else by name. To give an object another name and keep its history, say
  \`renamed_from: old\` once.
- The service plans and applies. All changes are made in one transaction: all of them or none. An apply is refused when the
  service has changed since its plan.
- \`owner: shop-team\` in a file marks what it makes. \`--prune\` deletes what this owner has and the files no longer say, and
  asks before it does. What other owners or people made is never deleted. A name that another owner has is a conflict.
  \`picket import http shop --owner shop-team\` makes an object that is there one of the files'.
- What was changed by hand since the last apply is shown with the key that did it, and when.
- \`picket plan -o PLAN\` keeps a plan, and \`picket apply PLAN\` carries it out. If the files, their secrets or the service
  have changed since, it is refused. A plan holds no secret.
- Values are shown before and after. Of header values, bodies, channels' addresses and keys, and the queries and user-info of
  URLs it is only said that they change. Secrets are compared, so the key needs the scope \`write\`.

Keep secrets out of the files. Any text may be a reference:

\`\`\`yaml
http_monitors:
  - name: shop
    url: https://shop.internal/health
    periodicity: 30s
    headers:
      - { key: Authorization, value: { env: SHOP_TOKEN } }
      - { key: X-Api-Key, value: { file: /run/secrets/shop-key } }
\`\`\`

They are resolved where the command runs. A path is meant from the folder of its file; a line break at the end of the file
is left out. \`picket export\` writes such references, and you set the variables.
`;

const locationExample = `http_monitors:
  - { name: shop, url: https://shop.internal/, periodicity: 30s, active: true }
tcp_monitors:
  - { name: database, uri: db.internal:5432, periodicity: 1m, active: true, locations: [office] }
private_locations:
  - name: office
    monitors: [shop] # and database, which names office
    metadata: { site: berlin }`;

const channelExample = `http_monitors:
  - { name: shop, url: https://shop.internal/, periodicity: 30s, active: true, labels: { team: shop } }
notifications:
  - name: ops
    provider_type: slack # or chat_b
    slack: { webhook_url: { file: /run/secrets/ops-webhook } }
    monitors: all
    reminder: 4h
  - name: night
    provider_type: ntfy
    ntfy: { topic: shop-alerts }
    monitors: { labels: { team: shop } }
    events: [error, recovery]
    delay: 2m
    quiet_hours:
      - { days: [sat, sun], from: "22:00", to: "08:00" }
    time_zone: Europe/Berlin`;

const maintenanceExample = `http_monitors:
  - { name: shop, url: https://shop.internal/, periodicity: 30s, active: true }
maintenances:
  - title: Database upgrade
    message: The shop is read-only.
    from: 2026-12-01T22:00
    to: 2026-12-01T23:30
    time_zone: Europe/Berlin
    monitors: [shop]`;

const defaultsSection = `## defaults

What the entries of one file are where they do not say it themselves, by list:

\`\`\`yaml
defaults:
  http_monitors: { periodicity: 30s, active: true, locations: [office] }
http_monitors:
  - { name: shop, url: https://shop.internal/ }
  - { name: blog, url: https://blog.internal/, periodicity: 5m }
\`\`\`
`;

const httpExample = `http_monitors:
  - name: shop
    url: https://shop.internal/health
    periodicity: 30s
    active: true
    timeout: 5000 # milliseconds, for one attempt
    retry: 2 # three attempts in all
    degraded_at: 500 # milliseconds
    headers:
      - { key: Accept, value: application/json }
    status_code_assertions:
      - { comparator: gte, target: 200 }
      - { comparator: lt, target: 300 }
    body_assertions:
      - { comparator: contains, target: '"ok":true' }
    header_assertions:
      - { key: Content-Type, comparator: contains, target: json }
    description: "Runbook: https://wiki.internal/shop"`;

const tcpExample = `tcp_monitors:
  - name: database
    uri: db.internal:5432
    periodicity: 1m
    active: true
    timeout: 2000
  - name: database over IPv6
    uri: "[fd00::5]:5432"
    periodicity: 1m
    active: true`;

const dnsExample = `dns_monitors:
  - name: mail
    uri: example.com
    periodicity: 10m
    active: true
    record_assertions:
      - { record: MX, comparator: contains, target: mail.example.com }
  - name: our own name server
    uri: dns:shop.internal?server=10.0.0.53
    periodicity: 1m
    active: true`;

/** A kind without an example does not compile. */
const examples: { readonly [K in Kind]: string } = {
  http: httpExample,
  tcp: tcpExample,
  dns: dnsExample,
};

function section(name: string, fields: Arguments, example: string): string {
  const lists = Object.entries(fields).flatMap(([key, { rows }]) =>
    rows === null ? [] : [`Each entry of \`${key}\`:\n\n${tableOf(rows)}`],
  );
  return `## ${name}

\`\`\`yaml
${example}
\`\`\`

${[tableOf(fields), ...lists].join("\n\n")}
`;
}

function tableOf(fields: Arguments): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const rows = Object.entries(fields).map(
    ([key, field]) =>
      `| \`${key}\` | ${cell(field.does)} | ${cell(field.takes)} | ${cell(field.limit)} | ${fallbackOf(field)} |`,
  );
  return `| key | what it is for | takes | limit | default |
| --- | --- | --- | --- | --- |
${rows.join("\n")}`;
}

function fallbackOf({ fallback, required }: Argument<unknown>): string {
  if (required({})) return "required";
  const said = typeof fallback === "string" ? fallback : JSON.stringify(fallback);
  return ["", "null", "[]"].includes(said) ? "" : `\`${said}\``;
}

if (import.meta.main)
  writeFileSync(new URL("../docs/monitors.md", import.meta.url), monitorsPage());
