import { isMap, isScalar, isSeq, type LineCounter, type Node, type YAMLMap } from "yaml";
import type { Mistake } from "#cli/apply/mistake";
import { nearest } from "#nearest";

/**
 * One mapping of a YAML file, read field by field. A field that is not what it should be becomes a mistake with its
 * place and reads as its fallback, so that one reading finds every mistake.
 */
export class YamlSection {
  readonly path: string;
  readonly #reading: YamlReading;
  readonly #node: Node | null;
  readonly #fields = new Map<string, Field>();

  /** `keys` are those that may stand here, by name. */
  constructor(reading: YamlReading, node: Node | null, path: string, keys: readonly string[]) {
    this.path = path;
    this.#reading = reading;
    this.#node = node;
    const map = reading.resolve(node);
    if (isMap(map)) this.#take(map, keys);
    else reading.report(node, path, `must be a mapping with ${keys.join(", ")}, ${found(map)}`);
  }

  has(key: string): boolean {
    return this.#fields.has(key);
  }

  /** Text; a field that is missing or wrong reads as the fallback. */
  text(key: string, fallback: string): string {
    const value = this.#scalar(key, "must be text (put it in quotes)", isText);
    return value ?? fallback;
  }

  requiredText(key: string): string {
    this.#require(key);
    return this.text(key, "");
  }

  number<T>(key: string, fallback: T): number | T {
    return this.#scalar(key, "must be a number", isNumber) ?? fallback;
  }

  requiredNumber(key: string): number {
    this.#require(key);
    return this.number(key, 0);
  }

  flag(key: string, fallback: boolean): boolean {
    return this.#scalar(key, "must be true or false", isFlag) ?? fallback;
  }

  texts(key: string): readonly string[] {
    return this.#items(key).map((item, index) => {
      const value = this.#reading.resolve(item);
      if (isScalar(value) && isText(value.value)) return value.value;
      const path = `${this.path}.${key}[${index}]`;
      this.#reading.report(item, path, `must be text (put it in quotes), ${found(value)}`);
      return "";
    });
  }

  /** A list of mappings. */
  sections(key: string, keys: readonly string[]): readonly YamlSection[] {
    return this.#items(key).map((item, index) => {
      const path = this.path === "" ? `${key}[${index}]` : `${this.path}.${key}[${index}]`;
      return new YamlSection(this.#reading, item, path, keys);
    });
  }

  /** A mapping from any text to text, in its order. */
  pairs(key: string): readonly { readonly key: string; readonly value: string }[] {
    const field = this.#fields.get(key);
    if (field === undefined) return [];
    const map = this.#reading.resolve(field.value);
    const path = `${this.path}.${key}`;
    if (isMap(map)) {
      const names = map.items.map((pair) => keyText(this.#reading.resolve(nodeOf(pair.key))) ?? "");
      const section = new YamlSection(this.#reading, map, path, names);
      return names.map((name) => ({ key: name, value: section.text(name, "") }));
    }
    this.#reading.report(field.value ?? field.key, path, `must be a mapping, ${found(map)}`);
    return [];
  }

  /** Says something about a field: at its value, at its key where it has none, at the section where it is missing. */
  report(key: string | null, message: string): void {
    const field = key === null ? undefined : this.#fields.get(key);
    const path = key === null ? this.path : `${this.path}.${key}`;
    this.#reading.report(field?.value ?? field?.key ?? this.#node, path, message);
  }

  /** Says something about one item of a list or mapping under `key`, or about a field of that item. */
  reportItem(key: string, index: number, field: string | null, message: string): void {
    const container = this.#reading.resolve(this.#fields.get(key)?.value ?? null);
    if (isMap(container)) {
      const pair = container.items[index];
      const name = keyText(nodeOf(pair?.key)) ?? `[${index}]`;
      this.#reading.report(nodeOf(pair?.key), `${this.path}.${key}.${name}`, message);
      return;
    }
    const item = isSeq(container) ? nodeOf(container.items[index]) : null;
    const map = this.#reading.resolve(item);
    const pair = isMap(map)
      ? map.items.find((pair) => keyText(nodeOf(pair.key)) === field)
      : undefined;
    const path = `${this.path}.${key}[${index}]${field === null ? "" : `.${field}`}`;
    this.#reading.report(nodeOf(pair?.value) ?? item ?? this.#node, path, message);
  }

  #take(map: YAMLMap, keys: readonly string[]): void {
    for (const pair of map.items) {
      const key = nodeOf(pair.key);
      const name = keyText(this.#reading.resolve(key));
      const value = nodeOf(pair.value);
      if (name === null) this.#reading.report(key, this.path, "has a key that is not text");
      else if (keys.includes(name)) this.#fields.set(name, { key, value });
      else this.#reportUnknown(key, name, keys);
    }
  }

  #reportUnknown(key: Node | null, name: string, keys: readonly string[]): void {
    const meant = nearest(name, keys);
    const hint = meant === null ? `known are ${keys.join(", ")}` : `did you mean ${meant}?`;
    const path = this.path === "" ? name : `${this.path}.${name}`;
    this.#reading.report(key, path, `is not a known key; ${hint}`);
  }

  #require(key: string): void {
    if (!this.has(key) && isMap(this.#reading.resolve(this.#node)))
      this.report(key, "is required, but missing");
  }

  #scalar<T>(key: string, wanted: string, is: (value: unknown) => value is T): T | null {
    const field = this.#fields.get(key);
    if (field === undefined) return null;
    const node = this.#reading.resolve(field.value);
    if (isScalar(node) && is(node.value)) return node.value;
    this.report(key, `${wanted}, ${found(node)}`);
    return null;
  }

  #items(key: string): readonly (Node | null)[] {
    const field = this.#fields.get(key);
    if (field === undefined) return [];
    const list = this.#reading.resolve(field.value);
    if (isSeq(list)) return list.items.map((item) => nodeOf(item));
    const path = this.path === "" ? key : `${this.path}.${key}`;
    this.#reading.report(field.value ?? field.key, path, `must be a list, ${found(list)}`);
    return [];
  }
}

