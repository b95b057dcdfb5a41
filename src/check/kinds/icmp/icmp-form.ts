import { shownDuration } from "#base/duration";
import * as kindsLimits from "#limits/kinds-limits";
import { numberComparators } from "#check/assertion";
import { column } from "#check/form-field";
import { comparator, type KindForm } from "#check/kinds/form-columns";

/** What only a ping has. */
export const icmpForm: KindForm<"icmp"> = {
  uri: {
    group: "what",
    label: "Host",
    help: "A name or an address, without a port or brackets.",
    control: { is: "text", width: "name", example: "router.example" },
  },
  loss_assertions: {
    group: "must",
    label: "Loss",
    help: "Without one, a reply is enough.",
    control: {
      is: "rows",
      one: "loss rule",
      columns: {
        comparator: comparator(numberComparators),
        target: column("Share", { is: "number", unit: "%" }),
      },
    },
  },
  latency_assertions: {
    group: "must",
    label: "Mean round trip",
    help: "",
    control: {
      is: "rows",
      one: "latency rule",
      columns: {
        comparator: comparator(numberComparators),
        target: column("Time", { is: "duration", written: "ms", example: "50 ms" }),
      },
    },
  },
  packets: {
    group: "attempts",
    label: "Packets",
    help: `1 to ${kindsLimits.icmpPacketsMax}.`,
    control: { is: "number", unit: "" },
  },
  interval: {
    group: "attempts",
    label: "Between packets",
    help: `${shownDuration(kindsLimits.icmpIntervalMin)} to ${shownDuration(kindsLimits.icmpIntervalMax)}.`,
    control: {
      is: "duration",
      written: "ms",
      example: shownDuration(kindsLimits.icmpIntervalDefault),
    },
  },
};
