import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import * as limits from "#limits/wire-limits";

export type MessageFormat = "binary" | "json";

/**
 * Why a message must not be decoded, as the end of a sentence; null if it may be. A few kilobytes of gzip hold
 * millions of empty messages, and decoding those takes seconds and gigabytes. So they are counted first, in one pass
 * that makes nothing: every field, entry and value is an element, also one that the contract does not know.
 */
export function messageExcess(
  schema: DescMessage,
  format: MessageFormat,
  message: Uint8Array,
  elementsMax: number,
): string | null {
  const tally = new Tally(elementsMax);
  try {
    if (format === "json") countJson(message, tally);
    else countFields(schema, { bytes: message, at: 0 }, message.length, tally);
    return null;
  } catch (error) {
    if (error instanceof Excess) return error.message;
    throw error;
  }
}

/** Ends the count, wherever in the message it is. */
class Excess extends Error {}

/** What is said of bytes that no message of the call could be. */
export const unreadable = "is not a message of this call";

const notAMessage = (): Excess => new Excess(unreadable);

class Tally {
  readonly #most: number;
  #elements = 0;
  #depth = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(elements: number): void {
    this.#elements += elements;
    if (this.#elements > this.#most) throw new Excess(`has more than ${this.#most} elements`);
  }

  deeper(): void {
    this.#depth += 1;
    if (this.#depth > limits.messageDepthMax)
      throw new Excess(`is nested more than ${limits.messageDepthMax} levels deep`);
  }

  shallower(): void {
    this.#depth -= 1;
  }
}

interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
}

/** The wire types of protobuf.dev/programming-guides/encoding; groups (3 and 4) are in no contract of ours. */
const wireTypes = { varint: 0, fixed64: 1, lengthDelimited: 2, fixed32: 5 } as const;

/**
 * Walks over the fields of a message up to `end`. The decoder goes by the contract and not by the wire type that was
 * sent, so a field whose wire type is another one ends the walk: the two would count different things.
 */
function countFields(schema: DescMessage, cursor: Cursor, end: number, tally: Tally): void {
  tally.deeper();
  const fields = fieldsOf(schema);
  while (cursor.at < end) {
    const tag = readVarint(cursor);
    tally.add(1);
    countValue(fields.get(Math.floor(tag / 8)), tag % 8, cursor, tally);
    if (cursor.at > end) throw notAMessage();
  }
  tally.shallower();
}

function countValue(
  field: DescField | undefined,
  wireType: number,
  cursor: Cursor,
  tally: Tally,
): void {
  if (field !== undefined && !carries(field, wireType)) throw notAMessage();
  if (wireType !== wireTypes.lengthDelimited) return skipNumber(wireType, cursor);
  const length = readVarint(cursor);
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw notAMessage();
  const inside = field === undefined ? null : messageIn(field);
  if (inside !== null) countFields(inside, cursor, end, tally);
  else if (field?.fieldKind === "map") countEntry(field, cursor, end, tally);
  // Packed numbers: each takes at least one byte.
  else if (field?.fieldKind === "list" && !isText(field)) tally.add(length);
  cursor.at = end;
}

/** An entry of a map: field 1 is the key, field 2 the value. */
function countEntry(
  field: DescField & { fieldKind: "map" },
  cursor: Cursor,
  end: number,
  tally: Tally,
): void {
  tally.deeper();
  while (cursor.at < end) {
    const tag = readVarint(cursor);
    tally.add(1);
    const isMessage = Math.floor(tag / 8) === 2 && field.mapKind === "message";
    if (tag % 8 !== wireTypes.lengthDelimited) {
      if (isMessage) throw notAMessage();
      skipNumber(tag % 8, cursor);
      continue;
    }
    const length = readVarint(cursor);
    const valueEnd = cursor.at + length;
    if (valueEnd > end) throw notAMessage();
    if (isMessage) countFields(field.message, cursor, valueEnd, tally);
    cursor.at = valueEnd;
  }
  tally.shallower();
}

const messageIn = (field: DescField): DescMessage | null => {
  if (field.fieldKind === "message") return field.message;
  return field.fieldKind === "list" && field.listKind === "message" ? field.message : null;
};

/** Strings and bytes are never packed. */
const isText = (field: DescField): boolean =>
  (field.fieldKind === "scalar" || (field.fieldKind === "list" && field.listKind === "scalar")) &&
  (field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES);

/** Whether a field of the contract may come with this wire type. */
function carries(field: DescField, wireType: number): boolean {
  if (messageIn(field) !== null || field.fieldKind === "map" || isText(field))
    return wireType === wireTypes.lengthDelimited;
  return field.fieldKind === "list" || wireType !== wireTypes.lengthDelimited;
}

function skipNumber(wireType: number, cursor: Cursor): void {
  if (wireType === wireTypes.varint) readVarint(cursor);
  else if (wireType === wireTypes.fixed64) cursor.at += 8;
  else if (wireType === wireTypes.fixed32) cursor.at += 4;
  else throw notAMessage();
  if (cursor.at > cursor.bytes.length) throw notAMessage();
}

/** At most ten bytes. What is larger than a length can be is only compared, so its precision does not matter. */
function readVarint(cursor: Cursor): number {
  let value = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw notAMessage();
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return value;
  }
  throw notAMessage();
}

const known = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

function fieldsOf(schema: DescMessage): ReadonlyMap<number, DescField> {
  const fields = known.get(schema) ?? new Map(schema.fields.map((field) => [field.number, field]));
  known.set(schema, fields);
  return fields;
}

const codes = { quote: 0x22, comma: 0x2c, backslash: 0x5c } as const;

/** JSON text: brackets and commas outside of strings. Whether it is JSON at all is the parser's to say. */
function countJson(text: Uint8Array, tally: Tally): void {
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (byte === codes.quote) at = countString(text, at + 1, tally);
    else if (byte === codes.comma) tally.add(1);
    else if (byte === 0x5b || byte === 0x7b) {
      tally.add(1);
      tally.deeper();
    } else if (byte === 0x5d || byte === 0x7d) tally.shallower();
  }
}

/** Gives where the string ends. A number of 64 bits comes as a string, and a long one takes ever longer to read. */
function countString(text: Uint8Array, from: number, tally: Tally): number {
  let digits = 0;
  for (let at = from; at < text.length; at += 1) {
    const byte = text[at] ?? 0;
    if (byte === codes.quote) return at;
    if (byte === codes.backslash) at += 1;
    digits = byte >= 0x30 && byte <= 0x39 ? digits + 1 : 0;
    if (digits === limits.messageDigitsAnElement) {
      tally.add(1);
      digits = 0;
    }
  }
  return text.length;
}
