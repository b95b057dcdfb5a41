import { certificateFault } from "#network/certificate-faults";

/**
 * What an error code of the operating system means, in words for a person; undefined for one that is not known here.
 * Codes are those of errno(3) and getaddrinfo(3), as Node gives them.
 */
export const systemErrorWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset by the peer",
  EPIPE: "connection closed by the peer while sending",
  ECONNABORTED: "connection aborted",
  EHOSTUNREACH: "no route to the host",
  EHOSTDOWN: "the host is down",
  ENETUNREACH: "no route to the network",
  ENETDOWN: "the network is down",
  ETIMEDOUT: "the kernel got no answer",
  EADDRNOTAVAIL: "the address cannot be used from this machine",
  EAFNOSUPPORT: "the address family is not supported on this machine",
  EINVAL: "the address cannot be used from this machine",
  EACCES: "the system does not allow a connection to the address",
  EPERM: "a firewall of this machine does not allow the connection",
  ENOTFOUND: "its name does not exist",
  EAI_AGAIN: "its name cannot be resolved now",
};

/** What a failed TLS handshake was about. */
export type TlsErrorKind = "untrusted" | "not_tls" | "protocol" | "alert";

/** What a code of OpenSSL's means, in words for a person; null if it is none of its codes. */
export function tlsErrorWords(
  code: string,
): { readonly kind: TlsErrorKind; readonly words: string } | null {
  const fault = certificateFault(code);
  if (fault !== null)
    return { kind: "untrusted", words: `the certificate is not trusted: ${fault.words}` };
  if (!code.startsWith("ERR_SSL_") && code !== "EPROTO") return null;
  if (
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_TOO|BAD_RECORD_TYPE/.test(code)
  )
    return { kind: "not_tls", words: "the peer does not speak TLS on this port" };
  if (
    /PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS|NO_SHARED_CIPHER|VERSION_TOO_LOW/.test(code)
  )
    return { kind: "protocol", words: "no TLS version or cipher is shared with the peer" };
  // OpenSSL names the alerts of RFC 6066 without the word.
  const alert = /(?:ALERT_|^ERR_SSL_TLSV1_)(.+)$/.exec(code)?.[1];
  if (alert !== undefined)
    return {
      kind: "alert",
      words: `the peer ended the handshake with the TLS alert "${spokenCode(alert)}"`,
    };
  const rest = spokenCode(code.replace(/^ERR_SSL_/, ""));
  return { kind: "protocol", words: `the TLS handshake failed: ${rest}` };
}

/** A code as words: `BAD_CERTIFICATE` is "bad certificate". */
export const spokenCode = (code: string): string => code.toLowerCase().replaceAll("_", " ");

/** The code of an error of Node's, or that of what caused it; empty when it has none. */
export function errorCode(error: unknown): string {
  if (!Error.isError(error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return errorCode(error.cause);
}
