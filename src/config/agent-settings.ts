import type { SettingKind } from "#config/setting-kinds";

/** One environment variable: what it takes, what it is when it is not set, and what it does. */
export interface Setting {
  readonly kind: SettingKind;
  /** Null has no default. */
  readonly fallback: string | null;
  readonly does: string;
  readonly secret?: true;
}

/** Every variable that the agent understands; schema, help and documentation are made from this table. */
const table = {
  PICKET_TOKEN: { kind: "text", fallback: null, does: "the location's token", secret: true },
  PICKET_TOKEN_FILE: {
    kind: "text",
    fallback: null,
    does: "a file that holds the token, read again when it changes (systemd: the credential token)",
  },
  PICKET_TOKEN_HEADER: {
    kind: "header",
    fallback: "x-service-token",
    does: "the header that carries the token",
  },
  SERVICE_API_URL: { kind: "url", fallback: "http://127.0.0.1:8787", does: "the service" },
  PICKET_ALLOW_HTTP: {
    kind: "switch",
    fallback: "off",
    does: "allows plain http to a service that is not on this machine",
  },
  PICKET_STATE_DIR: {
    kind: "text",
    fallback: null,
    does: "where unsent results are kept across restarts (default: systemd's, else /var/lib/picket)",
  },
  PICKET_SPOOL_MAX_BYTES: {
    kind: "size",
    fallback: "256MiB",
    does: "the most bytes of unsent results; the oldest are dropped first",
  },
  PICKET_SPOOL_MAX_AGE: {
    kind: "duration",
    fallback: "24h",
    does: "how long an unsent result is kept before it is dropped",
  },
  PICKET_INSTANCE: {
    kind: "text",
    fallback: null,
    does: "names this agent in its location (default: an id it keeps, else the host's name)",
  },
  PICKET_NODE: { kind: "text", fallback: "", does: "the node that this agent runs on" },
  PICKET_LABELS: {
    kind: "labels",
    fallback: "",
    does: "labels of this agent, e.g. site=north,rack=7",
  },
  PICKET_PLACEMENT: {
    kind: "placement",
    fallback: "share",
    does: "share splits the monitors among the agents of the location, everywhere runs all here",
  },
  PICKET_POLL_INTERVAL: {
    kind: "duration",
    fallback: "60s",
    does: "how often the agent fetches its assignment",
  },
  PICKET_WATCH: {
    kind: "switch",
    fallback: "on",
    does: "keeps a WebSocket open on which the service pushes changes",
  },
  PICKET_HEARTBEAT_INTERVAL: {
    kind: "duration",
    fallback: "30s",
    does: "how often the agent reports that it is alive, until the service asks for another interval",
  },
  PICKET_CONCURRENCY: { kind: "count", fallback: "200", does: "checks that run at once" },
  PICKET_WORKERS: { kind: "count", fallback: "1", does: "threads that run probes" },
  PICKET_DRAIN_TIMEOUT: {
    kind: "duration",
    fallback: "30s",
    does: "how long a stop waits for checks and reports",
  },
  PICKET_LISTEN: {
    kind: "listen",
    fallback: "127.0.0.1:8686",
    does: "the address of this agent's own page, /status, /livez, /readyz and /metrics; off closes it",
  },
  PICKET_LISTEN_HOSTS: {
    kind: "hosts",
    fallback: "",
    does: "host names that the page answers to, in addition to addresses, localhost and the machine's names",
  },
  PICKET_SERVICE_PROXY: {
    kind: "proxy",
    fallback: null,
    does: "an HTTP proxy for the service (otherwise HTTPS_PROXY, or http_proxy if it is http)",
    secret: true,
  },
  PICKET_CA_FILE: {
    kind: "text",
    fallback: null,
    does: "PEM file of CA certificates to trust in addition to the system's, for targets, service and proxies",
  },
  PICKET_CLIENT_CERT_FILE: {
    kind: "text",
    fallback: null,
    does: "a PEM client certificate, with its chain, for targets, service and proxies that ask for one",
  },
  PICKET_CLIENT_KEY_FILE: {
    kind: "text",
    fallback: null,
    does: "its PEM key, without passphrase",
  },
  PICKET_SECRETS_DIR: {
    kind: "text",
    fallback: null,
    does: "a directory with a file for each secret that monitors may name as {{secret:NAME}}, and NAME.hosts with the hosts that it may be sent to",
  },
  PICKET_SECRETS_FILE: {
    kind: "text",
    fallback: null,
    does: "a file of secrets, one NAME=VALUE in each line",
  },
  PICKET_SECRETS_HOSTS_FILE: {
    kind: "text",
    fallback: null,
    does: "a file of the hosts that secrets may be sent to, one NAME HOST... in each line",
  },
  PICKET_VAULT_ADDR: {
    kind: "text",
    fallback: null,
    does: "a Vault or OpenBao with secrets that monitors may name, e.g. https://vault.internal:8200",
  },
  PICKET_VAULT_PATH: {
    kind: "text",
    fallback: null,
    does: "entries of its key-value store (version 2) as MOUNT/PATH, e.g. secret/picket; each field is a secret. Several are separated by commas",
  },
  PICKET_VAULT_TOKEN_FILE: {
    kind: "text",
    fallback: null,
    does: "a file with the token for it, read again when it changes; it is renewed if it may be",
  },
  PICKET_VAULT_ROLE: {
    kind: "text",
    fallback: null,
    does: "the role of its Kubernetes login, instead of a token file",
  },
  PICKET_VAULT_JWT_FILE: {
    kind: "text",
    fallback: "/var/run/secrets/kubernetes.io/serviceaccount/token",
    does: "the service account's token that the login is made with",
  },
  PICKET_VAULT_LOGIN_PATH: {
    kind: "text",
    fallback: "kubernetes",
    does: "where that login is mounted in Vault",
  },
  PICKET_VAULT_CA_FILE: {
    kind: "text",
    fallback: null,
    does: "authorities (PEM) that are trusted for Vault, in addition to the system's",
  },
  PICKET_TRUSTED_KEYS: {
    kind: "text",
    fallback: null,
    does: "public keys as lines of authorized_keys (ssh-ed25519 ...); then the agent runs only monitors that one of them signed for PICKET_LOCATION",
  },
  PICKET_TRUSTED_KEYS_FILE: {
    kind: "text",
    fallback: null,
    does: "a file of such lines, read at the start",
  },
  PICKET_LOCATION: {
    kind: "text",
    fallback: "",
    does: "the location's name as signatures have it; required with PICKET_TRUSTED_KEYS",
  },
  PICKET_DNS_SERVERS: {
    kind: "servers",
    fallback: "",
    does: "name servers to use instead of the system's, e.g. 10.0.0.53,10.0.1.53:5353",
  },
  PICKET_RESOLVER: {
    kind: "resolver",
    fallback: "stub",
    does: "stub: Picket resolves names itself; system: getaddrinfo does",
  },
  PICKET_IP_FAMILY: {
    kind: "family",
    fallback: "any",
    does: "the addresses that are dialled: any, 4 or 6",
  },
  PICKET_TARGET_ALLOW: {
    kind: "targets",
    fallback: "",
    does: "exceptions to PICKET_TARGET_DENY; link-local and cloud metadata addresses must be listed themselves",
  },
  PICKET_TARGET_DENY: {
    kind: "targets",
    fallback: "",
    does: "targets that are never dialled, e.g. 10.0.0.0/8,fd00::1,*.internal,tcp://*:22",
  },
  PICKET_TARGET_ALLOW_FILE: {
    kind: "text",
    fallback: null,
    does: "a file with more entries of PICKET_TARGET_ALLOW, one in each line, read again when it changes",
  },
  PICKET_TARGET_DENY_FILE: {
    kind: "text",
    fallback: null,
    does: "a file with more entries of PICKET_TARGET_DENY, one in each line, read again when it changes",
  },
  PICKET_TARGET_PROXY: {
    kind: "proxy",
    fallback: null,
    does: "an HTTP proxy for http and tcp targets, e.g. http://user:password@10.0.0.8:3128",
    secret: true,
  },
  PICKET_NO_PROXY: {
    kind: "exceptions",
    fallback: "",
    does: "hosts reached without a proxy, e.g. .corp,10.0.0.0/8,db.test:5432; for the service NO_PROXY counts too",
  },
  PICKET_HTTP2: { kind: "switch", fallback: "on", does: "offers HTTP/2 to https targets" },
  PICKET_KERNEL_CLOCK: {
    kind: "switch",
    fallback: "on",
    does: "uses the kernel's own timestamps of connections and datagrams if it has them",
  },
  PICKET_RAW_SOCKETS: {
    kind: "raw_sockets",
    fallback: "auto",
    does: "which sockets probes use. auto: raw ones, whose every packet the kernel timestamps, if they pass a test at the start, otherwise Node.js's; on: the same, with a warning if they fail it; off: Node.js's",
  },
  PICKET_EVIDENCE: {
    kind: "evidence",
    fallback: "local",
    does: "what is looked up when a check fails. off: nothing, and the service gets only the length of the body that an HTTP server answered with; local: what this machine already knows, if its name servers and gateway answer, and the first 2 KiB of that body, also of a check that passed if a person asked for it; full: also how far packets to the target get, and up to which size",
  },
  PICKET_EVIDENCE_DIRECT: {
    kind: "switch",
    fallback: "off",
    does: "when a check fails at PICKET_TARGET_PROXY, makes one connection to its target without the proxy, if the target rules allow it; your network may forbid that",
  },
  PICKET_PATHS: {
    kind: "switch",
    fallback: "on",
    does: "traces the path to each target now and then, so that a failure can name the hop that changed: at most 30 packets a minute, to ports that checks use. Off if PICKET_EVIDENCE is off",
  },
  PICKET_REFERENCES: {
    kind: "references",
    fallback: "",
    does: "what the agent connects to when checks fail, to find out if it is cut off itself, e.g. 10.0.9.9:443,intra.corp:443; for agents with fewer than three hosts",
  },
  PICKET_MAX_BODY: { kind: "size", fallback: "10MiB", does: "how much of a response body is read" },
  PICKET_LOG_LEVEL: { kind: "level", fallback: "info", does: "debug, info, warn or error" },
  PICKET_LOG_FORMAT: {
    kind: "format",
    fallback: "",
    does: "json or pretty (default: pretty on a terminal)",
  },
  PICKET_METRICS_PROTOCOL: {
    kind: "protocol",
    fallback: "http/protobuf",
    does: "the protocol for the collectors that monitors name: http/protobuf or http/json",
  },
  PICKET_METRICS_VIEWS: {
    kind: "views",
    fallback: "",
    does: "adds the names of other checkers to the metrics: collector, blackbox, openstatus",
  },
  PICKET_LATENCY: {
    kind: "latency",
    fallback: "total",
    does: "where an HTTP latency ends: total is the body's last byte, head the response's first",
  },
  PICKET_USER_AGENT: {
    kind: "value",
    fallback: null,
    does: "the User-Agent of HTTP checks that set none, e.g. OpenStatus/1.0 (default: picket/VERSION)",
  },
} as const;

export type SettingName = keyof typeof table;
export const settings: Readonly<Record<SettingName, Setting>> = table;
