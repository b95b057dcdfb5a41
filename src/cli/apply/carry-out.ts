import type { DescMessage } from "@bufbuild/protobuf";
import {
  DNSMonitorSchema,
  HTTPMonitorSchema,
  TCPMonitorSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type { ManagedMonitor, Management } from "#cli/management/management";
import type { Step } from "#cli/apply/plan";
import { readOnlyFields } from "#wire/monitor-message";

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
      await monitors.updateHTTPMonitor(
        { id, monitor, updateMask: all(HTTPMonitorSchema) },
        { signal },
      );
      break;
    case "tcp":
      await monitors.updateTCPMonitor(
        { id, monitor, updateMask: all(TCPMonitorSchema) },
        { signal },
      );
      break;
    case "dns":
      await monitors.updateDNSMonitor(
        { id, monitor, updateMask: all(DNSMonitorSchema) },
        { signal },
      );
      break;
  }
}

/** A file says the whole of a monitor, so each field is set exactly as given, the empty ones too. */
const all = ({ fields }: DescMessage): { readonly paths: string[] } => ({
  paths: fields.map(({ name }) => name).filter((name) => !readOnlyFields.has(name)),
});
