import type { ManagedMonitor, Management } from "#cli/apply/management";
import type { Step } from "#cli/apply/plan";

/** Makes one step of a plan at the service, and gives the id of its monitor. */
export async function carryOutStep(
  step: Step,
  management: Management,
  signal: AbortSignal,
): Promise<string> {
  switch (step.change) {
    case "create":
      return createMonitor(step.wanted, management, signal);
    case "update":
      await updateMonitor(step.id, step.wanted, management, signal);
      return step.id;
    case "same":
      return step.id;
  }
}

async function createMonitor(
  { kind, message: monitor }: ManagedMonitor,
  { monitors }: Management,
  signal: AbortSignal,
): Promise<string> {
  switch (kind) {
    case "http":
      return (await monitors.createHTTPMonitor({ monitor }, { signal })).monitor?.id ?? "";
    case "tcp":
      return (await monitors.createTCPMonitor({ monitor }, { signal })).monitor?.id ?? "";
    case "dns":
      return (await monitors.createDNSMonitor({ monitor }, { signal })).monitor?.id ?? "";
  }
}

async function updateMonitor(
  id: string,
  { kind, message: monitor }: ManagedMonitor,
  { monitors }: Management,
  signal: AbortSignal,
): Promise<void> {
  switch (kind) {
    case "http":
      await monitors.updateHTTPMonitor({ id, monitor }, { signal });
      break;
    case "tcp":
      await monitors.updateTCPMonitor({ id, monitor }, { signal });
      break;
    case "dns":
      await monitors.updateDNSMonitor({ id, monitor }, { signal });
      break;
  }
}
