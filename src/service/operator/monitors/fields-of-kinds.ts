import type { FormFields } from "#check/form-field";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";
import {
  foldedGroup,
  type FormGroup,
  type FormState,
  openGroup,
} from "#service/operator/forms/form-group";
import { commonFields, nameField } from "#service/operator/monitors/common-fields";
import { reportDelayWords } from "#service/operator/monitors/report-delay";

/** The groups of a monitor's form, in their order; one that has no field of the kind is left out. */
const monitorGroups: readonly FormGroup[] = [
  openGroup("what", "Target and schedule"),
  openGroup("where", "Locations and notifications"),
  foldedGroup("must", "Assertions", "The check fails if one of them is not true."),
  foldedGroup("slow", "Response time"),
  foldedGroup("request", "Request"),
  foldedGroup("attempts", "Timeout and retries"),
  foldedGroup("alerts", "Alerting"),
  foldedGroup("notes", "Labels and notes"),
  { ...foldedGroup("metrics", "Metrics"), none: "Sent to no collector" },
];

/** The same, which say how long an outage can last before it is reported, and what is still to be made. */
export function monitorGroupsFor(
  typed: URLSearchParams,
  lacked: LackedPlaces,
): readonly FormGroup[] {
  const help = reportDelayWords(typed);
  const lacks = lackWords(lacked);
  return monitorGroups.map((group) => {
    if (group.key === "where") return { ...group, lacks };
    return group.key === "attempts" ? { ...group, help } : group;
  });
}

/** What a service has none of yet, so that a monitor cannot have it. */
export interface LackedPlaces {
  readonly location: boolean;
  readonly channel: boolean;
}

/**
 * The fields without those for which there is nothing to tick yet; what comes next is said in their place. One that was
 * refused stays, e.g. as what was ticked in it was deleted meanwhile.
 */
export function withoutLacked(
  fields: FormFields,
  { location, channel }: LackedPlaces,
  mistakes: FormState["mistakes"],
): FormFields {
  const lacked = new Set([
    ...(location ? ["locations"] : []),
    ...(channel ? ["notifications"] : []),
  ]);
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name]) => !lacked.has(name) || mistakes.some(({ field }) => field === name),
    ),
  );
}

/** The next step, in one line; empty if there is a location and a channel. */
function lackWords({ location, channel }: LackedPlaces): string {
  if (location && channel)
    return "There is no location and no channel yet. Next: create them. The first ones are for all monitors, unless you say otherwise.";
  if (location)
    return "There is no location yet. Next: create one. The first one runs all monitors, unless you say otherwise.";
  return channel
    ? "There is no channel yet, so no one is notified when it fails. Next: create one."
    : "";
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
  const help = "Or host:port, or a whole curl, dig, nc or ping command.";
  return { ...fields, url: { ...url, help, control: { ...url.control, grows: true } } };
}
