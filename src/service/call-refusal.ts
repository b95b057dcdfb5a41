import * as limits from "#limits";
import { cutText } from "#text";

/** Why the service does not do what it was asked; the words of the Connect protocol. */
export type RefusalCode =
  | "unauthenticated"
  | "permission_denied"
  | "invalid_argument"
  | "not_found"
  | "failed_precondition"
  | "resource_exhausted"
  | "unavailable";

/** A request that is refused, with a sentence for who made it. Anything else that is thrown is a fault of ours. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Refuses what breaks rules, each by the name of its field. */
export function refuseViolations(
  violations: readonly { readonly field: string; readonly message: string }[],
): void {
  if (violations.length === 0) return;
  const shown = violations
    .slice(0, limits.mistakesShownMax)
    .map(({ field, message }) => `${field} ${message}`);
  const rest = violations.length - shown.length;
  const all = rest === 0 ? shown : [...shown, `and ${rest} more`];
  throw new Refusal("invalid_argument", all.join("; "));
}

/** An id that somebody sent, short enough for a message. */
export const shortId = (id: string): string => cutText(id, limits.messageIdCharsMax);
