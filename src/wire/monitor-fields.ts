import {
  jsonComparators,
  numberComparators,
  recordComparators,
  stringComparators,
} from "#check/assertion";
import type { WrittenPolicy } from "#check/alert-policy";
import type {
  AssertionLists,
  DnsDefinition,
  HttpDefinition,
  MonitorDefinition,
  OwnFields,
} from "#check/definition";
import type { Header, OtelConfig } from "#check/monitor";
import { numberOf, wordOf } from "#wire/enum-words";

/*
 * What the assignment and the management of monitors say in the same fields. int64 values beyond 2⁵³ lose precision as
 * numbers, but stay far outside every limit.
 */

/** Every field that only this kind has: one that is not sent does not compile. */
export type SentFields<D extends MonitorDefinition> = {
  readonly [F in keyof OwnFields<D>]: unknown;
};

interface WireHeader {
  readonly key: string;
  readonly value: string;
}
interface WireAssertion {
  readonly target: string;
  readonly comparator: number;
}
/** An HTTP monitor's fields that are lists, as either message has them. */
interface HttpLists {
  readonly headers: WireHeader[];
  readonly statusCodeAssertions: WireNumber[];
  readonly bodyAssertions: WireAssertion[];
  readonly headerAssertions: (WireAssertion & { readonly key: string })[];
  readonly jsonAssertions: (WireAssertion & { readonly path: string })[];
}
type WireRecord = WireAssertion & { readonly record: string };

export interface AttemptFields {
  readonly timeout: bigint;
  readonly degradedAt?: bigint;
  readonly retry: bigint;
}

/** Timeout, threshold and retries as the wire says them. */
export const attemptFields = ({
  timeout,
  degradedAt,
  retry,
}: MonitorDefinition): AttemptFields => ({
  timeout: BigInt(timeout),
  ...(degradedAt === null ? {} : { degradedAt: BigInt(degradedAt) }),
  retry: BigInt(retry),
});

export const headerFields = (headers: readonly Header[]): WireHeader[] =>
  headers.map(({ key, value }) => ({ key, value }));

export interface OtelFields {
  readonly endpoint: string;
  readonly headers: WireHeader[];
}

export const otelFields = ({ endpoint, headers }: OtelConfig): OtelFields => ({
  endpoint,
  headers: headerFields(headers),
});

export const httpLists = (definition: HttpDefinition): HttpLists => ({
  headers: headerFields(definition.headers),
  statusCodeAssertions: numberFields(definition.statusCodeAssertions),
  bodyAssertions: definition.bodyAssertions.map(({ target, comparator }) => ({
    target,
    comparator: numberOf(stringComparators, comparator),
  })),
  headerAssertions: definition.headerAssertions.map(({ key, target, comparator }) => ({
    key,
    target,
    comparator: numberOf(stringComparators, comparator),
  })),
  jsonAssertions: definition.jsonAssertions.map(({ path, target, comparator }) => ({
    path,
    target,
    comparator: numberOf(jsonComparators, comparator),
  })),
});

export const recordFields = ({ recordAssertions }: DnsDefinition): WireRecord[] =>
  recordAssertions.map(({ record, target, comparator }) => ({
    record,
    target,
    comparator: numberOf(recordComparators, comparator),
  }));

interface WireNumber {
  readonly target: bigint;
  readonly comparator: number;
}
type NumberRows = HttpDefinition["statusCodeAssertions"];

export const numberFields = (rows: NumberRows): WireNumber[] =>
  rows.map(({ target, comparator }) => ({
    // A fraction of a percent or of a millisecond decides nothing.
    target: BigInt(Math.round(target)),
    comparator: numberOf(numberComparators, comparator),
  }));

export const readNumbers = (rows: readonly WireNumber[]): NumberRows =>
  rows.map(({ target, comparator }) => ({
    target: Number(target),
    comparator: wordOf(numberComparators, comparator, "comparator"),
  }));

type HttpListsDefinition = Pick<HttpDefinition, "headers"> & AssertionLists<HttpDefinition>;

export const readHttpLists = (lists: HttpLists): HttpListsDefinition => ({
  headers: headerFields(lists.headers),
  statusCodeAssertions: readNumbers(lists.statusCodeAssertions),
  bodyAssertions: lists.bodyAssertions.map(({ target, comparator }) => ({
    target,
    comparator: wordOf(stringComparators, comparator, "comparator"),
  })),
  headerAssertions: lists.headerAssertions.map(({ key, target, comparator }) => ({
    key,
    target,
    comparator: wordOf(stringComparators, comparator, "comparator"),
  })),
  jsonAssertions: lists.jsonAssertions.map(({ path, target, comparator }) => ({
    path,
    target,
    comparator: wordOf(jsonComparators, comparator, "comparator"),
  })),
});

export const readRecords = (records: readonly WireRecord[]): DnsDefinition["recordAssertions"] =>
  records.map(({ record, target, comparator }) => ({
    record,
    target,
    comparator: wordOf(recordComparators, comparator, "comparator"),
  }));

export interface WirePolicy extends Omit<WrittenPolicy, "dependsOn"> {
  readonly dependsOn: string[];
}
export const policyFields = ({ dependsOn, ...policy }: WrittenPolicy): WirePolicy => ({
  ...policy,
  dependsOn: [...dependsOn],
});
export function readPolicy(policy: WirePolicy | undefined): WrittenPolicy | undefined {
  if (policy === undefined) return undefined;
  const { failures, degraded, successes, quorum, dependsOn, severity } = policy;
  const { certificateDays, objective } = policy;
  return {
    failures,
    degraded,
    successes,
    quorum,
    dependsOn,
    severity,
    certificateDays,
    objective,
  };
}
