import { jsonFields, parsedJson, isMapping } from "#base/json";
import { cutText } from "#base/text";
import { isCredentialHeader } from "#check/credential-header";
import { removed, shownHeader } from "#check/shown-header";
import * as limits from "#limits/answer-limits";
import type { OwnSecrets } from "#service/monitors/own-secrets";

/** What a server answered to a check, as far as it is kept: no credential, and the beginning of the body alone. */
export interface ServerAnswer {
  readonly headers: readonly AnswerHeader[];
  /** Those that came. */
  readonly headerCount: number;
  /** The beginning of the body as text; empty if none came, or the agent sent none. */
  readonly excerpt: string;
  /** How long the body was that the agent sent, in UTF-8. */
  readonly bodyBytes: number;
}

/** The value of a header that may be a credential is not kept: null. */
interface AnswerHeader {
  readonly name: string;
  readonly value: string | null;
}

/** Where an answer is in a report and in the store. */
interface AnswerFields {
  readonly headers: string;
  readonly body: string;
}

/**
 * Reads an answer as an agent sends it, or as it is kept: `body` then is a JSON object with the excerpt and what was left out.
 * A service of an older version keeps it as it came, so both are cut here. Null if nothing was answered.
 */
export function answerIn(
  { headers, body }: AnswerFields,
  secrets: OwnSecrets,
): ServerAnswer | null {
  const fields = Object.entries(jsonFields(headers));
  const kept = keptBody(body);
  if (fields.length === 0 && body === "") return null;
  return {
    headers: fields
      .slice(0, limits.answerHeadersMax)
      .map(([name, value]) => answerHeader(name, String(value), secrets)),
    headerCount: Math.max(fields.length, kept?.headerCount ?? 0),
    excerpt: excerptOf(kept?.excerpt ?? body, secrets),
    bodyBytes: kept?.bodyBytes ?? Buffer.byteLength(body),
  };
}

/** The fields of a report with no more of an answer than is kept. */
export const keptFields = ({
  headers,
  headerCount,
  excerpt,
  bodyBytes,
}: ServerAnswer): AnswerFields => ({
  headers: JSON.stringify(
    Object.fromEntries(headers.map(({ name, value }) => [name, value ?? removed])),
  ),
  body: JSON.stringify({ excerpt, body_bytes: bodyBytes, headers: headerCount }),
});

function keptBody(
  body: string,
): Pick<ServerAnswer, "excerpt" | "bodyBytes" | "headerCount"> | null {
  if (!body.startsWith('{"excerpt":')) return null;
  const fields = parsedJson(body);
  if (!isMapping(fields)) return null;
  const { excerpt, body_bytes: bodyBytes, headers: headerCount } = fields;
  return typeof excerpt === "string" &&
    typeof bodyBytes === "number" &&
    typeof headerCount === "number"
    ? { excerpt, bodyBytes, headerCount }
    : null;
}

function answerHeader(name: string, value: string, secrets: OwnSecrets): AnswerHeader {
  const shownName = cutText(secrets.cut(name, true), limits.answerHeaderNameCharsMax);
  if (isCredential(name) || value === removed) return { name: shownName, value: null };
  const open = withoutTokens(secrets.cut(shownHeader(name, value), true));
  return { name: shownName, value: cutText(open, limits.answerHeaderValueCharsMax) };
}

/** What asks for a credential may have a part of one, e.g. a nonce or a realm that is a token. */
const isCredential = (name: string): boolean =>
  isCredentialHeader(name) || /authenticat/i.test(name);

function excerptOf(body: string, secrets: OwnSecrets): string {
  const searched = body.slice(0, limits.answerCharsSearched);
  const open = withoutTokens(secrets.cut(searched, searched.length === body.length));
  const bytes = Buffer.from(open.replaceAll(controls, "\ufffd"));
  if (bytes.length <= limits.answerBodyBytesMax) return bytes.toString();
  // `stream` keeps back the bytes of a character that is not whole.
  return new TextDecoder().decode(bytes.subarray(0, limits.answerBodyBytesMax), { stream: true });
}

/** What no text has, but for tabs and ends of lines: it would take six bytes each in JSON. */
// eslint-disable-next-line no-control-regex -- these are the characters looked for.
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** Without what is a token by its form (RFC 7519), or the value of a field that is named like a credential. */
const withoutTokens = (text: string): string =>
  text
    .replaceAll(/\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?/g, removed)
    .replaceAll(
      /"([\w.-]{1,64})"(\s*:\s*)"(?:[^"\\]|\\.)*(?:"|$)/g,
      (whole, name: string, colon: string) =>
        isCredentialHeader(name) ? `"${name}"${colon}"${removed}"` : whole,
    );
