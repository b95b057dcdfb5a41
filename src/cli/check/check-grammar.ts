import { httpMethods, kinds, kindWords } from "#check/monitor";
import { formats } from "#cli/check/report/check-report";
import type { Grammar } from "#cli/grammar/command";
import { file, flag, list, type OptionsOf, value, word } from "#cli/grammar/option";
import * as limits from "#limits/check-limits";

const duration = word("DURATION");
const targets = word("LIST");

export type CheckOptions = OptionsOf<
  "no-follow" | "insecure" | "http1" | "ipv4" | "ipv6" | "system-resolver" | "explain" | "json",
  | "file"
  | "method"
  | "repeat"
  | "every"
  | "format"
  | "user"
  | "body"
  | "timeout"
  | "retry"
  | "degraded-at"
  | "max-redirects"
  | "ca"
  | "cert"
  | "key"
  | "dns-server"
  | "proxy"
  | "no-proxy"
  | "secrets-dir"
  | "secrets-file"
  | "secrets-hosts-file",
  "header" | "assert" | "resolve" | "deny" | "allow"
>;

/** How the targets of each kind are typed, in two columns. */
const typedTargets: readonly string[] = kinds.flatMap((kind) =>
  kindWords[kind].typed.map(([shape, says]) => `  ${shape.padEnd(43)}${says}`.trimEnd()),
);

/** How `picket check` is typed. */
export const checkGrammar: Grammar<CheckOptions> = {
  name: "check",
  summary: "one check now, with its timings and verdict",
  forms: ["TARGET… [options]", "-f FILE [NAME…] [options]"],
  about: `Checks each target once, now, and shows what the wire did.

Targets
${typedTargets.join("\n")}`,
  words: [word("TARGET")],
  options: {
    file: value(
      file,
      "check the monitors of a YAML file, or those of these names, with the assertions in that file",
      "f",
    ),
    method: value(
      word("METHOD", httpMethods),
      `the request method (default GET): ${httpMethods.join(", ")}`,
      "X",
    ),
    header: list(word("'K: V'"), "a request header; may be repeated", "H"),
    user: value(
      word("USER:PASSWORD"),
      "credentials of Basic authentication; they are never shown",
      "u",
    ),
    body: value(
      word("TEXT"),
      "the request body; only POST, PUT and PATCH send one. @FILE is a file's text without its line breaks, like curl",
      "d",
    ),
    timeout: value(duration, "bounds one attempt as a whole, e.g. 500ms or 10s (default 45s)"),
    retry: value(
      word("N"),
      `further attempts after a failed one, 0 to ${limits.retryMax} (default 0)`,
    ),
    "degraded-at": value(duration, "a passing check that takes longer is degraded"),
    "no-follow": flag("judge a redirect itself"),
    "max-redirects": value(
      word("N"),
      `redirects that are followed, 0 to ${limits.redirectsOptionMax} (default ${limits.redirectsMax}); one more is an error`,
    ),
    assert: list(
      word("RULE"),
      "an assertion; may be repeated: 'status lt 400', 'body contains ok', 'header content-type contains json', 'latency lt 500ms', 'certificate gt 14' (days left), 'json $.status eq ok', 'loss lt 34' (percent of a ping), 'MX eq mail.example.com'",
      "a",
    ),
    ca: value(file, "CA certificates (PEM) to trust in addition to the system's"),
    cert: value(file, "a PEM client certificate, for targets and proxies that ask for one"),
    key: value(file, "its PEM key, without passphrase"),
    insecure: flag(
      "accept a target's certificate that is not trusted; the output says what is wrong with it. A proxy's certificate is still verified",
      "k",
    ),
    http1: flag("do not offer HTTP/2"),
    ipv4: flag("IPv4 only", "4"),
    ipv6: flag("IPv6 only", "6"),
    resolve: list(
      word("HOST:PORT:ADDRESS"),
      "connect to this address instead of asking for the host's; several addresses are separated by commas; may be repeated",
    ),
    "dns-server": value(
      word("HOST[:PORT]"),
      "ask this name server instead of the system's; several are separated by commas",
    ),
    "system-resolver": flag("resolve names by the system's getaddrinfo"),
    deny: list(
      targets,
      "targets that must not be reached, redirects included: CIDRs, addresses, host globs, e.g. 10.0.0.0/8,*.internal; may be repeated",
    ),
    allow: list(
      targets,
      "exceptions to --deny; a link-local or cloud metadata address must be listed itself",
    ),
    proxy: value(word("URL"), "an HTTP proxy for http and tcp targets"),
    "no-proxy": value(
      targets,
      "targets that are reached without it, e.g. .corp,10.0.0.0/8; * is all",
    ),
    "secrets-dir": value(
      word("DIR", "files"),
      "a directory with a file for each secret that is put in where a text has {{secret:NAME}}, and NAME.hosts with the hosts that it may go to",
    ),
    "secrets-file": value(file, "the same from a file, one NAME=VALUE in each line"),
    "secrets-hosts-file": value(file, "the hosts of secrets, one NAME HOST... in each line"),
    explain: flag(
      "also what went over the wire: request and response heads, the first of the body, DNS messages in hex; credentials and queries removed",
    ),
    repeat: value(
      word("N"),
      "check this many times, then print min, median, p95 and the number of failures; Ctrl-C stops early and prints them",
    ),
    every: value(duration, "pause between rounds (default 1s); without --repeat until Ctrl-C"),
    format: value(
      word("FORMAT", formats),
      "how checks are printed (default text); json is one object a line for each check",
    ),
    json: flag("the same as --format json"),
  },
  notes: `Exit code: 0 success, 2 degraded, 1 error, 64 usage; of several targets the worst counts.
PICKET_TARGET_ALLOW and PICKET_TARGET_DENY of the environment apply as they do for the agent. So do
PICKET_TARGET_PROXY, PICKET_NO_PROXY, PICKET_CA_FILE, PICKET_CLIENT_CERT_FILE, PICKET_CLIENT_KEY_FILE,
PICKET_DNS_SERVERS, PICKET_RESOLVER, PICKET_IP_FAMILY, PICKET_HTTP2, PICKET_KERNEL_CLOCK,
PICKET_RAW_SOCKETS, PICKET_EVIDENCE, PICKET_MAX_BODY, PICKET_USER_AGENT, PICKET_SECRETS_DIR,
PICKET_SECRETS_FILE, PICKET_SECRETS_HOSTS_FILE, PICKET_SECRET_api and those of Vault, unless an option replaces them.`,
};
