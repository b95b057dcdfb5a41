import { compared, type Rule } from "#assertions/rule";
import { beginningOf, holdsForText } from "#assertions/long-text";

/** The body as text. Of one that was cut, only what is there already is certain: that it contains something, or is not empty. */
export const bodyRule: Rule<"body"> = {
  words: (assertion) => `body ${compared(assertion)}`,
  judge: ({ comparator, target }, outcome) => {
    if (outcome.kind !== "http" || outcome.response === null) return null;
    const { body, bodyCut } = outcome.response;
    const held = holdsForText(comparator, body, target);
    const certain =
      comparator === "empty" ||
      comparator === "not_empty" ||
      (held && comparator === "contains") ||
      (!held && comparator === "not_contains");
    return { held, received: beginningOf(body), unproven: bodyCut && !certain, unreadable: null };
  },
};
