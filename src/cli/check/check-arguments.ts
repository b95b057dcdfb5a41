import { parseDuration } from "#duration";
import { type CheckSurroundings, readSurroundings } from "#cli/check/check-surroundings";
import { type TypedRule, typedAssertions, typedRule } from "#cli/check/assert-option";
import { refuseOtherFamily } from "#cli/check/address-family";
import { requestBody } from "#cli/check/request-body";
import type { Io } from "#cli/io";
import { parseArguments, UsageError } from "#cli/usage-error";
import {
  type DefinitionOf,
  dnsDefaults,
  type HttpDefinition,
  httpDefaults,
  type MonitorDefinition,
  tcpDefaults,
} from "#check/definition";
import { type Header, type Kind, kinds, type RunnableMonitor } from "#check/monitor";
import { readMonitor } from "#check/read-monitor";

/** What `picket check` was asked: monitors that are run once each, and how. */
export interface CheckArguments {
  readonly monitors: readonly CheckedMonitor[];
  readonly json: boolean;
  readonly explain: boolean;
  readonly surroundings: CheckSurroundings;
}

export interface CheckedMonitor extends RunnableMonitor {
  /** The target as it was typed. */
  readonly typed: string;
}

export const checkHelp = `Usage: picket check TARGET… [options]

Checks each target once, now, and shows what the wire did.

Targets
  https://host/path, http://host/path
  tcp://host:port
  dns:name?type=MX&server=127.0.0.1:5353     type and server may be left out

Options
  -X, --method METHOD      GET, POST, HEAD, PUT, PATCH, DELETE, OPTIONS (default GET)
  -H, --header 'K: V'      a request header; may be repeated
  -d, --body TEXT          the request body; only POST, PUT and PATCH send one. @FILE is a file's text
                           without its line breaks, like curl
      --timeout DURATION   bounds one attempt as a whole, e.g. 500ms or 10s (default 45s)
      --retry N            further attempts after a failed one, 0 to 10 (default 0)
      --degraded-at DUR    a passing check above it is degraded
      --no-follow          judge a redirect itself
  -a, --assert RULE        may be repeated: 'status lt 400', 'body contains ok',
                           'header content-type contains json', 'MX eq mail.example.com'
      --ca FILE            CA certificates (PEM) to trust in addition to the system's
      --cert FILE          a PEM client certificate, for targets and proxies that ask for one
      --key FILE           its PEM key, without passphrase
      --http1              do not offer HTTP/2
  -4, -6                   IPv4 or IPv6 only
      --system-resolver    resolve names by the system's getaddrinfo
      --deny LIST          targets that are not dialled, redirects included: CIDRs, addresses,
                           host globs, e.g. 10.0.0.0/8,*.internal; may be repeated
      --allow LIST         targets that are dialled although denied; a link-local or cloud
                           metadata address has to be allowed by that very address
      --proxy URL          an HTTP proxy for http and tcp targets
      --no-proxy LIST      targets that are dialled without it, e.g. .corp,10.0.0.0/8; * is all
      --explain            also what went over the wire: request and response heads, the first of
                           the body, DNS messages in hex; credentials and queries removed
      --json               one JSON object for each target
  -h, --help               this text

Exit code: 0 success, 2 degraded, 1 error, 64 usage; of several targets the worst counts.
PICKET_TARGET_ALLOW and PICKET_TARGET_DENY of the environment hold as they do for the agent. So do
PICKET_TARGET_PROXY, PICKET_NO_PROXY, PICKET_CA_FILE, PICKET_CLIENT_CERT_FILE, PICKET_CLIENT_KEY_FILE,
PICKET_DNS_SERVERS, PICKET_RESOLVER, PICKET_IP_FAMILY, PICKET_HTTP2, PICKET_KERNEL_CLOCK,
PICKET_MAX_BODY and PICKET_USER_AGENT, where no option stands in their place.
`;

