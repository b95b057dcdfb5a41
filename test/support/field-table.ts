/**
 * A message of a public contract as a table of its numbers, written by hand, and what is on the wire for it. A value has
 * the shape of the contract's JSON, so that one value is a request in both codecs. Nothing here knows our own contract.
 */
export interface FieldTable {
  readonly [jsonName: string]: readonly [number: number, kind: FieldKind];
}

export type FieldKind =
  | { readonly is: "text" | "flag" | "int32" | "int64" | "mask" }
  | { readonly is: "enum"; readonly prefix: string; readonly words: readonly string[] }
  | { readonly is: "message"; readonly table: FieldTable }
  | { readonly is: "list"; readonly of: FieldKind }
  | { readonly is: "texts by text" }
  /** Absent if it was not given; of every other kind but a message, absent means its zero. */
  | { readonly is: "optional"; readonly of: FieldKind };

export type JsonValue = string | number | boolean | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export const text: FieldKind = { is: "text" };
export const flag: FieldKind = { is: "flag" };
export const int32: FieldKind = { is: "int32" };
export const int64: FieldKind = { is: "int64" };
export const mask: FieldKind = { is: "mask" };
export const textsByText: FieldKind = { is: "texts by text" };
export const many = (of: FieldKind): FieldKind => ({ is: "list", of });
export const optional = (of: FieldKind): FieldKind => ({ is: "optional", of });
export const message = (table: FieldTable): FieldKind => ({ is: "message", table });
/** The words of an enum from 1 up, in one text. */
export const words = (prefix: string, list: string): FieldKind => ({
  is: "enum",
  prefix,
  words: ["UNSPECIFIED", ...list.split(" ")],
});

const pair: FieldTable = { key: [1, text], value: [2, text] };
const paths: FieldTable = { paths: [1, many(text)] };

/** What a client of the contract sends in binary: everything that the value names, zeros too. */
export function bytesOf(table: FieldTable, value: JsonObject): Buffer {
  const parts = Object.entries(value).map(([name, given]) => {
    const field = table[name];
    if (field === undefined) throw new TypeError(`the table has no ${name}`);
    return fieldBytes(...field, given);
  });
  return Buffer.concat(parts);
}

function fieldBytes(number: number, kind: FieldKind, given: JsonValue): Buffer {
  switch (kind.is) {
    case "text":
      return delimited(number, Buffer.from(scalarText(given)));
    case "message":
      return delimited(number, bytesOf(kind.table, objectOf(given)));
    case "mask":
      return delimited(
        number,
        bytesOf(paths, { paths: scalarText(given).split(",").map(snakeCase) }),
      );
    case "optional":
      return fieldBytes(number, kind.of, given);
    case "list":
      return listBytes(number, kind.of, given);
    case "texts by text": {
      const entries = Object.entries(objectOf(given));
      const pairs = entries.map(([key, value]) => delimited(number, bytesOf(pair, { key, value })));
      return Buffer.concat(pairs);
    }
    case "flag":
    case "int32":
    case "int64":
    case "enum":
      return Buffer.concat([varint(number * 8), varint(numberOf(kind, given))]);
  }
}

/** Enums are packed into one field, as proto3 does. */
function listBytes(number: number, of: FieldKind, given: JsonValue): Buffer {
  if (!Array.isArray(given)) throw new TypeError("no list");
  if (of.is !== "enum")
    return Buffer.concat(given.map((one: JsonValue) => fieldBytes(number, of, one)));
  return delimited(number, Buffer.concat(given.map((one: JsonValue) => varint(numberOf(of, one)))));
}

const delimited = (number: number, content: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);

function numberOf(kind: FieldKind, given: JsonValue): number | bigint {
  if (kind.is !== "enum") return typeof given === "string" ? BigInt(given) : Number(given);
  const found = kind.words.indexOf(scalarText(given).slice(kind.prefix.length));
  if (found === -1) throw new TypeError(`no enum of ${kind.prefix} has ${scalarText(given)}`);
  return found;
}

function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function scalarText(value: JsonValue): string {
  if (typeof value === "object") throw new TypeError("an object where a scalar was expected");
  return String(value);
}

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && !Array.isArray(value);

const objectOf = (value: JsonValue): JsonObject => {
  if (!isObject(value)) throw new TypeError("no object");
  return value;
};

