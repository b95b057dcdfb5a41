import { showText } from "#base/text";

/** What a check says if the status of an HTTP answer does not count as success. It is wire format. */
export const statusFailed = (statusCode: number): string =>
  `Request failed with status code ${statusCode}`;

/**
 * The closed vocabulary of what can go wrong with a check. Codes are wire format: never renamed, never reused.
 * Each code says when it is given; `phase` says where in the check it happened.
 */
export const failureCodes = {
  invalid_url: "the URL of an HTTP monitor cannot be used",
  invalid_uri: "the host, port or name that a TCP, DNS, ICMP or gRPC monitor names cannot be used",
  invalid_method: "the HTTP method is not one that Picket sends",
  invalid_header: "a configured header has a name or value that must not be sent",
  invalid_periodicity: "the periodicity is not one of those that the service defines",
  invalid_comparator: "an assertion names a comparator or record type that Picket does not know",
  invalid_setting: "another field of the monitor is outside its limits",
  target_denied: "the target guard forbids the address",
  dns_nxdomain: "the name does not exist",
  dns_nodata: "the name exists, but has no record of the types asked",
  dns_servfail: "the name server could not answer (SERVFAIL)",
  dns_refused: "the name server refused to answer (REFUSED)",
  dns_rcode: "the name server answered with another error code",
  dns_timeout: "no usable answer came from any name server in time",
  dns_malformed: "the name server's answer could not be parsed",
  dns_truncated: "the answer was truncated and fetching it over TCP failed",
  dns_unreachable: "no name server could be reached, or none is configured",
  connection_refused: "nothing listens at the address",
  connection_reset: "the peer reset the connection",
  host_unreachable: "no route to the host",
  network_unreachable: "no route to the network",
  address_unusable: "the address cannot be used from this machine",
  connect_timeout: "the connection was not established in time",
  icmp_timeout: "no echo was answered in time",
  icmp_host_unreachable: "a router, or this machine, could not reach the host that was pinged",
  icmp_net_unreachable: "a router had no route to the host that was pinged",
  icmp_prohibited: "a router or the host forbids the ping",
  icmp_ttl_exceeded: "the ping went through too many routers: mostly a loop",
  proxy_refused: "the proxy did not open the tunnel",
  proxy_timeout: "the proxy did not answer in time",
  tls_expired: "the certificate, or one that it depends on, has expired",
  tls_not_yet_valid: "the certificate, or one that it depends on, is not valid yet",
  tls_hostname: "the certificate is for another name",
  tls_self_signed: "the certificate is self-signed and not trusted",
  tls_untrusted: "the certificate's chain does not end at a trusted authority",
  tls_protocol: "no TLS version or cipher is shared with the peer",
  tls_alert: "the peer ended the handshake with a TLS alert",
  tls_timeout: "the TLS handshake did not finish in time",
  tls_closed: "the peer closed the connection during the TLS handshake",
  not_tls: "the peer does not speak TLS on this port",
  write_timeout: "the request could not be sent in time",
  response_timeout: "no complete response head came in time",
  empty_reply: "the peer closed the connection without answering",
  headers_truncated: "the peer closed the connection in the middle of the response head",
  headers_too_large: "the response head is larger than the limit",
  protocol_error: "the peer's answer is not valid HTTP",
  body_truncated: "the body ended before its announced length",
  body_timeout: "the body was not complete in time",
  body_too_large: "a body assertion needs more of the body than the limit allows",
  decode_error: "the body does not decode with its Content-Encoding",
  too_many_redirects: "the redirects loop or are more than the limit",
  grpc_not_serving: "the server says that it, or the service, is not serving",
  grpc_service_unknown: "the server does not know the service that was asked for",
  grpc_unimplemented: "the server has no gRPC health service",
  grpc_status: "the gRPC call ended with an error of the server's",
  unexpected_status: "the status code is not one that counts as success",
  assertion_failed: "an assertion does not hold",
  agent_error: "a fault of the agent itself, never of the target",
  cancelled: "the agent aborted the check before it had a verdict",
} as const;

export type FailureCode = keyof typeof failureCodes;

/** Something was not over in time: known by its name, so that a new one counts everywhere. */
export type TimeoutCode = Extract<FailureCode, `${string}_timeout`>;
export const isTimeout = (code: FailureCode): code is TimeoutCode => code.endsWith("_timeout");

/** What a server says of itself, when it has answered: it would say the same again. */
const answerCodes: ReadonlySet<FailureCode> = new Set([
  "grpc_not_serving",
  "grpc_service_unknown",
  "grpc_unimplemented",
  "grpc_status",
]);
export const isAnswer = (code: FailureCode): boolean => answerCodes.has(code);

