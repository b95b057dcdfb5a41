import type { Millis } from "#base/units";

/** What a monitor wants of an outcome. Compiled once when the monitor is parsed; evaluated by src/assertions. */

export const numberComparators = ["eq", "neq", "gt", "gte", "lt", "lte"] as const;
export const stringComparators = [
  "contains",
  "not_contains",
  "eq",
  "neq",
  "empty",
  "not_empty",
  "gt",
  "gte",
  "lt",
  "lte",
] as const;
export const jsonComparators = [
  "contains",
  "not_contains",
  "eq",
  "neq",
  "empty",
  "not_empty",
  "gt",
  "gte",
  "lt",
  "lte",
  "exists",
  "not_exists",
] as const;
export const recordComparators = ["eq", "neq", "contains", "not_contains"] as const;
/** Types that a person may write an assertion on. */
export const recordTypes = ["A", "AAAA", "CNAME", "MX", "TXT"] as const;
/** Types that a DNS check may ask for, and on which an assertion of a service's is evaluated. */
export const queryTypes = ["A", "AAAA", "CNAME", "MX", "TXT", "NS"] as const;

export type NumberComparator = (typeof numberComparators)[number];
export type StringComparator = (typeof stringComparators)[number];
export type JsonComparator = (typeof jsonComparators)[number];
export type RecordComparator = (typeof recordComparators)[number];
export type QueryType = (typeof queryTypes)[number];

/** Every kind of assertion. Each has its rule in src/assertions: one without a rule does not compile. */
interface Assertions {
  readonly status: StatusAssertion;
  readonly body: BodyAssertion;
  readonly header: HeaderAssertion;
  readonly record: RecordAssertion;
  readonly latency: LatencyAssertion;
  readonly certificate: CertificateAssertion;
  readonly loss: LossAssertion;
  readonly json: JsonAssertion;
}
export type AssertionKind = keyof Assertions;
export type AssertionOf<K extends AssertionKind> = Assertions[K];
export type Assertion = AssertionOf<AssertionKind>;

interface StatusAssertion {
  readonly kind: "status";
  readonly comparator: NumberComparator;
  readonly target: number;
}
interface BodyAssertion {
  readonly kind: "body";
  readonly comparator: StringComparator;
  readonly target: string;
}
interface HeaderAssertion {
  readonly kind: "header";
  readonly key: string;
  readonly comparator: StringComparator;
  readonly target: string;
}
interface RecordAssertion {
  readonly kind: "record";
  readonly record: QueryType;
  readonly comparator: RecordComparator;
  readonly target: string;
}

export const boundComparators = ["lt", "lte"] as const;

interface LatencyAssertion {
  readonly kind: "latency";
  readonly comparator: NumberComparator;
  readonly target: Millis;
}
/** One value of a body in JSON. */
interface JsonAssertion {
  readonly kind: "json";
  readonly path: JsonPath;
  readonly comparator: JsonComparator;
  readonly target: JsonScalar;
}

/** A singular query of RFC 9535 §2.3.5.1: it leads to one value at most. */
export interface JsonPath {
  /** As it was written. */
  readonly text: string;
  /** Names of members, and places in arrays; one below zero counts from the end. */
  readonly steps: readonly (string | number)[];
  /** Whether the length of the value is meant, not the value itself. */
  readonly isLength: boolean;
}

export type JsonScalar = string | number | boolean | null;

/** Percent of the echoes that got no reply. */
interface LossAssertion {
  readonly kind: "loss";
  readonly comparator: NumberComparator;
  readonly target: number;
}
/** How many days the certificate of the last request has left. */
interface CertificateAssertion {
  readonly kind: "certificate";
  readonly comparator: NumberComparator;
  readonly days: number;
}

/** One assertion, judged by one outcome. */
export interface Evaluation {
  readonly kind: AssertionKind;
  readonly held: boolean;
  /** What was wanted, as a person says it: `body contains "ok"`. */
  readonly expected: string;
  /** What was seen; long values are cut. */
  readonly received: string;
  /** True when only the beginning of a body was seen and the rest could change the answer. */
  readonly unproven: boolean;
  /** Why there was nothing to compare, e.g. `the body is not JSON`; null if there was. */
  readonly unreadable: string | null;
}
