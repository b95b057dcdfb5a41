import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  visit,
  type YAMLError,
} from "yaml";
import type { Path } from "#check/argument";
import { mergeKey, withMergedKeys } from "#cli/apply/merge-keys";
import { readPlainYaml } from "#cli/apply/plain-yaml";
import type { Mistake } from "#cli/apply/mistake";

/** Both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A text in YAML as plain values, with the place of each; or what is wrong with its syntax. */
export interface YamlText {
  /** What it says, where it can be read in spite of `mistakes`. */
  readonly value: unknown;
  readonly mistakes: readonly Mistake[];
  /** Whether what follows the mistakes can still be trusted to say what its author meant. */
  readonly readable: boolean;
  /** Line and column of what stands at a path, or of the nearest thing around it. */
  placeOf(path: Path, part: "key" | "value"): Place;
}

/** Reads one document. Throws a RangeError where it is nested too deeply for the parser. */
export function readYaml(text: string): YamlText {
  const plain = readPlainYaml(text);
  if (plain === null) return readWhole(text);
  let whole: YamlText | null = null;
  // Places are asked for where there are mistakes, and most files have none.
  const placeOf: YamlText["placeOf"] = (path, part) =>
    (whole ??= readWhole(text)).placeOf(path, part);
  return { value: plain.value, mistakes: [], readable: true, placeOf };
}

function readWhole(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const mistake = (offset: number, message: string): Mistake => ({
    ...place(offset),
    path: "",
    message,
  });
  const syntax = [...document.errors, ...document.warnings];
  const { targets, wrong } = aliasesOf(document.contents);
  const readable = syntax.every(({ code }) => readOn.has(code)) && wrong.length === 0;
  const placeOf: YamlText["placeOf"] = (path, part) =>
    place(nodeAt(document.contents, path, part, targets)?.range?.[0] ?? 0);
  // What an alias stands for is shared, not copied, so that their number costs no memory.
  const merged = withMergedKeys(readable ? document.toJS({ maxAliasCount: -1 }) : null);
  return {
    value: merged.value,
    mistakes: [
      ...syntax.map((error) => mistake(error.pos[0], syntaxMessage(error))),
      ...wrong.map(([node, message]) => mistake(node.range?.[0] ?? 0, message)),
      ...merged.wrong.map((path) => ({ ...placeOf(path, "key"), path: "", message: wrongMerge })),
    ],
    readable,
    placeOf,
  };
}

const wrongMerge = "<< takes a mapping, or a list of mappings, e.g. <<: *defaults";

/** Syntax errors after which the rest still says what its author meant. */
const readOn: ReadonlySet<string> = new Set(["DUPLICATE_KEY", "TAG_RESOLVE_FAILED"]);

function syntaxMessage(error: YAMLError): string {
  if (error.code === "DUPLICATE_KEY") return "this key stands twice in one mapping";
  if (error.code === "MULTIPLE_DOCS")
    return "a second YAML document begins here; keep all monitors in one";
  if (error.code === "TAG_RESOLVE_FAILED")
    return "this tag is not known; text that begins with ! needs quotes";
  // The parser quotes what it stumbled over, which may be a secret.
  return `this is not valid YAML: ${error.message.replace(/: ".*$/s, "").replace(/\.$/, "")}`;
}

/** Where each alias leads, found in one pass: the library's own look-up walks the whole document for each. */
function aliasesOf(contents: Node | null): {
  readonly targets: ReadonlyMap<Node, Node>;
  readonly wrong: readonly (readonly [Node, string])[];
} {
  const anchors = new Map<string, Node>();
  const targets = new Map<Node, Node>();
  const wrong: (readonly [Node, string])[] = [];
  visit(contents, {
    Node: (_key, node) => {
      if ("anchor" in node && typeof node.anchor === "string") anchors.set(node.anchor, node);
    },
    Alias: (_key, alias, around) => {
      const target = anchors.get(alias.source);
      // Its name may be a password that begins with *.
      if (target === undefined)
        wrong.push([
          alias,
          "an alias stands here that has no anchor before it; text that begins with * needs quotes",
        ]);
      else if (around.includes(target)) wrong.push([alias, "this alias contains itself"]);
      else targets.set(alias, target);
    },
  });
  return { targets, wrong };
}

/** The node at a path, or the last one on the way to it; a key that has no value is found by the key. */
function nodeAt(
  contents: Node | null,
  path: Path,
  part: "key" | "value",
  targets: ReadonlyMap<Node, Node>,
): Node | null {
  let found = contents;
  for (const [index, step] of path.entries()) {
    const around = found === null ? null : (targets.get(found) ?? found);
    const next = stepInto(around, step, index === path.length - 1 ? part : "value", targets);
    if (next === null) return found;
    found = next;
  }
  return found;
}

function stepInto(
  node: Node | null,
  step: string | number,
  part: "key" | "value",
  targets: ReadonlyMap<Node, Node>,
): Node | null {
  if (isSeq(node)) return nodeOf(node.items[Number(step)]);
  if (!isMap(node)) return null;
  const named = (name: string | number) =>
    node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  const pair = named(step);
  if (pair === undefined) return mergedInto(nodeOf(named(mergeKey)?.value), step, part, targets);
  const key = nodeOf(pair.key);
  return part === "key" ? key : (nodeOf(pair.value) ?? key);
}

/** What a mapping has from others stands there. */
function mergedInto(
  source: Node | null,
  step: string | number,
  part: "key" | "value",
  targets: ReadonlyMap<Node, Node>,
): Node | null {
  const from = source === null ? null : (targets.get(source) ?? source);
  if (!isSeq(from)) return isMap(from) ? stepInto(from, step, part, targets) : null;
  for (const item of from.items) {
    const found = mergedInto(nodeOf(item), step, part, targets);
    if (found !== null) return found;
  }
  return null;
}

/** yaml types the parts of a pair as unknown; a parsed document holds nodes. */
const nodeOf = (part: unknown): Node | null =>
  typeof part === "object" && part !== null && "range" in part ? (part as Node) : null;
