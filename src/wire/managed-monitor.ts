import { create } from "@bufbuild/protobuf";
import {
  type DNSMonitor,
  DNSMonitorSchema,
  type HTTPMonitor,
  HTTPMonitorSchema,
  type TCPMonitor,
  TCPMonitorSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type { MonitorDefinition } from "#check/definition";
import { monitorArguments } from "#wire/monitor-message";

/** A monitor as the service has it, or is to have it. */
export type ManagedMonitor =
  | { readonly kind: "http"; readonly message: HTTPMonitor }
  | { readonly kind: "tcp"; readonly message: TCPMonitor }
  | { readonly kind: "dns"; readonly message: DNSMonitor };

/** A monitor of a definition, as it is sent to a service. */
export function managedMonitor(definition: MonitorDefinition): ManagedMonitor {
  const { kind, fields } = monitorArguments(definition);
  switch (kind) {
    case "http":
      return { kind, message: create(HTTPMonitorSchema, fields) };
    case "tcp":
      return { kind, message: create(TCPMonitorSchema, fields) };
    case "dns":
      return { kind, message: create(DNSMonitorSchema, fields) };
  }
}
