import {
  BatchResultSchema,
  IngestDNSRequestSchema,
  IngestGRPCRequestSchema,
  IngestHTTPRequestSchema,
  IngestICMPRequestSchema,
  IngestTCPRequestSchema,
  RecordsSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import { noEchoes, roundTrips } from "#check/kinds/icmp/icmp-outcome";
import type { DnsOutcome, HttpOutcome } from "#check/outcome";
import type { Result } from "#check/result";
import { cutText } from "#base/text";
import { type Nanos, nanosToMillis } from "#base/units";
import { httpTiming, phaseTiming } from "#wire/http-timing";
import { MessageWriter, type WireField } from "#wire/message-writer";
import { writeDetail } from "#wire/write-detail";
import type { ReportedEvidence } from "#wire/write-evidence";

/** A BatchResult in bytes: one result with everything that we know of it. Throws for what the wire cannot carry. */
export const resultBytes = (result: Result, evidence: ReportedEvidence = "none"): Uint8Array =>
  kept.message((writer) => {
    writePlain(writer, result);
    writer.begin(BatchResultSchema.field.detail);
    writeDetail(writer, result, evidence);
    writer.end();
  });

/** A thread writes one result at a time. Its buffer grows to the largest report. */
const kept = new MessageWriter();

/** The result as the plain calls carry it. */
function writePlain(writer: MessageWriter, result: Result): void {
  const { http, tcp, dns, icmp, grpc } = BatchResultSchema.field;
  switch (result.kind) {
    case "http":
      writer.begin(http);
      writeHttp(writer, result);
      break;
    case "tcp":
      writer.begin(tcp);
      writeTcp(writer, result);
      break;
    case "dns":
      writer.begin(dns);
      writeDns(writer, result);
      break;
    case "icmp":
      writer.begin(icmp);
      writeIcmp(writer, result);
      break;
    case "grpc":
      writer.begin(grpc);
      writeGrpc(writer, result);
      break;
  }
  writer.end();
}

/** The first five fields, which all plain calls have in common. */
function writeNames(
  writer: MessageWriter,
  { id, monitorId, latency, timestamp, cronTimestamp }: NameFields,
  result: Result,
): void {
  writer.text(id, result.id);
  writer.text(monitorId, result.monitorId);
  writer.integer(latency, result.latency);
  writer.integer(timestamp, result.startedAt);
  writer.integer(cronTimestamp, result.slot);
}

type NameFields = Readonly<
  Record<"id" | "monitorId" | "latency" | "timestamp" | "cronTimestamp", WireField>
>;

const messageOf = ({ failure }: Result): string =>
  cutText(failure?.message ?? "", checkLimits.messageCharsMax);
const errorOf = ({ status }: Result): number => (status === "error" ? 1 : 0);

function writeHttp(writer: MessageWriter, result: Result): void {
  const fields = IngestHTTPRequestSchema.field;
  const outcome = result.outcome?.kind === "http" ? result.outcome : null;
  const response = outcome?.response ?? null;
  writeNames(writer, fields, result);
  writer.text(fields.url, result.uri);
  writer.text(fields.requestStatus, result.status);
  writer.text(fields.message, messageOf(result));
  writer.text(fields.body, result.status === "degraded" ? reportedBody(outcome) : "");
  writer.text(fields.headers, response === null ? "null" : firstValues(response.headers));
  writer.text(fields.timing, httpTiming(outcome));
  writer.integer(fields.statusCode, response?.statusCode ?? 0);
  writer.integer(fields.error, errorOf(result));
}

function writeTcp(writer: MessageWriter, result: Result): void {
  const fields = IngestTCPRequestSchema.field;
  writeNames(writer, fields, result);
  writer.text(fields.uri, result.uri);
  writer.text(fields.message, messageOf(result));
  writer.text(fields.requestStatus, result.status);
  writer.integer(fields.error, errorOf(result));
  writer.text(fields.timing, JSON.stringify(spanOf(result, "tcpStart", "tcpDone")));
}

function writeDns(writer: MessageWriter, result: Result): void {
  const fields = IngestDNSRequestSchema.field;
  writeNames(writer, fields, result);
  writer.text(fields.uri, result.uri);
  writer.text(fields.requestStatus, result.status);
  writer.text(fields.message, messageOf(result));
  writeRecords(writer, result.outcome?.kind === "dns" ? result.outcome : null);
  writer.text(fields.timing, JSON.stringify(spanOf(result, "dnsStart", "dnsDone")));
  writer.integer(fields.error, errorOf(result));
}

function writeIcmp(writer: MessageWriter, result: Result): void {
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

function writeGrpc(writer: MessageWriter, result: Result): void {
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

/** The beginning of the body that fits, never cut inside a character; what is not UTF-8 is replaced. */
function reportedBody(outcome: HttpOutcome | null): string {
  const body = outcome?.response?.body ?? new Uint8Array();
  if (body.length <= checkLimits.reportedBodyBytesMax)
    return fitting(new TextDecoder().decode(body));
  // `stream` keeps back the bytes of a character that is not whole.
  return fitting(
    new TextDecoder().decode(body.subarray(0, checkLimits.reportedBodyBytesMax), { stream: true }),
  );
}

/** A replaced byte grows to three, so the text may be longer than the bytes that it came from. */
function fitting(text: string): string {
  const encoded = new TextEncoder().encode(text);
  if (encoded.length <= checkLimits.reportedBodyBytesMax) return text;
  return new TextDecoder().decode(encoded.subarray(0, checkLimits.reportedBodyBytesMax), {
    stream: true,
  });
}

/** A JSON object: canonical name → first value, as Go's http.Header spells it, which is what readers of this field know. */
function firstValues(headers: readonly (readonly [string, string])[]): string {
  const seen = new Set<string>();
  let json = "";
  for (const [name, value] of headers) {
    const key = canonicalKey(name);
    if (seen.has(key)) continue;
    seen.add(key);
    json += `${json === "" ? "{" : ","}${key}:${JSON.stringify(value)}`;
  }
  return json === "" ? "{}" : `${json}}`;
}

/** In quotes. Targets use the same few names forever, and spelling one costs as much as the rest of its report. */
const canonicalKeys = new Map<string, string>();

function canonicalKey(name: string): string {
  const known = canonicalKeys.get(name);
  if (known !== undefined) return known;
  const canonical = name.toLowerCase().replace(/(^|-)[a-z]/g, (part) => part.toUpperCase());
  const key = JSON.stringify(canonical);
  if (canonicalKeys.size < limits.headerNamesKeptMax) canonicalKeys.set(name, key);
  return key;
}

function spanOf(result: Result, start: string, done: string): Readonly<Record<string, number>> {
  if (result.outcome === null) return { [start]: 0, [done]: 0 };
  const { startedAt, total } = result.outcome;
  return { [start]: startedAt, [done]: Math.round(startedAt + nanosToMillis(total)) };
}
