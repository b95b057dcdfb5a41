import { type FieldsOf, type FormField, type Choice, column } from "#check/form-field";
import { alertPolicyDefault, alertSeverities, quorumText } from "#check/alert-policy";
import { type CommonFields, managementPeriodicities } from "#check/definition";
import { type ArgumentsOf, commonArguments } from "#check/kinds/common-arguments";
import { policyArguments, type PolicyArguments } from "#check/policy-arguments";
import { shownDuration } from "#base/duration";
import * as limits from "#limits/check-limits";
import { helpOf } from "#service/operator/forms/form-group";

const periods: Readonly<Record<string, string>> = {
  "30s": "every 30 seconds",
  "1m": "every minute",
  "5m": "every 5 minutes",
  "10m": "every 10 minutes",
  "30m": "every 30 minutes",
  "1h": "every hour",
};

/** `every minute` of `1m`. */
export const periodWords = (periodicity: string): string =>
  periods[periodicity] ?? `every ${periodicity}`;

const alertFields: FieldsOf<PolicyArguments> = {
  failures: {
    group: "alerts",
    label: "Failed checks in a row",
    help: `An incident opens after so many. Empty: ${alertPolicyDefault.failures}.`,
    control: { is: "number", unit: "checks" },
  },
  degraded: {
    group: "alerts",
    label: "Slow checks in a row",
    help: `An incident opens after so many slow or failed ones. Empty: ${alertPolicyDefault.degraded}.`,
    control: { is: "number", unit: "checks" },
  },
  successes: {
    group: "alerts",
    label: "Good checks in a row",
    help: `The incident ends after so many. Empty: ${alertPolicyDefault.successes}.`,
    control: { is: "number", unit: "checks" },
  },
  quorum: {
    group: "alerts",
    label: "Locations that agree",
    help: `${helpOf(policyArguments.quorum)} Empty: ${quorumText(alertPolicyDefault.quorum)}.`,
    control: { is: "text", width: "figure", example: quorumText(alertPolicyDefault.quorum) },
  },
  severity: {
    group: "alerts",
    label: "Severity",
    help: "How urgent it is to a pager.",
    control: {
      is: "choice",
      choices: [
        ["", "Critical; warning if slow"],
        ...alertSeverities.map((one): Choice => [one, one]),
      ],
    },
  },
  certificate_days: {
    group: "alerts",
    label: "Days before a certificate ends",
    help: `It is degraded and reported once at each. Empty: ${limits.certificateDaysDefault.join(", ")}. Never: none.`,
    control: { is: "text", width: "figure", example: limits.certificateDaysDefault.join(", ") },
  },
  objective: {
    group: "alerts",
    label: "Objective",
    help: "What share of the time it is to be up. Its page shows what is left of that.",
    control: { is: "text", width: "figure", example: `99.9% over ${limits.objectiveDaysDefault}d` },
  },
};

type CommonArguments = ArgumentsOf<CommonFields>;

/** Below the target of every kind. */
export const nameField: FormField = {
  group: "what",
  label: "Name",
  help: "In messages and on pages. Empty: it is named after its target.",
  control: { is: "text", width: "name" },
};

/** What every kind of monitor has, apart from its target and its name. */
export const commonFields: FieldsOf<CommonArguments, "renamed_from" | "name" | "signature"> = {
  periodicity: {
    group: "often",
    label: "Interval",
    help: "",
    control: {
      is: "choice",
      choices: managementPeriodicities.map((one): Choice => [one, periods[one] ?? one]),
    },
  },
  active: {
    group: "often",
    label: "Active",
    help: "Not ticked: it is paused. Nothing is checked, and nothing is sent.",
    control: { is: "flag", off: "Paused" },
  },
  degraded_at: {
    group: "slow",
    label: "Degraded above",
    help: "A check that passes but takes longer than this is degraded, for example 500 ms. Empty: never.",
    control: { is: "duration", written: "ms", example: "500 ms" },
  },
  locations: {
    group: "where",
    label: "Locations",
    help: "The agents of each location check it. Without a location nothing checks it.",
    control: { is: "several" },
  },
  notifications: {
    group: "where",
    label: "Channels",
    help: "Each channel has its own rules of what it gets, and when.",
    control: { is: "several" },
  },
  timeout: {
    group: "attempts",
    label: "Timeout",
    help: `Bounds one attempt, from the look-up of the name to the last byte, for example 5 s. At most ${shownDuration(limits.timeoutMax)}.`,
    control: { is: "duration", written: "ms", example: shownDuration(limits.timeoutDefault) },
  },
  retry: {
    group: "attempts",
    label: "Retries",
    help: `How many times a failed attempt is repeated before the check fails. 0 to ${limits.retryMax}.`,
    control: { is: "number", unit: "" },
  },
  alerting: {
    group: "alerts",
    label: "Alerting",
    help: "",
    control: { is: "section", fields: alertFields },
  },
  depends_on: {
    group: "alerts",
    label: "Depends on",
    help: "While one of these is down, the alerts of this monitor wait.",
    control: { is: "several" },
  },
  description: {
    group: "notes",
    label: "Note",
    help: "For whoever is woken by it, for example a link to a runbook.",
    control: { is: "long", lines: 2 },
  },
  labels: {
    group: "notes",
    label: "Labels",
    help: "By which channels and silences select it, for example team and shop.",
    control: {
      is: "pairs",
      one: "label",
      columns: {
        key: column("Key", { is: "text", width: "word" }),
        value: column("Value", { is: "text", width: "word" }),
      },
    },
  },
  public: {
    group: "notes",
    label: "Figures are public",
    help: "Status pages that show it have a page of its uptime and latency.",
    control: { is: "flag", off: "Figures are not public" },
  },
  regions: {
    group: "notes",
    label: "Regions",
    help: "Of a hosted service, one a line. They are stored; agents of private locations ignore them.",
    control: { is: "lines" },
  },
  otlp_endpoint: {
    group: "metrics",
    label: "OTLP endpoint",
    help: helpOf({ ...commonArguments.otlp_endpoint, limit: "" }),
    control: { is: "address", example: "https://collector.example:4318/v1/metrics" },
  },
  otlp_headers: {
    group: "metrics",
    label: "OTLP headers",
    help: "Sent with each export. A saved value is not shown; left empty, it is kept.",
    control: {
      is: "pairs",
      one: "OTLP header",
      columns: {
        key: column("Name", { is: "text", width: "word" }),
        value: column("Value", { is: "secret", lines: 1 }),
      },
    },
  },
};
