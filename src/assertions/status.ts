import { holdsForNumber } from "#assertions/number";
import { proven, type Rule } from "#assertions/rule";

/** The status code of the final response. */
export const statusRule: Rule<"status"> = {
  words: ({ comparator, target }) => `status ${comparator} ${target}`,
  judge: ({ comparator, target }, outcome) => {
    if (outcome.kind !== "http" || outcome.response === null) return null;
    const { statusCode } = outcome.response;
    return proven(holdsForNumber(comparator, statusCode, target), String(statusCode));
  },
};
