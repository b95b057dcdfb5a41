import { policyViolations } from "#check/alert-policy";
import type { MonitorDefinition } from "#check/definition";
import type { Findings } from "#check/findings";
import { labelFaults } from "#check/label-faults";

/** Who is notified is the service's matter: an agent is never given these fields. */
export function checkAlerting({ alerting, labels }: MonitorDefinition, findings: Findings): void {
  for (const { field, message } of alerting === null ? [] : policyViolations(alerting))
    findings.violate(`alerting.${field}`, message);
  for (const fault of labelFaults(labels)) findings.violate("labels", fault);
}
