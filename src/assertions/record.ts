import type { QueryType, RecordComparator } from "#check/assertion";
import { compared, proven, type Rule } from "#assertions/rule";

/** The records of one type in the answer of a name server. */
export const recordRule: Rule<"record"> = {
  words: (assertion) => `${assertion.record} ${compared(assertion)}`,
  judge: ({ comparator, record, target }, outcome) => {
    if (outcome.kind !== "dns" || outcome.rcode === null) return null;
    const values = outcome.records.flatMap(({ type, value }) => (type === record ? [value] : []));
    return proven(holdsForRecords(comparator, record, values, target), values.join(", "));
  },
};

/**
 * Whether the values of all records of one type stand to `target` as the comparator says. eq and contains hold when
 * any record does; neq and not_contains when none equals or contains it, so they hold for an empty list.
 */
export function holdsForRecords(
  comparator: RecordComparator,
  type: QueryType,
  received: readonly string[],
  target: string,
): boolean {
  switch (comparator) {
    case "eq":
      return received.some((value) => equal(type, value, target));
    case "neq":
      return !received.some((value) => equal(type, value, target));
    case "contains":
      return received.some((value) => contains(type, value, target));
    case "not_contains":
      return !received.some((value) => contains(type, value, target));
  }
}

function equal(type: QueryType, value: string, target: string): boolean {
  switch (type) {
    case "A":
    case "TXT":
      return value === target;
    case "AAAA":
      return canonicalAddress(value) === canonicalAddress(target);
    case "CNAME":
    case "NS":
      return canonicalName(value) === canonicalName(target);
    case "MX":
      return equalMx(value, target);
  }
}

/** Within a name, case means nothing; a text record is taken to the letter. */
function contains(type: QueryType, value: string, target: string): boolean {
  return type === "TXT"
    ? value.includes(target)
    : value.toLowerCase().includes(target.toLowerCase());
}

/** `host.:10` against `host`, `host.`, `host.:10`, `host:10` or `10 host`. */
function equalMx(value: string, target: string): boolean {
  const received = mailExchange(value);
  const wanted = mailExchange(target);
  return (
    received.host === wanted.host &&
    (wanted.preference === null || wanted.preference === received.preference)
  );
}

function mailExchange(text: string): { host: string; preference: number | null } {
  const [, before, name = "", behind] = /^(?:(\d+)\s+)?(\S*?)(?::(\d+))?$/.exec(text.trim()) ?? [];
  const preference = before ?? behind;
  return {
    host: canonicalName(name),
    preference: preference === undefined ? null : Number(preference),
  };
}

const canonicalName = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** RFC 5952 form, by the URL parser, so that `2001:DB8:0::1` and `2001:db8::1` are one address. */
const canonicalAddress = (text: string): string =>
  URL.parse(`http://[${text}]/`)?.hostname ?? text.toLowerCase();
