import { type Findings, quoted } from "#check/findings";
import type { FailureCode } from "#check/failure";
import * as limits from "#limits/check-limits";
import type { ParseResult } from "#network/parsed";

/* What the readers of several kinds of monitors have alike. */

/** Spaces around an address mean nothing; a person can still take them out. */
export const given = (text: string, { door }: Findings): string =>
  door === "assignment" ? text.trim() : text;

export function readUri<T>(
  parse: (text: string) => ParseResult<T>,
  uri: string,
  findings: Findings,
): T | null {
  return parsedOr("uri", parse(given(uri, findings)), "invalid_uri", findings);
}

export const parsedOr = <T>(
  field: string,
  parsed: ParseResult<T>,
  code: FailureCode,
  findings: Findings,
): T | null => (parsed.ok ? parsed.value : findings.violate(field, parsed.message, code));

export const leftOut = "the assertion is left out, and the others judge";

export function readComparator<T extends string>(
  at: string,
  value: string,
  allowed: readonly T[],
  findings: Findings,
): T | null {
  const known = allowed.find((one) => one === value);
  if (known !== undefined) return known;
  const message = mustBeOneOf(allowed, value);
  return findings.tolerate(`${at}.comparator`, message, leftOut, "invalid_comparator");
}

export const mustBeOneOf = (allowed: readonly string[], value: string): string =>
  `must be one of ${allowed.join(", ")}, not ${quoted(value)}`;

export function checkAssertionTarget(at: string, target: string, findings: Findings): void {
  const max = limits.assertionTargetCharsMax;
  if (findings.door === "management" && target.length > max)
    findings.violate(`${at}.target`, `is longer than ${max} characters`);
}

/** Past its maximum a number counts as the maximum, and what is no such number at all as the default. */
export function readInRange(
  field: string,
  value: number,
  { min = 0, max, usual }: { readonly min?: number; readonly max: number; readonly usual: number },
  findings: Findings,
): number {
  const isWhole = Number.isInteger(value);
  if (isWhole && value >= min && value <= max) return value;
  const used = value > max ? max : usual;
  const wanted = isWhole ? `must be in ${min} to ${max}` : "must be a whole number";
  findings.tolerate(field, `${wanted}, not ${value}`, `${used} is used`);
  return used;
}
