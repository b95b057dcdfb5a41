import type { X509Certificate } from "node:crypto";
import type { CertificateFacts } from "#check/outcome";
import { epochMillis } from "#base/units";

/** An issuer chain longer than this is not followed; real ones have two to four links. */
const chainMax = 10;

/** What a peer showed of itself, leaf first. */
export interface PeerChain {
  readonly facts: CertificateFacts;
  /** As the runtime writes them: `DNS:a, IP Address:::1`. */
  readonly altNames: string | undefined;
  readonly certificates: () => readonly X509Certificate[];
  /** Whether it is for a host, as far as that was asked: where a chain is kept, the answer is. */
  readonly hosts: Map<string, boolean>;
}

/** Null if it showed no certificate. */
export function peerChain(certificates: () => readonly X509Certificate[]): PeerChain | null {
  const chain = certificates();
  const [leaf] = chain;
  if (leaf === undefined) return null;
  const { subjectAltName: altNames } = leaf;
  return { facts: certificateFacts(leaf, chain), altNames, certificates, hosts: new Map() };
}

const certificateFacts = (
  leaf: X509Certificate,
  chain: readonly X509Certificate[],
): CertificateFacts => ({
  subject: distinguishedName(leaf.subject),
  issuer: distinguishedName(leaf.issuer),
  altNames: alternativeNames(leaf.subjectAltName),
  validFrom: epochMillis(leaf.validFromDate.getTime()),
  validTo: epochMillis(leaf.validToDate.getTime()),
  fingerprint256: leaf.fingerprint256,
  chain: chain.map(({ subject }) => distinguishedName(subject)),
});

/** The certificates that a peer showed, as far as each one's issuer is among them, leaf first. */
export function chainOf(leaf: X509Certificate): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (
    let one: X509Certificate | undefined = leaf;
    one !== undefined && chain.length < chainMax;
    one = one.issuerCertificate
  )
    chain.push(one);
  return chain;
}

/** What each of them says. */
export const linksOf = (chain: readonly X509Certificate[]): readonly CertificateLink[] =>
  chain.map((one) => ({
    subject: distinguishedName(one.subject),
    issuer: distinguishedName(one.issuer),
    validFrom: epochMillis(one.validFromDate.getTime()),
    validTo: epochMillis(one.validToDate.getTime()),
  }));

type CertificateLink = Pick<CertificateFacts, "subject" | "issuer" | "validFrom" | "validTo">;

/** The names that a certificate is for, as a person reads them. */
export const namesOf = ({ altNames, subject }: CertificateFacts): string =>
  altNames.join(", ") || subject;

/** One attribute a line, general to special → `CN=example.test, O=Example, C=DE`, as RFC 4514 orders them. */
export const distinguishedName = (lines: string): string =>
  lines.split("\n").toReversed().join(", ");

/** `DNS:a, IP Address:::1` → the names alone; a quoted name may hold a comma. */
function alternativeNames(text: string | undefined): readonly string[] {
  const parts = (text ?? "").match(/(?:[^,"]|"(?:\\.|[^"])*")+/g) ?? [];
  return parts.map((part) => part.trim().replace(/^[^:]+:/, ""));
}
