import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import * as storeLimits from "#limits/store-limits";
import { PackedFault } from "#service/store/packing/packed-fault";
import { readVarints, writeVarints } from "#service/store/varint";

/*
 * Details of one series in some hours, in the order of their slots. A report repeats most of the one before it:
 *
 *   byte 0      the version of the format
 *   bytes 1–4   the CRC-32 of all that follows
 *   from 5 on   deflated, with what most reports say as its dictionary:
 *               bytes 0–3    how many bytes of numbers follow
 *               numbers      a count; slots, the first from the begin of the hours, each other from the one before;
 *                            lengths of messages; lengths of payloads
 *               the messages, then the payloads
 */
const version = 1;
const headBytes = 5;
const lengthBytes = 4;

/** A result's detail as the store keeps it. */
export interface DetailRow {
  readonly slot: number;
  readonly message: string;
  readonly payload: Uint8Array;
}

/** Null for what the format has no room for: it stays unpacked. Rows are in the order of their slots, and from `begin` on. */
export function packDetails(begin: number, rows: readonly DetailRow[]): Uint8Array | null {
  if (rows.length === 0 || rows.length > storeLimits.packedDetailsMax) return null;
  const messages = rows.map(({ message }) => new TextEncoder().encode(message));
  const slots = rows.map(({ slot }, index) => slot - (rows[index - 1]?.slot ?? begin));
  const numbers = writeVarints([
    rows.length,
    ...slots,
    ...messages.map(({ length }) => length),
    ...rows.map(({ payload }) => payload.length),
  ]);
  const length = new Uint8Array(lengthBytes);
  new DataView(length.buffer).setUint32(0, numbers.length);
  const whole = Buffer.concat([length, numbers, ...messages, ...rows.map((row) => row.payload)]);
  if (whole.length > storeLimits.packedDetailsBytesMax) return null;
  const deflated = deflateRawSync(whole, { level: 9, dictionary });
  const body = new Uint8Array(headBytes + deflated.length);
  body.set(deflated, headBytes);
  const view = new DataView(body.buffer);
  view.setUint8(0, version);
  view.setUint32(1, crc32(deflated));
  return body;
}

/** The same details again. Throws a PackedFault for bytes that are something else, and takes bounded memory for them. */
export function unpackDetails(begin: number, body: Uint8Array): readonly DetailRow[] {
  const whole = inflated(body);
  if (whole.length < lengthBytes) throw new PackedFault("it is too short");
  const end = lengthBytes + whole.readUInt32BE(0);
  const [count = 0, ...numbers] = readVarints(whole.subarray(lengthBytes, end));
  const lengths = numbers.slice(count);
  const bytes = lengths.reduce((sum, one) => sum + one, 0);
  if (count === 0 || numbers.length !== count * 3 || end + bytes !== whole.length)
    throw new PackedFault("its lengths are wrong");
  let slot = begin;
  let at = end;
  const parts = lengths.map((length) => {
    at += length;
    return whole.subarray(at - length, at);
  });
  return numbers.slice(0, count).map((behind, index) => {
    slot += behind;
    const message = new TextDecoder("utf-8", { ignoreBOM: true }).decode(parts[index]);
    return { slot, message, payload: new Uint8Array(parts[count + index] ?? []) };
  });
}

function inflated(body: Uint8Array): Buffer {
  if (body.length < headBytes) throw new PackedFault("it is too short");
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.getUint8(0) !== version)
    throw new PackedFault(
      `it has version ${view.getUint8(0)} of the format, which is unknown here`,
    );
  const deflated = body.subarray(headBytes);
  if (view.getUint32(1) !== crc32(deflated)) throw new PackedFault("its checksum is wrong");
  try {
    const maxOutputLength = storeLimits.packedDetailsBytesMax;
    return inflateRawSync(deflated, { dictionary, maxOutputLength });
  } catch {
    throw new PackedFault("it cannot be inflated");
  }
}

/** A part of the format: what reports of this release have in common, the most usual last. It is never changed. */
const dictionary = Buffer.from(
  [
    "certificate has expired unable to verify the first certificate self-signed certificate in certificate chain",
    "name does not exist server failure connection reset by peer no route to host network is unreachable",
    "connection refused connection timed out Timeout after ms: no complete response head came",
    "TLSv1.2TLSv1.3TLS_AES_128_GCM_SHA256TLS_AES_256_GCM_SHA384ECDHE-RSA-AES128-GCM-SHA256X25519MLKEM768",
    "http://https://www.internal.example.com/health/api/v1/status:443:8080:5432",
    '"Strict-Transport-Security":"max-age=31536000; includeSubDomains","X-Frame-Options":"DENY"',
    '"Transfer-Encoding":"chunked","Connection":"keep-alive","Set-Cookie":"","Etag":"","Last-Modified":"',
    '{"Content-Type":"application/json","Content-Length":"0","Location":"https://","X-Request-Id":"',
    '{"Content-Type":"text/html; charset=utf-8","Server":"nginx","Cache-Control":"no-store","Vary":"Accept-Encoding","Date":"Tue, 24 Nov 2026 12:00:00 GMT"}',
    "errorunexpected_statusresponse_timeoutconnection_refusedassertionconnectwaitdegradedsuccess",
    '{"dnsStart":1795538015001,"dnsDone":1795538015001,"connectStart":1795538015001,"connectDone":1795538015002,"tlsHandshakeStart":1795538015002,"tlsHandshakeDone":1795538015005,"firstByteStart":1795538015005,"firstByteDone":1795538015022,"transferStart":1795538015022,"transferDone":1795538015023}',
  ].join(""),
);
