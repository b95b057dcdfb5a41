/** Thrown at what only the whole parser reads. */
export class Unusual extends Error {
  override readonly name = "Unusual";
}

/** Keys that are text whatever surrounds them. */
export const keyPattern =
  "(?!(?:[nN]ull|NULL|[tT]rue|TRUE|[fF]alse|FALSE|__proto__):)[a-zA-Z_][a-zA-Z0-9_./-]*";

/** What a scalar that fills the rest of its line says; a comment may follow. */
export function scalarOf(written: string): unknown {
  if (written.startsWith('"') || written.startsWith("'")) {
    const { value, length } = quotedAt(written, 0);
    if (!/^(?: +#.*)?$/.test(written.slice(length))) throw new Unusual();
    return value;
  }
  const comment = written.indexOf(" #");
  return plainOf((comment === -1 ? written : written.slice(0, comment)).trimEnd());
}

/** A text in quotes that ends on its line. */
export function quotedAt(
  text: string,
  from: number,
): { readonly value: string; readonly length: number } {
  const pattern = text[from] === '"' ? doubleQuoted : singleQuoted;
  pattern.lastIndex = from;
  const [found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Unusual();
  const value: string =
    text[from] === '"' ? JSON.parse(found) : found.slice(1, -1).replaceAll("''", "'");
  return { value, length: found.length };
}

/** With the escapes that JSON has too. */
const doubleQuoted = /"(?:[^"\\]|\\["\\/bfnrt])*"/y;
const singleQuoted = /'(?:[^']|'')*'/y;

/** What an unquoted text means by YAML's core schema. */
export function plainOf(text: string): unknown {
  if (numberPattern.test(text)) return Number(text);
  if (!textPattern.test(text) || text.includes(": ") || text.endsWith(":")) throw new Unusual();
  const word = words.get(text);
  return word === undefined ? text : word;
}

const numberPattern =
  /^(?:[-+]?[0-9]+|[-+]?(?:\.[0-9]+|[0-9]+\.[0-9]*)|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)[eE][-+]?[0-9]+)$/;
/** Begins with nothing that means something; numbers of other bases and those that are none are left to the parser. */
const textPattern = /^(?![-+]?(?:0[ox]|\.(?:inf|nan)))[^\s\-?:,[\]{}#&*!|>'"%@`=<~]/i;
const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
