import type { Evaluation } from "#check/assertion";
import { assertionWords, withoutTarget } from "#check/assertion-words";

type Sides = Pick<Evaluation, "expected" | "received">;

/**
 * What whoever may only read sees of an assertion; null for a side that is not shown. What came in a header or a body,
 * or is expected of a header, may be a secret of the target.
 */
export const openSides = (
  kind: string,
  { expected, received }: Sides,
): { readonly [S in keyof Sides]: string | null } => ({
  expected: kind === "header" ? null : expected,
  received: ["header", "body", "json"].includes(kind) ? null : received,
});

/** The same in words: `A record is not 10.0.0.1: received 10.0.0.2`. */
export function evaluationWords({
  kind,
  held,
  ...sides
}: Sides & { readonly kind: string; readonly held: boolean }): string {
  const { expected, received } = openSides(kind, sides);
  const words = assertionWords(
    expected ?? withoutTarget(sides.expected),
    held ? "wanted" : "failed",
  );
  if (received === null) return words;
  return `${words}: received ${received === "" ? "none" : received}`;
}

/** The same in two columns: `Status code is 204` and `200`; null if what came is not shown. */
export function sidesInWords({ kind, ...sides }: Sides & { readonly kind: string }): {
  readonly [S in keyof Sides]: string | null;
} {
  const { expected, received } = openSides(kind, sides);
  return {
    expected: assertionWords(expected ?? withoutTarget(sides.expected)),
    received: received === "" ? "none" : received,
  };
}
