import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { errorCode } from "#network/system-errors";

/**
 * Seals texts that people with a write key may read again: tokens of locations, later URLs and keys of channels. The
 * key is in a file next to the database, so that a copy of the database alone shows nothing.
 */
export interface SecretBox {
  /** `purpose` names where the text belongs: sealed for one, it cannot be opened for another. */
  seal(text: string, purpose: string): string;
  /** Null for what was sealed with another key or changed since: everything else works without it. */
  open(sealed: string, purpose: string): string | null;
  /** Shows whether two texts are the same, to those who may not see them: 12 characters. */
  fingerprint(text: string): string;
  /** A key for something else, always the same for one purpose. */
  keyFor(purpose: string): string;
}

/**
 * Opens the box of a database by its key file. A key that is lost is not replaced where something was sealed with it:
 * that would hide the loss until a message is due that cannot be sent.
 */
export async function openBoxOf(
  file: string,
  hasSealed: () => Promise<boolean>,
): Promise<SecretBox> {
  if (existingKey(file) === null && (await hasSealed()))
    throw new Error(
      `the key file ${file} is missing, and only it opens the secrets in the database: ${putBack(file)}`,
    );
  return openSecretBox(file);
}

/** Where the key may be, and what to do when it is gone. */
const putBack = (file: string): string =>
  `put it back from the backup, or name it in PICKET_SERVICE_SECRET_FILE. If it is lost, make another with (umask 077; openssl rand -base64 32 > ${file}), then rotate the tokens of the locations and enter the secrets of the channels and of the mail server again`;

/** Opens a box by its key file, which is made for its owner alone when it is not there. */
export function openSecretBox(file: string): SecretBox {
  const key = keyIn(file);
  const id = createHash("sha256").update(key).digest("base64url").slice(0, 8);
  return {
    seal: (text, purpose) => sealed(key, id, text, purpose),
    open: (text, purpose) => opened(key, id, text, purpose),
    // The first byte keeps it apart from everything else that is ever made of the key.
    fingerprint: (text) =>
      createHmac("sha256", key).update("\u0001").update(text).digest("base64url").slice(0, 12),
    keyFor: (purpose) => createHmac("sha256", key).update(`key for ${purpose}`).digest("base64url"),
  };
}

const algorithm = "aes-256-gcm";
const keyBytes = 32;
/** NIST SP 800-38D §8.2: 96 random bits are enough for 2³² texts with one key. */
const nonceBytes = 12;
const tagBytes = 16;

function sealed(key: Buffer, id: string, text: string, purpose: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final()]);
  return `1.${id}.${Buffer.concat([body, cipher.getAuthTag()]).toString("base64url")}`;
}

function opened(key: Buffer, id: string, text: string, purpose: string): string | null {
  const [version, by, packed = ""] = text.split(".");
  if (version !== "1" || by !== id) return null;
  const bytes = Buffer.from(packed, "base64url");
  if (bytes.length < nonceBytes + tagBytes) return null;
  const end = bytes.length - tagBytes;
  try {
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(purpose))
      .setAuthTag(bytes.subarray(end));
    return Buffer.concat([
      decipher.update(bytes.subarray(nonceBytes, end)),
      decipher.final(),
    ]).toString();
  } catch {
    return null;
  }
}

function keyIn(file: string): Buffer {
  const text = existingKey(file) ?? madeKey(file);
  const key = Buffer.from(text.trim(), "base64url");
  if (key.length !== keyBytes)
    throw new Error(`the key file ${file} holds no key of ${keyBytes} bytes: ${putBack(file)}`);
  return key;
}

function existingKey(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new Error(`the key file ${file} cannot be read (${codeOf(error)})`, { cause: error });
  }
}

/** Made next to it and linked into place, so that a file is whole as soon as it is there, whoever comes first. */
function madeKey(file: string): string {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, `${randomBytes(keyBytes).toString("base64url")}\n`, { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  } catch (error) {
    throw new Error(`the key file ${file} cannot be made (${codeOf(error)})`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(file, "utf8");
}

const codeOf = (error: unknown): string => errorCode(error) || String(error);
