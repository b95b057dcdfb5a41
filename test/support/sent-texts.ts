import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FieldMaskSchema } from "@bufbuild/protobuf/wkt";

/* The texts of a request, found by the contract's descriptors, and what tools may write in them. */

export type Json = Record<string, unknown>;

/** Where a text is in a request: names of JSON, 0 for the entry of a list. */
export type TextPath = readonly (string | number)[];

/** Every text that a request of this shape can hold, those of its lists and maps and of its messages included. */
export function textsOf(schema: DescMessage, ask: Json, at: TextPath = []): readonly TextPath[] {
  return schema.fields.flatMap((field) => textsIn(field, ask, [...at, field.jsonName]));
}

function textsIn(field: DescField, ask: Json, at: TextPath): readonly TextPath[] {
  switch (field.fieldKind) {
    case "scalar":
      return field.scalar === ScalarType.STRING ? [at] : [];
    case "enum":
      return [];
    case "message":
      // A mask names fields. Of a oneof, one case is in a request.
      if (field.message.typeName === FieldMaskSchema.typeName) return [];
      if (field.oneof !== undefined && valueAt(ask, at) === undefined) return [];
      return textsOf(field.message, ask, at);
    case "list":
      if (field.listKind === "message") return textsOf(field.message, ask, [...at, 0]);
      return field.listKind === "scalar" && field.scalar === ScalarType.STRING ? [[...at, 0]] : [];
    case "map":
      return Object.keys(Object(valueAt(ask, at) ?? { "": "" })).map((key) => [...at, key]);
  }
}

export const valueAt = (within: unknown, path: TextPath): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], within);

/** The same JSON with other texts. */
export function withTexts(ask: Json, texts: ReadonlyMap<TextPath, string>): Json {
  const copy: Json = structuredClone(ask);
  for (const [path, text] of texts)
    Object(valueAt(copy, path.slice(0, -1)))[path.at(-1) ?? ""] = text;
  return copy;
}

/** As the service names a field of a request. */
export const wireName = (path: TextPath): string =>
  (path.findLast((name) => typeof name === "string") ?? "").replaceAll(
    /[A-Z]/g,
    (letter) => `_${letter.toLowerCase()}`,
  );

const inside = (text: string, added: string): string =>
  `${text.slice(0, 2)}${added}${text.slice(2)}`;

/** What a tool may make of a text that means the same to a parser, or to a person, and is another text. */
export const otherwiseWritten: Readonly<Record<string, (text: string) => string>> = {
  "as it is": (text) => text,
  "in the other case": (text) =>
    text.replaceAll(/[a-z]/gi, (one) => (one < "a" ? one.toLowerCase() : one.toUpperCase())),
  "with a space before it": (text) => ` ${text}`,
  "with a space behind it": (text) => `${text} `,
  "with spaces and a tab inside": (text) => inside(text, "  \t"),
  "with a byte order mark before it, and a no-break space behind it": (text) =>
    `\ufeff${text}\u00a0`,
  "with a zero-width space and a mark of direction inside": (text) => inside(text, "\u200b\u202e"),
  "with a line break behind it": (text) => `${text}\n`,
  "with a line break inside": (text) => inside(text, "\n"),
  "with a slash behind it": (text) => `${text}/`,
  "with a dot behind it": (text) => `${text}.`,
  "with a comma behind it": (text) => `${text},`,
  "with the default port": (text) => text.replace(/^(https:\/\/[^/]+)/, "$1:443"),
  "with an empty path": (text) => text.replace(/^(https:\/\/[^/]+)\/.*$/, "$1"),
  "with steps and a backslash in its path": (text) => `${text}/./a/../b\\c`,
  "with percent-encoding": (text) => `${text.replace(/[a-z]([^a-z]*)$/, "%6a$1")}%c3%A9`,
  "with quotes, brackets and entities": (text) => `${text}"'<b>&amp;`,
  "with letters beyond ASCII, whole and apart": (text) => `${text}ée\u0301🦊`,
  "with a host beyond ASCII": (text) => text.replace("://", "://bücher."),
  "with a NUL behind it": (text) => `${text}\0`,
};
