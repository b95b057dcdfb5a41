import { type FieldsOf, type FormField, column } from "#check/form-field";
import { foldedGroup, type FormGroup, openGroup } from "#service/operator/forms/form-group";
import type { LocationArguments } from "#service/resources/configuration-arguments";

export const locationGroups: readonly FormGroup[] = [
  openGroup("what", "What it is"),
  openGroup("runs", "What its agents check"),
  foldedGroup("labels", "Labels"),
];

/** What a person says of a location. Monitors are named by their ids, as calls name them. */
export const locationFields: FieldsOf<LocationArguments, "renamed_from" | "monitors"> & {
  readonly monitor_ids: FormField;
} = {
  name: {
    group: "what",
    label: "Name",
    help: "Messages and status pages show it.",
    control: { is: "text", width: "name", example: "Berlin office" },
  },
  monitor_ids: {
    group: "runs",
    label: "Monitors",
    help: "",
    control: { is: "several" },
  },
  metadata: {
    group: "labels",
    label: "Labels",
    help: "",
    control: {
      is: "pairs",
      one: "label",
      columns: {
        key: column("Label", { is: "text", width: "word", example: "site" }),
        value: column("Value", { is: "text", width: "name", example: "berlin" }),
      },
    },
  },
};
