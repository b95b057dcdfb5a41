import type { Comparison } from "#cli/apply/comparison";
import { differenceText } from "#cli/apply/field-difference";
import type { LocationStep } from "#cli/apply/location-plan";
import type { Step } from "#cli/apply/plan";
import { type Colour, coloured } from "#cli/coloured";
import { counted, showText } from "#text";

/** A comparison for a person: what is made, what changes from what to what, and what lies beside the files. */
export function shownPlan(
  { steps, locationSteps, beside }: Comparison,
  { verbose, colour }: { readonly verbose: boolean; readonly colour: boolean },
): string {
  const lines = [...steps.map(monitorLine), ...locationSteps.map(locationLine)].map(
    ([sign, line]) => `${coloured(signs[sign].sign, signs[sign].colour, colour)} ${line}`,
  );
  const count = (change: Sign): number =>
    [...steps, ...locationSteps].filter((one) => signOf(one) === change).length;
  const summary = `${count("create")} to create, ${count("update")} to update, ${count("same")} the same.`;
  return `${[...lines, summary, ...besideLines(beside, verbose)].join("\n")}\n`;
}

type Sign = "create" | "update" | "same";
const signs: { readonly [S in Sign]: { readonly sign: string; readonly colour: Colour } } = {
  create: { sign: "+", colour: "green" },
  update: { sign: "~", colour: "yellow" },
  same: { sign: "=", colour: "dim" },
};

const signOf = ({ change }: Step | LocationStep): Sign => (change === "assign" ? "update" : change);

const monitorLine = (step: Step): readonly [Sign, string] => [step.change, showStep(step)];

/** One step on monitors, as a line without its sign. */
export function showStep(step: Step): string {
  const { kind, message } = step.wanted;
  const changes =
    step.change === "update" ? `: ${step.differences.map(differenceText).join(", ")}` : "";
  const inactive = message.active ? "" : ' (inactive: "active: true" is missing)';
  return `${kind.padEnd(4)} ${quote(message.name)}${changes}${inactive}`;
}

function locationLine(step: LocationStep): readonly [Sign, string] {
  const runs =
    step.change === "create" ? `, which runs ${counted(step.monitors.length, "monitor")}` : "";
  const changes =
    step.change === "update" || step.change === "assign"
      ? `: ${step.differences.map(showText).join(", ")}`
      : "";
  return [signOf(step), `private location ${quote(step.name)}${runs}${changes}`];
}

function besideLines(beside: Comparison["beside"], verbose: boolean): readonly string[] {
  if (beside.length === 0) return [];
  if (verbose)
    return [
      "The service also has, and keeps:",
      ...beside.map(({ kind, name }) => `  ${kind.padEnd(4)} ${quote(name)}`),
    ];
  return [
    `${counted(beside.length, "object")} of the service ${beside.length === 1 ? "is" : "are"} in no file and ${beside.length === 1 ? "stays" : "stay"} (--verbose names them).`,
  ];
}

/** The same for a program. */
export const planJson = ({ steps, locationSteps, beside }: Comparison): object => ({
  changes: [
    ...steps.map((step) => ({
      action: step.change,
      kind: `${step.wanted.kind}_monitor`,
      name: step.wanted.message.name,
      ...(step.change === "update"
        ? {
            fields: step.differences.map(({ name, shown }) => ({
              name,
              before: shown?.before ?? null,
              after: shown?.after ?? null,
              secret: shown === null,
            })),
          }
        : {}),
    })),
    ...locationSteps.map((step) => ({
      action: signOf(step),
      kind: "private_location",
      name: step.name,
      ...(step.change === "update" || step.change === "assign"
        ? { differences: step.differences }
        : {}),
    })),
  ],
  beside,
});

export const quote = (name: string): string => `"${showText(name)}"`;
