import type { Choice } from "#check/form-field";

/** How a person reads a comparator. */
const words: Readonly<Record<string, string>> = {
  eq: "is",
  neq: "is not",
  gt: "is above",
  gte: "is at least",
  lt: "is below",
  lte: "is at most",
  contains: "contains",
  not_contains: "does not contain",
  empty: "is empty",
  not_empty: "is not empty",
  exists: "exists",
  not_exists: "does not exist",
};

/** Comparators to choose among, in the order of the specification. */
export const comparatorChoices = (comparators: readonly string[]): readonly Choice[] =>
  comparators.map((one) => [one, words[one] ?? one]);
