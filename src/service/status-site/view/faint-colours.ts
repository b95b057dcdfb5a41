import { canContrast, contrast } from "#service/status-page/contrast";
import { namedHere, palettesOf, valuesIn } from "#service/status-site/view/status-style";
import type { PageDefinition } from "#service/status-page/page-definition";

/** Two colours of a page that cannot be distinguished well enough, by their names in the contract. */
export interface FaintPair {
  readonly scheme: "light" | "dark";
  readonly colour: string;
  readonly ground: string;
  readonly ratio: number;
  readonly wanted: number;
}

/** What is hard to read in a page's colours (WCAG 2.2 AA). Colours whose contrast is not known are left out. */
export function faintPairs(
  definition: Pick<PageDefinition, "theme" | "configuration" | "customTheme">,
): readonly FaintPair[] {
  const palettes = palettesOf(definition);
  return schemesOf(definition).flatMap((scheme) => faintIn(scheme, palettes[scheme]));
}

/** As the end of a sentence. */
export const faintWords = ({ scheme, colour, ground, ratio, wanted }: FaintPair): string =>
  `in ${scheme}, ${colour} on ${ground} has a contrast of ${Math.floor(ratio * 10) / 10}, below ${wanted}`;

/** Colours whose contrast is not known here, e.g. because they refer to another, by their names in the contract. */
export function unknownColours(
  definition: Pick<PageDefinition, "theme" | "configuration" | "customTheme">,
): readonly Pick<FaintPair, "scheme" | "colour">[] {
  const palettes = palettesOf(definition);
  return schemesOf(definition).flatMap((scheme) => {
    const values = valuesIn(palettes[scheme]);
    const names = new Set(wantedPairs.flatMap(([colour, ground]) => [colour, ground]));
    const unknown = [...names].filter(
      (name) => values.has(name) && !canContrast(values.get(name) ?? ""),
    );
    return [...new Set(unknown.map(contractName))].map((colour) => ({ scheme, colour }));
  });
}

/** Those that readers see. */
const schemesOf = ({ theme }: Pick<PageDefinition, "theme">): readonly FaintPair["scheme"][] =>
  (["light", "dark"] as const).filter((scheme) => theme === "system" || theme === scheme);

function faintIn(scheme: FaintPair["scheme"], palette: string): readonly FaintPair[] {
  const values = valuesIn(palette);
  return wantedPairs.flatMap(([colour, ground, wanted]) => {
    const ratio = contrast(values.get(colour) ?? "", values.get(ground) ?? "");
    return ratio === null || ratio >= wanted
      ? []
      : [{ scheme, colour: contractName(colour), ground: contractName(ground), ratio, wanted }];
  });
}

const grounds = ["--ground", "--raised"] as const;
/** Text needs 4.5 to 1; the bars of days, the large heading, and the ring around what has the focus 3 to 1. */
const wantedPairs: readonly (readonly [colour: string, ground: string, wanted: number])[] = [
  ...["--text", "--quiet", "--link", "--error", "--degraded", "--success", "--planned"].flatMap(
    (colour) => grounds.map((ground) => [colour, ground, 4.5] as const),
  ),
  ...["--focus", "--up", "--slow", "--down"].map((colour) => [colour, "--ground", 3] as const),
];

const contractName = (own: string): string =>
  [...namedHere].find(([, names]) => names.includes(own))?.[0] ?? own;
