import { createHash, createPublicKey, type KeyObject } from "node:crypto";
import { parsed, type ParseResult, refused } from "#network/parsed";
import { SshReader, sshString } from "#signing/ssh-bytes";

/** An Ed25519 key that signatures are verified by. */
export interface PublicKey {
  /** 32 bytes in base64, by which keys are compared. */
  readonly id: string;
  /** As ssh-keygen -l shows it: SHA256:…. */
  readonly fingerprint: string;
  /** What its line says of whose it is; perhaps nothing. */
  readonly comment: string;
  readonly verifier: KeyObject;
}

export const keyType = "ssh-ed25519";

/** A key as SSH writes it into lines and signatures. */
export const keyBlob = (raw: Uint8Array): Buffer =>
  Buffer.concat([sshString(keyType), sshString(raw)]);

/** As ssh-keygen -l shows a key. */
export const fingerprintOf = (raw: Uint8Array): string =>
  `SHA256:${createHash("sha256").update(keyBlob(raw)).digest("base64").replace(/=+$/, "")}`;

export function publicKeyOf(raw: Uint8Array, comment = ""): PublicKey {
  const x = Buffer.from(raw);
  return {
    id: x.toString("base64"),
    fingerprint: fingerprintOf(raw),
    comment,
    verifier: createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: x.toString("base64url") },
      format: "jwk",
    }),
  };
}

/** The 32 bytes of a key as SSH writes it; the end of a sentence if it is something else. */
export function rawKeyIn(blob: Uint8Array): ParseResult<Buffer> {
  try {
    const reader = new SshReader(blob);
    const type = reader.text();
    if (type !== keyType)
      return refused(`is of the type ${type.slice(0, 40)}: only ${keyType} can be used`);
    const raw = reader.bytes();
    if (raw.length !== 32 || reader.rest().length > 0)
      return refused("has not the length of an Ed25519 key");
    return parsed(raw);
  } catch {
    return refused("is cut off");
  }
}

/** A line as authorized_keys has it. Options would be restrictions that Picket does not keep, so they are refused. */
export function parseKeyLine(line: string): ParseResult<PublicKey> {
  const [type = "", base64 = "", ...comment] = line.trim().split(/\s+/);
  if (type === "-----BEGIN")
    return refused("begins like a PEM file: give the key's public half as ssh-keygen -y prints it");
  if (!/^(ssh|ecdsa|sk)-/.test(type))
    return refused(`does not begin with ${keyType}: options before a key cannot be used here`);
  if (type !== keyType)
    return refused(`has a key of the type ${type.slice(0, 40)}: only ${keyType} can be used`);
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return refused("has no key after its type");
  const raw = rawKeyIn(Buffer.from(base64, "base64"));
  if (!raw.ok) return refused(`has a key that ${raw.message}`);
  return parsed(publicKeyOf(raw.value, comment.join(" ")));
}

export const keyLine = (raw: Uint8Array, comment: string): string =>
  `${keyType} ${keyBlob(raw).toString("base64")}${comment === "" ? "" : ` ${comment}`}`;
