import type { Deadline } from "#base/deadline";
import {
  failure,
  type Failure,
  type FailureCode,
  type FailurePhase,
  type TimeoutCode,
} from "#check/failure";
import {
  errorCode,
  systemErrorWords,
  type TlsErrorKind,
  tlsErrorWords,
} from "#network/system-errors";
import { type Outcome, type PhaseName, phaseNames } from "#check/outcome";
import type { Millis } from "#base/units";
import { ownWant } from "#probes/socket/own-want";
import { cutText } from "#base/text";

/**
 * The one translator from what the runtime throws to the failure vocabulary. `where` is shown to a person:
 * `10.0.0.1:443`, or a name.
 */
export function classify(error: unknown, phase: FailurePhase, where: string): Failure {
  const want = ownWant(error);
  if (want !== null) return failure("agent_error", "agent", `${want} (${where})`);
  const [code, words] = named(errorCode(error)) ?? (["agent_error", errorText(error)] as const);
  return failure(code, code === "agent_error" ? "agent" : phase, `${words} (${where})`);
}

/** What the end of a deadline means in the phase that it cut off. */
export function timedOut(deadline: Deadline, phase: FailurePhase, where: string): Failure {
  if (deadline.ended === "cancelled")
    return failure("cancelled", "agent", "The check was aborted before it ended");
  const [code, doing] = timeouts[phase];
  return failure(code, phase, `Timeout after ${deadline.budget} ms ${doing} ${where}`);
}

/** The answer was whole only after the end of its time: the phase is the one in which that passed. */
export function cameLate({ kind, phases }: Outcome, took: Millis, budget: Millis): Failure {
  let elapsed = 0;
  const isOver = (name: PhaseName): boolean => (elapsed += (phases[name] ?? 0) / 1e6) > budget;
  const phase =
    phaseNames.find(isOver) ?? phaseNames.findLast((name) => phases[name] !== null) ?? "wait";
  const code = kind === "dns" ? "dns_timeout" : timeouts[phase][0];
  const message = `Timeout after ${budget} ms: the answer was whole after ${Math.round(took)} ms`;
  return failure(code, phase, message);
}

/** A fault of our own code, said as what it is. */
export function agentError(error: unknown): Failure {
  return failure("agent_error", "agent", `Fault in the agent: ${errorText(error)}`);
}

function errorText(error: unknown): string {
  return cutText(Error.isError(error) ? error.message || error.name : String(error), 256);
}

type CodeAndWords = readonly [code: FailureCode, words: string];

function named(code: string): CodeAndWords | null {
  const refusal = certificateErrors[code];
  if (refusal !== undefined) return refusal;
  const system = systemErrors[code];
  if (system !== undefined) return [system, systemErrorWords[code] ?? code];
  const tls = tlsErrorWords(code);
  return tls === null ? null : [tlsErrors[tls.kind], tls.words];
}

const systemErrors: Readonly<Record<string, FailureCode>> = {
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  ECONNABORTED: "connection_reset",
  EHOSTUNREACH: "host_unreachable",
  EHOSTDOWN: "host_unreachable",
  ENETUNREACH: "network_unreachable",
  ENETDOWN: "network_unreachable",
  ETIMEDOUT: "connect_timeout",
  EADDRNOTAVAIL: "address_unusable",
  EAFNOSUPPORT: "address_unusable",
  EINVAL: "address_unusable",
  EACCES: "address_unusable",
  EPERM: "address_unusable",
};

const tlsErrors: { readonly [K in TlsErrorKind]: FailureCode } = {
  untrusted: "tls_untrusted",
  not_tls: "not_tls",
  protocol: "tls_protocol",
  alert: "tls_alert",
};

/** Results of a verification by OpenSSL, as Node names them, that have a failure code to themselves. */
const certificateErrors: Readonly<Record<string, CodeAndWords>> = {
  CERT_HAS_EXPIRED: ["tls_expired", "the certificate has expired"],
  CERT_NOT_YET_VALID: ["tls_not_yet_valid", "the certificate is not valid yet"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["tls_hostname", "the certificate is for another name"],
  HOSTNAME_MISMATCH: ["tls_hostname", "the certificate is for another name"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["tls_self_signed", "the certificate is self-signed"],
};

const timeouts: {
  readonly [P in FailurePhase]: readonly [code: TimeoutCode | "agent_error", words: string];
} = {
  dns: ["dns_timeout", "resolving"],
  connect: ["connect_timeout", "connecting to"],
  proxy: ["proxy_timeout", "waiting for the proxy to reach"],
  tls: ["tls_timeout", "in the TLS handshake with"],
  write: ["write_timeout", "sending the request to"],
  wait: ["response_timeout", "waiting for the response of"],
  receive: ["body_timeout", "reading the response of"],
  decode: ["body_timeout", "decoding the response of"],
  config: ["agent_error", "before the check of"],
  policy: ["agent_error", "before the check of"],
  assertion: ["agent_error", "judging the response of"],
  agent: ["agent_error", "before the check of"],
};
