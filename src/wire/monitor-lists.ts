import type { DescMessage, Message } from "@bufbuild/protobuf";
import {
  DNSMonitorSchema,
  GRPCMonitorSchema,
  HTTPMonitorSchema,
  ICMPMonitorSchema,
  type MonitorsResponse,
  TCPMonitorSchema,
} from "#contract/private_location/v1/private_location_pb";
import { type Kind, kinds } from "#check/monitor";

/** The list of an assignment that holds the monitors of one kind. */
interface MonitorList {
  /** As JSON names it. */
  readonly field: `${Kind}Monitors`;
  readonly schema: DescMessage;
  readonly of: (assignment: MonitorsResponse) => readonly AssignedMessage[];
}

type AssignedMessage = Message & { readonly id: string; readonly name: string };

const schemas: { readonly [K in Kind]: DescMessage } = {
  http: HTTPMonitorSchema,
  tcp: TCPMonitorSchema,
  dns: DNSMonitorSchema,
  icmp: ICMPMonitorSchema,
  grpc: GRPCMonitorSchema,
};

export const monitorLists: readonly MonitorList[] = kinds.map((kind) => ({
  field: `${kind}Monitors`,
  schema: schemas[kind],
  of: (assignment) => assignment[`${kind}Monitors`],
}));
