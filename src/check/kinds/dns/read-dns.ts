import {
  type AssertionOf,
  queryTypes,
  type QueryType,
  recordComparators,
  recordTypes,
} from "#check/assertion";
import type { DnsDefinition } from "#check/definition";
import type { Findings } from "#check/findings";
import { checkAssertionTarget, mustBeOneOf, readComparator, readUri } from "#check/kinds/reading";
import type { DnsTarget } from "#check/monitor";
import { parseDnsUri } from "#check/target";
import * as limits from "#limits/check-limits";

export function readDnsTarget(definition: DnsDefinition, findings: Findings): DnsTarget | null {
  const target = readUri(parseDnsUri, definition.uri, findings);
  return target === null ? null : withTypes(target, definition);
}

/** Every type that an assertion names is asked for, also if the assertion itself cannot be judged. */
function withTypes(target: DnsTarget, { recordAssertions }: DnsDefinition): DnsTarget {
  const named = queryTypes.filter((type) => recordAssertions.some(({ record }) => record === type));
  const types = [...new Set([...target.types, ...named])];
  if (types.length === 0) return { ...target, types: ["A", "AAAA"] };
  // A type without assertions is asked for because it should be there; the others judge its absence.
  const isNeeded = (type: QueryType): boolean => {
    const wanted = recordAssertions.filter(({ record }) => record === type);
    return wanted.length === 0 || wanted.some(({ comparator }) => !holdsForNone.has(comparator));
  };
  return { ...target, types, recordsNeeded: types.some(isNeeded) };
}

const holdsForNone: ReadonlySet<string> = new Set(["neq", "not_contains"]);

/** A type that no query can ask for is a mistake at either door. */
export function readRecordAssertions(
  { recordAssertions: assertions }: DnsDefinition,
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
    checkAssertionTarget(at, target, findings);
    if (type === null || known === null) return [];
    return [{ kind: "record", record: type, comparator: known, target } as const];
  });
}
