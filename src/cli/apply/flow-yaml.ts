import { keyPattern, plainOf, quotedAt, Unusual } from "#cli/apply/plain-scalar";

/** A list or a mapping in brackets that fills the rest of its line; throws Unusual at what only the whole parser reads. */
export class FlowYaml {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value(0);
    if (!/^(?: +#.*)?$/.test(this.#text.slice(this.#at))) throw new Unusual();
    return value;
  }

  #value(depth: number): unknown {
    if (depth > depthMax) throw new Unusual();
    const first = this.#text[this.#at];
    if (first === "[") return this.#list(depth);
    if (first === "{") return this.#mapping(depth);
    if (first === '"' || first === "'") return this.#quoted();
    return plainOf(this.#match(plainPattern).trimEnd());
  }

  #list(depth: number): readonly unknown[] {
    const items: unknown[] = [];
    this.#entries("]", () => items.push(this.#value(depth + 1)));
    return items;
  }

  #mapping(depth: number): object {
    const found: Record<string, unknown> = {};
    this.#entries("}", () => {
      const isQuoted = this.#text[this.#at] === '"';
      const key = isQuoted ? this.#quoted() : this.#match(keyAlone);
      if (Object.hasOwn(found, key) || key === "__proto__") throw new Unusual();
      this.#match(colon);
      found[key] = this.#value(depth + 1);
    });
    return found;
  }

  /** What stands between brackets, with commas between. */
  #entries(end: string, read: () => void): void {
    this.#at += 1;
    this.#match(spaces);
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (;;) {
      read();
      this.#match(spaces);
      const after = this.#text[this.#at];
      this.#at += 1;
      if (after === end) return;
      if (after !== ",") throw new Unusual();
      this.#match(spaces);
    }
  }

  #quoted(): string {
    const { value, length } = quotedAt(this.#text, this.#at);
    this.#at += length;
    return value;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) throw new Unusual();
    this.#at += found.length;
    return found;
  }
}

/** What people write is flat. */
const depthMax = 50;
const spaces = / */y;
const colon = /: +/y;
const keyAlone = new RegExp(keyPattern, "y");
/** Neither what ends it nor what may begin something else. */
const plainPattern = /[^,[\]{}#"'&*!|>%@`:]+(?::(?=[^ ,[\]{}])[^,[\]{}#"'&*!|>%@`:]+)*/y;
