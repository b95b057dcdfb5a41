import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import * as limits from "#limits/pages-limits";
import { isLikeKey, keyPrefix } from "#service/edge/credential";
import type { Store } from "#service/store/store";

/** The operators' one password, which opens the pages. What is kept of it cannot be read back. */
export class OperatorsPassword {
  readonly #settings: Store["state"]["settings"];

  constructor({ state }: Store) {
    this.#settings = state.settings;
  }

  /** What it is checked with; undefined if there is no password. */
  async kept(): Promise<string | undefined> {
    return (await this.#settings.all()).get(settingName);
  }

  /** In place of the one before, whose sessions end with it. Throws a sentence where it is no good password. */
  async set(password: string): Promise<void> {
    const fault = passwordFault(password);
    if (fault !== null) throw new Error(`the password ${fault}`);
    await this.#settings.put(settingName, await keptPassword(password));
  }

  /** Whether there was one. */
  remove(): Promise<boolean> {
    return this.#settings.remove(settingName);
  }
}

/** Why this cannot be the password, as what follows “the password”; null if it can. */
export function passwordFault(password: string): string | null {
  // A letter with its accent is one character to whoever types it.
  if (Array.from(password.normalize("NFKC")).length < limits.passwordCharsMin)
    return `needs at least ${limits.passwordCharsMin} characters, for example four words`;
  if (password.length > limits.passwordCharsMax)
    return `may have at most ${limits.passwordCharsMax} characters`;
  if (isLikeKey(password.normalize("NFKC")))
    return `begins with ${keyPrefix}, as API keys do: choose another beginning`;
  if (/[\p{Cc}\uFFFD]/u.test(password))
    return "has a character that no browser can send: type it as UTF-8 text, without control characters";
  return null;
}

const settingName = "operators-password";

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
