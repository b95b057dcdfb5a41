import { rows, text, word } from "#check/argument";
import { recordComparators, recordTypes } from "#check/assertion";
import type { DnsDefinition } from "#check/definition";
import {
  type ArgumentsOf,
  assertionsLimit,
  commonArguments,
  nameArgument,
} from "#check/kinds/common-arguments";
import * as limits from "#limits/check-limits";

export const dnsArguments: ArgumentsOf<DnsDefinition> = {
  name: nameArgument,
  uri: text({
    does: "The name to resolve, or `dns:name?server=10.0.0.53` to ask one name server.",
    limit: `${limits.targetCharsMax} characters`,
  }),
  record_assertions: rows(
    {
      record: word(recordTypes, { does: "The type of record." }),
      target: text({
        does: "The expected value.",
        limit: `${limits.assertionTargetCharsMax} characters`,
      }),
      comparator: word(recordComparators, {
        does: "`eq` and `contains` hold when any record of the type does, the others when none does.",
      }),
    },
    {
      does: "What the records have to be. Their types are asked for; without any, A and AAAA.",
      limit: assertionsLimit,
      fallback: [],
    },
  ),
  ...commonArguments,
};
