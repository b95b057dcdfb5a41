import { writeFileSync } from "node:fs";
import { configurationPage } from "./configuration-page.ts";
import { argumentSection } from "./argument-tables.ts";
import { type Kind, kinds } from "#check/monitor";
import { argumentsOf, listOf } from "#check/monitor-arguments";

/** docs/reference/monitors.md, made from the tables that a monitors file is read by. */
export function monitorsPage(): string {
  return `# Monitors files

Write down what to check, then run it: \`picket up --monitors monitors.yaml\` on one machine, or
\`picket apply -f monitors.yaml --location office\` for a service. A mistake is shown with its line and column, and
nothing is changed. [Configuration as code](configuration.md) has the rest that files may say. This page is made by \`npm run generate:docs\`.

A file is YAML with a list for each kind of check. Anchors, aliases and merge keys work, and
the file may have keys of your own that begin with \`x-\`. Text that starts with a special character, or that looks like a
number, needs quotes.

\`\`\`yaml
x-usual: &usual { periodicity: 1m, active: true, timeout: 5000 }
http_monitors:
  - { <<: *usual, name: shop, url: https://shop.internal/ }
  - { <<: *usual, name: desk, url: https://desk.internal/, periodicity: 5m }
\`\`\`

${kinds.map((kind) => argumentSection(listOf(kind), argumentsOf(kind), examples[kind])).join("\n")}`;
}

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

const icmpExample = `icmp_monitors:
  - name: gateway
    uri: 10.0.0.1
    periodicity: 30s
    active: true
    timeout: 2000
    packets: 5
    degraded_at: 20 # milliseconds, the mean of the replies
    loss_assertions:
      - { comparator: lt, target: 40 } # percent`;

const grpcExample = `grpc_monitors:
  - name: orders
    uri: orders.internal:50051
    service: shop.v1.Orders
    tls_mode: tls # or plaintext, or tls_insecure
    periodicity: 1m
    active: true
    metadata:
      - { key: authorization, value: { env: ORDERS_TOKEN } }`;

/** A kind without an example does not compile. */
const examples: { readonly [K in Kind]: string } = {
  http: httpExample,
  tcp: tcpExample,
  dns: dnsExample,
  icmp: icmpExample,
  grpc: grpcExample,
};

if (import.meta.main) {
  writeFileSync(new URL("../docs/reference/monitors.md", import.meta.url), monitorsPage());
  writeFileSync(
    new URL("../docs/reference/configuration.md", import.meta.url),
    configurationPage(),
  );
}
