import { create } from "@bufbuild/protobuf";
import {
  type DNSMonitor,
  DNSMonitorSchema,
  type HTTPMonitor,
  HTTPMonitorSchema,
  type GRPCMonitor,
  GRPCMonitorSchema,
  type MonitorConfig,
  type ICMPMonitor,
  ICMPMonitorSchema,
  type TCPMonitor,
  TCPMonitorSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type { MonitorDefinition } from "#check/definition";
import {
  mergedDns,
  mergedGrpc,
  mergedHttp,
  mergedIcmp,
  mergedTcp,
  monitorArguments,
} from "#wire/monitor-message";

/** A monitor as the service has it, or is to have it. */
export type ManagedMonitor =
  | { readonly kind: "http"; readonly message: HTTPMonitor }
  | { readonly kind: "tcp"; readonly message: TCPMonitor }
  | { readonly kind: "dns"; readonly message: DNSMonitor }
  | { readonly kind: "icmp"; readonly message: ICMPMonitor }
  | { readonly kind: "grpc"; readonly message: GRPCMonitor };

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
    case "icmp":
      return { kind, message: create(ICMPMonitorSchema, fields) };
    case "grpc":
      return { kind, message: create(GRPCMonitorSchema, fields) };
  }
}

/** What a service has, or is to have, as a definition. */
export function managedDefinition({ kind, message }: ManagedMonitor): MonitorDefinition {
  switch (kind) {
    case "http":
      return mergedHttp(message);
    case "tcp":
      return mergedTcp(message);
    case "dns":
      return mergedDns(message);
    case "icmp":
      return mergedIcmp(message);
    case "grpc":
      return mergedGrpc(message);
  }
}

/** The case of a MonitorConfig; null if it has none. */
export function managedIn(config: MonitorConfig["config"]): ManagedMonitor | null {
  switch (config.case) {
    case "http":
      return { kind: "http", message: config.value };
    case "tcp":
      return { kind: "tcp", message: config.value };
    case "dns":
      return { kind: "dns", message: config.value };
    case "icmp":
      return { kind: "icmp", message: config.value };
    case "grpc":
      return { kind: "grpc", message: config.value };
    case undefined:
      return null;
  }
}
