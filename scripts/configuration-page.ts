import { channelArguments } from "#service/resources/channel-arguments";
import { locationArguments } from "#service/resources/configuration-arguments";
import { pageArguments } from "#service/resources/page-arguments";
import { maintenanceArguments } from "#service/resources/maintenance-arguments";
import { argumentSection } from "./argument-tables.ts";

/** docs/reference/configuration.md, made from the tables that files are read by. */
export function configurationPage(): string {
  return `# Configuration as code

Keep what a service has in files, and see what would change before it does:

\`\`\`sh
picket plan -f config/            # 0: nothing would change, 2: something would, 1: a mistake
picket apply -f config/           # shows the same, then does it
picket export > config/all.yaml   # a file that would make the same again
\`\`\`

\`\`\`
$ picket plan -f config/
+ http "shop"
~ http "blog": timeout 5000 → 2000, headers changed
~ private location "office": monitors + http "shop"
1 to create, 2 to update, 1 the same.
3 objects of the service are in no file and stay (--verbose names them).
\`\`\`

- \`-f\` takes a file, a folder with its \`.yaml\` and \`.yml\` files, or \`-\` for standard input, as often as you like. Their order
  means nothing. Names and references hold across all files.
- A monitor is the same by kind and name, a status page by its slug, a maintenance by its title, everything else by name.
  To give an object another name and keep its history, write
  \`renamed_from: old\` once.
- The service plans and applies. All changes are made in one transaction: all of them or none. An apply is refused when the
  service has changed since its plan.
- \`owner: shop-team\` in a file marks what it makes. \`--prune\` deletes what this owner has and the files no longer say, and
  asks before it does. What other owners or people made is never deleted. A name that another owner has is a conflict.
  \`picket import http shop --owner shop-team\` makes an object that is there one of the files'.
- What was changed by hand since the last apply is shown with the key that did it, and when.
- \`picket plan -o PLAN\` keeps a plan, and \`picket apply PLAN\` carries it out. If the files, their secrets or the service
  have changed since, it is refused. A plan holds no secret.
- If monitors of the files notify no one, the last line says how many, and what to do.
- Values are shown before and after. Header values, bodies, channels' addresses and keys, and the queries and user-info of
  URLs are not shown: only that they change. Secrets are compared, so the key needs the scope \`write\`.

A name refers to an object of these files. \`id:7\` refers to one of the service: \`monitors: [shop, id:7]\`, \`locations: [id:2]\`.

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

They are resolved where the command runs. A path is relative to the folder of its file. A line break at the end of the file
is ignored. \`picket export\` writes such references, and you set the variables.

## As a daemon

Let the service itself take the files, e.g. from a ConfigMap:

\`\`\`sh
picket service --config /etc/picket/config    # or PICKET_SERVICE_CONFIG
\`\`\`

- It applies them at the start, and within seconds when they change. It applies all of them or none: with a mistake in any file, what was
  there stays. The log names each mistake with its place.
- \`/healthz\` says when they were applied, and how many mistakes prevent it. It still answers 200, because the service works.
  \`picket_configuration_mistakes\` is the same for Prometheus.
- What the files no longer say is deleted. Their objects belong to \`config\`, and a call that would change one is refused: change
  the file. So is \`picket apply\` or \`picket import\` with \`config\` as its owner: name another one.
- A secret that a file refers to is read again when a file changes.
- The chart of the service takes \`config.existingConfigMap\`, and \`config.existingSecret\` for the variables that files refer to.
  The systemd unit takes \`PICKET_SERVICE_CONFIG\` in /etc/picket/service.env.

## Resources

[Monitors](monitors.md) have their own page. This page is made by \`npm run generate:docs\`.

${argumentSection("private_locations", locationArguments, locationExample)}
${argumentSection("notifications", channelArguments, channelExample)}
${argumentSection("status_pages", pageArguments, pageExample)}
A page is known by its slug. Its entry lists all of its parts: a component or a group that the entry no longer has is
removed, and \`picket apply\` asks before. Groups and components are known by their names on the page. A component of another
monitor is another component. [Status pages](../status-pages.md) shows what readers see.

${argumentSection("maintenances", maintenanceArguments, maintenanceExample)}
${defaultsSection}`;
}

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

const pageExample = `http_monitors:
  - { name: shop, url: https://shop.internal/, periodicity: 30s, active: true }
status_pages:
  - slug: acme
    title: Acme
    description: What our customers use.
    access_type: password
    password: { env: SECRET_OF_PAGE }
    homepage_url: https://acme.example/
    contact_url: mailto:help@acme.example
    default_locale: de
    locales: [de, en]
    time_zone: Europe/Berlin
    allow_index: false
    custom_theme: { light: { --primary: "#0b6bcb" }, dark: { --primary: "#7cc0ff" } }
    configuration: { days: 45 }
    groups: [{ name: Web, default_open: true }]
    components:
      - { monitor: shop, group: Web, description: Orders and payment }
      - { name: Support desk, type: static }`;

const maintenanceExample = `http_monitors:
  - { name: shop, url: https://shop.internal/, periodicity: 30s, active: true }
status_pages:
  - { slug: acme, title: Acme, components: [{ monitor: shop }] }
maintenances:
  - title: Database upgrade
    message: The shop is read-only.
    from: 2026-12-01T22:00
    to: 2026-12-01T23:30
    time_zone: Europe/Berlin
    monitors: [shop]
    components: { acme: [shop] } # announced there`;

const defaultsSection = `## defaults

What the entries of one file are where they do not say it themselves, by list:

\`\`\`yaml
defaults:
  http_monitors: { periodicity: 30s, active: true, locations: [office] }
http_monitors:
  - { name: shop, url: https://shop.internal/ }
  - { name: blog, url: https://blog.internal/, periodicity: 5m }
private_locations: [{ name: office }]
\`\`\`
`;
