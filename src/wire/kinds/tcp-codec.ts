import { create, isMessage } from "@bufbuild/protobuf";
import { TCPMonitorSchema as ManagedSchema } from "#contract/openstatus/monitor/v1/monitor_pb";
import {
  BatchResultSchema,
  IngestTCPRequestSchema,
  PrivateLocationService,
  TCPMonitorSchema as AssignedSchema,
} from "#contract/private_location/v1/private_location_pb";
import { type TcpDefinition, tcpDefaults } from "#check/definition";
import type { Result } from "#check/result";
import { assignedFields, readAssigned } from "#wire/kinds/assigned-fields";
import type { KindCodec, ManagedMessages, Mask } from "#wire/kinds/kind-codec";
import { managedFields, mergedFields, noMask, someText, taking } from "#wire/kinds/managed-fields";
import { errorOf, messageOf, spanOf, writeNames } from "#wire/kinds/result-fields";
import type { MessageWriter } from "#wire/message-writer";
import type { SentFields } from "#wire/monitor-fields";

export const tcpCodec: KindCodec<"tcp"> = {
  assignment: {
    schema: AssignedSchema,
    list: (assignment) => assignment.tcpMonitors,
    write: (id, definition) =>
      create(AssignedSchema, { ...assignedFields(id, definition), ...ownFields(definition) }),
    read: (one) => ({ kind: "tcp", ...readAssigned(one), uri: one.uri }),
  },
  management: {
    schema: ManagedSchema,
    list: (answer) => answer.tcpMonitors,
    write: (definition) =>
      create(ManagedSchema, { ...managedFields(definition), ...ownFields(definition) }),
    merged,
    hideSecrets: () => {},
  },
  result: {
    field: BatchResultSchema.field.tcp,
    fields: IngestTCPRequestSchema.field,
    call: PrivateLocationService.method.ingestTCP,
    read: (message) =>
      isMessage(message, IngestTCPRequestSchema)
        ? { case: "tcp", value: message }
        : { case: undefined },
    write,
    facts: () => [],
  },
};

const ownFields = ({ uri }: TcpDefinition) => ({ uri }) satisfies SentFields<TcpDefinition>;

function merged(
  monitor: ManagedMessages["tcp"],
  mask: Mask = noMask,
  before: TcpDefinition = tcpDefaults,
): TcpDefinition {
  const take = taking(mask, before, tcpDefaults);
  const uri = take("uri", "uri", someText(monitor.uri));
  return { ...mergedFields(monitor, mask, before), kind: "tcp", uri };
}

function write(writer: MessageWriter, result: Result): void {
  const fields = IngestTCPRequestSchema.field;
  writeNames(writer, fields, result);
  writer.text(fields.uri, result.uri);
  writer.text(fields.message, messageOf(result));
  writer.text(fields.requestStatus, result.status);
  writer.integer(fields.error, errorOf(result));
  writer.text(fields.timing, JSON.stringify(spanOf(result, "tcpStart", "tcpDone")));
}
