import {
  type Assertion,
  type AssertionKind,
  boundComparators,
  jsonComparators,
  numberComparators,
  recordComparators,
  recordTypes,
  stringComparators,
} from "#check/assertion";
import { kindTable } from "#check/kinds/kind-table";
import type { TypedOptions, TypedRule } from "#check/kinds/typed-kind";
import type { Kind } from "#check/monitor";
import { parseDuration } from "#base/duration";
import { UsageError } from "#cli/edge/usage-error";
import { millis } from "#base/units";

/** Splits what was typed; throws a UsageError where it is no rule at all. */
export function typedRule(text: string): TypedRule {
  const keyed = /^(header|json)\s+(length\([^)]*\)|\S+)\s+(\S+)(?:\s+(.*))?$/s.exec(text);
  if (keyed !== null) {
    const [, subject = "", key = "", comparator = "", target = ""] = keyed;
    return { text, subject, key, comparator, target };
  }
  const [, subject, comparator, target = ""] = /^(\S+)\s+(\S+)(?:\s+(.*))?$/s.exec(text) ?? [];
  if (subject === undefined || comparator === undefined)
    throw new UsageError(`--assert "${text}" is not a rule. ${grammar()}`);
  return { text, subject, key: "", comparator, target };
}

/** The rules of one kind of assertion, of those for a target; throws a UsageError for one that means nothing for it. */
export function rulesFor(kind: Kind, rules: readonly TypedRule[]): TypedOptions["rules"] {
  refuseOthers(kind, rules);
  return (one) => of(one, rules).map((rule) => ({ ...rule, number: numberOf(one, rule) }));
}

const numberOf = (kind: AssertionKind, rule: TypedRule): number =>
  kind === "loss" ? percentOf(rule) : Number(rule.target);

function percentOf(rule: TypedRule): number {
  if (!/^\d{1,3}(?:\.\d+)? ?%?$/.test(rule.target)) throw noBound(rule, "a percentage, e.g. 34");
  return Number.parseFloat(rule.target);
}

/** What no monitor of a service can want, and a person at a terminal can. Throws a UsageError where a bound is none. */
export function boundAssertions(rules: readonly TypedRule[]): readonly Assertion[] {
  const latencies = of("latency", rules).map((rule): Assertion => {
    const target = /^\d+$/.test(rule.target)
      ? millis(Number(rule.target))
      : parseDuration(rule.target);
    if (target === null) throw noBound(rule, "a duration, e.g. 500ms or 2s");
    return { kind: "latency", comparator: comparatorOf(boundComparators, rule), target };
  });
  const certificates = of("certificate", rules).map((rule): Assertion => {
    if (!/^\d{1,5}$/.test(rule.target)) throw noBound(rule, "a number of days");
    const comparator = comparatorOf(numberComparators, rule);
    return { kind: "certificate", comparator, days: Number(rule.target) };
  });
  return [...latencies, ...certificates];
}

const noBound = ({ text }: TypedRule, wanted: string): UsageError =>
  new UsageError(`--assert "${text}" needs ${wanted}`);

function comparatorOf<T extends string>(allowed: readonly T[], { text, comparator }: TypedRule): T {
  const known = allowed.find((one) => one === comparator);
  if (known === undefined)
    throw new UsageError(`--assert "${text}" must compare by one of ${allowed.join(", ")}`);
  return known;
}

interface Grammar {
  /** Whether the first word is of this kind of assertion. */
  readonly begins: (subject: string) => boolean;
  readonly words: string;
}

/** How each kind of assertion is typed. */
const grammars: { readonly [K in AssertionKind]: Grammar } = {
  status: {
    begins: (subject) => subject === "status",
    words: `'status COMPARATOR NUMBER' (${numberComparators.join(" ")})`,
  },
  body: {
    begins: (subject) => subject === "body",
    words: `'body COMPARATOR TEXT' (${stringComparators.join(" ")})`,
  },
  header: {
    begins: (subject) => subject === "header",
    words: "'header NAME COMPARATOR TEXT' (as for body)",
  },
  record: {
    begins: (subject) => recordTypes.some((type) => type === subject.toUpperCase()),
    words: `'TYPE COMPARATOR TEXT' with a type of ${recordTypes.join(" ")} (${recordComparators.join(" ")})`,
  },
  latency: {
    begins: (subject) => subject === "latency",
    words: `'latency COMPARATOR DURATION' (${boundComparators.join(" ")})`,
  },
  certificate: {
    begins: (subject) => subject === "certificate",
    words: "'certificate COMPARATOR DAYS' (as for status)",
  },
  json: {
    begins: (subject) => subject === "json",
    words: `'json PATH COMPARATOR VALUE' with a path like $.status (${jsonComparators.join(" ")})`,
  },
  loss: {
    begins: (subject) => subject === "loss",
    words: "'loss COMPARATOR PERCENT' (as for status)",
  },
};

const of = (kind: AssertionKind, rules: readonly TypedRule[]): readonly TypedRule[] =>
  rules.filter(({ subject }) => grammars[kind].begins(subject));

function refuseOthers(kind: Kind, rules: readonly TypedRule[]): void {
  const known = kindTable[kind].judgedBy;
  const other = rules.find(({ subject }) => !known.some((one) => grammars[one].begins(subject)));
  if (other !== undefined)
    throw new UsageError(
      `--assert "${other.text}" does not apply to ${kindTable[kind].noun}. ${grammar()}`,
    );
}

const grammar = (): string =>
  `A rule is one of ${Object.values(grammars)
    .map(({ words }) => words)
    .join(", ")}.`;
