import type { X509Certificate } from "node:crypto";
import type { TLSSocket } from "node:tls";
import type { CertificateFacts, TlsFacts } from "#check/outcome";
import { epochMillis } from "#units";

/** An issuer chain longer than this is not followed; real ones have two to four links. */
const chainMax = 10;

/** What a TLS connection settled on and what its peer showed, also when the peer is then refused. */
export function tlsFacts(
  socket: TLSSocket,
  leaf: X509Certificate | null,
  serverName: string | null,
): TlsFacts {
  return {
    protocol: socket.getProtocol(),
    cipher: socket.getCipher()?.standardName ?? null,
    alpn: socket.alpnProtocol === false ? null : (socket.alpnProtocol ?? null),
    serverName,
    certificate: leaf === null ? null : certificateFacts(leaf),
    acceptedFault: null,
  };
}

const certificateFacts = (leaf: X509Certificate): CertificateFacts => ({
  subject: distinguishedName(leaf.subject),
  issuer: distinguishedName(leaf.issuer),
  altNames: alternativeNames(leaf.subjectAltName),
  validFrom: epochMillis(leaf.validFromDate.getTime()),
  validTo: epochMillis(leaf.validToDate.getTime()),
  fingerprint256: leaf.fingerprint256,
  chain: linksOf(leaf).map(({ subject }) => subject),
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
export const linksOf = (leaf: X509Certificate): readonly CertificateLink[] =>
  chainOf(leaf).map((one) => ({
    subject: distinguishedName(one.subject),
    issuer: distinguishedName(one.issuer),
    validFrom: epochMillis(one.validFromDate.getTime()),
    validTo: epochMillis(one.validToDate.getTime()),
  }));

export type CertificateLink = Pick<
  CertificateFacts,
  "subject" | "issuer" | "validFrom" | "validTo"
>;

/** The names that a certificate is for, as a person reads them. */
export const namesOf = (leaf: X509Certificate): string =>
  alternativeNames(leaf.subjectAltName).join(", ") || distinguishedName(leaf.subject);

/** One attribute a line, general to special → `CN=example.test, O=Example, C=DE`, as RFC 4514 orders them. */
export const distinguishedName = (lines: string): string =>
  lines.split("\n").toReversed().join(", ");

/** `DNS:a, IP Address:::1` → the names alone; a quoted name may hold a comma. */
function alternativeNames(text: string | undefined): readonly string[] {
  const parts = (text ?? "").match(/(?:[^,"]|"(?:\\.|[^"])*")+/g) ?? [];
  return parts.map((part) => part.trim().replace(/^[^:]+:/, ""));
}
