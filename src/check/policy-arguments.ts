import { alertPolicyDefault, alertSeverities, quorumText } from "#check/alert-policy";
import { type Argument, type Arguments, count, text, word } from "#check/argument";
import * as limits from "#limits/check-limits";

const runs = `0 to ${limits.policyRunMax}; 0 means the default`;
const usual = alertPolicyDefault;
export interface PolicyArguments extends Arguments {
  readonly failures: Argument<number>;
  readonly degraded: Argument<number>;
  readonly successes: Argument<number>;
  readonly quorum: Argument<string>;
  readonly severity: Argument<string>;
  readonly certificate_days: Argument<string>;
  readonly objective: Argument<string>;
}
/** When a monitor's trouble becomes an incident. */
export const policyArguments: PolicyArguments = {
  failures: count("", {
    does: "Failed checks in a row that open an incident. Retries are not counted.",
    limit: runs,
    fallback: 0,
  }),
  degraded: count("", {
    does: "Slow or failed checks in a row that open an incident.",
    limit: runs,
    fallback: 0,
  }),
  successes: count("", {
    does: "Good checks in a row that end the incident.",
    limit: runs,
    fallback: 0,
  }),
  quorum: text({
    does: "How many of the locations with a fresh result have to agree.",
    limit: `a share, e.g. \`${quorumText(usual.quorum)}\`, or a number`,
    fallback: "",
  }),
  severity: word(alertSeverities, {
    does: "How urgent it is to a pager. Left out: critical while it is down, a warning while it is slow.",
    fallback: "",
  }),
  certificate_days: text({
    does: "How many days before its certificate ends it is degraded and reported, once for each number. `none` switches that off.",
    limit: `up to ${limits.certificateThresholdsMax} numbers, e.g. \`28, 14, 7\``,
    fallback: "",
  }),
  objective: text({
    does: "What share of the time it is to be up, and over how many days: its page and reports show what is left of that.",
    limit: `a share and days, e.g. \`99.9% over ${limits.objectiveDaysDefault}d\``,
    fallback: "",
  }),
};
