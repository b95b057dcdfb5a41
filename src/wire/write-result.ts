import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type BatchResult,
  BatchResultSchema,
  type CheckDetailSchema,
  type IngestDNSRequest,
  IngestDNSRequestSchema,
  type IngestHTTPRequest,
  IngestHTTPRequestSchema,
  type IngestTCPRequest,
  IngestTCPRequestSchema,
  type PhaseTimingsSchema,
  RecordsSchema,
} from "#contract/private_location/v1/private_location_pb";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import type { DnsOutcome, Hop, HttpOutcome, Phases, TlsFacts } from "#check/outcome";
import { causeMessage } from "#wire/write-cause";
import { evidenceField, type ReportedEvidence } from "#wire/write-evidence";
import { isPerhapsSlow, remarksOf } from "#check/remark";
import type { Result } from "#check/result";
import { cutText } from "#text";
import { epochMillis, type EpochMillis, nanosToMillis, type Nanos } from "#units";

/** One result with everything that we know of it, for IngestBatch. */
export function batchResult(result: Result, evidence: ReportedEvidence = "none"): BatchResult {
  return create(BatchResultSchema, {
    result: plainResult(result),
    detail: detailOf(result, evidence),
  });
}

/** One result as the plain calls carry it. */
export function plainResult(
  result: Result,
):
  | { readonly case: "http"; readonly value: IngestHTTPRequest }
  | { readonly case: "tcp"; readonly value: IngestTCPRequest }
  | { readonly case: "dns"; readonly value: IngestDNSRequest } {
  switch (result.kind) {
    case "http":
      return { case: "http", value: httpRequest(result) };
    case "tcp":
      return { case: "tcp", value: tcpRequest(result) };
    case "dns":
      return { case: "dns", value: dnsRequest(result) };
  }
}

const ingested = (
  result: Result,
): Pick<
  IngestTCPRequest,
  | "id"
  | "monitorId"
  | "latency"
  | "timestamp"
  | "cronTimestamp"
  | "requestStatus"
  | "message"
  | "error"
> => ({
  id: result.id,
  monitorId: result.monitorId,
  latency: BigInt(result.latency),
  timestamp: BigInt(result.startedAt),
  cronTimestamp: BigInt(result.slot),
  requestStatus: result.status,
  message: cutText(result.failure?.message ?? "", checkLimits.messageCharsMax),
  error: result.status === "error" ? 1n : 0n,
});

function httpRequest(result: Result): IngestHTTPRequest {
  const outcome = result.outcome?.kind === "http" ? result.outcome : null;
  return create(IngestHTTPRequestSchema, {
    ...ingested(result),
    url: result.uri,
    body: result.status === "degraded" ? reportedBody(outcome) : "",
    headers: JSON.stringify(
      outcome?.response === undefined || outcome.response === null
        ? null
        : firstValues(outcome.response.headers),
    ),
    timing: JSON.stringify(httpTiming(outcome)),
    statusCode: BigInt(outcome?.response?.statusCode ?? 0),
  });
}

const tcpRequest = (result: Result): IngestTCPRequest =>
  create(IngestTCPRequestSchema, {
    ...ingested(result),
    uri: result.uri,
    timing: JSON.stringify(spanOf(result, "tcpStart", "tcpDone")),
  });

function dnsRequest(result: Result): IngestDNSRequest {
  const outcome = result.outcome?.kind === "dns" ? result.outcome : null;
  return create(IngestDNSRequestSchema, {
    ...ingested(result),
    uri: result.uri,
    records: recordsByType(outcome),
    timing: JSON.stringify(spanOf(result, "dnsStart", "dnsDone")),
  });
}

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

/** Canonical name → first value, as Go's http.Header spells it, which is what readers of this field know. */
function firstValues(
  headers: readonly (readonly [string, string])[],
): Readonly<Record<string, string>> {
  const first = new Map<string, string>();
  for (const [name, value] of headers) {
    const canonical = canonicalName(name);
    if (!first.has(canonical)) first.set(canonical, value);
  }
  return Object.fromEntries(first);
}

/** Targets use the same few names forever, and spelling one costs as much as the rest of its report. */
const canonicalNames = new Map<string, string>();

function canonicalName(name: string): string {
  const known = canonicalNames.get(name);
  if (known !== undefined) return known;
  const canonical = name.toLowerCase().replace(/(^|-)[a-z]/g, (part) => part.toUpperCase());
  if (canonicalNames.size < limits.headerNamesKeptMax) canonicalNames.set(name, canonical);
  return canonical;
}

/**
 * The ten instants of the wire, placed on the wall clock from the start of the last hop. A phase that did not happen
 * is 0 at both ends; one that happened has both, so that no reader subtracts from nothing.
 */
function httpTiming(outcome: HttpOutcome | null): Readonly<Record<string, number>> {
  const hop = outcome?.hops.at(-1);
  const phases = hop?.phases ?? null;
  const mark = marks(hop === undefined || outcome === null ? null : startOf(hop, outcome), phases);
  const [dnsStart, dnsDone] = mark("dns");
  const [connectStart, connectDone] = mark("connect", "proxy");
  const [tlsHandshakeStart, tlsHandshakeDone] = mark("tls");
  const [firstByteStart, firstByteDone] = mark("write", "wait");
  const [transferStart, transferDone] = mark("receive");
  return {
    dnsStart,
    dnsDone,
    connectStart,
    connectDone,
    tlsHandshakeStart,
    tlsHandshakeDone,
    firstByteStart,
    firstByteDone,
    transferStart,
    transferDone,
  };
}

