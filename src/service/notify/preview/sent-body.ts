import { isMapping } from "#base/json";

/** What is at a path of names and places in a body that was sent; null if nothing is. */
export const sentAt = (body: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value[Number(step)] ?? null;
    return isMapping(value) ? (value[step] ?? null) : null;
  }, body);

export function sentText(body: unknown, ...path: readonly (string | number)[]): string {
  const value = sentAt(body, ...path);
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

export function sentList(body: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = sentAt(body, ...path);
  return Array.isArray(value) ? value : [];
}
