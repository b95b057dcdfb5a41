import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { readBounded, whyUnusable } from "#config/bounded-file";
import { Secret } from "#config/secret";
import * as limits from "#limits";
import { certificatesIn, type TrustMaterial } from "#probes/connection/trust";
import type { EpochMillis } from "#units";

/** A file and how the setting is called that names it; an empty path is not set. */
export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

export interface TrustFiles {
  readonly authorities: NamedFile;
  readonly certificate: NamedFile;
  readonly key: NamedFile;
}

/** What the files hold, with the key where nobody prints it by accident. */
export interface Trusted {
  readonly authorities: string | null;
  readonly identity: { readonly certificate: string; readonly key: Secret } | null;
}

export interface TrustReading {
  readonly trusted: Trusted;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export const trustMaterial = ({ authorities, identity }: Trusted): TrustMaterial => ({
  authorities,
  identity: identity === null ? null : { ...identity, key: identity.key.reveal() },
});

/**
 * Reads the authorities and the client certificate, once: what is on disk later counts from the next start. What
 * cannot be used is an error by the name of its setting, here and not at the first handshake; an error has no part in
 * what is trusted.
 */
export function readTrustFiles(files: TrustFiles, now: EpochMillis): TrustReading {
  const errors: string[] = [];
  const tried = <T>(named: NamedFile, read: (pem: string) => T): T | null => {
    if (named.file === "") return null;
    try {
      return read(readBounded(named.file, limits.trustFileBytesMax));
    } catch (error) {
      errors.push(`${named.name} cannot be used: ${whyUnusable(error)} (${named.file})`);
      return null;
    }
  };
  const asWritten = (pem: string): string => {
    certificatesIn(pem);
    return pem;
  };
  errors.push(...alone(files));
  const authorities = tried(files.authorities, asWritten);
  const certificate = tried(files.certificate, asWritten);
  const key = tried(files.key, readableKey);
  if (certificate === null || key === null)
    return { trusted: { authorities, identity: null }, errors, warnings: [] };
  errors.push(...mismatch(certificate, key, files));
  return {
    trusted: { authorities, identity: { certificate, key: new Secret(key) } },
    errors,
    warnings: outOfDate(certificate, files.certificate, now),
  };
}

/** A certificate without its key proves nothing, nor does a key without its certificate. */
function alone({ certificate, key }: TrustFiles): readonly string[] {
  if ((certificate.file === "") === (key.file === "")) return [];
  const [set, missing] = certificate.file === "" ? [key, certificate] : [certificate, key];
  return [
    `${missing.name} is not set, and ${set.name} is: a client certificate needs both, its certificate and its key`,
  ];
}

function readableKey(pem: string): string {
  if (/^(-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m.test(pem))
    throw new Error(
      "the key is encrypted and there is nobody to ask for its passphrase; give it as openssl pkey -in KEY -out FILE writes it, readable by the agent only",
    );
  try {
    createPrivateKey(pem);
  } catch {
    // What OpenSSL says of a key is for who knows its source.
    throw new Error("holds no PEM private key that can be read");
  }
  return pem;
}

function mismatch(certificate: string, key: string, files: TrustFiles): readonly string[] {
  const certificateNamed = `${files.certificate.name} (${files.certificate.file})`;
  if (!leafOf(certificate).checkPrivateKey(createPrivateKey(key)))
    return [`${files.key.name} is not the key of the first certificate in ${certificateNamed}`];
  try {
    createSecureContext({ cert: certificate, key });
    return [];
  } catch (error) {
    return [`${files.certificate.name} cannot be used: ${whyUnusable(error)}`];
  }
}

const leafOf = (pem: string): X509Certificate => new X509Certificate(certificatesIn(pem)[0] ?? "");

/** Most peers never ask for it: no reason not to start. */
function outOfDate(pem: string, { name, file }: NamedFile, now: EpochMillis): readonly string[] {
  const { validFromDate, validToDate } = leafOf(pem);
  if (validToDate.getTime() < now)
    return [
      `${name}: the client certificate has expired on ${validToDate.toISOString()}, and peers will refuse it (${file})`,
    ];
  if (validFromDate.getTime() > now)
    return [
      `${name}: the client certificate is valid only from ${validFromDate.toISOString()}, and peers will refuse it until then (${file})`,
    ];
  return [];
}
