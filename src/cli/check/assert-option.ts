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
import type { AssertionLists, DefinitionOf } from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds } from "#check/monitor";
import { parseDuration } from "#base/duration";
import { UsageError } from "#cli/edge/usage-error";
import { millis } from "#base/units";

/** What an option --assert says: `SUBJECT [KEY] COMPARATOR [TARGET]`, split into words; the target is the rest as it stands. */
export interface TypedRule {
  readonly text: string;
  readonly subject: string;
  readonly key: string;
  readonly comparator: string;
  readonly target: string;
}

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

/** The lists of assertions of each kind of target; throws a UsageError for a rule that means nothing for it. */
export const typedAssertions: {
  readonly [K in Kind]: (rules: readonly TypedRule[]) => AssertionLists<DefinitionOf<K>>;
} = {
  http: (rules) => {
    refuseOthers("http", rules);
    return {
      statusCodeAssertions: of("status", rules).map(({ comparator, target }) => ({
        comparator,
        target: Number(target),
      })),
      bodyAssertions: of("body", rules).map(({ comparator, target }) => ({ comparator, target })),
      headerAssertions: of("header", rules).map(({ key, comparator, target }) => ({
        key,
        comparator,
        target,
      })),
      jsonAssertions: of("json", rules).map(({ key, comparator, target }) => ({
        path: key,
        comparator,
        target,
      })),
    };
  },
  tcp: (rules) => {
    refuseOthers("tcp", rules);
    return {};
  },
  dns: (rules) => {
    refuseOthers("dns", rules);
    return {
      recordAssertions: of("record", rules).map(({ subject, comparator, target }) => ({
        record: subject.toUpperCase(),
        comparator,
        target,
      })),
    };
  },
  icmp: (rules) => {
    refuseOthers("icmp", rules);
    return {
      lossAssertions: of("loss", rules).map((rule) => ({
        comparator: rule.comparator,
        target: percentOf(rule),
      })),
      // Those of a person bound the latency of every kind: boundAssertions has them.
      latencyAssertions: [],
    };
  },
  grpc: (rules) => {
    refuseOthers("grpc", rules);
    return {};
  },
};

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
  readonly of: readonly Kind[];
  /** Whether the first word is of this kind of assertion. */
  readonly begins: (subject: string) => boolean;
  readonly words: string;
}

/** How each kind of assertion is typed, and of which kinds of target. */
const grammars: { readonly [K in AssertionKind]: Grammar } = {
  status: {
    of: ["http"],
    begins: (subject) => subject === "status",
    words: `'status COMPARATOR NUMBER' (${numberComparators.join(" ")})`,
  },
  body: {
    of: ["http"],
    begins: (subject) => subject === "body",
    words: `'body COMPARATOR TEXT' (${stringComparators.join(" ")})`,
  },
  header: {
    of: ["http"],
    begins: (subject) => subject === "header",
    words: "'header NAME COMPARATOR TEXT' (as for body)",
  },
  record: {
    of: ["dns"],
    begins: (subject) => recordTypes.some((type) => type === subject.toUpperCase()),
    words: `'TYPE COMPARATOR TEXT' with a type of ${recordTypes.join(" ")} (${recordComparators.join(" ")})`,
  },
  latency: {
    of: kinds,
    begins: (subject) => subject === "latency",
    words: `'latency COMPARATOR DURATION' (${boundComparators.join(" ")})`,
  },
  certificate: {
    of: ["http", "grpc"],
    begins: (subject) => subject === "certificate",
    words: "'certificate COMPARATOR DAYS' (as for status)",
  },
  json: {
    of: ["http"],
    begins: (subject) => subject === "json",
    words: `'json PATH COMPARATOR VALUE' with a path like $.status (${jsonComparators.join(" ")})`,
  },
  loss: {
    of: ["icmp"],
    begins: (subject) => subject === "loss",
    words: "'loss COMPARATOR PERCENT' (as for status)",
  },
};

const of = (kind: AssertionKind, rules: readonly TypedRule[]): readonly TypedRule[] =>
  rules.filter(({ subject }) => grammars[kind].begins(subject));

function refuseOthers(kind: Kind, rules: readonly TypedRule[]): void {
  const known = Object.values(grammars).filter((one) => one.of.includes(kind));
  const other = rules.find(({ subject }) => !known.some(({ begins }) => begins(subject)));
  if (other !== undefined)
    throw new UsageError(
      `--assert "${other.text}" does not apply to ${kindTable[kind].noun}. ${grammar()}`,
    );
}

const grammar = (): string =>
  `A rule is one of ${Object.values(grammars)
    .map(({ words }) => words)
    .join(", ")}.`;
