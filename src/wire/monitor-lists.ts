import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { MonitorsResponse } from "#contract/private_location/v1/private_location_pb";
import { type Kind, kinds } from "#check/monitor";
import { codecOf } from "#wire/kinds/codec-table";

/** The list of an assignment that holds the monitors of one kind. */
interface MonitorList {
  /** As JSON names it. */
  readonly field: `${Kind}Monitors`;
  readonly schema: DescMessage;
  readonly of: (assignment: MonitorsResponse) => readonly AssignedMessage[];
}

type AssignedMessage = Message & { readonly id: string; readonly name: string };

export const monitorLists: readonly MonitorList[] = kinds.map((kind) => ({
  field: `${kind}Monitors`,
  schema: codecOf(kind).assignment.schema,
  of: (assignment) => assignment[`${kind}Monitors`],
}));
