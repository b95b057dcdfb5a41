import type { StringComparator } from "#check/assertion";
import { holdsForString } from "#assertions/string";

/** Short enough to be collected with the young; at least 10,000 characters, and a target has at most 4,096. */
const pieceBytes = 32 * 1024;

/**
 * Whether the text of a body stands to `target` as the comparator says. The text of 10 MiB would take 20 MiB of a heap:
 * it is decoded piece by piece, and no more of it is kept than a match could begin in.
 */
export function holdsForText(
  comparator: StringComparator,
  body: Uint8Array,
  target: string,
): boolean {
  switch (comparator) {
    case "contains":
      return contains(body, target);
    case "not_contains":
      return !contains(body, target);
    // The beginning is longer than a target may be: what follows it changes no order.
    case "eq":
    case "neq":
    case "empty":
    case "not_empty":
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return holdsForString(comparator, beginningOf(body), target);
  }
}

/** The text of a body that fits one piece, or as much of a longer one. */
export function beginningOf(body: Uint8Array): string {
  const [beginning = ""] = piecesOf(body);
  return beginning;
}

function contains(body: Uint8Array, target: string): boolean {
  let before = "";
  for (const piece of piecesOf(body)) {
    const text = before + piece;
    if (text.includes(target)) return true;
    before = text.slice(Math.max(0, text.length - Math.max(0, target.length - 1)));
  }
  return target === "";
}

/** A character that lies across two pieces comes with the second. */
function* piecesOf(body: Uint8Array): Generator<string, void> {
  const decoder = new TextDecoder();
  for (let at = 0; at < body.length; at += pieceBytes) {
    const stream = at + pieceBytes < body.length;
    yield decoder.decode(body.subarray(at, at + pieceBytes), { stream });
  }
}
