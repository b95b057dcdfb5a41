import type {
  CheckAnswer,
  CheckDetail,
  CheckEvaluation,
} from "#contract/private_location/v1/private_location_pb";
import { jsonFields, parsedJson, isMapping } from "#base/json";
import { cutText } from "#base/text";
import { namesIn } from "#check/assertion-words";
import { isCredentialHeader } from "#check/credential-header";
import { removed, shownHeader } from "#check/shown-header";
import * as limits from "#limits/answer-limits";
import { reportedBodyBytesMax } from "#limits/check-limits";
import type { OwnSecrets } from "#service/monitors/own-secrets";
import { withoutTokens } from "#service/monitors/without-tokens";

/** What a server answered to a check, as far as it is kept: no credential, and the beginning of the body alone. */
export interface ServerAnswer {
  readonly headers: readonly AnswerHeader[];
  /** Those that came. */
  readonly headerCount: number;
  readonly body: AnswerBody | null;
}

/** The body of an answer; null if the agent sent none. */
interface AnswerBody {
  /** Its beginning as text. Empty of a body that is not empty: the agent kept it to itself. */
  readonly excerpt: string;
  /** How long the body was that the agent read; of a degraded check, that it sent. */
  readonly bytes: number;
  /** There was more, or what came could not be read. */
  readonly isCut: boolean;
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

/** An agent sends the body of a degraded check in the plain field, and an excerpt of a failed one's in the extension. */
interface SentAnswer extends AnswerFields {
  /** Nothing of it is in the form in which it is kept, whatever the server sent. */
  readonly isAsItCame?: boolean;
  readonly extension?: CheckAnswer | undefined;
}

/** The answer in a report of an HTTP check. */
export const sentAnswer = (
  { headers, body }: AnswerFields,
  detail: CheckDetail | undefined,
): SentAnswer => ({ headers, body, extension: detail?.answer });

/**
 * Reads an answer as an agent sends it, or as it is kept: `body` then is a JSON object with the excerpt and what was left out.
 * A service of an older version keeps it as it came, so both are cut here. Null if nothing was answered.
 */
export function answerIn(sent: SentAnswer, secrets: OwnSecrets): ServerAnswer | null {
  const { headers, body, extension } = sent;
  const fields = Object.entries(jsonFields(headers));
  if (fields.length === 0 && body === "" && extension === undefined) return null;
  const kept = sent.isAsItCame === true ? null : keptBody(body);
  const keptAs = kept?.body ?? null;
  const came = kept === null ? sentBody(sent) : (keptAs ?? extensionBody(extension));
  return {
    headers: fields
      .slice(0, limits.answerHeadersMax)
      .map(([name, value]) => answerHeader(name, String(value), secrets)),
    headerCount: Math.max(fields.length, kept?.headerCount ?? 0),
    body:
      came === null
        ? null
        : { ...came, excerpt: excerptOf(came.excerpt, keptAs !== null || isAll(came), secrets) },
  };
}

const sentBody = ({ body, extension }: SentAnswer): AnswerBody | null =>
  body === "" ? extensionBody(extension) : plainBody(body, Buffer.byteLength(body));

/** Of a body that is as long as an agent sends, there may be more. A character that did not fit has up to three bytes. */
const plainBody = (excerpt: string, bytes: number): AnswerBody => ({
  excerpt,
  bytes,
  isCut: bytes > reportedBodyBytesMax - 4,
});

const extensionBody = (answer: CheckAnswer | undefined): AnswerBody | null =>
  answer === undefined
    ? null
    : {
        excerpt: answer.body,
        bytes: Math.max(0, Number(answer.bodyBytes)),
        isCut: answer.bodyCut,
      };

/** Whether an excerpt is the whole body: the end of another one may cut a secret off. */
const isAll = ({ excerpt, bytes, isCut }: AnswerBody): boolean =>
  !isCut && Buffer.byteLength(excerpt) === bytes;

/** The fields of a report with no more of an answer than is kept. */
export const keptFields = ({ headers, headerCount, body }: ServerAnswer): AnswerFields => ({
  headers: JSON.stringify(
    Object.fromEntries(headers.map(({ name, value }) => [name, value ?? removed])),
  ),
  body: JSON.stringify({
    excerpt: body?.excerpt ?? "",
    body_bytes: body?.bytes ?? 0,
    headers: headerCount,
    ...(body === null ? {} : { cut: body.isCut }),
  }),
});

/** A service of an older version knows no `cut`, and keeps a body that was not sent as one that is empty. */
function keptBody(body: string): Pick<ServerAnswer, "body" | "headerCount"> | null {
  if (!body.startsWith('{"excerpt":')) return null;
  const fields = parsedJson(body);
  if (!isMapping(fields)) return null;
  const { excerpt, body_bytes: bytes, headers: headerCount, cut } = fields;
  if (typeof excerpt !== "string" || !isCount(bytes) || !isCount(headerCount)) return null;
  if (typeof cut === "boolean") return { headerCount, body: { excerpt, bytes, isCut: cut } };
  return { headerCount, body: bytes === 0 ? null : plainBody(excerpt, bytes) };
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** All headers of an answer for programs, which get what a person gets, at its whole length. */
export const openHeaders = (headers: string, secrets: OwnSecrets): Record<string, string> =>
  Object.fromEntries(
    Object.entries(jsonFields(headers))
      .slice(0, limits.openHeadersMax)
      .map(([name, value]) => {
        const open = openHeader(name, String(value), secrets);
        return [open.name, open.value ?? removed];
      }),
  );

function answerHeader(name: string, value: string, secrets: OwnSecrets): AnswerHeader {
  const open = openHeader(name, value, secrets);
  if (open.value === null) return open;
  return { ...open, value: cutText(open.value, limits.answerHeaderValueCharsMax) };
}

function openHeader(name: string, value: string, secrets: OwnSecrets): AnswerHeader {
  const searchedName = name.slice(0, limits.answerHeaderValueCharsMax);
  const shownName = cutText(secrets.cut(searchedName, true), limits.answerHeaderNameCharsMax);
  if (isCredential(name) || value === removed) return { name: shownName, value: null };
  const searched = shownHeader(name, value.slice(0, limits.answerCharsSearched));
  const isWhole = value.length <= limits.answerCharsSearched;
  return { name: shownName, value: withoutTokens(secrets.cut(searched, isWhole)) };
}

/** What asks for a credential may have a part of one, e.g. a nonce or a realm that is a token. */
const isCredential = (name: string): boolean =>
  isCredentialHeader(name) || /authenticat/i.test(name);

function excerptOf(body: string, isAllOfIt: boolean, secrets: OwnSecrets): string {
  const searched = body.slice(0, limits.answerCharsSearched);
  const open = withoutTokens(secrets.cut(searched, isAllOfIt && searched.length === body.length));
  const bytes = Buffer.from(open.replaceAll(controls, "\ufffd"));
  if (bytes.length <= limits.answerBodyBytesMax) return bytes.toString();
  // `stream` keeps back the bytes of a character that is not whole.
  return new TextDecoder().decode(bytes.subarray(0, limits.answerBodyBytesMax), { stream: true });
}

/** What an assertion received, without secrets; null of what is named like a credential, if there was something. */
export function openReceived(
  { expected, received }: Pick<CheckEvaluation, "expected" | "received">,
  secrets: OwnSecrets,
): string | null {
  if (received !== "" && namesIn(expected).some(isCredential)) return null;
  return withoutTokens(secrets.cut(received, false));
}

/** What no text has, but for tabs and ends of lines: it would take six bytes each in JSON. */
// eslint-disable-next-line no-control-regex -- these are the characters looked for.
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
