import { create, isMessage } from "@bufbuild/protobuf";
import { roundTrips } from "#check/echoes";
import * as kindsLimits from "#limits/kinds-limits";
import { ICMPMonitorSchema as ManagedSchema } from "#contract/openstatus/monitor/v1/monitor_pb";
import {
  BatchResultSchema,
  type CheckDetail,
  ICMPMonitorSchema as AssignedSchema,
  IngestICMPRequestSchema,
  PrivateLocationService,
} from "#contract/private_location/v1/private_location_pb";
import type { DefinitionOf } from "#check/definition";
import type { Fact } from "#check/fact";
import { icmpKind } from "#check/kinds/icmp/icmp-kind";
import { noEchoes } from "#check/kinds/icmp/icmp-outcome";
import type { Result } from "#check/result";
import { nanos, type Nanos, nanosToMillis } from "#base/units";
import { assignedFields, readAssigned } from "#wire/kinds/assigned-fields";
import type { KindCodec, ManagedMessages, Mask } from "#wire/kinds/kind-codec";
import {
  managedFields,
  mergedFields,
  noMask,
  some,
  someNumber,
  someText,
  taking,
} from "#wire/kinds/managed-fields";
import { errorOf, messageOf } from "#wire/kinds/result-fields";
import type { MessageWriter } from "#wire/message-writer";
import { numberFields, readNumbers, type SentFields } from "#wire/monitor-fields";

export const icmpCodec: KindCodec<"icmp"> = {
  assignment: {
    schema: AssignedSchema,
    list: (assignment) => assignment.icmpMonitors,
    write: (id, definition) =>
      create(AssignedSchema, { ...assignedFields(id, definition), ...ownFields(definition) }),
    // Services that do not know of our fields leave them 0: then the defaults hold, which are theirs.
    read: (one) => ({
      kind: "icmp",
      ...readAssigned(one),
      uri: one.uri,
      packets: Number(one.packets) || kindsLimits.icmpPacketsDefault,
      interval: Number(one.interval) || kindsLimits.icmpIntervalDefault,
      lossAssertions: readNumbers(one.lossAssertions),
      latencyAssertions: readNumbers(one.latencyAssertions),
    }),
  },
  management: {
    schema: ManagedSchema,
    list: (answer) => answer.icmpMonitors,
    write: (definition) =>
      create(ManagedSchema, { ...managedFields(definition), ...ownFields(definition) }),
    merged,
    hideSecrets: () => {},
  },
  result: {
    field: BatchResultSchema.field.icmp,
    fields: IngestICMPRequestSchema.field,
    call: PrivateLocationService.method.ingestICMP,
    read: (message) =>
      isMessage(message, IngestICMPRequestSchema)
        ? { case: "icmp", value: message }
        : { case: undefined },
    write,
    facts: (_message, detail) => echoFacts(detail),
  },
};

const ownFields = (definition: DefinitionOf<"icmp">) =>
  ({
    uri: definition.uri,
    packets: BigInt(definition.packets),
    interval: BigInt(definition.interval),
    lossAssertions: numberFields(definition.lossAssertions),
    latencyAssertions: numberFields(definition.latencyAssertions),
  }) satisfies SentFields<DefinitionOf<"icmp">>;

function merged(
  monitor: ManagedMessages["icmp"],
  mask: Mask = noMask,
  before: DefinitionOf<"icmp"> = icmpKind.defaults,
): DefinitionOf<"icmp"> {
  const take = taking(mask, before, icmpKind.defaults);
  const numbers = (rows: ManagedMessages["icmp"]["lossAssertions"]) => some(readNumbers(rows));
  return {
    ...mergedFields(monitor, mask, before),
    kind: "icmp",
    uri: take("uri", "uri", someText(monitor.uri)),
    packets: take("packets", "packets", someNumber(monitor.packets)),
    interval: take("interval", "interval", someNumber(monitor.interval)),
    lossAssertions: take("lossAssertions", "loss_assertions", numbers(monitor.lossAssertions)),
    latencyAssertions: take(
      "latencyAssertions",
      "latency_assertions",
      numbers(monitor.latencyAssertions),
    ),
  };
}

function write(writer: MessageWriter, result: Result): void {
  const fields = IngestICMPRequestSchema.field;
  const outcome = result.outcome?.kind === "icmp" ? result.outcome : noEchoes;
  const all = roundTrips(outcome).map(wholeMillis);
  writer.text(fields.id, result.id);
  writer.text(fields.monitorId, result.monitorId);
  writer.integer(fields.latency, result.latency);
  writer.integer(fields.latencyMin, all.length === 0 ? 0 : Math.min(...all));
  writer.integer(fields.latencyMax, Math.max(0, ...all));
  writer.integer(fields.packetsSent, outcome.echoes.length);
  writer.integer(fields.packetsReceived, all.length);
  writer.integer(fields.timestamp, result.startedAt);
  writer.integer(fields.cronTimestamp, result.slot);
  writer.text(fields.uri, result.uri);
  writer.text(fields.message, messageOf(result));
  writer.text(fields.requestStatus, result.status);
  writer.integer(fields.error, errorOf(result));
  const rtts = outcome.echoes.map(({ roundTrip }) =>
    roundTrip === null ? -1 : wholeMillis(roundTrip),
  );
  writer.text(fields.timing, JSON.stringify({ rtts }));
}

const wholeMillis = (took: Nanos): number => Math.round(took / 1e6);

function echoFacts(detail: CheckDetail | undefined): readonly Fact[] {
  const echoes = detail?.echoes ?? [];
  if (echoes.length === 0) return [];
  const answered = echoes.filter(({ rttNs }) => rttNs !== undefined).length;
  const each = echoes.map(({ rttNs, icmp, refusedBy }) => {
    if (rttNs !== undefined) return `${nanosToMillis(nanos(Number(rttNs))).toFixed(3)} ms`;
    return icmp === "" ? "lost" : `ICMP ${icmp}${refusedBy === "" ? "" : ` from ${refusedBy}`}`;
  });
  const value = `${answered} of ${echoes.length} answered: ${each.join(", ")}`;
  return [{ label: "Echoes", value }];
}
