import { parseEvents, YAMLException } from "js-yaml";
import type { Path } from "#check/argument";
import { mergeKey, withMergedKeys } from "#cli/apply/merge-keys";
import type { Mistake } from "#cli/apply/mistake";
import { type NodeMistake, type YamlNode, YamlTree } from "#cli/apply/yaml-node";

/** Both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A text in YAML as plain values, with the place of each; or what is wrong with its syntax. */
export interface YamlText {
  /** What it says, if it can be read in spite of `mistakes`. */
  readonly value: unknown;
  readonly mistakes: readonly Mistake[];
  /** Whether what follows the mistakes can still be trusted to say what its author meant. */
  readonly readable: boolean;
  /** Line and column of the value at a path, or of the nearest thing around it. */
  placeOf(path: Path, part: "key" | "value"): Place;
}

/** Reads one document. */
export function readYaml(text: string): YamlText {
  const place = placesIn(text);
  const mistakeOf = ({ at, message }: Omit<NodeMistake, "breaking">): Mistake => ({
    ...place(at),
    path: "",
    message,
  });
  const tree = treeOf(text);
  if (!(tree instanceof YamlTree)) {
    const mistakes = [mistakeOf(tree)];
    return { value: null, mistakes, readable: false, placeOf: () => place(tree.at) };
  }
  const { root } = tree;
  const readable = tree.mistakes.every(({ breaking }) => !breaking);
  const placeOf: YamlText["placeOf"] = (path, part) => place(nodeAt(root, path, part)?.at ?? 0);
  // What an alias stands for is shared, not copied, so that their number costs no memory.
  const merged = withMergedKeys(readable && root !== null ? valueOf(root, new Map()) : null);
  const wrong = merged.wrong.map((path) => ({
    ...placeOf(path, "key"),
    path: "",
    message: wrongMerge,
  }));
  const mistakes = [...tree.mistakes.map(mistakeOf), ...wrong];
  return { value: merged.value, mistakes, readable, placeOf };
}

const wrongMerge = "<< takes a mapping, or a list of mappings, e.g. <<: *defaults";

/** The parser stops at the first mistake. Its reasons quote nothing of the text, which may be a secret. */
function treeOf(text: string): YamlTree | { readonly at: number; readonly message: string } {
  try {
    return new YamlTree(text, parseEvents(text, {}));
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const hint = error.reason.startsWith("bad indentation") ? mostlyQuotes : "";
    const message = `this is not valid YAML: ${error.reason}${hint}`;
    return { at: error.mark?.position ?? 0, message };
  }
}

const mostlyQuotes = '; text with ": " in it, or that begins with @, ` or %, needs quotes';

/** Finds the line and column of an offset. Lines are counted when a place is asked for, and most files need none. */
function placesIn(text: string): (at: number) => Place {
  let starts: number[] | null = null;
  return (at) => {
    starts ??= [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (end) => end.index + end[0].length)];
    const after = starts.findIndex((start) => start > at);
    const line = after < 0 ? starts.length : after;
    return { line, column: at - (starts[line - 1] ?? 0) + 1 };
  };
}

/** `made` shares what aliases stand for. */
function valueOf(node: YamlNode, made: Map<YamlNode, unknown>): unknown {
  switch (node.kind) {
    case "scalar":
      return node.value;
    case "alias":
      return node.target === null
        ? null
        : made.getOrInsertComputed(node.target, (target) => valueOf(target, made));
    case "list": {
      const list = node.items.map((item) => valueOf(item, made));
      made.set(node, list);
      return list;
    }
    case "mapping": {
      const entries = node.pairs.map(
        ({ key, value }) => [keyOf(key), valueOf(value, made)] as const,
      );
      const mapping = Object.fromEntries(entries);
      made.set(node, mapping);
      return mapping;
    }
  }
}

const keyOf = (key: YamlNode): string => (key.kind === "scalar" ? key.text : "");

/** The node at a path, or the last one on the way to it. */
function nodeAt(root: YamlNode | null, path: Path, part: "key" | "value"): YamlNode | null {
  let found = root;
  for (const [index, step] of path.entries()) {
    const next = stepInto(found, step, index === path.length - 1 ? part : "value");
    if (next === null) return found;
    found = next;
  }
  return found;
}

function stepInto(
  from: YamlNode | null,
  step: string | number,
  part: "key" | "value",
): YamlNode | null {
  const node = from?.kind === "alias" ? from.target : from;
  if (node?.kind === "list") return node.items[Number(step)] ?? null;
  if (node?.kind !== "mapping") return null;
  const named = (name: string) => node.pairs.find(({ key }) => keyOf(key) === name);
  return named(String(step))?.[part] ?? mergedInto(named(mergeKey)?.value ?? null, step, part);
}

/** What a mapping has from others is where they have it. */
function mergedInto(
  source: YamlNode | null,
  step: string | number,
  part: "key" | "value",
): YamlNode | null {
  const from = source?.kind === "alias" ? source.target : source;
  if (from?.kind !== "list") return stepInto(from, step, part);
  for (const item of from.items) {
    const found = mergedInto(item, step, part);
    if (found !== null) return found;
  }
  return null;
}
