import { compared, type Rule } from "#assertions/rule";
import { holdsForString } from "#assertions/string";

/** The body as text. Of one that was cut, only what is there already is certain: that it contains something, or is not empty. */
export const bodyRule: Rule<"body"> = {
  words: (assertion) => `body ${compared(assertion)}`,
  judge: ({ comparator, target }, { outcome, bodyText }) => {
    if (outcome.kind !== "http" || outcome.response === null) return null;
    const received = bodyText();
    const held = holdsForString(comparator, received, target);
    const certain =
      comparator === "empty" ||
      comparator === "not_empty" ||
      (held && comparator === "contains") ||
      (!held && comparator === "not_contains");
    return { held, received, unproven: outcome.response.bodyCut && !certain };
  },
};
