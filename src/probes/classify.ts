import type { Deadline } from "#deadline";
import { failure, type Failure, type FailureCode, type FailurePhase } from "#check/failure";
import { cutText } from "#text";

/**
 * The one translator from what the runtime throws to the failure vocabulary. `where` is shown to a person:
 * `10.0.0.1:443`, or a name.
 */
export function classify(error: unknown, phase: FailurePhase, where: string): Failure {
  const code = errorCode(error);
  const [named, words] =
    systemErrors[code] ?? tlsError(code) ?? (["agent_error", errorText(error)] as const);
  return failure(named, named === "agent_error" ? "agent" : phase, `${words} (${where})`);
}

/** What the end of a deadline means in the phase that it cut off. */
export function timedOut(deadline: Deadline, phase: FailurePhase, where: string): Failure {
  if (deadline.ended === "cancelled")
    return failure("cancelled", "agent", "The check was given up before it ended");
  const [code, doing] = timeouts[phase];
  return failure(code, phase, `Timeout after ${deadline.budget} ms ${doing} ${where}`);
}

/** A fault of our own code, said as what it is. */
export function agentError(error: unknown): Failure {
  return failure("agent_error", "agent", `Fault in the agent: ${errorText(error)}`);
}

/** The code of a Node error, or that of what caused it; empty when it has none. */
export function errorCode(error: unknown): string {
  if (!Error.isError(error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return errorCode(error.cause);
}

function errorText(error: unknown): string {
  return cutText(Error.isError(error) ? error.message || error.name : String(error), 256);
}

type Named = readonly [code: FailureCode, words: string];

const systemErrors: Readonly<Record<string, Named>> = {
  ECONNREFUSED: ["connection_refused", "connection refused"],
  ECONNRESET: ["connection_reset", "connection reset by the peer"],
  EPIPE: ["connection_reset", "connection closed by the peer while sending"],
  ECONNABORTED: ["connection_reset", "connection aborted"],
  EHOSTUNREACH: ["host_unreachable", "no route to the host"],
  EHOSTDOWN: ["host_unreachable", "the host is down"],
  ENETUNREACH: ["network_unreachable", "no route to the network"],
  ENETDOWN: ["network_unreachable", "the network is down"],
  ETIMEDOUT: ["connect_timeout", "the kernel gave the connection up"],
  EADDRNOTAVAIL: ["address_unusable", "the address cannot be used from this machine"],
  EAFNOSUPPORT: ["address_unusable", "the address family is not supported on this machine"],
  EINVAL: ["address_unusable", "the address cannot be used from this machine"],
  EACCES: ["address_unusable", "the system does not allow a connection to the address"],
  EPERM: ["address_unusable", "a firewall of this machine does not allow the connection"],
  // Verification results of OpenSSL, as Node names them.
  CERT_HAS_EXPIRED: ["tls_expired", "the certificate has expired"],
  CERT_NOT_YET_VALID: ["tls_not_yet_valid", "the certificate is not valid yet"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["tls_hostname", "the certificate is for another name"],
  HOSTNAME_MISMATCH: ["tls_hostname", "the certificate is for another name"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["tls_self_signed", "the certificate is self-signed"],
  SELF_SIGNED_CERT_IN_CHAIN: [
    "tls_untrusted",
    "the chain ends at an authority that is not trusted",
  ],
};

/** Every other verification result means one thing: the chain cannot be trusted. */
const verification =
  /^(UNABLE_TO_|CERT_|CRL_|INVALID_|ERROR_IN_|PATH_LENGTH_|SUBJECT_|AKID_|KEYUSAGE_)/;

function tlsError(code: string): Named | undefined {
  if (verification.test(code))
    return ["tls_untrusted", `the certificate is not trusted: ${spoken(code)}`];
  if (!code.startsWith("ERR_SSL_") && code !== "EPROTO") return undefined;
  if (
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_TOO|BAD_RECORD_TYPE/.test(code)
  )
    return ["not_tls", "the peer does not speak TLS on this port"];
  if (
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|NO_SHARED_CIPHER|VERSION_TOO_LOW/.test(code)
  )
    return ["tls_protocol", "no TLS version or cipher is shared with the peer"];
  // OpenSSL names the alerts of RFC 6066 without the word.
  const alert = /(?:ALERT_|^ERR_SSL_TLSV1_)(.+)$/.exec(code)?.[1];
  if (alert !== undefined)
    return ["tls_alert", `the peer ended the handshake with the TLS alert "${spoken(alert)}"`];
  return ["tls_protocol", `the TLS handshake failed: ${spoken(code.replace(/^ERR_SSL_/, ""))}`];
}

const spoken = (code: string): string => code.toLowerCase().replaceAll("_", " ");

const timeouts: { readonly [P in FailurePhase]: Named } = {
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
