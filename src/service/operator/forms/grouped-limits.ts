import type { Mistake } from "#check/findings";
import { grouped } from "#web/page/format";

/** Refusals as people read them: the thousands of a limit are apart. What a person typed stays as it is. */
export const withGroupedLimits = (mistakes: readonly Mistake[]): readonly Mistake[] =>
  mistakes.map((mistake) => ({
    ...mistake,
    message: mistake.message.replaceAll(limit, (digits) => grouped(Number(digits))),
  }));

/** `4000 characters`, and the end of `1 to 3650`. */
const limit =
  /(?<![\w.,:/"-])\d{4,9}(?= (?:characters|bytes|entries|lines|headers|components|monitors|people)\b)|(?<=\bmust be (?:in |a whole number from )?\d{1,9} to )\d{4,9}\b/g;
