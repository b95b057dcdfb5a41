import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  BatchResultSchema,
  CheckDetailSchema,
} from "#contract/private_location/v1/private_location_pb";
import { type Kind, kinds } from "#check/monitor";
import { codecOf } from "#wire/kinds/codec-table";

/** A result as a plain call carries it, cut out of the bytes of its report: nothing is decoded, nothing encoded again. */
export interface PlainReport {
  readonly kind: Kind;
  readonly message: Uint8Array;
  readonly status: string;
  readonly perhapsSlow: boolean;
}

/** Null for a payload that holds no result. */
export function plainReport(payload: Uint8Array): PlainReport | null {
  const plain: { kind: Kind; message: Uint8Array }[] = [];
  let perhapsSlow = false;
  eachField(payload, (number, reader) => {
    const kind = kindsByField.get(number);
    if (kind !== undefined) plain.push({ kind, message: reader.bytes() });
    else if (number === detail.number) perhapsSlow = isPerhapsSlow(reader.bytes());
    else return false;
    return true;
  });
  const [first] = plain;
  return first === undefined
    ? null
    : { ...first, status: statusIn(first.kind, first.message), perhapsSlow };
}

/** The same message with another status: of a field that comes twice, the last one counts. */
export const withStatus = ({ kind, message }: PlainReport, status: string): Uint8Array =>
  new BinaryWriter()
    .raw(message)
    .tag(statusField(kind), WireType.LengthDelimited)
    .string(status)
    .finish();

const { detail } = BatchResultSchema.field;
const kindsByField: ReadonlyMap<number, Kind> = new Map(
  kinds.map((kind) => [codecOf(kind).result.field.number, kind]),
);

const statusField = (kind: Kind): number => codecOf(kind).result.fields.requestStatus.number;

function statusIn(kind: Kind, message: Uint8Array): string {
  let status = "";
  eachField(message, (number, reader) => {
    if (number !== statusField(kind)) return false;
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
