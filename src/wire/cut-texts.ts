import type { DescMessage, Message } from "@bufbuild/protobuf";
import * as limits from "#limits/wire-limits";
import { isMessage } from "#wire/unknown-parts";

/**
 * Cuts every text of a message that is longer than any that could be of use, so that none is kept, copied or sent on. What is
 * left is still longer than the rules of a definition allow: they refuse it by name. `onCut` gets the path of each, e.g.
 * `headers[2].value`.
 */
export function cutTexts(
  schema: DescMessage,
  message: Message,
  onCut: (path: string, charsMax: number) => void,
  at = "",
): void {
  if (message.$unknown?.some(isTooLong) === true) {
    message.$unknown = message.$unknown.filter((field) => !isTooLong(field));
    onCut(`${at}field of a newer version`, limits.assignedBodyCharsMax);
  }
  for (const field of schema.fields) {
    const value: unknown = Reflect.get(message, field.localName);
    const path = `${at}${field.name}`;
    if (typeof value === "string") {
      const max = field.name === "body" ? limits.assignedBodyCharsMax : limits.assignedTextCharsMax;
      if (value.length <= max) continue;
      // A part of a text keeps all of it in memory.
      Reflect.set(message, field.localName, Buffer.from(value.slice(0, max)).toString());
      onCut(path, max);
    } else if (field.fieldKind === "message" && isMessage(value))
      cutTexts(field.message, value, onCut, `${path}.`);
    else if (field.fieldKind === "list" && field.listKind === "message" && Array.isArray(value))
      for (const [index, one] of value.entries())
        if (isMessage(one)) cutTexts(field.message, one, onCut, `${path}[${index}].`);
  }
}

const isTooLong = ({ data }: { readonly data: Uint8Array }): boolean =>
  data.length > limits.assignedBodyCharsMax;
