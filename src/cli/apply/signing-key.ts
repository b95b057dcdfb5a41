import { UsageError } from "#cli/edge/usage-error";
import { CannotDo } from "#cli/management/with-service";
import type { Environment } from "#config/environment";
import * as limits from "#limits/signing-limits";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import { parseSigningKey, type SigningKey } from "#signing/private-key";

/** The key that `--sign` names: a file, or `env:NAME` for a variable that CI sets. */
export function readSigningKey(named: string, env: Environment): SigningKey {
  if (named === "") throw new UsageError("--sign needs a file, or env:NAME");
  const [, variable] = /^env:(.*)$/s.exec(named) ?? [];
  const text = variable === undefined ? textOf(named) : env[variable];
  if (text === undefined || text === "")
    throw new CannotDo(`--sign: the variable ${variable} is not set`);
  const key = parseSigningKey(text);
  if (!key.ok) throw new CannotDo(`--sign: ${variable ?? named} ${key.message}`);
  return key.value;
}

function textOf(file: string): string {
  try {
    return readBounded(file, limits.privateKeyBytesMax);
  } catch (error) {
    throw new CannotDo(`--sign: ${file} cannot be read (${whyUnusable(error)})`);
  }
}
