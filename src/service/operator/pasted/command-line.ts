import { secondsTyped } from "#check/kinds/command-parts";
import { shellWords } from "#service/operator/pasted/shell-words";

/** A line as people copy it from a terminal or a page. */
interface CommandLine {
  /** Without its folder: `curl` of `/usr/bin/curl`. */
  readonly program: string;
  /** What comes after it; null: a quote does not end. */
  readonly words: readonly string[] | null;
  /** What follows the command, from its pipe on; empty: nothing does. */
  readonly after: string;
  /** The names of variables in it. */
  readonly variables: readonly string[];
  /** Of `timeout 5` before it, in milliseconds; null: there is none. */
  readonly timeout: number | null;
}

export function commandLine(text: string): CommandLine {
  const line = withoutPrompt(text.trim());
  const read = shellWords(line);
  const before = wrapper(read?.words ?? line.split(/\s+/));
  const inner = innerLine(before.words);
  if (inner !== null) return { ...commandLine(inner), after: read?.after ?? "" };
  const program = programOf(before.words[0] ?? "");
  return {
    program,
    words: read === null ? null : before.words.slice(1),
    after: read?.after ?? "",
    variables: read?.variables ?? [],
    timeout: before.timeout,
  };
}

/** `$ ` or `ann@host:~$ `, as pages show what is typed. */
const withoutPrompt = (line: string): string =>
  line.replace(/^(?:[\w.-]+@[\w.-]+[^\s$#]*\s*)?[$#%>] +/, "");

const programOf = (word: string): string => word.replace(/^.*\//, "").replace(/\.exe$/i, "");

/** The line of `bash -c 'curl …'` and `watch 'curl …'`; null of any other. */
function innerLine([first = "", second = "", third = ""]: readonly string[]): string | null {
  const program = programOf(first);
  if (program === "bash" || program === "sh") return /^-\w*c$/.test(second) ? third : null;
  return second === "" && /\s/.test(first.trim()) ? first : null;
}

/**
 * The command without what only runs it: `sudo`, `time`, `watch -n 5`, `timeout 5`, `docker exec` and variables are not checked.
 * Word by word, as a field may have thousands.
 */
function wrapper(words: readonly string[]): {
  readonly words: readonly string[];
  readonly timeout: number | null;
} {
  let at = 0;
  let timeout: number | null = null;
  for (;;) {
    const word = words[at] ?? "";
    const program = programOf(word);
    if (plainWrappers.has(program) || /^[A-Z_][A-Z0-9_]*=/.test(word)) at = afterOptions(words, at);
    else if (program === "timeout") {
      const limit = afterOptions(words, at);
      timeout ??= secondsTyped(words[limit] ?? "");
      at = limit + 1;
    } else return { words: words.slice(at), timeout };
  }
}

const plainWrappers: ReadonlySet<string> = new Set(["sudo", "time", "watch", "exec", "command"]);

/** Where the options of a program end. Such as `-n 5` of watch; what runs others has no other option that matters. */
function afterOptions(words: readonly string[], program: number): number {
  let at = program + 1;
  for (let word = words[at] ?? ""; /^-\w/.test(word); word = words[at] ?? "")
    at += /^-[nsku]$/.test(word) ? 2 : 1;
  return at;
}
