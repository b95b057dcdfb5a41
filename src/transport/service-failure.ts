import { certificateFault } from "#network/certificate-faults";
import { errorCode, spokenCode, systemErrorWords, tlsErrorWords } from "#network/system-errors";
import { ServiceError } from "#transport/control-plane";

/** Why a connection did not come about; `error` is what the runtime says, null for an orderly end. */
export function reachFailure(named: string, error: Error | null): string {
  if (error === null) return `${named} closed the connection`;
  const code = errorCode(error);
  return `${named} cannot be reached: ${systemErrorWords[code] ?? (error.message || code)}`;
}

/** Why TLS did not come about: what follows is another thing for a certificate of theirs and for one of ours. */
export function tlsFailure(
  named: string,
  error: Error | null,
  blame: "unavailable" | "proxy",
): ServiceError {
  if (error === null)
    return new ServiceError(blame, `${named} closed the connection in the TLS handshake`);
  const code = errorCode(error);
  if (authorityIsMissing.test(code))
    return new ServiceError(
      "untrusted",
      `the certificate of ${named} is not trusted: ${certificateFault(code)?.words ?? error.message}`,
    );
  return (
    identityFailure(named, error) ??
    new ServiceError(blame, `no TLS with ${named}: ${tlsErrorWords(code)?.words ?? error.message}`)
  );
}

/** What kept a call from the service, by the error that it failed with; null if that says nothing of the way. */
export const wayFailure = (error: unknown): ServiceError | null =>
  // A connection that did not come about says so itself.
  error instanceof ServiceError ? error : identityFailure("the service", error);

/** What an alert says of our client certificate; null for every other error. In TLS 1.3 it comes after the handshake. */
function identityFailure(named: string, error: unknown): ServiceError | null {
  for (let cause: unknown = error; Error.isError(cause); cause = cause.cause) {
    const [, alert] = aboutOurs.exec(errorCode(cause)) ?? [];
    if (alert !== undefined)
      return new ServiceError(
        "identity",
        `${named} refuses our client certificate, or wants one: TLS alert "${spokenCode(alert)}"`,
      );
  }
  return null;
}

/** Verification results of OpenSSL that trusting another authority would fix. */
const authorityIsMissing =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)\w*|CERT_UNTRUSTED)$/;

/** Alerts that speak of the certificate of whom they are sent to (RFC 8446 §6.2). */
const aboutOurs =
  /ALERT_((?:BAD_|UNSUPPORTED_)?CERTIFICATE(?:_REQUIRED|_EXPIRED|_REVOKED|_UNKNOWN)?|UNKNOWN_CA|ACCESS_DENIED)$/;
