import { createHash, randomBytes } from "node:crypto";
import { Secret } from "otpauth";
import * as limits from "#limits/pages-limits";

/** Codes that stand in for a second factor, once each, and the hashes by which they are kept. */
interface RecoveryCodes {
  readonly codes: readonly string[];
  readonly hashes: readonly string[];
}

export function newRecoveryCodes(): RecoveryCodes {
  const codes = Array.from({ length: limits.recoveryCodesMade }, newCode);
  return { codes, hashes: codes.map(hashOfCode) };
}

/** Sixteen letters and digits, in fours: `abcd-efgh-2345-6789`. */
function newCode(): string {
  const { base32 } = new Secret({
    buffer: new Uint8Array(randomBytes(limits.recoveryCodeBytes)).buffer,
  });
  return (base32.toLowerCase().match(/.{4}/g) ?? []).join("-");
}

export const hashOfCode = (code: string): string =>
  createHash("sha256").update(plainCode(code)).digest("base64url");

/** As it is compared: apps show `123 456`, and people write small letters large. */
export const plainCode = (code: string): string => code.replaceAll(/[\s-]/g, "").toLowerCase();