/** What is known of the file while it is read: where its aliases lead, what was found wrong, how much was read. */
export class YamlReading {
  readonly mistakes: Mistake[] = [];
  readonly #lines: LineCounter;
  readonly #targets: ReadonlyMap<Node, Node>;
  readonly #mistaken = new Set<string>();
  #valuesLeft: number;

  /** `targets` holds the node that each alias stands for; a reading ends with an error after `valuesMax` values. */
  constructor(lines: LineCounter, targets: ReadonlyMap<Node, Node>, valuesMax: number) {
    this.#lines = lines;
    this.#targets = targets;
    this.#valuesLeft = valuesMax;
  }

  /** The node itself, or what its alias stands for; null is nothing. */
  resolve(node: Node | null): Node | null {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw new YamlTooMuch();
    return node === null ? null : (this.#targets.get(node) ?? node);
  }

  report(node: Node | null, path: string, message: string): void {
    this.#mistaken.add(path);
    const place = this.#lines.linePos(node?.range?.[0] ?? 0);
    this.mistakes.push({
      line: Math.max(1, place.line),
      column: Math.max(1, place.col),
      path,
      message,
    });
  }

  /** Whether something was already said about this path. */
  isMistaken(path: string): boolean {
    return this.#mistaken.has(path);
  }
}

/** Aliases can make a small file say an endless lot; reading ends there. */
export class YamlTooMuch extends Error {
  override readonly name = "YamlTooMuch";
}

interface Field {
  readonly key: Node | null;
  readonly value: Node | null;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

const keyText = (node: Node | null): string | null =>
  isScalar(node) && isText(node.value) ? node.value : null;

/** yaml types the parts of a pair as unknown; a parsed document holds nodes. */
const nodeOf = (part: unknown): Node | null =>
  typeof part === "object" && part !== null && "range" in part ? (part as Node) : null;

/** What stands there instead, without its value, which may be a secret. */
function found(node: Node | null): string {
  if (isMap(node)) return "not a mapping";
  if (isSeq(node)) return "not a list";
  if (!isScalar(node) || node.value === null) return "but nothing is given";
  if (isText(node.value)) return "not text";
  if (isNumber(node.value)) return "not a number";
  if (isFlag(node.value)) return "not true or false";
  return "not a value of another type";
}
