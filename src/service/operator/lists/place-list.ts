import { counted } from "#web/page/format";
import * as limits from "#limits/pages-limits";

/** `Office`, `Office and Warehouse`, `Berlin, Office and Warehouse`, `A, B, C, D, E and 2 others`. */
export function placeList(names: readonly string[]): string {
  const rest = names.length - limits.namesShown;
  const parts =
    rest > 0 ? [...names.slice(0, limits.namesShown), counted(rest, "other")] : [...names];
  const last = parts.pop() ?? "";
  return parts.length === 0 ? last : `${parts.join(", ")} and ${last}`;
}
