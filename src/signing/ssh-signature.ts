import { createHash, sign, verify } from "node:crypto";
import { parsed, type ParseResult, refused } from "#network/parsed";
import type { SigningKey } from "#signing/private-key";
import { keyBlob, keyType, type PublicKey, rawKeyIn } from "#signing/public-key";
import { SshReader, sshString } from "#signing/ssh-bytes";

/*
 * A signature as `ssh-keygen -Y sign -n picket-monitor` makes it (PROTOCOL.sshsig of OpenSSH). What is signed begins with
 * SSHSIG and names its purpose, so a key that is also used to log in by signs nothing here that would count there.
 */

export const namespace = "picket-monitor";

const magic = Buffer.from("SSHSIG");

export interface SshSignature {
  /** Of the key that it names: 32 bytes. */
  readonly raw: Buffer;
  readonly hash: "sha256" | "sha512";
  readonly signature: Buffer;
}

const signedBytes = (message: Uint8Array, hash: SshSignature["hash"]): Buffer =>
  Buffer.concat([
    magic,
    sshString(namespace),
    sshString(""),
    sshString(hash),
    sshString(createHash(hash).update(message).digest()),
  ]);

/** The signature in base64, without the lines around it. */
export function sshSigned(message: Uint8Array, { signer, raw }: SigningKey): string {
  const signature = sign(null, signedBytes(message, "sha512"), signer);
  return Buffer.concat([
    magic,
    Buffer.from([0, 0, 0, 1]),
    sshString(keyBlob(raw)),
    sshString(namespace),
    sshString(""),
    sshString("sha512"),
    sshString(Buffer.concat([sshString(keyType), sshString(signature)])),
  ]).toString("base64");
}

export function parseSshSignature(base64: string): ParseResult<SshSignature> {
  try {
    const reader = new SshReader(Buffer.from(base64, "base64"));
    if (!reader.take(magic.length).equals(magic) || reader.number() !== 1)
      return refused("is not one of SSH");
    const raw = rawKeyIn(reader.bytes());
    if (!raw.ok) return refused(`names a key that ${raw.message}`);
    if (reader.text() !== namespace) return refused(`is not for ${namespace}`);
    reader.bytes();
    const hash = reader.text();
    if (hash !== "sha256" && hash !== "sha512") return refused("is over a hash that is not known");
    const inner = new SshReader(reader.bytes());
    if (inner.text() !== keyType) return refused(`is not of the type ${keyType}`);
    const signature = inner.bytes();
    if (signature.length !== 64 || reader.rest().length > 0) return refused("is damaged");
    return parsed({ raw: raw.value, hash, signature });
  } catch {
    return refused("is cut off");
  }
}

/** Whether it is this key's, over these bytes. */
export const sshVerified = (
  { hash, signature }: SshSignature,
  message: Uint8Array,
  { verifier }: Pick<PublicKey, "verifier">,
): boolean => verify(null, signedBytes(message, hash), verifier, signature);
