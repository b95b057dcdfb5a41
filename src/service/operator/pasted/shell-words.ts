/** The first command of a line, as a shell would part it. Nothing is expanded. */
interface ShellWords {
  readonly words: readonly string[];
  /** What follows it, with what joins them: `| jq .`, `&& echo ok` or `<< EOF`; empty: nothing does. */
  readonly after: string;
  /** The names of variables in it, which have no value here. */
  readonly variables: readonly string[];
}

/** Null for a line whose quotes do not end. What is printed into a file or is a comment is left out. */
export function shellWords(line: string): ShellWords | null {
  const words: string[] = [];
  let rest = line.replaceAll(/\\\r?\n/g, " ").trim();
  let word: string | null = null;
  const variables = new Set<string>();
  while (rest !== "") {
    const aside: number = word === null ? asideOf(rest) : 0;
    const isEnd: boolean = ends(rest, word === null);
    const part: Part | null = aside > 0 || isEnd ? { length: aside, text: null } : partOf(rest);
    if (part === null) return null;
    if (part.text !== null) word = (word ?? "") + part.text;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
    if (isEnd && aside === 0) return { words, after: rest, variables: [...variables] };
    for (const name of variablesIn(rest.slice(0, part.length))) variables.add(name);
    rest = rest.slice(part.length);
  }
  return {
    words: word === null ? words : [...words, word],
    after: "",
    variables: [...variables],
  };
}

/** Of a part as it was typed: between single quotes there are none. */
const variablesIn = (part: string): readonly string[] =>
  /^\$?'/.test(part)
    ? []
    : [...part.matchAll(/(?<!\\)\$\{?([A-Za-z_]\w*)/g)].map(([, name = ""]) => name);

/** How long what begins a line is, if it is a redirection such as `2>/dev/null`, or a comment; 0: neither. */
function asideOf(rest: string): number {
  const [aside = ""] =
    /^(?:&>>?|\d?>(?:>|\||&\d)?)(?:(?<=&\d)|[ \t]*(?:"[^"]*"|[^\s|&;]+))|^#(?:\s.*|$)/.exec(rest) ??
    [];
  return aside.length;
}

/** Whether the command ends here. `&` and `;` may be in an address that has no quotes, so they end it only next to a space. */
const ends = (rest: string, isAtSpace: boolean): boolean =>
  /^(?:\||;(?:\s|$)|&+\s*$|&&\s)/.test(rest) || (isAtSpace && /^(?:[&;]|<[<\s])/.test(rest));

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
  const [bare] = /^(?:[^\s'"\\$|;&]|\$(?!'))+|^[;&]/.exec(rest) ?? [];
  return bare === undefined ? null : { length: bare.length, text: bare };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

const unescaped = (text: string): string =>
  text.replaceAll(/\\(.)/gs, (_, one: string) => escapes[one] ?? one);
