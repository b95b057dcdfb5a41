import type { TLSSocket } from "node:tls";
import type { Clock } from "#clock";
import type { Failure } from "#failure";
import { type CertificateLink, linksOf, namesOf } from "#probes/certificate";
import { classify } from "#probes/classify";

/** Why the certificate of a peer was refused, and which link of its chain is at fault where the chain tells. */
export function refusal(socket: TLSSocket, where: string, clock: Clock): Failure {
  // The declaration says Error; what the runtime sets is the code of the verification result.
  const reason: unknown = socket.authorizationError;
  const code = typeof reason === "string" ? reason : "UNABLE_TO_VERIFY";
  const failed = classify(Object.assign(new Error(code), { code }), "tls", where);
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return failed;
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
