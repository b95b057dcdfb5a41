/* What a reader has done before a page, by the page: statements for the shell, in a folder of theirs. */

export interface Scene {
  /** Whether the page is for root, e.g. because it installs a program. */
  readonly isRoot?: true;
  /** Before everything that the page shows. */
  readonly before?: readonly string[];
  /** Before the statement that begins so, e.g. because the page shows two ways of running one thing. */
  readonly between?: Readonly<Record<string, readonly string[]>>;
  /** How a statement that begins so ends, other than with 0. */
  readonly codes?: Readonly<Record<string, number>>;
}

const monitors = `cat >monitors.yaml <<'END'
http_monitors:
  - { name: shop, url: https://shop.internal/health, periodicity: 30s, active: true }
tcp_monitors:
  - { name: db, uri: "db.internal:5432", periodicity: 30s, active: true }
END`;

/** Nothing listens there. */
const failing = `cat >failing.yaml <<'END'
tcp_monitors:
  - { name: cache, uri: "10.0.0.7:6379", periodicity: 30s, active: true, retry: 0, alerting: { failures: 1 } }
END`;

const key = "export SERVICE_API_URL=http://127.0.0.1:8787 SERVICE_API_KEY=pkt_key_…";
const service: readonly string[] = ["picket service", key];

/** A service, if no other is wanted, with two monitors and an agent that checks them. */
const watched = (by = service): readonly string[] => [
  monitors,
  ...by,
  "picket apply -f monitors.yaml --location office",
  "PICKET_STATE_DIR=/tmp/state PICKET_TOKEN=pkt_loc_… picket agent",
];

/** Subscriptions by mail need a mail server, and links an address. */
const withMail: readonly string[] = [
  "export PICKET_SMTP_URL=smtp://mail.example.com:25 PICKET_SMTP_FROM=status@example.com",
  "export PICKET_SERVICE_PUBLIC_URL=https://picket.example.com",
  "export PICKET_SERVICE_TRUSTED_PROXIES=127.0.0.1",
  ...service,
  "unset PICKET_SMTP_URL PICKET_SMTP_FROM PICKET_SERVICE_PUBLIC_URL PICKET_SERVICE_TRUSTED_PROXIES",
];

/** A third monitor fails, and the service has an incident of it. */
const incident: readonly string[] = [
  failing,
  "picket apply -f monitors.yaml -f failing.yaml --location office",
  "until picket incidents | grep -q cache; do :; done",
];

const openstatusFile = `cat >openstatus.yaml <<'END'
shop:
  name: Shop
  frequency: 1m
  active: true
  regions: [ams]
  kind: http
  request: { method: GET, url: https://shop.internal/health }
END`;

const inClone = "cd ~/picket";

export const scenes: Readonly<Record<string, Scene>> = {
  "README.md": {
    before: [
      inClone,
      "cp /etc/picket/tls/certificate service.crt; cp /etc/picket/tls/key service.key; cp /etc/picket/ca.pem .",
    ],
    // The lines of a service with a certificate are another way of running it.
    between: {
      'curl "$SERVICE_API_URL': [
        "npx picket service",
        "PICKET_TOKEN=pkt_loc_… npx picket agent",
        `until curl -s http://127.0.0.1:8686/status | grep -qE '"push_channel": ?"connected"'; do :; done`,
      ],
    },
  },
  "docs/alerting.md": { before: watched() },
  "docs/check.md": { before: [monitors] },
  "docs/reference/commands.md": {
    before: [...watched(), ...incident],
    codes: { "picket delete": 1, "picket status  ": 1 },
  },
  "docs/reference/configuration.md": {
    before: [
      monitors,
      "mkdir config /etc/picket/config; cp monitors.yaml config; cp monitors.yaml /etc/picket/config",
      ...service,
    ],
    codes: { "picket plan": 2 },
  },
  "docs/install.md": {
    isRoot: true, // The bundle is for a machine that has Picket's version of Node.js.
    before: [inClone, "export PATH=$HOME/.local/bin:$PWD/node_modules/.bin:$PATH"],
  },
  // `picket plan` ends with 2 if something would change.
  "docs/move-from-openstatus.md": {
    before: [...service, openstatusFile],
    codes: { "picket plan": 2 },
  },
  "docs/notifications.md": {
    before: [...watched(), "export OPS_WEBHOOK=https://hooks.slack.com/services/T0/B0/x"],
    between: { 'call CreateNotification \'{"provider"': service },
  },
  "docs/pages.md": {
    before: [inClone, "export PASSWORD='a long enough password'"],
    // Its operator has a service already, whose keys and password are made where its database is.
    between: { "picket service key": service },
  },
  "docs/service.md": {
    isRoot: true,
    before: watched(),
    between: {
      "curl -sSG": service,
      "picket service backup": [
        "mkdir -p /var/lib/picket",
        "picket service --database /var/lib/picket/a.db",
      ],
      "curl -s http": ["picket service"],
    },
  },
  "docs/status-pages.md": { before: watched(withMail) },
  "docs/agent-endpoint.md": { before: watched() },
  "docs/signing.md": { before: service },
  "docs/secrets.md": { before: [...service, "export SHOP_TOKEN=tok_0123456789"] },
};