/** What a client of the contract reads from an answer in binary. Numbers from 100 up are extensions that it passes over. */
export function valueOf(table: FieldTable, bytes: Uint8Array): JsonObject {
  const value: Record<string, JsonValue> = { ...zeros(table) };
  const reader = new Reader(bytes);
  while (!reader.atEnd) {
    const { number, content } = reader.field();
    const found = Object.entries(table).find(([, [known]]) => known === number);
    if (found === undefined && number < 100) throw new TypeError(`the table has no ${number}`);
    if (found === undefined) continue;
    const [name, [, kind]] = found;
    value[name] = readField(kind, content, value[name]);
  }
  return value;
}

const zeros = (table: FieldTable): JsonObject =>
  Object.fromEntries(
    Object.entries(table).flatMap(([name, [, kind]]) => {
      const zero = zeroOf(kind);
      return zero === null ? [] : [[name, zero] as const];
    }),
  );

function zeroOf(kind: FieldKind): JsonValue | null {
  switch (kind.is) {
    case "text":
      return "";
    case "flag":
      return false;
    case "int32":
      return 0;
    case "int64":
      return "0";
    case "enum":
      return `${kind.prefix}UNSPECIFIED`;
    case "list":
      return [];
    case "texts by text":
      return {};
    case "message":
    case "mask":
    case "optional":
      return null;
  }
}

type Content = bigint | Uint8Array;

function readField(kind: FieldKind, content: Content, before: JsonValue | undefined): JsonValue {
  switch (kind.is) {
    case "text":
      return Buffer.from(contentBytes(content)).toString();
    case "message":
      return valueOf(kind.table, contentBytes(content));
    case "texts by text": {
      const { key = "", value = "" } = valueOf(pair, contentBytes(content));
      return { ...objectOf(before ?? {}), [scalarText(key)]: value };
    }
    case "optional":
      return readField(kind.of, content, before);
    case "list": {
      const list: readonly JsonValue[] = Array.isArray(before) ? before : [];
      return [...list, ...readItems(kind.of, content)];
    }
    case "flag":
      return contentNumber(content) === 1n;
    case "int32":
      return Number(contentNumber(content));
    case "int64":
      return String(contentNumber(content));
    case "enum":
      return `${kind.prefix}${kind.words[Number(contentNumber(content))]}`;
    case "mask":
      throw new TypeError("no answer has a mask");
  }
}

function readItems(of: FieldKind, content: Content): readonly JsonValue[] {
  if (of.is !== "enum" || typeof content === "bigint") return [readField(of, content, undefined)];
  const reader = new Reader(content);
  const items: JsonValue[] = [];
  while (!reader.atEnd) items.push(readField(of, reader.varint(), undefined));
  return items;
}

function contentBytes(content: Content): Uint8Array {
  if (typeof content === "bigint") throw new TypeError("a number where bytes were expected");
  return content;
}
function contentNumber(content: Content): bigint {
  if (typeof content !== "bigint") throw new TypeError("bytes where a number was expected");
  return content;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new TypeError("a number is cut off");
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  }

  field(): { readonly number: number; readonly content: Content } {
    const tag = Number(this.varint());
    const [number, wireType] = [Math.floor(tag / 8), tag % 8];
    if (wireType === 0) return { number, content: this.varint() };
    if (wireType !== 2) throw new TypeError(`field ${number} has the wire type ${wireType}`);
    const length = Number(this.varint());
    const content = this.#bytes.subarray(this.#at, this.#at + length);
    if (content.length < length) throw new TypeError(`field ${number} is cut off`);
    this.#at += length;
    return { number, content };
  }
}

/** What a client of the contract reads from an answer in JSON: it passes over the names that it does not know. */
export function knownValue(table: FieldTable, value: JsonObject): JsonObject {
  const known = Object.entries(value).flatMap(([name, given]) => {
    const field = table[name];
    return field === undefined ? [] : [[name, knownField(field[1], given)] as const];
  });
  return Object.fromEntries(known);
}

function knownField(kind: FieldKind, given: JsonValue): JsonValue {
  if (kind.is === "optional") return knownField(kind.of, given);
  if (kind.is === "message") return knownValue(kind.table, objectOf(given));
  if (kind.is !== "list" || !Array.isArray(given)) return given;
  return given.map((one: JsonValue) => knownField(kind.of, one));
}
