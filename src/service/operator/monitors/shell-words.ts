/** A command line as a shell would part it; null for one whose quotes do not end. Nothing is expanded. */
export function shellWords(line: string): readonly string[] | null {
  const words: string[] = [];
  let rest = line.replaceAll(/\\\r?\n/g, " ").trim();
  let word: string | null = null;
  while (rest !== "") {
    const part = partOf(rest);
    if (part === null) return null;
    rest = rest.slice(part.length);
    if (part.text !== null) word = (word ?? "") + part.text;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
}

/** What begins a line: how long it is, and what it means; null text is the space between two words. */
interface Part {
  readonly length: number;
  readonly text: string | null;
}

function partOf(rest: string): Part | null {
  const [space] = /^\s+/.exec(rest) ?? [];
  if (space !== undefined) return { length: space.length, text: null };
  const [ansi, escaped] = /^\$'((?:[^'\\]|\\.)*)'/s.exec(rest) ?? [];
  if (ansi !== undefined) return { length: ansi.length, text: unescaped(escaped ?? "") };
  const [single, plain] = /^'([^']*)'/s.exec(rest) ?? [];
  if (single !== undefined) return { length: single.length, text: plain ?? "" };
  const [double, quoted] = /^"((?:[^"\\]|\\.)*)"/s.exec(rest) ?? [];
  if (double !== undefined)
    return { length: double.length, text: (quoted ?? "").replaceAll(/\\(["\\$`])/g, "$1") };
  const [slash, character] = /^\\(.)/s.exec(rest) ?? [];
  if (slash !== undefined) return { length: slash.length, text: character ?? "" };
  const [bare] = /^(?:[^\s'"\\$]|\$(?!'))+/.exec(rest) ?? [];
  return bare === undefined ? null : { length: bare.length, text: bare };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (_, one: string) => escapes[one] ?? one);
