import type { Result } from "#check/result";
import { coloured } from "#cli/coloured";
import type { Step } from "#cli/why/why-steps";
import { capital, showText } from "#text";
import type { Place, Blame } from "#vantage/blame";

interface Story {
  readonly target: string;
  /** Null where the target works. */
  readonly whose: Blame | null;
  readonly result: Result;
  readonly steps: readonly Step[];
}

/** A short story for a person: whose fault it is, what was seen at each step, and what to do. */
export function whyStory({ target, whose, result, steps }: Story, inColour: boolean): string {
  const width = Math.max(...steps.map(({ step }) => step.length));
  const lines = steps.map(({ step, is, says }) => {
    const { mark, colour } = marks[is];
    return `  ${coloured(mark, colour, inColour)} ${step.padEnd(width)}  ${showText(says)}`;
  });
  const head =
    whose === null
      ? [`${showText(target)} works: it passes in ${result.latency} ms.`]
      : [`${places[whose.place]} (${whose.certainty}).`, sentence(whose.because)];
  const next = whose === null ? [] : ["", `What to do: ${showText(whose.next)}.`];
  return `${[...head, "", "What was seen on the way, from this machine outwards:", ...lines, ...next].join("\n")}\n`;
}

const places: { readonly [P in Place]: string } = {
  me: "It is this machine or its network, not the target",
  path: "It is the path",
  target: "It is the target",
  unclear: "It is the path or the target: this machine cannot see which",
};

const marks = {
  well: { mark: "✓", colour: "green" },
  broken: { mark: "✗", colour: "red" },
  unknown: { mark: "·", colour: "yellow" },
} as const;

const sentence = (text: string): string => `${capital(showText(text))}.`;
