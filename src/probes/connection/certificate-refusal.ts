import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate, type TLSSocket } from "node:tls";
import type { Clock } from "#clock";
import type { Failure } from "#check/failure";
import { type CertificateLink, linksOf, namesOf } from "#probes/connection/certificate";
import { classify } from "#probes/classify";

/** The code of what is wrong with a peer's certificate: it is not trusted, or not `host`'s. Null where nothing is. */
export function verificationFault(
  socket: TLSSocket,
  leaf: X509Certificate | null,
  host: string,
): string | null {
  if (socket.authorized && leaf !== null && isNamed(leaf, host)) return null;
  // The declaration says Error; what the runtime sets is the code of the verification result.
  const reason: unknown = socket.authorizationError;
  return typeof reason === "string" ? reason : hostnameMismatch;
}

const hostnameMismatch = "ERR_TLS_CERT_ALTNAME_INVALID";

/** The runtime's own rule. The subject counts only where no alternative name does, and is slow to take apart. */
function isNamed(leaf: X509Certificate, host: string): boolean {
  const names = leaf.subjectAltName;
  const named: PeerCertificate =
    isIP(host) !== 0 || names?.includes("DNS:") === true
      ? Object.assign(Object.create(null), { subjectaltname: names })
      : leaf.toLegacyObject();
  return checkServerIdentity(host, named) === undefined;
}

/** Says why a certificate was refused, and which link of its chain is at fault where the chain tells. */
export function refusal(
  code: string,
  leaf: X509Certificate | null,
  where: string,
  clock: Clock,
): Failure {
  const failed = classify(Object.assign(new Error(code), { code }), "tls", where);
  if (leaf === null) return failed;
  const more =
    failed.code === "tls_hostname" ? namesOf(leaf) : faultIn(linksOf(leaf), code, clock.wall());
  return more === null ? failed : { ...failed, message: `${failed.message}: ${more}` };
}

/** The leaf is not always the one that has expired, and an issuer that is missing is known by its name alone. */
function faultIn(links: readonly CertificateLink[], code: string, now: number): string | null {
  switch (code) {
    case "CERT_HAS_EXPIRED": {
      const old = links.find(({ validTo }) => validTo < now);
      return old === undefined ? null : `"${old.subject}" was valid until ${isoTime(old.validTo)}`;
    }
    case "CERT_NOT_YET_VALID": {
      const early = links.find(({ validFrom }) => validFrom > now);
      return early === undefined
        ? null
        : `"${early.subject}" is valid from ${isoTime(early.validFrom)}`;
    }
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_GET_ISSUER_CERT":
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return `the issuer "${links.at(-1)?.issuer}" is not shown or not trusted`;
    default:
      return null;
  }
}

const isoTime = (instant: number): string => new Date(instant).toISOString();
