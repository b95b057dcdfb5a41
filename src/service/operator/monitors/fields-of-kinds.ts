import type { FormFields } from "#check/form-field";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";
import { foldedGroup, type FormGroup, openGroup } from "#service/operator/forms/form-group";
import { commonFields, nameField } from "#service/operator/monitors/common-fields";
import { reportDelayWords } from "#service/operator/monitors/report-delay";

/** The groups of a monitor's form, in their order; one that has no field of the kind is left out. */
const monitorGroups: readonly FormGroup[] = [
  openGroup("what", "Target"),
  openGroup("where", "Locations and notifications"),
  foldedGroup("often", "Schedule"),
  foldedGroup(
    "must",
    "Assertions",
    "If one of these is not true, the check fails. Without any, the default is expected of the answer.",
  ),
  foldedGroup("slow", "Response time"),
  foldedGroup("request", "Request"),
  foldedGroup("attempts", "Timeout and retries"),
  foldedGroup("alerts", "Alerting"),
  foldedGroup("notes", "Labels and notes"),
  { ...foldedGroup("metrics", "Metrics"), none: "Sent to no collector" },
];

/** The same, which say how long an outage can last before it is reported. */
export function monitorGroupsFor(typed: URLSearchParams): readonly FormGroup[] {
  const help = reportDelayWords(typed);
  return monitorGroups.map((group) => (group.key === "attempts" ? { ...group, help } : group));
}

/** The fields of a kind, the target first. */
export const monitorFields = (kind: Kind): FormFields => ({
  ...kindTable[kind].form,
  name: nameField,
  ...commonFields,
});

/**
 * The fields that a form of the kind shows. What does nothing for it is shown only while it is set: regions, which agents
 * ignore, and the days of a certificate of a kind that has none.
 */
export function shownFields(
  kind: Kind,
  fields: FormFields,
  typed: URLSearchParams,
  prefix = "",
): FormFields {
  const isSet = (name: string): boolean => (typed.get(name) ?? "").trim() !== "";
  const shown = Object.entries(fields).flatMap(([one, field]) => {
    const [name, { control }] = [`${prefix}${one}`, field];
    if (isIdle(kind, name) && !isSet(name)) return [];
    if (control.is !== "section") return [[one, field] as const];
    const inner = shownFields(kind, control.fields, typed, `${name}.`);
    return [[one, { ...field, control: { ...control, fields: inner } }] as const];
  });
  return Object.fromEntries(shown);
}

const isIdle = (kind: Kind, name: string): boolean =>
  name === "regions" ||
  (name === "alerting.certificate_days" && !kindTable[kind].judgedBy.includes("certificate"));

/** The same of a new one, whose URL takes whatever says a target: nothing has to be typed twice. */
export function newMonitorFields(kind: Kind): FormFields {
  const fields = monitorFields(kind);
  const { url } = fields;
  if (url?.control.is !== "address") return fields;
  const help = "Or host:port, ping:HOST, or a whole curl command.";
  return { ...fields, url: { ...url, help, control: { ...url.control, grows: true } } };
}
