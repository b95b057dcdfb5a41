import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import * as limits from "#limits";

/** Under this name a store keeps what the operators' password is checked with. */
export const passwordSetting = "operators-password";

/** RFC 7914; one of the settings that OWASP asks for: 32 MiB and some tenths of a second for one try. */
const cost: ScryptOptions = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const keyBytes = 32;

const derived = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** What is kept of a password: it cannot be read back. */
export async function keptPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derived(password.normalize("NFKC"), salt, keyBytes, cost);
  return `scrypt.${salt.toString("base64url")}.${key.toString("base64url")}`;
}

/** Whether this is the password that was kept. */
export async function isPassword(password: string, kept: string): Promise<boolean> {
  const [scheme, salt = "", expected = ""] = kept.split(".");
  if (scheme !== "scrypt" || password.length > limits.passwordCharsMax) return false;
  const wanted = Buffer.from(expected, "base64url");
  const key = await derived(
    password.normalize("NFKC"),
    Buffer.from(salt, "base64url"),
    keyBytes,
    cost,
  );
  return wanted.length === key.length && timingSafeEqual(wanted, key);
}
