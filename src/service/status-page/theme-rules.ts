import * as checkLimits from "#limits/check-limits";
import { colourWanted, isColour } from "#service/status-page/colour-rules";
import type { CustomTheme } from "#service/status-page/page-definition";

/** Why a theme of a person's own cannot be used, each as the end of a sentence. */
export const themeFaults = ({ light, dark }: CustomTheme): readonly string[] =>
  [...Object.entries(light), ...Object.entries(dark)].flatMap(([name, value]) => {
    if (!variables.has(name))
      return [
        `has the variable "${name.slice(0, checkLimits.quotedCharsMax)}", which no theme has`,
      ];
    // What is no colour at all is said first: most people who type something else want one.
    const why = colourFault(name, value) ?? valueFault(value);
    return why === null ? [] : [`${name} ${why}`];
  });

/** A value stands in a style sheet, before a semicolon: it may not end there, nor swallow what follows. */
function valueFault(value: string): string | null {
  if (value.length > checkLimits.nameCharsMax)
    return `is longer than ${checkLimits.nameCharsMax} characters`;
  if (!/^[\w #%.,()/+*-]+$/.test(value) || value.includes("/*"))
    return 'may have letters, digits and # % . , ( ) / + * -, for example "oklch(0.7 0.1 200)"';
  if (/\b(url|image|image-set|attr|expression)\s*\(/i.test(value)) return "may load nothing";
  return isBalanced(value) ? null : "has a bracket without the other";
}

/** Any other text would leave a part of the page without one. */
const colourFault = (name: string, value: string): string | null =>
  name === "--radius" || isColour(value) ? null : colourWanted;

function isBalanced(value: string): boolean {
  let depth = 0;
  for (const character of value) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const numbered = (name: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `--${name}-${index + 1}`);

/** The variables that themes of the contract have. */
const variables: ReadonlySet<string> = new Set([
  ..."radius background foreground card card-foreground popover popover-foreground primary primary-foreground"
    .concat(
      " secondary secondary-foreground muted muted-foreground accent accent-foreground border",
    )
    .concat(" input ring destructive success warning info")
    .split(" ")
    .map((name) => `--${name}`),
  ...numbered("chart", 5),
  ...numbered("rainbow", 17),
]);
