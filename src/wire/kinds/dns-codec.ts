import { create, isMessage } from "@bufbuild/protobuf";
import { DNSMonitorSchema as ManagedSchema } from "#contract/openstatus/monitor/v1/monitor_pb";
import {
  type IngestDNSRequest,
  BatchResultSchema,
  DNSMonitorSchema as AssignedSchema,
  IngestDNSRequestSchema,
  PrivateLocationService,
  RecordsSchema,
} from "#contract/private_location/v1/private_location_pb";
import { shownName } from "#base/text";
import type { Fact } from "#check/fact";
import * as limits from "#limits/kinds-limits";
import { type DnsDefinition, dnsDefaults } from "#check/definition";
import type { DnsOutcome } from "#check/outcome";
import type { Result } from "#check/result";
import { assignedFields, otelConfig, readAssigned } from "#wire/kinds/assigned-fields";
import type { KindCodec, ManagedMessages, Mask } from "#wire/kinds/kind-codec";
import {
  managedFields,
  mergedFields,
  noMask,
  some,
  someText,
  taking,
} from "#wire/kinds/managed-fields";
import { errorOf, messageOf, spanOf, writeNames } from "#wire/kinds/result-fields";
import type { MessageWriter, WireField } from "#wire/message-writer";
import { readRecords, recordFields, type SentFields } from "#wire/monitor-fields";

export const dnsCodec: KindCodec<"dns"> = {
  assignment: {
    schema: AssignedSchema,
    list: (assignment) => assignment.dnsMonitors,
    write: (id, definition) =>
      create(AssignedSchema, { ...assignedFields(id, definition), ...ownFields(definition) }),
    read: (one) => ({
      kind: "dns",
      ...readAssigned(one),
      otel: otelConfig(one.otelConfig ?? one.otelConfigBefore),
      uri: one.uri,
      // Other services may send a type in small letters.
      recordAssertions: readRecords(
        one.recordAssertions.map((row) => ({ ...row, record: row.record.toUpperCase() })),
      ),
    }),
  },
  management: {
    schema: ManagedSchema,
    list: (answer) => answer.dnsMonitors,
    write: (definition) =>
      create(ManagedSchema, { ...managedFields(definition), ...ownFields(definition) }),
    merged,
    hideSecrets: () => {},
  },
  result: {
    field: BatchResultSchema.field.dns,
    fields: IngestDNSRequestSchema.field,
    call: PrivateLocationService.method.ingestDNS,
    read: (message) =>
      isMessage(message, IngestDNSRequestSchema)
        ? { case: "dns", value: message }
        : { case: undefined },
    write,
    facts: answeredRecords,
  },
};

const ownFields = (definition: DnsDefinition) =>
  ({
    uri: definition.uri,
    recordAssertions: recordFields(definition),
  }) satisfies SentFields<DnsDefinition>;

function merged(
  monitor: ManagedMessages["dns"],
  mask: Mask = noMask,
  before: DnsDefinition = dnsDefaults,
): DnsDefinition {
  const take = taking(mask, before, dnsDefaults);
  return {
    ...mergedFields(monitor, mask, before),
    kind: "dns",
    uri: take("uri", "uri", someText(monitor.uri)),
    recordAssertions: take(
      "recordAssertions",
      "record_assertions",
      some(readRecords(monitor.recordAssertions)),
    ),
  };
}

function write(writer: MessageWriter, result: Result): void {
  const fields = IngestDNSRequestSchema.field;
  writeNames(writer, fields, result);
  writer.text(fields.uri, result.uri);
  writer.text(fields.requestStatus, result.status);
  writer.text(fields.message, messageOf(result));
  writeRecords(writer, result.outcome?.kind === "dns" ? result.outcome : null);
  writer.text(fields.timing, JSON.stringify(spanOf(result, "dnsStart", "dnsDone")));
  writer.integer(fields.error, errorOf(result));
}

/** The records of an answer, a line each; that there are none only of a check that had an answer. */
function answeredRecords(message: IngestDNSRequest): readonly Fact[] {
  const { records, requestStatus } = message;
  const all = Object.entries(records).flatMap(([type, { record }]) =>
    record.map((value) => `${type} ${value}`),
  );
  if (all.length === 0)
    return requestStatus === "error" ? [] : [{ label: "Records", value: "none" }];
  const shown = all
    .slice(0, limits.recordsShownMax)
    .map((one): Fact => ({ label: "Record", value: shownName(one, limits.recordShownCharsMax) }));
  const left = all.length - shown.length;
  return left === 0 ? shown : [...shown, { label: "Records", value: `${left} more` }];
}

function writeRecords(writer: MessageWriter, outcome: DnsOutcome | null): void {
  const byType = Map.groupBy(outcome?.records ?? [], ({ type }) => type);
  for (const [type, records] of byType) {
    writer.begin(IngestDNSRequestSchema.field.records);
    writer.element(entryKey, type);
    writer.begin(entryValue);
    writer.texts(
      RecordsSchema.field.record,
      records.map(({ value }) => value),
    );
    writer.end();
    writer.end();
  }
}

/** An entry of a map is a message of these two fields. */
const entryKey: WireField = { number: 1 };
const entryValue: WireField = { number: 2 };
