import { recordComparators, recordTypes } from "#check/assertion";
import { column } from "#check/form-field";
import { comparator, type KindForm, plainChoices, target } from "#check/kinds/form-columns";

/** What only a DNS monitor has. */
export const dnsForm: KindForm<"dns"> = {
  uri: {
    group: "what",
    label: "Domain name",
    help: "To ask one name server: dns:shop.example?server=10.0.0.53.",
    control: { is: "text", width: "name", example: "shop.example" },
  },
  record_assertions: {
    group: "must",
    label: "Records",
    help: "Their types are asked for. Without one: A and AAAA.",
    control: {
      is: "rows",
      one: "record rule",
      columns: {
        record: column("Type", { is: "choice", choices: plainChoices(recordTypes) }),
        comparator: comparator(recordComparators),
        target: target("Value"),
      },
    },
  },
};
