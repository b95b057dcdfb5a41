import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { parsed, type ParseResult, refused } from "#network/parsed";
import { keyBlob, keyType, type PublicKey, publicKeyOf, rawKeyIn } from "#signing/public-key";
import { SshReader, sshString } from "#signing/ssh-bytes";

/** An Ed25519 key that monitors are signed by. */
export interface SigningKey {
  readonly signer: KeyObject;
  readonly raw: Buffer;
  readonly shown: PublicKey;
}

const begin = "-----BEGIN OPENSSH PRIVATE KEY-----";
const end = "-----END OPENSSH PRIVATE KEY-----";
const magic = "openssh-key-v1\0";

/** A private key as OpenSSH or PKCS #8 writes it, without a passphrase; else the end of a sentence that says what to do. */
export function parseSigningKey(text: string): ParseResult<SigningKey> {
  const trimmed = text.trim();
  if (
    /^-----BEGIN (ENCRYPTED PRIVATE KEY|[A-Z ]*PRIVATE KEY-----\s+Proc-Type: 4,ENCRYPTED)/.test(
      trimmed,
    )
  )
    return refused(encrypted);
  if (trimmed.startsWith(begin)) return opensshKey(trimmed);
  if (/^(ssh|ecdsa|sk)-\S+ /.test(trimmed))
    return refused("is a public key: give the private one, without .pub at the end of its name");
  if (!trimmed.startsWith("-----BEGIN ")) return refused("holds no private key in PEM");
  return pkcs8Key(trimmed);
}

const encrypted =
  "is protected by a passphrase, which Picket cannot ask for: make a copy without one by ssh-keygen -p -N '' -f COPY, or a new key by picket key new";

function pkcs8Key(text: string): ParseResult<SigningKey> {
  try {
    const signer = createPrivateKey(text);
    if (signer.asymmetricKeyType !== "ed25519")
      return refused(`is of the type ${signer.asymmetricKeyType}: only Ed25519 can be used`);
    return parsed(signingKey(signer));
  } catch {
    return refused("holds a private key that is damaged or of a type that is not known");
  }
}

/** PROTOCOL.key of OpenSSH. */
function opensshKey(text: string): ParseResult<SigningKey> {
  try {
    const reader = new SshReader(
      Buffer.from(text.slice(begin.length).split(end)[0] ?? "", "base64"),
    );
    if (reader.take(magic.length).toString("latin1") !== magic) return refused("is damaged");
    const cipher = reader.text();
    reader.bytes();
    reader.bytes();
    if (cipher !== "none") return refused(encrypted);
    if (reader.number() !== 1) return refused("holds more than one key");
    const published = rawKeyIn(reader.bytes());
    if (!published.ok) return published;
    const secret = new SshReader(reader.bytes());
    if (secret.number() !== secret.number() || secret.text() !== keyType)
      return refused("is damaged");
    secret.bytes();
    const signer = signerOf(secret.bytes().subarray(0, 32));
    const key = signingKey(signer);
    return key.raw.equals(published.value) ? parsed(key) : refused("is damaged");
  } catch (error) {
    return refused(
      Error.isError(error) && error.message === "is cut off" ? error.message : "is damaged",
    );
  }
}

const signerOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed]),
    format: "der",
    type: "pkcs8",
  });

function signingKey(signer: KeyObject): SigningKey {
  const raw = createPublicKey(signer).export({ format: "der", type: "spki" }).subarray(-32);
  return { signer, raw, shown: publicKeyOf(raw) };
}

/** A new key as OpenSSH writes it, which ssh-keygen and openssl read. */
export function newSigningKey(comment: string): {
  readonly key: SigningKey;
  readonly text: string;
} {
  const key = signingKey(generateKeyPairSync("ed25519").privateKey);
  const seed = key.signer.export({ format: "der", type: "pkcs8" }).subarray(-32);
  const check = randomBytes(4);
  const secret = [
    check,
    check,
    sshString(keyType),
    sshString(key.raw),
    sshString(Buffer.concat([seed, key.raw])),
    sshString(comment),
  ];
  const length = secret.reduce((sum, part) => sum + part.length, 0);
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, n) => n + 1));
  const whole = Buffer.concat([
    Buffer.from(magic, "latin1"),
    sshString("none"),
    sshString("none"),
    sshString(""),
    Buffer.from([0, 0, 0, 1]),
    sshString(keyBlob(key.raw)),
    sshString(Buffer.concat([...secret, padding])),
  ]);
  const lines = whole.toString("base64").match(/.{1,70}/g) ?? [];
  return { key, text: `${[begin, ...lines, end].join("\n")}\n` };
}
