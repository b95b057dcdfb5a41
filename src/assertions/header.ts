import { compared, proven, type Rule } from "#assertions/rule";
import { holdsForString } from "#assertions/string";
import { isCredentialHeader } from "#check/credential-header";
import { removed, shownHeader } from "#check/shown-header";

/** RFC 9110 §5.3: several values of one header are one list, except Set-Cookie, where any one may satisfy. */
export const headerRule: Rule<"header"> = {
  // The words are in messages and logs, which people read who may not see a credential.
  words: ({ key, comparator, target }) =>
    `header ${key} ${compared({ comparator, target: isCredentialHeader(key) ? removed : target })}`,
  judge: (assertion, outcome) => {
    if (outcome.kind !== "http" || outcome.response === null) return null;
    const key = assertion.key.toLowerCase();
    const values = outcome.response.headers.flatMap(([name, value]) =>
      name.toLowerCase() === key ? [value] : [],
    );
    const joined = values.join(", ");
    const seen = joined === "" ? "" : shownHeader(assertion.key, joined);
    const holds = (value: string): boolean =>
      holdsForString(assertion.comparator, value, assertion.target);
    if (key !== "set-cookie" || values.length < 2) return proven(holds(joined), seen);
    // "Any cookie is not X" would hold for nearly every response: a negation asks for all of them.
    const negated = assertion.comparator === "neq" || assertion.comparator === "not_contains";
    return proven(negated ? values.every(holds) : values.some(holds), seen);
  },
};
