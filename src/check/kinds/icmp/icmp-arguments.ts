import * as kindsLimits from "#limits/kinds-limits";
import type { DefinitionOf } from "#check/definition";
import { count, rows, text, word } from "#check/argument";
import { numberComparators } from "#check/assertion";
import {
  type ArgumentsOf,
  assertionsLimit,
  commonArguments,
  nameArgument,
} from "#check/kinds/common-arguments";
import * as limits from "#limits/check-limits";

const comparator = word(numberComparators, { does: "How it is compared with the target." });

export const icmpArguments: ArgumentsOf<DefinitionOf<"icmp">> = {
  name: nameArgument,
  uri: text({
    does: "The host to ping: a name or an address, without a port. An IPv6 address has no brackets.",
    limit: `${limits.targetCharsMax} characters`,
  }),
  packets: count("", {
    does: "How many echo requests a check sends.",
    limit: `1 to ${kindsLimits.icmpPacketsMax}`,
    fallback: kindsLimits.icmpPacketsDefault,
  }),
  interval: count("milliseconds", {
    does: "From one echo request to the next.",
    limit: `${kindsLimits.icmpIntervalMin} to ${kindsLimits.icmpIntervalMax}`,
    fallback: kindsLimits.icmpIntervalDefault,
  }),
  loss_assertions: rows(
    {
      target: count("", { does: "Percent of the echoes without a reply.", limit: "0 to 100" }),
      comparator,
    },
    {
      does: "What the loss has to be. Without any, one reply is enough.",
      limit: assertionsLimit,
      fallback: [],
    },
  ),
  latency_assertions: rows(
    {
      target: count("milliseconds", {
        does: "The mean round trip of the replies.",
        limit: `0 to ${limits.timeoutMax}`,
      }),
      comparator,
    },
    { does: "What the latency has to be.", limit: assertionsLimit, fallback: [] },
  ),
  ...commonArguments,
};
