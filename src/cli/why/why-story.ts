import { shownLatency } from "#check/shown-latency";
import type { Result } from "#check/result";
import { coloured } from "#cli/edge/coloured";
import type { Step } from "#cli/why/why-steps";
import { capital, showText } from "#base/text";
import type { Blame, Suspect } from "#agent/vantage/blame";

interface Story {
  readonly target: string;
  /** Null if the target works. */
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
      ? [`${showText(target)} works: it passes in ${shownLatency(result)}.`]
      : [`It is ${suspectsOf(whose)} (${whose.certainty}).`, sentence(whose.because)];
  const next = whose === null ? [] : ["", `What to do: ${showText(whose.next)}.`];
  return `${[...head, "", "Seen on the way, from this machine outwards:", ...lines, ...next].join("\n")}\n`;
}

function suspectsOf({ place, suspects }: Blame): string {
  if (place === "me") return `${words.me}, not the target`;
  const all = suspects.map((one) => words[one]);
  const last = all.pop() ?? "";
  const first = all.length === 0 ? "" : `${all.join(", ")} or `;
  return `${first}${last}${place === "unclear" ? ": this machine cannot see which" : ""}`;
}

const words: { readonly [S in Suspect]: string } = {
  me: "this machine or its network",
  path: "the path",
  target: "the target",
};

const marks = {
  well: { mark: "✓", colour: "green" },
  broken: { mark: "✗", colour: "red" },
  unknown: { mark: "·", colour: "yellow" },
} as const;

const sentence = (text: string): string => `${capital(showText(text))}.`;
