import { count, flag, rows, text, word } from "#check/argument";
import { jsonComparators, numberComparators, stringComparators } from "#check/assertion";
import type { HttpDefinition } from "#check/definition";
import {
  type ArgumentsOf,
  assertionsLimit,
  commonArguments,
  nameArgument,
} from "#check/kinds/common-arguments";
import * as limits from "#limits/check-limits";
import { httpMethods } from "#check/monitor";
import type { Mapping } from "#base/json";

/** The comparators that ask whether something is there at all compare with nothing, so they need no target. */
const comparesWithNothing = ({ comparator }: Mapping): boolean =>
  comparator === "empty" ||
  comparator === "not_empty" ||
  comparator === "exists" ||
  comparator === "not_exists";
const stringTarget = text({
  does: "What it is compared with. Leave it out only with `empty` and `not_empty`.",
  limit: `${limits.assertionTargetCharsMax} characters`,
  required: (given) => !comparesWithNothing(given),
});
const stringComparator = word(stringComparators, {
  does: "Letter case and spaces count. `gt`, `gte`, `lt` and `lte` compare numbers if both sides are numbers.",
});

export const httpArguments: ArgumentsOf<HttpDefinition> = {
  name: nameArgument,
  url: text({
    does: "The address to request. An IPv6 address is in brackets.",
    limit: `${limits.targetCharsMax} characters, http:// or https://`,
  }),
  method: word(httpMethods, { does: "The request method.", fallback: "GET" }),
  body: text({
    does: "The body of the request, for POST, PUT and PATCH.",
    limit: `${limits.requestBodyBytesMax / 1024 / 1024} MiB`,
    fallback: "",
  }),
  follow_redirects: flag({
    does: "Whether redirects are followed, ten at most. With `false` the redirect itself is judged.",
    fallback: true,
  }),
  headers: rows(
    {
      key: text({ does: "The header's name." }),
      value: text({ does: "Its value. No output shows it." }),
    },
    {
      does: "Headers of the request, in this order.",
      limit: `${limits.headersMax} headers`,
      fallback: [],
    },
  ),
  status_code_assertions: rows(
    {
      target: count("", {
        does: "A status code.",
        limit: `${limits.statusCodeMin} to ${limits.statusCodeMax}`,
      }),
      comparator: word(numberComparators, { does: "How the status is compared with it." }),
    },
    {
      does: "What the status has to be. Without any, it has to be in 200 to 299.",
      limit: assertionsLimit,
      fallback: [],
    },
  ),
  body_assertions: rows(
    { target: stringTarget, comparator: stringComparator },
    { does: "What the body has to be.", limit: assertionsLimit, fallback: [] },
  ),
  header_assertions: rows(
    {
      key: text({ does: "The header's name, in any case." }),
      target: stringTarget,
      comparator: stringComparator,
    },
    {
      does: "What headers of the response have to be. A missing header counts as empty.",
      limit: assertionsLimit,
      fallback: [],
    },
  ),
  json_assertions: rows(
    {
      path: text({
        does: "Which value: `$` is the whole, then `.name`, `['name']` or `[0]` for each step; `length($.items)` is its length.",
        limit: `${limits.jsonPathCharsMax} characters; singular queries of RFC 9535`,
      }),
      target: text({
        does: "What it is compared with. `5`, `true`, `false` and `null` are not texts; one that is has quotes within the quotes: `'\"5\"'`.",
        limit: `${limits.assertionTargetCharsMax} characters`,
        required: (given) => !comparesWithNothing(given),
      }),
      comparator: word(jsonComparators, {
        does: "`gt`, `gte`, `lt` and `lte` compare numbers. `contains` looks for a part of a text or an element of an array. What is not there is `empty`, and equals nothing.",
      }),
    },
    {
      does: `What values of a body in JSON have to be. A body of more than ${limits.jsonBytesMax / 1024} KiB fails them.`,
      limit: assertionsLimit,
      fallback: [],
    },
  ),
  ...commonArguments,
};