/** Where in a check a failure happened. */
export const failurePhases = [
  "config",
  "policy",
  "dns",
  "connect",
  "proxy",
  "tls",
  "write",
  "wait",
  "receive",
  "decode",
  "assertion",
  "agent",
] as const;
export type FailurePhase = (typeof failurePhases)[number];

const phaseWords: { readonly [P in FailurePhase]: string } = {
  config: "in its configuration",
  policy: "by the rules of the agent",
  dns: "while resolving the name",
  connect: "while connecting",
  proxy: "at the proxy",
  tls: "in the TLS handshake",
  write: "while sending the request",
  wait: "while waiting for the answer",
  receive: "while receiving the answer",
  decode: "while reading the answer",
  assertion: "in the answer",
  agent: "in the agent",
};

/** Where a check failed, as a sentence has it after the failure. An agent may know phases that this version does not. */
export function phaseInWords(phase: string): string {
  const known = failurePhases.find((one) => one === phase);
  return known === undefined ? `in phase ${phase}` : phaseWords[known];
}

export interface Failure {
  readonly code: FailureCode;
  readonly phase: FailurePhase;
  /** One plain sentence for a person; never holds a URL's query or user-info, or a header's value. */
  readonly message: string;
}

/** A failure as another program names it; null for words that this one does not know. */
export function failureOf(code: string, phase: string, message: string): Failure | null {
  const knownPhase = failurePhases.find((one) => one === phase);
  return isFailureCode(code) && knownPhase !== undefined
    ? failure(code, knownPhase, message)
    : null;
}

export const isFailureCode = (code: string): code is FailureCode =>
  Object.hasOwn(failureCodes, code);

/** What a peer wrote may be in the message: it is made harmless here, once for every log, page and message to people. */
export const failure = (code: FailureCode, phase: FailurePhase, message: string): Failure => ({
  code,
  phase,
  message: showText(message),
});

/** Faults of configuration, policy and agent say nothing about the target, so they are never its downtime. */
export const blamesTarget = (phase: FailurePhase): boolean =>
  phase !== "config" && phase !== "policy" && phase !== "agent";

/**
 * Who says a failure. "agent": its own machine, or how the monitor is written. "way": what lies between the agent and the
 * target, a resolver, a router, a middlebox, so that one fault is many monitors'. "server": the target has answered, and
 * says so of itself; what another server says has nothing to do with it.
 */
type FailureSide = "agent" | "way" | "server";

const sides: { readonly [C in FailureCode]: FailureSide } = {
  invalid_url: "agent",
  invalid_uri: "agent",
  invalid_method: "agent",
  invalid_header: "agent",
  invalid_periodicity: "agent",
  invalid_comparator: "agent",
  invalid_setting: "agent",
  target_denied: "agent",
  address_unusable: "agent",
  agent_error: "agent",
  cancelled: "agent",
  dns_nxdomain: "way",
  dns_nodata: "way",
  dns_servfail: "way",
  dns_refused: "way",
  dns_rcode: "way",
  dns_timeout: "way",
  dns_malformed: "way",
  dns_truncated: "way",
  dns_unreachable: "way",
  // A firewall refuses for others, too.
  connection_refused: "way",
  connection_reset: "way",
  host_unreachable: "way",
  network_unreachable: "way",
  connect_timeout: "way",
  icmp_timeout: "way",
  icmp_host_unreachable: "way",
  icmp_net_unreachable: "way",
  icmp_prohibited: "way",
  icmp_ttl_exceeded: "way",
  proxy_refused: "way",
  proxy_timeout: "way",
  tls_expired: "server",
  // By a clock of the agent that is behind, no certificate is valid yet.
  tls_not_yet_valid: "way",
  tls_hostname: "server",
  tls_self_signed: "server",
  tls_untrusted: "server",
  tls_protocol: "server",
  tls_alert: "server",
  tls_timeout: "way",
  tls_closed: "way",
  not_tls: "server",
  write_timeout: "way",
  response_timeout: "way",
  empty_reply: "way",
  headers_truncated: "way",
  headers_too_large: "server",
  protocol_error: "server",
  body_truncated: "way",
  body_timeout: "way",
  body_too_large: "server",
  decode_error: "server",
  too_many_redirects: "server",
  grpc_not_serving: "server",
  grpc_service_unknown: "server",
  grpc_unimplemented: "server",
  grpc_status: "server",
  unexpected_status: "server",
  assertion_failed: "server",
};

/** Whether the target has answered, and what it said is the failure. An agent may know codes that this version does not. */
export const isOfServer = (code: string): boolean =>
  Object.entries(sides).some(([known, side]) => known === code && side === "server");
