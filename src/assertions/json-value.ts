import type { JsonComparator, JsonPath, JsonScalar } from "#check/assertion";
import { holdsForNumber } from "#assertions/number";
import { proven, type Rule } from "#assertions/rule";
import type { HttpResponse } from "#check/outcome";
import * as limits from "#limits/check-limits";

/** One value of a body in JSON, or its absence. A body that is no JSON has no value, and the assertion says why. */
export const jsonRule: Rule<"json"> = {
  words: ({ path, comparator, target }) =>
    `json ${path.text} ${comparator}${comparesWithNothing.has(comparator) ? "" : ` ${JSON.stringify(target)}`}`,
  judge: ({ path, comparator, target }, outcome) => {
    if (outcome.kind !== "http" || outcome.response === null) return null;
    const document = documentOf(outcome.response);
    if (!document.ok)
      return {
        held: false,
        received: document.received,
        unproven: outcome.response.bodyCut,
        unreadable: document.why,
      };
    const found = valueAt(path, document.value);
    return proven(holds(comparator, found, target), shown(found));
  },
};

const comparesWithNothing: ReadonlySet<JsonComparator> = new Set([
  "empty",
  "not_empty",
  "exists",
  "not_exists",
]);

type Document =
  | { readonly ok: true; readonly value: unknown }
  /** The body as what was received, and as a sentence. */
  | { readonly ok: false; readonly received: string; readonly why: string };

/** Several assertions read one body once. */
const documents = new WeakMap<HttpResponse, Document>();

const documentOf = (response: HttpResponse): Document =>
  documents.getOrInsertComputed(response, ({ body, bodyCut }) => {
    if (bodyCut || body.length > limits.jsonBytesMax)
      return wrong(
        `a body of more than ${kibibytes} KiB, which is not read as JSON`,
        `the body has more than ${kibibytes} KiB, and is not read as JSON`,
      );
    if (depthOf(body) > limits.jsonDepthMax)
      return wrong(
        `JSON that is nested more than ${limits.jsonDepthMax} deep`,
        `the body is nested more than ${limits.jsonDepthMax} deep`,
      );
    try {
      return { ok: true, value: JSON.parse(new TextDecoder().decode(body)) };
    } catch {
      return body.length === 0
        ? wrong("an empty body", "the body is empty")
        : wrong("a body that is not JSON", "the body is not JSON");
    }
  });

const wrong = (received: string, why: string): Document => ({ ok: false, received, why });

const kibibytes = limits.jsonBytesMax / 1024;

/** How deep arrays and objects are nested, without a parser that would have to follow. */
function depthOf(body: Uint8Array): number {
  let depth = 0;
  let most = 0;
  let isText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === brace || byte === bracket) {
      depth += 1;
      most = Math.max(most, depth);
    } else if (byte === braceEnd || byte === bracketEnd) depth -= 1;
  }
  return most;
}

const [quote, backslash, brace, braceEnd, bracket, bracketEnd] = [
  0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d,
];

/** What a path leads to; undefined is nothing. */
function valueAt({ steps, isLength }: JsonPath, document: unknown): unknown {
  let value = document;
  for (const step of steps) {
    if (typeof step === "number") value = Array.isArray(value) ? value.at(step) : undefined;
    else
      value = isObject(value) && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined;
    if (value === undefined) return undefined;
  }
  return isLength ? lengthOf(value) : value;
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** RFC 9535 §2.4.4: characters, elements or members; nothing else has a length. */
function lengthOf(value: unknown): number | undefined {
  if (typeof value === "string") return Array.from(value).length;
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}

/** What is not there equals nothing and contains nothing, and counts as empty. */
function holds(comparator: JsonComparator, value: unknown, target: JsonScalar): boolean {
  switch (comparator) {
    case "exists":
      return value !== undefined;
    case "not_exists":
      return value === undefined;
    case "empty":
      return isEmpty(value);
    case "not_empty":
      return !isEmpty(value);
    case "eq":
      return value === target;
    case "neq":
      return value !== target;
    case "contains":
      return contains(value, target);
    case "not_contains":
      return !contains(value, target);
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return (
        typeof value === "number" &&
        typeof target === "number" &&
        holdsForNumber(comparator, value, target)
      );
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || lengthOf(value) === 0;

/** A part of a text, or an element of an array. */
function contains(value: unknown, target: JsonScalar): boolean {
  if (typeof value === "string") return value.includes(String(target));
  return Array.isArray(value) && value.includes(target);
}

/** The beginning of what was found, as JSON. */
function shown(value: unknown): string {
  if (value === undefined) return "nothing there";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return isObject(value) ? "an object" : JSON.stringify(value);
}
