import type { FormFields } from "#check/form-field";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";
import { foldedGroup, type FormGroup, openGroup } from "#service/operator/forms/form-group";
import { commonFields, nameField } from "#service/operator/monitors/common-fields";

/** The groups of a monitor's form, in their order; one that has no field of the kind is left out. */
export const monitorGroups: readonly FormGroup[] = [
  openGroup("what", "What to check"),
  openGroup("often", "How often"),
  openGroup(
    "must",
    "What must be true",
    "If one of these is not, the check fails. Without any, the default is expected of the answer.",
  ),
  openGroup("slow", "When it is slow"),
  openGroup("who", "Who is notified"),
  openGroup("where", "Where it runs"),
  foldedGroup("request", "Request: method, headers, body"),
  foldedGroup("attempts", "Timeout and retries"),
  foldedGroup("alerts", "When trouble becomes an incident"),
  foldedGroup("notes", "Labels, notes and status pages"),
  foldedGroup("metrics", "Metrics to your collector"),
];

/** The fields of a kind, the target first. */
export const monitorFields = (kind: Kind): FormFields => ({
  ...kindTable[kind].form,
  name: nameField,
  ...commonFields,
});
