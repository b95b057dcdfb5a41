import { type FieldsOf, type FormField, type Choice, column } from "#check/form-field";
import { alertPolicyDefault, alertSeverities, quorumText } from "#check/alert-policy";
import { type CommonFields, managementPeriodicities } from "#check/definition";
import type { ArgumentsOf } from "#check/kinds/common-arguments";
import type { PolicyArguments } from "#check/policy-arguments";
import { shownDuration } from "#base/duration";
import * as limits from "#limits/check-limits";

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
    help: "To open an incident.",
    control: { is: "number", unit: "checks", empty: `${alertPolicyDefault.failures}` },
  },
  degraded: {
    group: "alerts",
    label: "Slow checks in a row",
    help: "Slow or failed, to open one.",
    control: { is: "number", unit: "checks", empty: `${alertPolicyDefault.degraded}` },
  },
  successes: {
    group: "alerts",
    label: "Good checks in a row",
    help: "To end it.",
    control: { is: "number", unit: "checks", empty: `${alertPolicyDefault.successes}` },
  },
  quorum: {
    group: "alerts",
    label: "Locations that agree",
    help: "A share or a number, for example 2.",
    control: { is: "text", width: "figure", example: quorumText(alertPolicyDefault.quorum) },
  },
  severity: {
    group: "alerts",
    label: "Severity",
    help: "For pagers.",
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
    help: "A message at each. For never, type none.",
    control: { is: "text", width: "figure", example: limits.certificateDaysDefault.join(", ") },
  },
  objective: {
    group: "alerts",
    label: "Objective",
    help: "The uptime that it is to reach.",
    control: { is: "text", width: "figure", example: `99.9% over ${limits.objectiveDaysDefault}d` },
  },
};

type CommonArguments = ArgumentsOf<CommonFields>;

/** Below the target of every kind. */
export const nameField: FormField = {
  group: "what",
  label: "Name",
  help: "",
  control: { is: "text", width: "name", example: "Named after its target" },
};

/** What every kind of monitor has, apart from its target and its name. */
export const commonFields: FieldsOf<CommonArguments, "renamed_from" | "name" | "signature"> = {
  periodicity: {
    group: "what",
    label: "Interval",
    help: "",
    control: {
      is: "choice",
      choices: managementPeriodicities.map((one): Choice => [one, periods[one] ?? one]),
    },
  },
  active: {
    group: "what",
    label: "Active",
    help: "Not ticked: nothing is checked or sent.",
    control: { is: "flag", off: "Paused" },
  },
  degraded_at: {
    group: "slow",
    label: "Degraded above",
    help: "A slower check is degraded, for example above 500 ms.",
    control: { is: "duration", written: "ms", example: "500 ms", empty: "never" },
  },
  locations: {
    group: "where",
    label: "Locations",
    help: "",
    control: { is: "several" },
  },
  notifications: {
    group: "where",
    label: "Channels",
    help: "",
    control: { is: "several" },
  },
  timeout: {
    group: "attempts",
    label: "Timeout",
    help: `Of each attempt, up to ${shownDuration(limits.timeoutMax)}.`,
    control: { is: "duration", written: "ms", example: shownDuration(limits.timeoutDefault) },
  },
  retry: {
    group: "attempts",
    label: "Retries",
    help: `Before a check fails, up to ${limits.retryMax}.`,
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
    help: "Messages have it, for example a link to a runbook.",
    control: { is: "long", lines: 2 },
  },
  labels: {
    group: "notes",
    label: "Labels",
    help: "Channels and silences select by them.",
    control: {
      is: "pairs",
      one: "label",
      columns: {
        key: column("Key", { is: "text", width: "word", example: "team" }),
        value: column("Value", { is: "text", width: "word", example: "shop" }),
      },
    },
  },
  public: {
    group: "notes",
    label: "Figures are public",
    help: "Readers of its status pages see uptime and latency.",
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
    help: "Gets the metrics of its checks by OTLP/HTTP.",
    control: { is: "address", example: "https://collector.example:4318/v1/metrics" },
  },
  otlp_headers: {
    group: "metrics",
    label: "OTLP headers",
    help: "",
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
