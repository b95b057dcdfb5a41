import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  BatchResultSchema,
  CheckDetailSchema,
  IngestDNSRequestSchema,
  IngestGRPCRequestSchema,
  IngestHTTPRequestSchema,
  IngestICMPRequestSchema,
  IngestTCPRequestSchema,
} from "#contract/private_location/v1/private_location_pb";

export type PlainCall = "IngestHTTP" | "IngestTCP" | "IngestDNS" | "IngestICMP" | "IngestGRPC";

/** A result as a plain call carries it, cut out of the bytes of its report: nothing is decoded, nothing encoded again. */
export interface PlainReport {
  readonly call: PlainCall;
  readonly message: Uint8Array;
  readonly status: string;
  readonly perhapsSlow: boolean;
}

/** Null for a payload that holds no result. */
export function plainReport(payload: Uint8Array): PlainReport | null {
  const plain: { call: PlainCall; message: Uint8Array }[] = [];
  let perhapsSlow = false;
  eachField(payload, (number, reader) => {
    const call = calls.get(number);
    if (call !== undefined) plain.push({ call, message: reader.bytes() });
    else if (number === detail.number) perhapsSlow = isPerhapsSlow(reader.bytes());
    else return false;
    return true;
  });
  const [first] = plain;
  return first === undefined
    ? null
    : { ...first, status: statusIn(first.call, first.message), perhapsSlow };
}

/** The same message with another status: of a field that comes twice, the last one counts. */
export const withStatus = ({ call, message }: PlainReport, status: string): Uint8Array =>
  new BinaryWriter()
    .raw(message)
    .tag(statusFields[call], WireType.LengthDelimited)
    .string(status)
    .finish();

const { http, tcp, dns, icmp, grpc, detail } = BatchResultSchema.field;
const calls: ReadonlyMap<number, PlainCall> = new Map([
  [http.number, "IngestHTTP"],
  [tcp.number, "IngestTCP"],
  [dns.number, "IngestDNS"],
  [icmp.number, "IngestICMP"],
  [grpc.number, "IngestGRPC"],
]);

const statusFields: { readonly [C in PlainCall]: number } = {
  IngestHTTP: IngestHTTPRequestSchema.field.requestStatus.number,
  IngestTCP: IngestTCPRequestSchema.field.requestStatus.number,
  IngestDNS: IngestDNSRequestSchema.field.requestStatus.number,
  IngestICMP: IngestICMPRequestSchema.field.requestStatus.number,
  IngestGRPC: IngestGRPCRequestSchema.field.requestStatus.number,
};

function statusIn(call: PlainCall, message: Uint8Array): string {
  let status = "";
  eachField(message, (number, reader) => {
    if (number !== statusFields[call]) return false;
    status = reader.string();
    return true;
  });
  return status;
}

function isPerhapsSlow(detail: Uint8Array): boolean {
  let perhapsSlow = false;
  eachField(detail, (number, reader) => {
    if (number !== CheckDetailSchema.field.perhapsSlow.number) return false;
    perhapsSlow = reader.bool();
    return true;
  });
  return perhapsSlow;
}

/** Passes over each field that `take` does not read. */
function eachField(
  message: Uint8Array,
  take: (number: number, reader: BinaryReader) => boolean,
): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (!take(number, reader)) reader.skip(type, number);
  }
}