/** No instant lies before the attempt's, which is the report's timestamp. */
const startOf = (hop: Hop, { startedAt }: HttpOutcome): EpochMillis =>
  epochMillis(Math.max(hop.startedAt, startedAt));

type Marks = (...names: readonly (keyof Phases)[]) => readonly [start: number, done: number];

/** Start and end of phases that lie side by side, in epoch milliseconds. */
function marks(startedAt: EpochMillis | null, phases: Phases | null): Marks {
  const order = ["dns", "connect", "proxy", "tls", "write", "wait", "receive"] as const;
  return (...names) => {
    const happened = names.filter((name) => (phases?.[name] ?? null) !== null);
    if (startedAt === null || phases === null || happened.length === 0) return [0, 0];
    const until = (end: number): number =>
      order.slice(0, end).reduce((sum, name) => sum + (phases[name] ?? 0), 0);
    const first = Math.min(...happened.map((name) => order.indexOf(name)));
    const last = Math.max(...happened.map((name) => order.indexOf(name)));
    const at = (elapsed: number): number => Math.round(startedAt + elapsed / 1e6);
    return [at(until(first)), at(until(last + 1))];
  };
}

function spanOf(result: Result, start: string, done: string): Readonly<Record<string, number>> {
  if (result.outcome === null) return { [start]: 0, [done]: 0 };
  const { startedAt, total } = result.outcome;
  return { [start]: startedAt, [done]: Math.round(startedAt + nanosToMillis(total)) };
}

function recordsByType(outcome: DnsOutcome | null): IngestDNSRequest["records"] {
  const records: IngestDNSRequest["records"] = {};
  for (const { type, value } of outcome?.records ?? [])
    (records[type] ??= create(RecordsSchema)).record.push(value);
  return records;
}

function detailOf(
  result: Result,
  evidence: ReportedEvidence,
): MessageInitShape<typeof CheckDetailSchema> {
  const { outcome } = result;
  return {
    ...(result.failure === null ? {} : { failure: { ...result.failure } }),
    ...(outcome === null
      ? {}
      : { phases: phaseTimings(outcome.phases), totalNs: BigInt(outcome.total) }),
    attempts: result.attempts.map(({ startedAt, total, failure }) => ({
      startedAt: BigInt(startedAt),
      totalNs: BigInt(total),
      ...(failure === null ? {} : { failure: { ...failure } }),
    })),
    hops:
      outcome?.kind === "http"
        ? outcome.hops.map(({ url, statusCode, phases }) => ({
            url,
            statusCode: statusCode ?? 0,
            phases: phaseTimings(phases),
          }))
        : [],
    addresses: (outcome?.addresses ?? []).map(({ address, port, ended, elapsed }) => ({
      address,
      port,
      ended,
      elapsedNs: BigInt(elapsed),
    })),
    ...(outcome === null || outcome.tls === null ? {} : { tls: tlsDetail(outcome.tls) }),
    ...(outcome === null ? {} : { errorBarNs: BigInt(outcome.errorBar) }),
    ...(outcome === null || outcome.own === null ? {} : { ownNs: BigInt(outcome.own) }),
    ...(result.cause === null ? {} : { cause: causeMessage(result.cause) }),
    ...(evidence === "none" ? {} : evidenceField(result, evidence)),
    remarks: [...remarksOf(result)],
    perhapsSlow: isPerhapsSlow(result),
    evaluations: result.evaluations.map(({ kind, held, expected, received }) => ({
      kind,
      held,
      expected,
      received,
    })),
  };
}

function phaseTimings(phases: Phases): MessageInitShape<typeof PhaseTimingsSchema> {
  const of = (name: string, elapsed: Nanos | null): object =>
    elapsed === null ? {} : { [name]: BigInt(elapsed) };
  return {
    ...of("dnsNs", phases.dns),
    ...of("connectNs", phases.connect),
    ...of("proxyNs", phases.proxy),
    ...of("tlsNs", phases.tls),
    ...of("writeNs", phases.write),
    ...of("waitNs", phases.wait),
    ...of("receiveNs", phases.receive),
  };
}

function tlsDetail({
  protocol,
  cipher,
  alpn,
  serverName,
  certificate,
}: TlsFacts): NonNullable<MessageInitShape<typeof CheckDetailSchema>["tls"]> {
  return {
    protocol: protocol ?? "",
    cipher: cipher ?? "",
    alpn: alpn ?? "",
    serverName: serverName ?? "",
    ...(certificate === null
      ? {}
      : {
          certificate: {
            subject: certificate.subject,
            issuer: certificate.issuer,
            altNames: [...certificate.altNames],
            validFrom: BigInt(certificate.validFrom),
            validTo: BigInt(certificate.validTo),
            fingerprintSha256: certificate.fingerprint256,
            chain: [...certificate.chain],
          },
        }),
  };
}
