import {
  CORE_SCHEMA,
  type Event,
  EVENT_ID,
  getScalarValue,
  NOT_RESOLVED,
  SCALAR_STYLE,
  type ScalarEvent,
} from "js-yaml";

/** A part of a document; `at` is the offset in the text at which it begins. */
export type YamlNode = YamlScalar | YamlList | YamlMapping | YamlAlias;

interface YamlScalar {
  readonly kind: "scalar";
  readonly at: number;
  /** As written, without quotes: as a key it is called so, whatever its value would be. */
  readonly text: string;
  readonly value: unknown;
}

interface YamlList {
  readonly kind: "list";
  readonly at: number;
  readonly items: YamlNode[];
}

interface YamlMapping {
  readonly kind: "mapping";
  readonly at: number;
  readonly pairs: { readonly key: YamlNode; readonly value: YamlNode }[];
}

interface YamlAlias {
  readonly kind: "alias";
  readonly at: number;
  /** Null if no anchor before it has its name, or if it is part of what the anchor names. */
  readonly target: YamlNode | null;
}

/** `breaking` is a mistake after which the rest no longer says what its author meant. */
export interface NodeMistake {
  readonly at: number;
  readonly message: string;
  readonly breaking: boolean;
}

/** The first document of a text as a tree, made from the parser's events; null as its root if the text says nothing. */
export class YamlTree {
  readonly mistakes: NodeMistake[] = [];
  readonly root: YamlNode | null;
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #anchors = new Map<string, YamlNode>();
  /** The collections that are being read, outermost first. */
  readonly #around: YamlNode[] = [];
  #next = 1;
  /** The offset that was read last: a value that is left out is found where its key is. */
  #last = 0;

  constructor(text: string, events: readonly Event[]) {
    this.#text = text;
    this.#events = events;
    this.root = events.length < 2 ? null : this.#node();
    if (events.some(({ type }, index) => index > 0 && type === EVENT_ID.DOCUMENT))
      this.#note(
        text.indexOf("\n---", this.#last) + 1,
        "a second YAML document begins here; keep all monitors in one",
      );
  }

  #note(at: number, message: string, breaking = true): void {
    this.mistakes.push({ at, message, breaking });
  }

  #node(): YamlNode {
    const event = this.#events[this.#next];
    this.#next += 1;
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return this.#anchored(event, this.#scalar(event));
      case EVENT_ID.ALIAS:
        return this.#alias(event.anchorStart, event.anchorEnd);
      case EVENT_ID.SEQUENCE: {
        const list: YamlList = { kind: "list", at: this.#at(event.start), items: [] };
        return this.#collection(event, list, () => void list.items.push(this.#node()));
      }
      case EVENT_ID.MAPPING: {
        const mapping: YamlMapping = { kind: "mapping", at: this.#at(event.start), pairs: [] };
        const pair = () => void mapping.pairs.push({ key: this.#node(), value: this.#node() });
        this.#collection(event, mapping, pair);
        this.#judgeKeys(mapping);
        return mapping;
      }
      default:
        throw new TypeError("the parser's events end before the document does");
    }
  }

  #at(offset: number): number {
    if (offset >= 0) this.#last = offset;
    return this.#last;
  }

  #collection(event: AnchorRange, node: YamlNode, readOne: () => void): YamlNode {
    this.#anchored(event, node);
    this.#around.push(node);
    while (this.#events[this.#next]?.type !== EVENT_ID.POP) readOne();
    this.#next += 1;
    this.#around.pop();
    return node;
  }

  #anchored(event: AnchorRange, node: YamlNode): YamlNode {
    const { anchorStart: from, anchorEnd: to } = event;
    if (from >= 0) this.#anchors.set(this.#text.slice(from, to), node);
    return node;
  }

  #alias(from: number, to: number): YamlNode {
    const at = this.#at(from - 1);
    const target = this.#anchors.get(this.#text.slice(from, to)) ?? null;
    const isInside = target !== null && this.#around.includes(target);
    // Its name may be a password that begins with *.
    if (target === null)
      this.#note(
        at,
        "an alias is here that has no anchor before it; text that begins with * needs quotes",
      );
    else if (isInside) this.#note(at, "this alias contains itself");
    return { kind: "alias", at, target: isInside ? null : target };
  }

  #scalar(event: ScalarEvent): YamlScalar {
    const at = this.#at(this.#beginOf(event));
    const text = getScalarValue(this.#text, event);
    const written = { kind: "scalar", at, text } as const;
    if (event.tagStart >= 0) {
      const tag = this.#text.slice(event.tagStart, event.tagEnd);
      return { ...written, value: this.#tagged(tag, text, at) };
    }
    const isPlain = event.style === SCALAR_STYLE.PLAIN;
    return { ...written, value: isPlain ? CORE_SCHEMA.resolveImplicitScalarTag(text).value : text };
  }

  /** The parser names the inside of a quoted or block text. */
  #beginOf({ valueStart, style }: ScalarEvent): number {
    if (valueStart < 0 || style === SCALAR_STYLE.PLAIN) return valueStart;
    if (style <= SCALAR_STYLE.DOUBLE_QUOTED) return valueStart - 1;
    const before = this.#text.slice(this.#last, valueStart);
    return this.#last + Math.max(before.lastIndexOf("|"), before.lastIndexOf(">"));
  }

  #tagged(tag: string, text: string, at: number): unknown {
    const name = tag === "!" ? "str" : tag.replace(/^!!/, "");
    const full = `tag:yaml.org,2002:${name}`;
    const value = CORE_SCHEMA.lookupScalarTag(full)?.resolve(text, true, full) ?? NOT_RESOLVED;
    if (value !== NOT_RESOLVED) return value;
    this.#note(at, "this tag is not known; text that begins with ! needs quotes", false);
    return text;
  }

  #judgeKeys({ pairs }: YamlMapping): void {
    const known = new Set<string>();
    for (const { key } of pairs) {
      if (key.kind !== "scalar") this.#note(key.at, "this key is not a text");
      else if (known.has(key.text)) this.#note(key.at, "this key is twice in one mapping", false);
      else known.add(key.text);
    }
  }
}

interface AnchorRange {
  readonly anchorStart: number;
  readonly anchorEnd: number;
}
