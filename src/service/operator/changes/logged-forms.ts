import { type Choice, column, type FormField, type FormFields } from "#check/form-field";
import { kinds, kindWords } from "#check/monitor";
import { dayWords } from "#service/alerting/worded-rules";
import { providers } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";
import { channelFields, eventChoices, quietDays } from "#service/operator/channels/channel-fields";
import { locationFields } from "#service/operator/locations/location-fields";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { fieldsWith } from "#service/operator/planned/maintenance-fields";
import { localeChoices } from "#service/operator/publishing/locale-choices";
import { reportFields } from "#service/operator/publishing/report-fields";
import { sharedImpact } from "#service/operator/publishing/report-impacts";
import { settingsFields } from "#service/operator/publishing/status-page-fields";
import { mailFields } from "#service/operator/settings/mail-fields";
import type { AuditedKind } from "#service/store/audit/audited";

/* The forms of audited objects, by the names that the log has for what is in them. */

const merged = (all: readonly FormFields[]): FormFields =>
  Object.fromEntries(all.flatMap((fields) => Object.entries(fields)));

/** A list of boxes whose words no form field has: the form gets them apart. */
const withChoices = (field: FormField, choices: readonly Choice[]): FormField => ({
  ...field,
  control: { is: "choice", choices },
});

/** The log has days by their numbers, 1 is Monday. */
const numberedDays: readonly Choice[] = quietDays.map(([days, words]) => [
  days
    .split(",")
    .map((day) => dayWords.findIndex((one) => one === day) + 1)
    .filter((day) => day > 0)
    .join(),
  words,
]);

const ofMonitor = (): FormFields => ({
  ...merged(kinds.map(monitorFields)),
  kind: withChoices(
    column("Kind", { is: "text", width: "word" }),
    kinds.map((kind) => [kind, kindWords[kind].title]),
  ),
});

function ofChannel(): FormFields {
  const fields = merged(providers.map(channelFields));
  const { quiet_hours: quiet, events } = fields;
  if (quiet?.control.is !== "rows" || events === undefined) return fields;
  const { days, ...times } = quiet.control.columns;
  if (days === undefined) return fields;
  const columns = { days: withChoices(days, numberedDays), ...times };
  return {
    ...fields,
    provider: withChoices(
      column("Provider", { is: "text", width: "word" }),
      providers.map((one) => [one, rulesOf(one).label]),
    ),
    events: withChoices(events, eventChoices),
    quiet_hours: { ...quiet, control: { ...quiet.control, columns } },
  };
}

const ofPage: FormFields = {
  ...settingsFields,
  locales: withChoices(settingsFields.locales, localeChoices),
};

function ofReport(): FormFields {
  const fields = merged(Object.values(reportFields));
  const { status } = fields;
  if (status === undefined) return fields;
  const parts = { status: { ...status, label: "State" }, impact: sharedImpact };
  const update = {
    group: "",
    label: "Update",
    help: "",
    control: { is: "section", fields: parts },
  } as const;
  return { ...fields, update };
}

export const loggedForms: { readonly [K in AuditedKind]: FormFields } = {
  monitor: ofMonitor(),
  location: locationFields,
  channel: ofChannel(),
  page: ofPage,
  subscriber: {},
  report: ofReport(),
  maintenance: fieldsWith([]),
  silence: {},
  incident: {},
  key: {},
  person: {},
  session: {},
  setting: mailFields,
};

/** What the log calls otherwise than the form, which has the names of files. */
export const namesInForms: ReadonlyMap<string, string> = new Map([
  ["access", "access_type"],
  ["email_domains", "auth_email_domains"],
  ["address_ranges", "allowed_ip_ranges"],
  ["metric", "metric_type"],
  ["bar", "bar_type"],
]);
