import { policyViolations } from "#check/alert-policy";
import type { MonitorDefinition } from "#check/definition";
import type { Findings } from "#check/findings";
import { holdsReference } from "#check/secret-placeholder";
import * as limits from "#limits/check-limits";
import { lineFault } from "#base/text";

/** Who is notified is the service's matter: an agent is never given these fields. */
export function checkAlerting({ alerting, labels }: MonitorDefinition, findings: Findings): void {
  for (const { field, message } of alerting === null ? [] : policyViolations(alerting))
    findings.violate(`alerting.${field}`, message);
  const pairs = Object.entries(labels);
  if (pairs.length > limits.locationLabelsMax)
    findings.violate("labels", `has ${pairs.length}, more than ${limits.locationLabelsMax}`);
  if (pairs.some(([name]) => name === "" || name.length > limits.locationLabelCharsMax))
    findings.violate(
      "labels",
      `has a name that is not 1 to ${limits.locationLabelCharsMax} characters long`,
    );
  if (pairs.flat().some(holdsReference))
    findings.violate(
      "labels",
      "name a secret: labels are shown to people, so a secret is put into none of them",
    );
  const fault = lineFault(pairs.flat().join(""));
  if (fault !== null) findings.violate("labels", fault);
  if (pairs.some(([, value]) => value.length > limits.locationValueCharsMax))
    findings.violate(
      "labels",
      `has a value that is longer than ${limits.locationValueCharsMax} characters`,
    );
}
