import { type FormField, type FormFields, column, type Sample } from "#check/form-field";
import { violation } from "#service/edge/call-refusal";
import { coloursOf } from "#service/status-site/view/status-style";
import {
  type CustomTheme,
  pageDefaults,
  type PageDefinition,
  themeKeys,
} from "#service/status-page/page-definition";
import { themes } from "#service/status-page/themes";
import { themeFaults } from "#service/status-page/theme-rules";

/** The two schemes that a page's colours are set for. */
const schemes = ["light", "dark"] as const;
type Scheme = (typeof schemes)[number];

/** The colours that have a field, by their variables: those that change most of a page, and the rest. */
const commonColours = {
  "--primary": "Accent",
  "--background": "Background",
  "--foreground": "Text",
  "--card": "Cards",
} as const;
const otherColours = {
  "--muted-foreground": "Quiet text",
  "--border": "Lines",
  "--success": "Operational",
  "--warning": "Degraded",
  "--destructive": "Down",
  "--info": "Maintenance",
  "--ring": "Focus",
} as const;
export const colourWords: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...commonColours, ...otherColours }),
);

export const fieldName = (scheme: Scheme, variable: string): string =>
  `custom_theme.${scheme}.${variable}`;

type Looks = Pick<PageDefinition, "configuration">;

/** A page with the theme that its form has chosen, also while another field of the form cannot be saved. */
export const withChosenTheme = (page: Looks, typed: URLSearchParams): Looks => {
  const chosen = typed.get("configuration.theme_key");
  const themeKey = themeKeys.find((one) => one === chosen) ?? page.configuration.themeKey;
  return { configuration: { ...page.configuration, themeKey } };
};

/** Each theme in light and in dark, as a page in it. */
export const themeSamples: Readonly<Record<string, readonly Sample[]>> = Object.fromEntries(
  themeKeys.map((themeKey) => {
    const configuration = { ...pageDefaults.configuration, themeKey };
    const colours = coloursOf({ configuration, customTheme: { light: {}, dark: {} } });
    const isRound = "--radius" in themes[themeKey].light;
    return [themeKey, schemes.map((scheme) => sampleOf(colours[scheme], isRound))];
  }),
);

function sampleOf(colours: ReadonlyMap<string, string>, isRound: boolean): Sample {
  const colour = (variable: string): string => colours.get(variable) ?? "";
  return {
    ground: colour("--background"),
    card: colour("--card"),
    line: colour("--border"),
    text: colour("--foreground"),
    quiet: colour("--muted-foreground"),
    link: colour("--primary"),
    up: colour("--success"),
    slow: colour("--warning"),
    down: colour("--destructive"),
    isRound,
  };
}

/** What each field of a colour has as long as it is empty. */
export const themeColours = (
  page: Looks,
): readonly (readonly [field: string, colour: string])[] => {
  const theme = coloursOf({ ...page, customTheme: { light: {}, dark: {} } });
  return [...colourWords.keys()].flatMap((variable) =>
    schemes.map((scheme): [string, string] => [
      fieldName(scheme, variable),
      theme[scheme].get(variable) ?? "",
    ]),
  );
};

/** A field for each colour in each scheme. What is left empty is as the theme has it, which is shown. */
function colourFields(group: string, words: Readonly<Record<string, string>>, page: Looks) {
  const theme = new Map(themeColours(page));
  return Object.fromEntries(
    Object.entries(words).flatMap(([variable, label]) =>
      schemes.map((scheme): [string, FormField] => {
        const name = fieldName(scheme, variable);
        const control = { is: "colour", example: theme.get(name) ?? "" } as const;
        return [name, { ...column(`${label} in ${scheme}`, control), group }];
      }),
    ),
  );
}
export const commonColourFields = (page: Looks): FormFields =>
  colourFields("look", commonColours, page);
export const otherColourFields = (page: Looks): FormFields =>
  colourFields("colours", otherColours, page);

/** What the fields of the colours show of a page as it is saved. */
export const typedColours = ({
  customTheme,
}: Pick<PageDefinition, "customTheme">): readonly (readonly [field: string, value: string])[] =>
  schemes.flatMap((scheme) =>
    Object.entries(customTheme[scheme])
      .filter(([variable]) => colourWords.has(variable))
      .map(([variable, value]) => [fieldName(scheme, variable), value] as const),
  );

/** The colours that were typed, by their variables. What a style sheet cannot take is refused at its field. */
const coloursIn = (scheme: Scheme, typed: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    [...colourWords.keys()].flatMap((variable) => {
      const field = fieldName(scheme, variable);
      const value = (typed.get(field) ?? "").trim();
      if (value === "") return [];
      const [fault] = themeFaults({ light: { [variable]: value }, dark: {} });
      if (fault !== undefined)
        throw violation({ field, message: fault.slice(`${variable} `.length) });
      return [[variable, value]];
    }),
  );

/** Those that have no field of their own. */
export const linesOf = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .filter(([name]) => !colourWords.has(name))
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** The colours of a scheme, and lines as a style sheet has them: `--radius: 0.25rem;`. */
export function variablesIn(scheme: Scheme, typed: URLSearchParams): Record<string, string> {
  const field = `custom_theme.${scheme}`;
  const lines = (typed.get(field) ?? "").split(/\r?\n|;/).map((line) => line.trim());
  const others = lines
    .filter((line) => line !== "")
    .map((line) => {
      const [, name, value] = /^(--[\w-]+)\s*:\s*(\S.*)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name, value] as const;
      throw violation({ field, message: "must have lines such as --radius: 0.25rem" });
    });
  return { ...coloursIn(scheme, typed), ...Object.fromEntries(others) };
}

/** A theme whose variables keep the order that they had: no form changes that. */
export const themeInOrder = (before: CustomTheme, changed: CustomTheme): CustomTheme => ({
  light: inOrderOf(before.light, changed.light),
  dark: inOrderOf(before.dark, changed.dark),
});

const inOrderOf = (
  before: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(variables)])].flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
