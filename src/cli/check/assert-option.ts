import {
  type AssertionKind,
  numberComparators,
  recordComparators,
  recordTypes,
  stringComparators,
} from "#check/assertion";
import type { AssertionLists, DefinitionOf } from "#check/definition";
import type { Kind } from "#check/monitor";
import { UsageError } from "#cli/usage-error";

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
  const header = /^header\s+(\S+)\s+(\S+)(?:\s+(.*))?$/s.exec(text);
  if (header !== null) {
    const [, key = "", comparator = "", target = ""] = header;
    return { text, subject: "header", key, comparator, target };
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
    refuseOthers("http", "an HTTP target", rules);
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
    };
  },
  tcp: (rules) => {
    refuseOthers("tcp", "a TCP target", rules);
    return {};
  },
  dns: (rules) => {
    refuseOthers("dns", "a DNS target", rules);
    return {
      recordAssertions: of("record", rules).map(({ subject, comparator, target }) => ({
        record: subject.toUpperCase(),
        comparator,
        target,
      })),
    };
  },
};

interface Grammar {
  readonly kind: Kind;
  /** Whether the first word is of this kind of assertion. */
  readonly begins: (subject: string) => boolean;
  readonly words: string;
}

/** How each kind of assertion is typed, and of which kind of target. */
const grammars: { readonly [K in AssertionKind]: Grammar } = {
  status: {
    kind: "http",
    begins: (subject) => subject === "status",
    words: `'status COMPARATOR NUMBER' (${numberComparators.join(" ")})`,
  },
  body: {
    kind: "http",
    begins: (subject) => subject === "body",
    words: `'body COMPARATOR TEXT' (${stringComparators.join(" ")})`,
  },
  header: {
    kind: "http",
    begins: (subject) => subject === "header",
    words: "'header NAME COMPARATOR TEXT' (as for body)",
  },
  record: {
    kind: "dns",
    begins: (subject) => recordTypes.some((type) => type === subject.toUpperCase()),
    words: `'TYPE COMPARATOR TEXT' with a type of ${recordTypes.join(" ")} (${recordComparators.join(" ")})`,
  },
};

const of = (kind: AssertionKind, rules: readonly TypedRule[]): readonly TypedRule[] =>
  rules.filter(({ subject }) => grammars[kind].begins(subject));

function refuseOthers(kind: Kind, target: string, rules: readonly TypedRule[]): void {
  const known = Object.values(grammars).filter((one) => one.kind === kind);
  const other = rules.find(({ subject }) => !known.some(({ begins }) => begins(subject)));
  if (other !== undefined)
    throw new UsageError(`--assert "${other.text}" means nothing for ${target}. ${grammar()}`);
}

const grammar = (): string =>
  `A rule is one of ${Object.values(grammars)
    .map(({ words }) => words)
    .join(", ")}.`;
