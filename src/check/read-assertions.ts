import {
  type Assertion,
  numberComparators,
  queryTypes,
  recordComparators,
  recordTypes,
  stringComparators,
} from "#check/assertion";
import type { DnsDefinition, HttpDefinition } from "#check/definition";
import { type Findings, quoted } from "#check/findings";
import { isToken } from "#check/read-headers";
import * as limits from "#limits";

/**
 * Reads what an HTTP monitor wants. An assertion whose comparator is unknown cannot be judged: of a service's monitor
 * it is left out. Where no status assertion is left, the status is judged as if there had been none: any other rule
 * would be laxer than what a monitor without assertions gets.
 */
export function readHttpAssertions(
  definition: HttpDefinition,
  findings: Findings,
): readonly Assertion[] {
  const { statusCodeAssertions } = definition;
  const statuses = readStatuses(statusCodeAssertions, findings);
  if (statusCodeAssertions.length > 0 && statuses.length === 0)
    findings.remark("status_code_assertions", "are all left out: the status must be 200 to 299");
  return [...statuses, ...readBodies(definition, findings), ...readHeaders(definition, findings)];
}

function readStatuses(
  assertions: HttpDefinition["statusCodeAssertions"],
  findings: Findings,
): readonly Assertion[] {
  const field = "status_code_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  return assertions.flatMap(({ target, comparator }, index): Assertion[] => {
    const at = `${field}[${index}]`;
    if (findings.door === "management") checkStatus(`${at}.target`, target, findings);
    const known = readComparator(at, comparator, numberComparators, findings);
    return known === null ? [] : [{ kind: "status", comparator: known, target }];
  });
}

/** A service's numbers are compared as they are: a status below 600 is what somebody asked for. */
function checkStatus(field: string, target: number, findings: Findings): void {
  const { statusCodeMin: low, statusCodeMax: high } = limits;
  if (!Number.isInteger(target)) findings.violate(field, `must be a whole number, not ${target}`);
  else if (target < low || target > high)
    findings.violate(field, `must be in ${low} to ${high}, not ${target}`);
}

function readBodies({ bodyAssertions }: HttpDefinition, findings: Findings): readonly Assertion[] {
  const field = "body_assertions";
  findings.checkCount(field, bodyAssertions.length, limits.assertionsMax);
  return bodyAssertions.flatMap(({ target, comparator }, index): Assertion[] => {
    const at = `${field}[${index}]`;
    checkTarget(at, target, findings);
    const known = readComparator(at, comparator, stringComparators, findings);
    return known === null ? [] : [{ kind: "body", comparator: known, target }];
  });
}

function readHeaders(
  { headerAssertions }: HttpDefinition,
  findings: Findings,
): readonly Assertion[] {
  const field = "header_assertions";
  findings.checkCount(field, headerAssertions.length, limits.assertionsMax);
  return headerAssertions.flatMap(({ key, target, comparator }, index): Assertion[] => {
    const at = `${field}[${index}]`;
    checkTarget(at, target, findings);
    const known = readComparator(at, comparator, stringComparators, findings);
    if (!isToken(key)) {
      findings.tolerate(`${at}.key`, "is not a valid header name", leftOut, "invalid_header");
      return [];
    }
    return known === null ? [] : [{ kind: "header", key, comparator: known, target }];
  });
}

/** Reads what a DNS monitor wants of its records. A type that no query can ask for is a mistake at either door. */
export function readRecordAssertions(
  assertions: DnsDefinition["recordAssertions"],
  findings: Findings,
): readonly Assertion[] {
  const field = "record_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  const types = findings.door === "management" ? recordTypes : queryTypes;
  return assertions.flatMap(({ record, target, comparator }, index): Assertion[] => {
    const at = `${field}[${index}]`;
    const type = types.find((one) => one === record) ?? null;
    if (type === null)
      findings.violate(`${at}.record`, mustBeOneOf(types, record), "invalid_comparator");
    const known = readComparator(at, comparator, recordComparators, findings);
    checkTarget(at, target, findings);
    if (type === null || known === null) return [];
    return [{ kind: "record", record: type, comparator: known, target }];
  });
}

const leftOut = "the assertion is left out, and the others judge";

function readComparator<T extends string>(
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

const mustBeOneOf = (allowed: readonly string[], value: string): string =>
  `must be one of ${allowed.join(", ")}, not ${quoted(value)}`;

function checkTarget(at: string, target: string, findings: Findings): void {
  const max = limits.assertionTargetCharsMax;
  if (findings.door === "management" && target.length > max)
    findings.violate(`${at}.target`, `is longer than ${max} characters`);
}
