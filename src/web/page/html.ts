/** Markup that is safe to send: made by `html`, which escapes every value that is not markup itself. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | null | Html | readonly Html[];

/** A template of markup; null leaves its place empty. Attributes are to be written in double quotes. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = withoutIndents(template);
  const rest = values.map((value, index) => `${textOf(value)}${parts[index + 1] ?? ""}`);
  return new Html(`${parts[0] ?? ""}${rest.join("")}`);
}

/** The indents of our sources are half of a page; each template is stripped of them once. */
const stripped = new WeakMap<TemplateStringsArray, readonly string[]>();

const withoutIndents = (template: TemplateStringsArray): readonly string[] =>
  stripped.getOrInsertComputed(template, () =>
    template.map((part) => part.replace(/\n\s+/g, "\n")),
  );

function textOf(value: Value): string {
  if (value === null) return "";
  if (value instanceof Html) return value.text;
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return value.map(({ text }) => text).join("");
  return escape(value);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Control characters and those that turn the direction of text are made visible: they could disguise what is said. CRLF is an end of a line. */
export const disguises: RegExp =
  // eslint-disable-next-line no-control-regex -- these are the characters looked for.
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/g;

/** Text as markup may hold it. Most of it may stand as it is, and is looked through once. */
const escape = (text: string): string =>
  special.test(text)
    ? text.replace(disguises, "\ufffd").replace(marks, (character) => entities[character] ?? "")
    : text;

const marks = /[&<>"']/g;
const special = new RegExp(`${disguises.source}|${marks.source}`);
