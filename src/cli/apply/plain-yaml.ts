import { FlowYaml } from "#cli/apply/flow-yaml";
import { keyPattern, scalarOf, Unusual } from "#cli/apply/plain-scalar";
import type { Mapping } from "#base/json";

/**
 * Reads YAML as files of configuration usually have it: block mappings and lists, values that stand on one line, and
 * comments. Null for everything else, right or wrong, which the whole parser reads. That one takes ten times as long, and
 * this gives what it gives.
 */
export function readPlainYaml(text: string): { readonly value: unknown } | null {
  if (unusualCharacter.test(text)) return null;
  try {
    return { value: new Lines(text).document() };
  } catch (error) {
    if (error instanceof Unusual) return null;
    throw error;
  }
}

/** Tabs, returns, what no text has, and line breaks that only YAML knows. */
const unusualCharacter = /[^\P{Cc}\n]|[\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/u;

/** One line: what stands on it, and after how many spaces. */
interface Line {
  readonly indent: number;
  readonly content: string;
}

class Lines {
  readonly #lines: readonly string[];
  #next = 0;
  /** The line that is looked at; null at the end. */
  #line: Line | null = null;

  constructor(text: string) {
    this.#lines = text.split("\n");
    this.#advance();
  }

  document(): unknown {
    if (this.#line?.indent !== 0 || isItem(this.#line)) throw new Unusual();
    const value = this.#mapping(0, 0);
    if (this.#line !== null) throw new Unusual();
    return value;
  }

  /** Goes to the next line that says something. */
  #advance(): void {
    this.#line = null;
    while (this.#line === null && this.#next < this.#lines.length) {
      const line = this.#lines[this.#next] ?? "";
      this.#next += 1;
      const indent = line.length - line.trimStart().length;
      const content = line.slice(indent).trimEnd();
      if (content !== "" && !content.startsWith("#")) this.#line = { indent, content };
    }
  }

  #mapping(indent: number, depth: number): Mapping {
    const found: Record<string, unknown> = {};
    while (this.#line?.indent === indent && !isItem(this.#line)) {
      const { content } = this.#line;
      const [whole = "", key = ""] = entryPattern.exec(content) ?? [];
      if (whole === "" || Object.hasOwn(found, key)) throw new Unusual();
      const written = content.slice(whole.length).trimStart();
      this.#advance();
      found[key] =
        written === "" || written.startsWith("#")
          ? this.#below(indent, depth)
          : this.#onLine(written, indent);
    }
    return found;
  }

  /** What stands below a key: deeper, or a list at the same depth; else it is nothing. */
  #below(indent: number, depth: number): unknown {
    const line = this.#line;
    if (line === null || line.indent < indent) return null;
    // Beside its key, the next key ends a list.
    if (line.indent === indent)
      return isItem(line) ? this.#end(this.#list(indent, depth + 1), indent + 1) : null;
    return isItem(line)
      ? this.#end(this.#list(line.indent, depth + 1), line.indent)
      : this.#end(this.#mapping(line.indent, depth + 1), line.indent);
  }

  #list(indent: number, depth: number): readonly unknown[] {
    if (depth > depthMax) throw new Unusual();
    const items: unknown[] = [];
    while (this.#line?.indent === indent && isItem(this.#line)) {
      const content = this.#line.content.slice(2);
      if (entryPattern.test(content)) {
        // The first entry of a mapping stands behind the dash.
        this.#line = { indent: indent + 2, content };
        items.push(this.#end(this.#mapping(indent + 2, depth + 1), indent + 2));
        continue;
      }
      this.#advance();
      items.push(this.#onLine(content, indent));
    }
    return items;
  }

  /** A value that ends on its line: what follows deeper would continue it. */
  #onLine(written: string, indent: number): unknown {
    const value =
      written.startsWith("[") || written.startsWith("{")
        ? new FlowYaml(written).whole()
        : scalarOf(written);
    return this.#end(value, indent + 1);
  }

  /** What has ended is followed by nothing that is as deep. */
  #end<T>(value: T, indent: number): T {
    if (this.#line !== null && this.#line.indent >= indent) throw new Unusual();
    return value;
  }
}

const isItem = ({ content }: Line): boolean => content.startsWith("- ");
const entryPattern = new RegExp(`^(${keyPattern}):(?= |$)`);
/** What people write is flat. */
const depthMax = 50;
