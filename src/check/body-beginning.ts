import type { Outcome } from "#check/outcome";
import * as limits from "#limits/answer-limits";
import type { Bytes } from "#base/units";

/** The beginning of a body that fits, as text; never cut inside a character. What is not UTF-8 is replaced. */
export function bodyBeginning(body: Uint8Array, bytesMax: Bytes): string {
  if (body.length <= bytesMax) return fitting(new TextDecoder().decode(body), bytesMax);
  // `stream` keeps back the bytes of a character that is not whole.
  const beginning = new TextDecoder().decode(body.subarray(0, bytesMax), { stream: true });
  return fitting(beginning, bytesMax);
}

/** A replaced byte grows to three, so the text may be longer than the bytes that it came from. */
function fitting(text: string, bytesMax: Bytes): string {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length <= bytesMax) return text;
  return new TextDecoder().decode(encoded.subarray(0, bytesMax), { stream: true });
}

/** As much of a body as is looked through for secrets, before `excerptedOutcome` cuts it to what is reported. */
export const searchedOutcome = (outcome: Outcome, isBodyShown: boolean): Outcome =>
  withBody(outcome, (body) => body.subarray(0, isBodyShown ? limits.answerBytesSearched : 0));

/**
 * What a check that failed, or that a person asked for, reports of the body that it was answered with: an excerpt, or nothing
 * but its length. Secrets are cut from it before.
 */
export const excerptedOutcome = (outcome: Outcome, isBodyShown: boolean): Outcome =>
  withBody(outcome, (body) =>
    new TextEncoder().encode(isBodyShown ? bodyBeginning(body, limits.answerBodyBytesMax) : ""),
  );

function withBody(outcome: Outcome, bodyOf: (body: Uint8Array) => Uint8Array): Outcome {
  if (outcome.kind !== "http" || outcome.response === null) return outcome;
  const { response } = outcome;
  return { ...outcome, response: { ...response, body: bodyOf(response.body) } };
}
