import * as limits from "#limits/signing-limits";
import { parsed, type ParseResult, refused } from "#network/parsed";
import { parseKeyLine, type PublicKey } from "#signing/public-key";

/** Keys whose signatures count, by their 32 bytes in base64. */
export type TrustedKeys = ReadonlyMap<string, PublicKey>;

/** Lines as authorized_keys has them; # begins a comment line. One that cannot be used is an error: its key would be missed. */
export function parseTrustedKeys(text: string): ParseResult<TrustedKeys> {
  if (text.length > limits.trustedKeysBytesMax)
    return refused(`is larger than ${limits.trustedKeysBytesMax / 1024} KiB`);
  const keys = new Map<string, PublicKey>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const key = parseKeyLine(line);
    if (!key.ok) return refused(`cannot be used: line ${index + 1} ${key.message}`);
    keys.set(key.value.id, key.value);
    if (keys.size > limits.trustedKeysMax)
      return refused(`has more than ${limits.trustedKeysMax} keys`);
  }
  return keys.size === 0 ? refused("has no key") : parsed(keys);
}
