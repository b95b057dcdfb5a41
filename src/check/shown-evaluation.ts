import type { Evaluation } from "#check/assertion";
import { assertionWords, withoutTarget } from "#check/assertion-words";

type Sides = Pick<Evaluation, "expected" | "received">;
type OpenSides = { readonly [S in keyof Sides]: string | null };

/**
 * What whoever may only read sees of an assertion; null for a side that is not shown. What came in a header or a body,
 * or is expected of a header, may be a secret of the target.
 */
export const openSides = (kind: string, { expected, received }: Sides): OpenSides => ({
  expected: kind === "header" ? null : expected,
  received: ["header", "body", "json"].includes(kind) ? null : received,
});

/**
 * The same in words: `A record is not 10.0.0.1: received 10.0.0.2`. `answered` is what came in a header or a body, as far as
 * this reader may see it; null hides it.
 */
export function evaluationWords(
  { kind, held, ...sides }: Sides & { readonly kind: string; readonly held: boolean },
  answered: string | null = null,
): string {
  const { expected, received } = withAnswered(openSides(kind, sides), answered);
  const words = assertionWords(
    expected ?? withoutTarget(sides.expected),
    held ? "wanted" : "failed",
  );
  if (received === null) return words;
  return `${words}: received ${received === "" ? "none" : received}`;
}

/**
 * The same in two columns: `Status code is 204` and `200`; null if what came is not shown. What is expected of a header is
 * shown to whoever typed it a moment ago, which is one of `typed`.
 */
export function sidesInWords(
  { kind, ...sides }: Sides & { readonly kind: string },
  answered: string | null = null,
  typed: readonly string[] = [],
): OpenSides {
  const { expected, received } = withAnswered(openSides(kind, sides), answered);
  return {
    expected: assertionWords(
      expected ?? (isTyped(sides, typed) ? sides.expected : withoutTarget(sides.expected)),
    ),
    received: received === "" ? "none" : received,
  };
}

const isTyped = ({ expected }: Sides, typed: readonly string[]): boolean =>
  typed.some((one) => expected.endsWith(` ${JSON.stringify(one)}`));

const withAnswered = (open: OpenSides, answered: string | null): OpenSides => ({
  ...open,
  received: open.received ?? answered,
});
