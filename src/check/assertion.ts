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
export const recordComparators = ["eq", "neq", "contains", "not_contains"] as const;
/** Types that a person may write an assertion on. */
export const recordTypes = ["A", "AAAA", "CNAME", "MX", "TXT"] as const;
/** Types that a DNS check may ask for, and on which an assertion of a service's is evaluated. */
export const queryTypes = ["A", "AAAA", "CNAME", "MX", "TXT", "NS"] as const;

export type NumberComparator = (typeof numberComparators)[number];
export type StringComparator = (typeof stringComparators)[number];
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
}
export type AssertionKind = keyof Assertions;
/** Those that only a check by hand has: the service's contract has no place for them. */
export type TypedAssertionKind = "latency" | "certificate";
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
type BoundComparator = (typeof boundComparators)[number];

interface LatencyAssertion {
  readonly kind: "latency";
  readonly comparator: BoundComparator;
  readonly target: Millis;
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
}
