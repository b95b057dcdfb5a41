import type { Environment } from "#config/environment";
import * as limits from "#limits/signing-limits";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import { parsed, type ParseResult, refused } from "#network/parsed";
import { parseTrustedKeys, type TrustedKeys } from "#signing/trusted-keys";

/** Whose signatures an agent believes, and for which location. */
export interface TrustedSigners {
  readonly keys: TrustedKeys;
  readonly location: string;
}

/** Null if the agent runs whatever is assigned. An empty variable is refused: whoever set it meant to give keys. */
export function readTrustedSigners(env: Environment): ParseResult<TrustedSigners | null> {
  const { PICKET_TRUSTED_KEYS: text, PICKET_TRUSTED_KEYS_FILE: file } = env;
  const { PICKET_LOCATION: location = "" } = env;
  if (text === undefined && file === undefined) return parsed(null);
  if (text?.trim() === "") return refused("PICKET_TRUSTED_KEYS is empty: unset it, or give keys");
  if (file?.trim() === "")
    return refused("PICKET_TRUSTED_KEYS_FILE is empty: unset it, or name a file of keys");
  if (text !== undefined && file !== undefined)
    return refused(
      "PICKET_TRUSTED_KEYS and PICKET_TRUSTED_KEYS_FILE cannot be used together: set one",
    );
  const setting = file === undefined ? "PICKET_TRUSTED_KEYS" : "PICKET_TRUSTED_KEYS_FILE";
  if (location === "")
    return refused(
      `PICKET_LOCATION is not set: ${setting} needs the location's name, as picket apply --sign knows it`,
    );
  const content = file === undefined ? parsed(text ?? "") : contentOf(file);
  if (!content.ok) return refused(`${setting} ${content.message}`);
  const keys = parseTrustedKeys(content.value);
  if (!keys.ok)
    return refused(`${setting} ${keys.message}${file === undefined ? "" : ` (${file})`}`);
  return parsed({ keys: keys.value, location });
}

function contentOf(file: string): ParseResult<string> {
  try {
    return parsed(readBounded(file, limits.trustedKeysBytesMax));
  } catch (error) {
    return refused(`cannot be read: ${whyUnusable(error)} (${file})`);
  }
}
