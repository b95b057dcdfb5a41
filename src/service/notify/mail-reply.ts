import { SearchSteps, SecretEcho } from "#check/secret-echo";
import { removed } from "#check/shown-header";
import { answerShownChars } from "#limits/alerts-limits";
import { answerSearchSteps } from "#limits/answer-limits";
import { secretCharsMin } from "#limits/secrets-limits";
import type { SmtpAccount } from "#service/notify/accounts";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";

/**
 * A trouble with the line that the mail server answered, without its status, which the sentence has. The login and every URL
 * are cut out: a server may send back what it got.
 */
export function withReply(
  outcome: DeliveryOutcome,
  error: unknown,
  account: SmtpAccount,
): DeliveryOutcome {
  const words = wordsOf(replyIn(error).slice(0, repliedCharsMax), account);
  if (words === "" || !("trouble" in outcome)) return outcome;
  const { trouble } = outcome;
  return {
    ...outcome,
    trouble: { ...trouble, message: `${trouble.message}; it answered “${words}”` },
  };
}

function wordsOf(line: string, { login }: SmtpAccount): string {
  const words = secretsOf(login)
    .reduce((rest, word) => withoutWord(rest, word), line)
    .replaceAll(/https?:\/\/[^\s"'<>]+/gi, removed)
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .replace(/^\s*\d{3}[ -]?/, "")
    .trim();
  const characters = Array.from(words);
  return characters.length <= answerShownChars
    ? words
    : `${characters.slice(0, answerShownChars).join("")}…`;
}

/** As they are sent: each alone, or both as AUTH PLAIN has them (RFC 4616), in Base64. Longest first. */
function secretsOf(login: SmtpAccount["login"]): readonly string[] {
  if (login === null) return [];
  const { user, password } = login;
  return [`\0${user}\0${password}`, password, user]
    .filter((word) => word !== "")
    .toSorted((a, b) => b.length - a.length);
}

/** In every spelling, unless it is so short that it is in every text. */
const withoutWord = (text: string, word: string): string =>
  word.length < secretCharsMin
    ? text.replaceAll(word, removed)
    : new SecretEcho(word).cut(text, true, new SearchSteps(answerSearchSteps));

const replyIn = (error: unknown): string =>
  Error.isError(error) && "response" in error && typeof error.response === "string"
    ? error.response
    : "";

/** What is longer is cut anyway: an answer has a few lines of at most 512 octets (RFC 5321, 4.5.3.1.5). */
const repliedCharsMax = 4_096;
