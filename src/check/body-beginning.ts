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

/**
 * What a failed check reports of the body that it was answered with: an excerpt, or nothing but its length. Secrets are cut
 * from it before.
 */
export function failedOutcome(outcome: Outcome, isBodyShown: boolean): Outcome {
  if (outcome.kind !== "http" || outcome.response === null) return outcome;
  const { response } = outcome;
  const excerpt = isBodyShown ? bodyBeginning(response.body, limits.answerBodyBytesMax) : "";
  return { ...outcome, response: { ...response, body: new TextEncoder().encode(excerpt) } };
}