const options = {
  method: { type: "string", short: "X" },
  header: { type: "string", short: "H", multiple: true },
  body: { type: "string", short: "d" },
  timeout: { type: "string" },
  retry: { type: "string" },
  "degraded-at": { type: "string" },
  "no-follow": { type: "boolean" },
  assert: { type: "string", short: "a", multiple: true },
  ca: { type: "string" },
  cert: { type: "string" },
  key: { type: "string" },
  http1: { type: "boolean" },
  ipv4: { type: "boolean", short: "4" },
  ipv6: { type: "boolean", short: "6" },
  "system-resolver": { type: "boolean" },
  allow: { type: "string", multiple: true },
  deny: { type: "string", multiple: true },
  proxy: { type: "string" },
  "no-proxy": { type: "string" },
  json: { type: "boolean" },
  explain: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Reads the arguments; null asks for help. Throws a UsageError that says what is wrong with which of them. */
export function parseCheckArguments(
  args: readonly string[],
  env: Io["env"],
): CheckArguments | null {
  const { values, positionals } = parseArguments(args, { options, allowPositionals: true });
  if (values.help === true) return null;
  if (positionals.length === 0)
    throw new UsageError("check needs a target, e.g. https://example.com");
  const common = {
    name: "check",
    periodicity: "1m",
    timeout: durationOf("--timeout", values.timeout) ?? tcpDefaults.timeout,
    retry: values.retry === undefined ? 0 : Number(values.retry),
    degradedAt: durationOf("--degraded-at", values["degraded-at"]),
  };
  const http = {
    method: values.method ?? "GET",
    headers: (values.header ?? []).map(headerOf),
    body: requestBody(values.body ?? "", values.method ?? "GET"),
    followRedirects: values["no-follow"] !== true,
  };
  const rules = (values.assert ?? []).map(typedRule);
  const monitors = positionals.map((typed) =>
    monitorOf(typed, definitionOf(typed, { common, http, rules })),
  );
  for (const { target } of monitors) refuseOtherFamily(target, values);
  return {
    monitors,
    json: values.json === true,
    explain: values.explain === true,
    surroundings: readSurroundings(values, env),
  };
}

type Common = Pick<HttpDefinition, "name" | "periodicity" | "timeout" | "retry" | "degradedAt">;

/** What the options say of the monitors that are checked. */
interface Typed {
  readonly common: Common;
  readonly http: Pick<HttpDefinition, "method" | "headers" | "body" | "followRedirects">;
  readonly rules: readonly TypedRule[];
}

function definitionOf(typed: string, options: Typed): MonitorDefinition {
  const kind = kinds.find((one) => targets[one].scheme.test(typed));
  if (kind !== undefined) return targets[kind].define(typed, options);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1];
  const shapes = Object.values(targets).map(({ shape }) => shape);
  throw new UsageError(
    scheme === undefined
      ? noTarget(typed)
      : `there is no check of ${scheme} targets: write ${shapes.join(", ").replace(/, (?=[^,]*$)/, " or ")}`,
  );
}

/** How a target of each kind is typed, and what is checked of it. */
const targets: {
  readonly [K in Kind]: {
    readonly scheme: RegExp;
    readonly shape: string;
    readonly define: (typed: string, options: Typed) => DefinitionOf<K>;
  };
} = {
  http: {
    scheme: /^https?:/i,
    shape: "https://host/path, http://host/path",
    define: (url, { common, http, rules }) => ({
      ...httpDefaults,
      ...common,
      ...http,
      url,
      ...typedAssertions.http(rules),
    }),
  },
  tcp: {
    scheme: /^tcp:/i,
    shape: "tcp://host:port",
    define: (uri, { common, rules }) => ({
      ...tcpDefaults,
      ...common,
      uri,
      ...typedAssertions.tcp(rules),
    }),
  },
  dns: {
    scheme: /^dns:/i,
    shape: "dns:name",
    define: (uri, { common, rules }) => ({
      ...dnsDefaults,
      ...common,
      uri,
      ...typedAssertions.dns(rules),
    }),
  },
};

/** What is shown gets copied into tickets: user-info and query may be secrets. */
function noTarget(typed: string): string {
  const shown = typed.replace(/[?#].*$/s, "").replace(/^.*@/s, "");
  return `"${shown}" is no target: write https://${shown}, tcp://${shown} or dns:${shown}`;
}

function monitorOf(typed: string, definition: MonitorDefinition): CheckedMonitor {
  const reading = readMonitor(typed, definition, "management");
  // One check has no name but its target.
  if (reading.is === "runnable") return { ...reading.monitor, name: null, typed };
  const wrong = reading.is === "wrong" ? reading.violations : reading.remarks;
  throw new UsageError(wrong.map(({ field, message }) => `${field} ${message}`).join("; "));
}

function durationOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const duration = parseDuration(text);
  if (duration === null)
    throw new UsageError(`${option} must be a duration such as 500ms or 10s, not "${text}"`);
  return duration;
}

function headerOf(text: string): Header {
  const [, key, value] = /^([^:]+):\s*(.*)$/s.exec(text) ?? [];
  // The value may be a secret: the message quotes nothing.
  if (key === undefined || value === undefined)
    throw new UsageError("--header must be 'Name: value'");
  return { key: key.trim(), value };
}
