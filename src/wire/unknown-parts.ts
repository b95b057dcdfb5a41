import type { DescMessage, Message, UnknownField } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";

/** Monitors of one kind that this version has no word for; a kind is a field of the assignment. */
interface UnknownKind {
  readonly field: number;
  readonly monitors: number;
}

/**
 * The kinds of monitors that a newer service assigns. A monitor begins with its id, as field 1: what does not is another
 * field of a newer version, which no one is to check.
 */
export function unknownKinds({ $unknown = [] }: Message): readonly UnknownKind[] {
  const counts = new Map<number, number>();
  for (const field of $unknown)
    if (isMonitor(field)) counts.set(field.no, (counts.get(field.no) ?? 0) + 1);
  return [...counts].map(([field, monitors]) => ({ field, monitors }));
}

/** The paths of the fields that this version does not know, e.g. `headers[2].field 9`, each once. */
export function unknownParts(schema: DescMessage, message: Message, at = ""): readonly string[] {
  const found = new Set((message.$unknown ?? []).map(({ no }) => `${at}field ${no}`));
  for (const field of schema.fields) {
    const value: unknown = Reflect.get(message, field.localName);
    if (field.fieldKind === "message" && isMessage(value))
      for (const part of unknownParts(field.message, value, `${at}${field.name}.`)) found.add(part);
    if (field.fieldKind === "list" && field.listKind === "message" && Array.isArray(value))
      for (const [index, one] of value.entries())
        if (isMessage(one))
          for (const part of unknownParts(field.message, one, `${at}${field.name}[${index}].`))
            found.add(part);
  }
  return [...found];
}

/** Whether the value of a field is a message. */
export const isMessage = (value: unknown): value is Message =>
  typeof value === "object" && value !== null && "$typeName" in value;

/** The data of a field that has a length begins with it: a varint, then the tag of field 1, a text that is not empty. */
function isMonitor({ wireType, data }: UnknownField): boolean {
  if (wireType !== WireType.LengthDelimited) return false;
  const start = data.findIndex((byte) => byte < 0x80) + 1;
  return data[start] === idTag && (data[start + 1] ?? 0) > 0;
}

const idTag = 0x0a;
