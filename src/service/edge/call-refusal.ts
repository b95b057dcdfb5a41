import type { Mistake } from "#check/findings";
import * as limits from "#limits/check-limits";
import { cutText, lineFault } from "#base/text";

/** Why the service does not do what it was asked; the words of the Connect protocol. */
export type RefusalCode =
  | "unauthenticated"
  | "permission_denied"
  | "invalid_argument"
  | "not_found"
  | "already_exists"
  | "failed_precondition"
  | "aborted"
  | "resource_exhausted"
  | "unavailable";

/** Headers by which a tool knows the reason without reading the sentence. */
type ReasonHeaders = Readonly<Record<string, string>>;

/** A request that is refused, with a sentence for who made it. Anything else that is thrown is a fault of ours. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly headers: ReasonHeaders;
  /** What is wrong with which field; empty if it is not about fields. */
  readonly mistakes: readonly Mistake[];

  constructor(
    code: RefusalCode,
    message: string,
    headers: ReasonHeaders = because(code),
    mistakes: readonly Mistake[] = [],
  ) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.mistakes = mistakes;
  }
}

/** The headers of a reason: a constant, and facts that belong to it. */
export const because = (
  reason: string,
  facts: Readonly<Record<string, string>> = {},
): ReasonHeaders => ({
  "error-domain": "picket",
  "error-reason": reason.toUpperCase(),
  ...Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [`error-${name}`, headerText(value)]),
  ),
});

/** What a caller sent may hold what no header can carry. */
const headerText = (value: string): string =>
  cutText(value.replaceAll(/[^\x20-\x7e]/g, "?"), limits.messageIdCharsMax).replace("…", "...");

/** Refuses what breaks rules, each by the name of its field. */
export function refuseViolations(violations: readonly Mistake[]): void {
  const [first, ...more] = violations;
  if (first !== undefined) throw violation(first, ...more);
}

/** What breaks rules, to be thrown. */
export function violation(first: Mistake, ...more: readonly Mistake[]): Refusal {
  const mistakes = [first, ...more].slice(0, limits.mistakesShownMax);
  const shown = mistakes.map(({ field, message }) => `${field} ${message}`);
  const rest = more.length + 1 - shown.length;
  const all = rest === 0 ? shown : [...shown, `and ${rest} more`];
  const reason = because("invalid_argument", { field: first.field });
  return new Refusal("invalid_argument", all.join("; "), reason, mistakes);
}

/** Refuses a name that is not one line of text, by its field. */
export function refuseControls(field: string, name: string): void {
  const message = lineFault(name);
  if (message !== null) refuseViolations([{ field, message }]);
}

/** An id that a caller sent, short enough for a message. */
export const shortId = (id: string): string => cutText(id, limits.messageIdCharsMax);

/** Why an object is not there. Without its id, the request is wrong. */
interface Absence {
  readonly reason: string;
  readonly facts?: Readonly<Record<string, string>>;
  readonly withoutId?: string;
}

/** What is not there, by its id. */
export function absent(
  what: string,
  id: string,
  { reason, facts = {}, withoutId = "invalid_argument" }: Absence,
): Refusal {
  return id === ""
    ? new Refusal("invalid_argument", `the ${what}'s id is missing`, because(withoutId))
    : new Refusal("not_found", `there is no ${what} ${shortId(id)}`, because(reason, facts));
}

export const noMonitor = (id: string): Refusal =>
  absent("monitor", id, {
    reason: "MONITOR_NOT_FOUND",
    facts: { "monitor-id": id },
    withoutId: "MONITOR_ID_REQUIRED",
  });

export const noLocation = (id: string): Refusal =>
  absent("private location", id, {
    reason: "PRIVATE_LOCATION_NOT_FOUND",
    facts: { "private-location-id": id },
  });
