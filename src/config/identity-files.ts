import { createPrivateKey, X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import { Secret } from "#config/secret";
import * as limits from "#limits/agent-limits";
import { certificatesIn } from "#machine/trust";
import type { EpochMillis } from "#base/units";

/** A file and how the setting is called that names it; an empty path is not set. */
export interface NamedFile {
  readonly name: string;
  readonly file: string;
}

export interface IdentityFiles {
  readonly certificate: NamedFile;
  readonly key: NamedFile;
}

/** A certificate, with those of its chain behind it, and its key, both as PEM. */
export interface Identity {
  readonly certificate: string;
  readonly key: Secret;
}

interface IdentityReading {
  /** Null if none is named, or it cannot be used. */
  readonly identity: Identity | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Reads a certificate and its key. What cannot be used is an error by the name of its setting, here and not at the first
 * handshake. `what` is the certificate in a word or two, as sentences say it.
 */
export function readIdentity(
  files: IdentityFiles,
  what: string,
  now: EpochMillis,
): IdentityReading {
  const certificate = readNamed(files.certificate, certificatesAsWritten);
  const key = readNamed(files.key, readableKey);
  const errors = [...alone(files, what), ...certificate.errors, ...key.errors];
  if (certificate.value === null || key.value === null)
    return { identity: null, errors, warnings: [] };
  errors.push(...mismatch(certificate.value, key.value, files));
  return {
    identity: { certificate: certificate.value, key: new Secret(key.value) },
    errors,
    warnings: outOfDate(certificate.value, files.certificate, what, now),
  };
}

interface NamedReading<T> {
  /** Null if no file is named, or it cannot be used. */
  readonly value: T | null;
  readonly errors: readonly string[];
}

/** What `read` makes of a file's text. */
export function readNamed<T>({ name, file }: NamedFile, read: (pem: string) => T): NamedReading<T> {
  if (file === "") return { value: null, errors: [] };
  try {
    return { value: read(readBounded(file, limits.trustFileBytesMax)), errors: [] };
  } catch (error) {
    return { value: null, errors: [`${name} cannot be used: ${whyUnusable(error)} (${file})`] };
  }
}

/** Throws where one of them cannot be read. */
export function certificatesAsWritten(pem: string): string {
  certificatesIn(pem);
  return pem;
}

/** A certificate without its key proves nothing, nor does a key without its certificate. */
function alone({ certificate, key }: IdentityFiles, what: string): readonly string[] {
  if ((certificate.file === "") === (key.file === "")) return [];
  const [set, missing] = certificate.file === "" ? [key, certificate] : [certificate, key];
  return [
    `${missing.name} is not set, and ${set.name} is: a ${what} needs both, its certificate and its key`,
  ];
}

function readableKey(pem: string): string {
  if (/^(-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m.test(pem))
    throw new Error(
      "the key is encrypted; decrypt it with: openssl pkey -in KEY -out FILE, and let only Picket read it",
    );
  try {
    createPrivateKey(pem);
  } catch {
    // What OpenSSL says of a key is of use only with its source code.
    throw new Error("holds no PEM private key that can be read");
  }
  return pem;
}

function mismatch(certificate: string, key: string, files: IdentityFiles): readonly string[] {
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
function outOfDate(
  pem: string,
  { name, file }: NamedFile,
  what: string,
  now: EpochMillis,
): readonly string[] {
  const { validFromDate, validToDate } = leafOf(pem);
  if (validToDate.getTime() < now)
    return [
      `${name}: the ${what} has expired on ${validToDate.toISOString()}, and peers will refuse it (${file})`,
    ];
  if (validFromDate.getTime() > now)
    return [
      `${name}: the ${what} is valid only from ${validFromDate.toISOString()}, and peers will refuse it until then (${file})`,
    ];
  return [];
}
