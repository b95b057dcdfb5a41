import type { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import type { Clock } from "#base/clock";
import { failure, type Failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import { distinguishedName, linksOf, namesOf, type PeerChain } from "#probes/socket/certificate";
import { certificateFault } from "#network/certificate-faults";
import { classify } from "#probes/socket/classify";

/**
 * The code of what is wrong with a peer's certificate: it is not trusted, by what the verification found, or not
 * `host`'s. Null if nothing is.
 */
export function verificationFault(
  found: string | null,
  chain: PeerChain | null,
  host: string,
): string | null {
  if (found !== null) return found;
  return chain !== null && isFor(chain, host) ? null : hostnameMismatch;
}

/** The names of a certificate stay, and to take them apart takes longer than to parse a response. */
function isFor(chain: PeerChain, host: string): boolean {
  const { hosts } = chain;
  const known = hosts.get(host);
  if (known !== undefined) return known;
  const named = isNamed(chain, host);
  if (hosts.size >= limits.chainHostsKeptMax) hosts.clear();
  hosts.set(host, named);
  return named;
}

const hostnameMismatch = "ERR_TLS_CERT_ALTNAME_INVALID";

/** The runtime's own rule. The subject counts only if no alternative name does, and is slow to take apart. */
function isNamed({ altNames, certificates }: PeerChain, host: string): boolean {
  const isByAltName = isIP(host) !== 0 || altNames?.includes("DNS:") === true;
  const named: PeerCertificate = isByAltName
    ? Object.assign(Object.create(null), { subjectaltname: altNames })
    : certificates()[0]?.toLegacyObject();
  return checkServerIdentity(host, named) === undefined;
}

/** Says why a certificate was refused, and which link of its chain is at fault, where the chain shows it. */
export function refusal(
  code: string,
  chain: PeerChain | null,
  where: string,
  clock: Clock,
): Failure {
  const failed = classify(Object.assign(new Error(code), { code }), "tls", where);
  if (chain === null) return failed;
  const more =
    failed.code === "tls_hostname"
      ? namesOf(chain.facts)
      : faultIn(chain.certificates(), code, clock.wall());
  const parts = [...(more === null ? [] : [more]), ...nextStep(failed, code)];
  return parts.length === 0
    ? failed
    : failure(failed.code, failed.phase, `${failed.message}: ${parts.join("; ")}`);
}

/** What to do, with OpenSSL's own name of the fault for those who look that up; the other codes say enough. */
function nextStep(failed: Failure, code: string): readonly string[] {
  const next = certificateFault(code)?.next;
  const isSaid = failed.code === "tls_untrusted" || failed.code === "tls_self_signed";
  return isSaid && next !== undefined ? [`${next} (${code})`] : [];
}

/** The leaf is not always the one that has expired, and an issuer that is missing is known by its name alone. */
function faultIn(chain: readonly X509Certificate[], code: string, now: number): string | null {
  const links = linksOf(chain);
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
    case "UNABLE_TO_GET_ISSUER_CERT":
      return `the authority is "${links.at(-1)?.issuer}"`;
    case "UNABLE_TO_GET_ISSUER_CERT_LOCALLY":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
    case "SELF_SIGNED_CERT_IN_CHAIN":
      return `the issuer is "${links.at(-1)?.issuer}"`;
    case "UNSPECIFIED":
      return weakest(chain);
    default:
      return null;
  }
}

/** OpenSSL does not say which one is too weak; a short key shows, and so does an old digest. */
function weakest(chain: readonly X509Certificate[]): string | null {
  for (const { subject, publicKey, signatureAlgorithm } of chain) {
    const bits = publicKey.asymmetricKeyDetails?.modulusLength ?? keyBitsMin;
    if (bits < keyBitsMin) return `"${distinguishedName(subject)}" has a key of ${bits} bits`;
    if (/sha1|md5/i.test(signatureAlgorithm ?? ""))
      return `"${distinguishedName(subject)}" is signed with ${signatureAlgorithm}`;
  }
  return null;
}

/** OpenSSL's security level 2, the runtime's own. */
const keyBitsMin = 2048;

const isoTime = (instant: number): string => new Date(instant).toISOString();
