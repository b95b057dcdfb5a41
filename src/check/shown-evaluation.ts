import type { Evaluation } from "#check/assertion";

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
