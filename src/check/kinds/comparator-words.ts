import type { Choice } from "#check/form-field";

interface Words {
  /** What is wanted; … is the value. */
  readonly wanted: string;
  /** What is so instead if it failed: never what could be read as another assertion. */
  readonly failed: string;
}

/** How a person reads a comparator, in a form and of a check that was judged by it. */
const words: Readonly<Record<string, Words>> = {
  eq: { wanted: "is …", failed: "is not …" },
  neq: { wanted: "is not …", failed: "is …, but must not be" },
  gt: { wanted: "is above …", failed: "is not above …" },
  gte: { wanted: "is at least …", failed: "is not at least …" },
  lt: { wanted: "is below …", failed: "is not below …" },
  lte: { wanted: "is at most …", failed: "is not at most …" },
  contains: { wanted: "contains …", failed: "does not contain …" },
  not_contains: { wanted: "does not contain …", failed: "contains …, but must not" },
  empty: { wanted: "is empty", failed: "is not empty" },
  not_empty: { wanted: "is not empty", failed: "is empty, but must not be" },
  exists: { wanted: "exists", failed: "does not exist" },
  not_exists: { wanted: "does not exist", failed: "exists, but must not" },
};

export const comparatorWords = (comparator: string): string =>
  words[comparator]?.wanted ?? `${comparator} …`;

export const failedComparator = (comparator: string): string =>
  words[comparator]?.failed ?? `${comparator} …`;

/** Comparators to choose among, in the order of the specification. */
export const comparatorChoices = (comparators: readonly string[]): readonly Choice[] =>
  comparators.map((one) => [one, comparatorWords(one).replace(" …", "")]);
