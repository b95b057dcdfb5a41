import type { Environment } from "#config/environment";
import path from "node:path";
import { readBounded, stateOfFile, whyUnusable } from "#machine/bounded-file";
import { Secret } from "#config/secret";
import * as limits from "#limits/agent-limits";
import type { Logger } from "#base/log";
import type { ParseResult } from "#network/parsed";

/** The location's token, and the file that it came from; null stands in the environment. */
export interface Token {
  readonly secret: Secret;
  readonly source: TokenFile | null;
}

interface TokenFile {
  /** How a sentence calls it, its path included. */
  readonly named: string;
  readonly file: string;
}

/** Where a token stands: written in the environment, in a file, or nowhere. */
type TokenPlace =
  | { readonly is: "written"; readonly text: string }
  | ({ readonly is: "file" | "credential" } & TokenFile)
  | { readonly is: "nowhere" };

/** PICKET_TOKEN, a file that PICKET_TOKEN_FILE names, or the systemd credential `token`: the first that is given. */
export function tokenPlace({
  PICKET_TOKEN: text,
  PICKET_TOKEN_FILE: named,
  CREDENTIALS_DIRECTORY: credentials,
}: Environment): TokenPlace {
  if (text !== undefined) return { is: "written", text };
  if (named !== undefined)
    return { is: "file", file: named, named: `PICKET_TOKEN_FILE (${named})` };
  if (credentials === undefined) return { is: "nowhere" };
  const file = path.join(credentials, "token");
  return { is: "credential", file, named: `the systemd credential token (${file})` };
}

export function readToken(env: Environment): ParseResult<Token> {
  if (env["PICKET_TOKEN"] !== undefined && env["PICKET_TOKEN_FILE"] !== undefined)
    return wrong("PICKET_TOKEN and PICKET_TOKEN_FILE cannot be used together: set one");
  const place = tokenPlace(env);
  switch (place.is) {
    case "written": {
      const token = tokenIn(place.text);
      if (!token.ok) return wrong(`PICKET_TOKEN ${token.message}`);
      return { ok: true, value: { secret: token.value, source: null } };
    }
    case "file":
    case "credential":
      return tokenFrom(place);
    case "nowhere":
      return wrong(
        "PICKET_TOKEN is not set: give the location's token, or PICKET_TOKEN_FILE with a file that holds it",
      );
  }
}

const wrong = (message: string): ParseResult<never> => ({ ok: false, message });

function tokenFrom(source: TokenFile): ParseResult<Token> {
  const token = tokenInFile(source);
  return token.ok
    ? { ok: true, value: { secret: token.value, source } }
    : wrong(`${source.named} ${token.message}`);
}

function tokenInFile({ file }: TokenFile): ParseResult<Secret> {
  try {
    return tokenIn(readBounded(file, limits.tokenFileBytesMax));
  } catch (error) {
    return wrong(`cannot be read: ${whyUnusable(error)}`);
  }
}

function tokenIn(text: string): ParseResult<Secret> {
  const token = text.trim();
  if (token === "") return wrong("is empty");
  // It becomes a header's value.
  return /^[\x21-\x7e]+$/.test(token)
    ? { ok: true, value: new Secret(token) }
    : wrong("has characters that are not allowed in a token");
}

/**
 * The token for the next call. A file is looked at before each, and read again when it has changed, so that a token is
 * rotated without a restart: the call after one that was refused carries the new one. While the file cannot be used,
 * the last token stays in use, and that is logged once.
 */
export function currentToken({ secret, source }: Token, log: Logger): () => string {
  if (source === null) return () => secret.reveal();
  let token = secret;
  let seen = "";
  const take = (reading: ParseResult<Secret>): void => {
    if (!reading.ok) {
      log.warn("the token's file cannot be used: the agent continues with the previous token", {
        "error.message": `${source.named} ${reading.message}`,
      });
      return;
    }
    if (reading.value.reveal() !== token.reveal())
      log.info("the token was changed in its file", { file: source.file });
    token = reading.value;
  };
  return () => {
    const state = stateOfFile(source.file);
    if (state !== seen) take(tokenInFile(source));
    seen = state;
    return token.reveal();
  };
}
