/**
 * The messages of grpc.health.v1, which are two fields in all, in the frames of gRPC: a byte that says whether the message
 * is compressed, its length in four, and the message.
 */

/** HealthCheckRequest with its one field, the service's name, in its frame. */
export function healthRequest(service: string): Uint8Array {
  const name = Buffer.from(service);
  const message =
    name.length === 0 ? name : Buffer.concat([Buffer.from([0x0a]), varint(name.length), name]);
  const frame = Buffer.alloc(frameBytes);
  frame.writeUInt32BE(message.length, 1);
  return Buffer.concat([frame, message]);
}

const frameBytes = 5;

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

type HealthReading =
  | { readonly ok: true; readonly status: string }
  /** `why` ends the sentence "the answer is not gRPC: it …". */
  | { readonly ok: false; readonly why: string };

const wrong = (why: string): HealthReading => ({ ok: false, why });

/** Reads the one message of an answer. */
export function readHealth(body: Uint8Array): HealthReading {
  if (body.length === 0) return wrong("has no message");
  if (body.length < frameBytes) return wrong("ends within the head of a message");
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  if (body[0] !== 0) return wrong("is compressed, which was not asked for");
  const length = view.getUint32(1);
  const there = body.length - frameBytes;
  if (length > there) return wrong(`says that its message has ${length} bytes, and has ${there}`);
  if (length < there) return wrong("has more than one message");
  return statusIn(body.subarray(frameBytes));
}

/** HealthCheckResponse: a number in field 1. What else is there, a newer contract has put there. */
function statusIn(message: Uint8Array): HealthReading {
  let number = 0;
  for (let at = 0; at < message.length;) {
    const tag = message[at] ?? 0;
    if ((tag & 7) === 0) {
      const read = numberAt(message, at + 1);
      if (read === null) return wrong("holds a number without an end");
      if (tag === 8) number = read.value;
      at = read.next;
    } else if ((tag & 7) === 2) {
      const read = numberAt(message, at + 1);
      if (read === null) return wrong("holds a number without an end");
      at = read.next + read.value;
    } else return wrong("holds another message than the health service's");
    if (at > message.length) return wrong("ends within a field");
  }
  return { ok: true, status: statuses[number] ?? `status ${number}` };
}

const statuses = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];

function numberAt(
  message: Uint8Array,
  from: number,
): { readonly value: number; readonly next: number } | null {
  let value = 0;
  for (let at = from; at < message.length && at < from + 5; at += 1) {
    const byte = message[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return { value, next: at + 1 };
  }
  return null;
}
