import { create, isMessage } from "@bufbuild/protobuf";
import { GRPCMonitorSchema as ManagedSchema } from "#contract/openstatus/monitor/v1/monitor_pb";
import {
  BatchResultSchema,
  GRPCMonitorSchema as AssignedSchema,
  IngestGRPCRequestSchema,
  PrivateLocationService,
} from "#contract/private_location/v1/private_location_pb";
import type { DefinitionOf } from "#check/definition";
import { grpcKind } from "#check/kinds/grpc/grpc-kind";
import { grpcTlsModes } from "#check/kinds/grpc/grpc-monitor";
import type { Result } from "#check/result";
import { numberOf, wordOf } from "#wire/enum-words";
import { phaseTiming } from "#wire/http-timing";
import { assignedFields, readAssigned } from "#wire/kinds/assigned-fields";
import type { KindCodec, ManagedMessages, Mask } from "#wire/kinds/kind-codec";
import {
  managedFields,
  mergedFields,
  noMask,
  some,
  someText,
  taking,
} from "#wire/kinds/managed-fields";
import { errorOf, messageOf, writeNames } from "#wire/kinds/result-fields";
import type { MessageWriter } from "#wire/message-writer";
import { headerFields, type SentFields } from "#wire/monitor-fields";

export const grpcCodec: KindCodec<"grpc"> = {
  assignment: {
    schema: AssignedSchema,
    list: (assignment) => assignment.grpcMonitors,
    write: (id, definition) =>
      create(AssignedSchema, {
        ...assignedFields(id, definition),
        ...ownFields(definition),
        tlsMode: definition.tlsMode,
      }),
    read: (one) => ({
      kind: "grpc",
      ...readAssigned(one),
      uri: one.uri,
      service: one.service,
      tlsMode: one.tlsMode,
      metadata: headerFields(one.metadata),
    }),
  },
  management: {
    schema: ManagedSchema,
    list: (answer) => answer.grpcMonitors,
    write: (definition) =>
      create(ManagedSchema, {
        ...managedFields(definition),
        ...ownFields(definition),
        tlsMode: numberOf(grpcTlsModes, definition.tlsMode),
      }),
    merged,
    hideSecrets: ({ metadata }) => {
      for (const entry of metadata) entry.value = "";
    },
  },
  result: {
    field: BatchResultSchema.field.grpc,
    fields: IngestGRPCRequestSchema.field,
    call: PrivateLocationService.method.ingestGRPC,
    read: (message) =>
      isMessage(message, IngestGRPCRequestSchema)
        ? { case: "grpc", value: message }
        : { case: undefined },
    write,
    facts: ({ service, servingStatus }) => {
      if (servingStatus === "") return [];
      const of = service === "" ? "the whole server" : service;
      return [{ label: "Health", value: `${servingStatus}, of ${of}` }];
    },
  },
};

const ownFields = ({ uri, service, metadata }: DefinitionOf<"grpc">) =>
  ({ uri, service, metadata: headerFields(metadata) }) satisfies Omit<
    SentFields<DefinitionOf<"grpc">>,
    "tlsMode"
  >;

function merged(
  monitor: ManagedMessages["grpc"],
  mask: Mask = noMask,
  before: DefinitionOf<"grpc"> = grpcKind.defaults,
): DefinitionOf<"grpc"> {
  const take = taking(mask, before, grpcKind.defaults);
  return {
    ...mergedFields(monitor, mask, before),
    kind: "grpc",
    uri: take("uri", "uri", someText(monitor.uri)),
    service: take("service", "service", monitor.service),
    tlsMode: take("tlsMode", "tls_mode", tlsModeOf(monitor.tlsMode ?? 0)),
    metadata: take("metadata", "metadata", some(headerFields(monitor.metadata))),
  };
}

const tlsModeOf = (mode: number): string | undefined =>
  mode === 0 ? undefined : wordOf(grpcTlsModes, mode, "TLS mode");

function write(writer: MessageWriter, result: Result): void {
  const fields = IngestGRPCRequestSchema.field;
  const outcome = result.outcome?.kind === "grpc" ? result.outcome : null;
  writeNames(writer, fields, result);
  writer.text(fields.uri, result.uri);
  writer.text(fields.service, outcome?.service ?? "");
  writer.text(fields.servingStatus, outcome?.servingStatus ?? "");
  writer.integer(fields.grpcCode, outcome?.grpcCode ?? 0);
  writer.text(fields.message, messageOf(result));
  writer.text(fields.requestStatus, result.status);
  writer.integer(fields.error, errorOf(result));
  writer.text(fields.timing, phaseTiming(outcome));
}
