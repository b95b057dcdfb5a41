import { credentialsIn, mayBeSecret, secretsOfUrl } from "#check/credential-values";
import { isCredentialHeader } from "#check/credential-header";
import { SearchSteps, SecretEcho } from "#check/secret-echo";
import { removed } from "#check/shown-header";
import { percentDecoded } from "#base/text";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/answer-limits";
import { secretCharsMin } from "#limits/secrets-limits";
import type { HttpReply, HttpRequest } from "#service/notify/provider-request";

/**
 * A trouble's sentence with what the receiver answered, as a person reads it to know what is wrong: its status and the
 * beginning of its text. Whatever the request has of credentials is cut out, and every URL: a receiver may send back what it got.
 */
export function withAnswer(
  message: string,
  { status, body }: HttpReply,
  request: HttpRequest,
): string {
  const known = message.includes(String(status)) ? "" : ` ${status}`;
  const said = textOf(body, request);
  if (said === "") return known === "" ? message : `${message}; it answered${known}`;
  return `${message}; it answered${known} “${said}”`;
}

function textOf(body: string, request: HttpRequest): string {
  const begins = body.slice(0, limits.answerCharsSearched);
  const isWhole = begins.length === body.length && body.length < alertsLimits.notifyAnswerBytesMax;
  const steps = new SearchSteps(limits.answerSearchSteps);
  const open = secretsOf(request).reduce(
    (rest, secret) => new SecretEcho(secret).cut(rest, isWhole, steps),
    begins,
  );
  const words = open
    .replaceAll(/https?:(?:\\?\/){2}[^\s"'<>]+/gi, removed)
    .replaceAll(/<(script|style)\b.*?<\/\1>/gis, " ")
    .replaceAll(/<[^<>]*>/g, " ")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  const characters = Array.from(words);
  return characters.length <= alertsLimits.answerShownChars
    ? words
    : `${characters.slice(0, alertsLimits.answerShownChars).join("")}…`;
}

/** Whoever knows the topic of ntfy reads what is sent to it. */
const topic = "topic";

/** Longest first, so that none leaves the end of another. The path of a webhook is its key. */
function secretsOf({ url, headers, body }: HttpRequest): readonly string[] {
  const parts = URL.parse(url);
  const written = parts === null ? [] : parts.pathname.split("/");
  const segments = [...written, ...written.map(percentDecoded)];
  // A bot's token comes after its word, in one segment.
  const path = [
    parts?.pathname ?? "",
    ...segments,
    ...segments.map((one) => one.replace(/^bot/, "")),
  ];
  const values = [
    ...path,
    ...(parts === null ? [] : secretsOfUrl(parts)),
    ...Object.entries(headers).flatMap(([name, value]) =>
      mayBeSecret(name) ? credentialsIn(value) : [],
    ),
    ...[...body.matchAll(/"([\w-]{1,64})":"((?:[^"\\]|\\.)+)"/g)].flatMap(
      ([, name = "", value = ""]) => (isCredentialHeader(name) || name === topic ? [value] : []),
    ),
  ];
  return [...new Set(values)]
    .filter((value) => value.length >= secretCharsMin)
    .toSorted((a, b) => b.length - a.length)
    .slice(0, limits.ownSecretsMax);
}
