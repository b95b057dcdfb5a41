import {
  type Assertion,
  type AssertionKind,
  type AssertionOf,
  type TypedAssertionKind,
  numberComparators,
  queryTypes,
  recordComparators,
  recordTypes,
  stringComparators,
} from "#check/assertion";
import type { DnsDefinition, HttpDefinition, MonitorDefinition } from "#check/definition";
import { type Findings, quoted } from "#check/findings";
import { isToken } from "#check/read-headers";
import * as limits from "#limits/check-limits";

/**
 * Reads what a monitor wants. An assertion whose comparator is unknown cannot be judged: of a service's monitor it is
 * left out.
 */
export const readAssertions = (
  definition: MonitorDefinition,
  findings: Findings,
): readonly Assertion[] =>
  Object.values(readers).flatMap((read: Reader) => read(definition, findings));

type PlainAssertionKind = Exclude<AssertionKind, TypedAssertionKind>;
type Reader<K extends PlainAssertionKind = PlainAssertionKind> = (
  definition: MonitorDefinition,
  findings: Findings,
) => readonly AssertionOf<K>[];

/** Where a definition holds each kind of assertion, in the order in which they judge. */
const readers: { readonly [K in PlainAssertionKind]: Reader<K> } = {
  status: (definition, findings) =>
    definition.kind === "http" ? readStatuses(definition.statusCodeAssertions, findings) : [],
  body: (definition, findings) =>
    definition.kind === "http" ? readBodies(definition.bodyAssertions, findings) : [],
  header: (definition, findings) =>
    definition.kind === "http" ? readHeaders(definition.headerAssertions, findings) : [],
  record: (definition, findings) =>
    definition.kind === "dns" ? readRecords(definition.recordAssertions, findings) : [],
};

/**
 * Where no status assertion is left, the status is judged as if there had been none: any other rule would be laxer than
 * what a monitor without assertions gets.
 */
function readStatuses(
  assertions: HttpDefinition["statusCodeAssertions"],
  findings: Findings,
): readonly AssertionOf<"status">[] {
  const field = "status_code_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  const statuses = assertions.flatMap(({ target, comparator }, index) => {
    const at = `${field}[${index}]`;
    if (findings.door === "management") checkStatus(`${at}.target`, target, findings);
    const known = readComparator(at, comparator, numberComparators, findings);
    return known === null ? [] : [{ kind: "status", comparator: known, target } as const];
  });
  if (assertions.length > 0 && statuses.length === 0)
    findings.remark(field, "are all left out: the status must be 200 to 299");
  return statuses;
}

/** A service's numbers are compared as they are: a status below 600 is what was asked for. */
function checkStatus(field: string, target: number, findings: Findings): void {
  const { statusCodeMin: low, statusCodeMax: high } = limits;
  if (!Number.isInteger(target)) findings.violate(field, `must be a whole number, not ${target}`);
  else if (target < low || target > high)
    findings.violate(field, `must be in ${low} to ${high}, not ${target}`);
}

function readBodies(
  assertions: HttpDefinition["bodyAssertions"],
  findings: Findings,
): readonly AssertionOf<"body">[] {
  const field = "body_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  return assertions.flatMap(({ target, comparator }, index) => {
    const at = `${field}[${index}]`;
    checkTarget(at, target, findings);
    const known = readComparator(at, comparator, stringComparators, findings);
    return known === null ? [] : [{ kind: "body", comparator: known, target } as const];
  });
}

function readHeaders(
  assertions: HttpDefinition["headerAssertions"],
  findings: Findings,
): readonly AssertionOf<"header">[] {
  const field = "header_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  return assertions.flatMap(({ key, target, comparator }, index) => {
    const at = `${field}[${index}]`;
    checkTarget(at, target, findings);
    const known = readComparator(at, comparator, stringComparators, findings);
    if (!isToken(key)) {
      findings.tolerate(`${at}.key`, "is not a valid header name", leftOut, "invalid_header");
      return [];
    }
    return known === null ? [] : [{ kind: "header", key, comparator: known, target } as const];
  });
}

/** A type that no query can ask for is a mistake at either door. */
function readRecords(
  assertions: DnsDefinition["recordAssertions"],
  findings: Findings,
): readonly AssertionOf<"record">[] {
  const field = "record_assertions";
  findings.checkCount(field, assertions.length, limits.assertionsMax);
  const types = findings.door === "management" ? recordTypes : queryTypes;
  return assertions.flatMap(({ record, target, comparator }, index) => {
    const at = `${field}[${index}]`;
    const type = types.find((one) => one === record) ?? null;
    if (type === null)
      findings.violate(`${at}.record`, mustBeOneOf(types, record), "invalid_comparator");
    const known = readComparator(at, comparator, recordComparators, findings);
    checkTarget(at, target, findings);
    if (type === null || known === null) return [];
    return [{ kind: "record", record: type, comparator: known, target } as const];
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
