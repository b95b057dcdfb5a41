import type { StringComparator } from "#check/assertion";

/**
 * Whether a text stands to `target` as the comparator says: case-sensitive, nothing trimmed. Greater and less compare
 * numbers when both sides are numbers, else bytes of UTF-8.
 */
export function holdsForString(
  comparator: StringComparator,
  received: string,
  target: string,
): boolean {
  switch (comparator) {
    case "contains":
      return received.includes(target);
    case "not_contains":
      return !received.includes(target);
    case "eq":
      return received === target;
    case "neq":
      return received !== target;
    case "empty":
      return received === "";
    case "not_empty":
      return received !== "";
    case "gt":
      return order(received, target) > 0;
    case "gte":
      return order(received, target) >= 0;
    case "lt":
      return order(received, target) < 0;
    case "lte":
      return order(received, target) <= 0;
  }
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
function order(a: string, b: string): number {
  const numbers = [a, b].map((text) => (decimal.test(text) ? Number(text) : Number.NaN));
  const [left = Number.NaN, right = Number.NaN] = numbers;
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  return byteOrder(new TextEncoder().encode(a), new TextEncoder().encode(b));
}

/** A plain decimal number; what JavaScript would also read as one (hex, spaces, nothing) is text. */
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function byteOrder(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
