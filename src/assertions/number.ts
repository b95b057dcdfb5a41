import type { NumberComparator } from "#check/assertion";

/** Whether `received` stands to `target` as the comparator says. */
export function holdsForNumber(
  comparator: NumberComparator,
  received: number,
  target: number,
): boolean {
  switch (comparator) {
    case "eq":
      return received === target;
    case "neq":
      return received !== target;
    case "gt":
      return received > target;
    case "gte":
      return received >= target;
    case "lt":
      return received < target;
    case "lte":
      return received <= target;
  }
}
