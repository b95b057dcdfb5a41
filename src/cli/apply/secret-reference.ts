import path from "node:path";
import type { Mapping } from "#base/json";
import { readBounded, whyUnusable } from "#machine/bounded-file";
import * as limits from "#limits/check-limits";
import type { ParseResult } from "#network/parsed";

/** Follows a reference to a text that stands outside the file; null if a mapping is none. */
export type SecretSource = (reference: Mapping) => ParseResult<string> | null;

/** `{ env: NAME }` and `{ file: PATH }`; a path is meant from the folder of the file that says it. */
export const secretsFrom =
  (env: Readonly<Record<string, string | undefined>>, folder: string): SecretSource =>
  (reference) => {
    const [[key, named] = ["", null], ...more] = Object.entries(reference);
    if (more.length > 0 || typeof named !== "string") return null;
    if (key === "env") return fromEnvironment(named, env);
    return key === "file" ? fromFile(path.resolve(folder, named)) : null;
  };

function fromEnvironment(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): ParseResult<string> {
  const value = env[name] ?? "";
  return value === ""
    ? { ok: false, message: `names the variable ${name}, which is not set` }
    : { ok: true, value };
}

/** An editor ends a file with a line break, which no secret has. */
function fromFile(file: string): ParseResult<string> {
  try {
    return { ok: true, value: readBounded(file, limits.requestBodyBytesMax).replace(/\r?\n$/, "") };
  } catch (error) {
    return {
      ok: false,
      message: `names the file ${file}, which cannot be read: ${whyUnusable(error)}`,
    };
  }
}
