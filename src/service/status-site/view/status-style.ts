import { darkPalette, lightPalette, style } from "#web/page/style";
import type { CustomTheme, PageDefinition } from "#service/status-page/page-definition";
import { themes } from "#service/status-page/themes";

/** A page's style sheet, its own theme included: served as a file, never inline. */
export function statusStyle(definition: PageDefinition): string {
  const { light, dark } = palettesOf(definition);
  switch (definition.theme) {
    case "system":
      return `${base}${schemes("light dark", light, dark)}`;
    case "light":
      return `${base}${schemes("light", light, light)}`;
    case "dark":
      return `${base}${schemes("dark", dark, dark)}`;
  }
}

/** Declarations of variables for each scheme; the last of a name counts. */
export function palettesOf({
  configuration: { themeKey },
  customTheme,
}: Pick<PageDefinition, "configuration" | "customTheme">): {
  readonly light: string;
  readonly dark: string;
} {
  const theme = themes[themeKey];
  return {
    light: `${lightPalette}${variables(theme.light)}${variables(customTheme.light)}`,
    dark: `${darkPalette}${variables(theme.dark)}${variables(customTheme.dark)}`,
  };
}

/** The colour behind everything, as a browser has its own bars in it. */
export function groundOf(scheme: "light" | "dark", definition: PageDefinition): string {
  const shown = definition.theme === "system" ? scheme : definition.theme;
  const all = [...palettesOf(definition)[shown].matchAll(/--ground: ([^;]+);/g)];
  return all.at(-1)?.[1] ?? "";
}

const schemes = (scheme: string, bright: string, dim: string): string =>
  `:root { color-scheme: ${scheme}; ${bright} }\n@media (prefers-color-scheme: dark) { :root { ${dim} } }\n`;

/** What the contract's variables are called here. */
export const namedHere: ReadonlyMap<string, readonly string[]> = new Map([
  ["--background", ["--ground"]],
  ["--foreground", ["--text"]],
  ["--card", ["--raised"]],
  ["--muted-foreground", ["--quiet"]],
  ["--border", ["--line"]],
  ["--primary", ["--link"]],
  ["--ring", ["--focus"]],
  ["--destructive", ["--error", "--down"]],
  ["--success", ["--success", "--up"]],
  ["--warning", ["--degraded", "--slow"]],
  ["--info", ["--planned"]],
]);

/** The rules of themes let nothing end a value, or begin another: see theme-rules.ts. */
const variables = (own: CustomTheme["light"]): string =>
  Object.entries(own)
    .flatMap(([name, value]) => (namedHere.get(name) ?? [name]).map((one) => ` ${one}: ${value};`))
    .join("");

const base = `${style}
.status { max-width: 46rem; }
.status img { vertical-align: -0.3rem; margin-right: 0.5rem; }
.overall { margin: 2rem 0 0; font-size: clamp(1.375rem, 5vw, 1.875rem); line-height: 1.25; font-weight: 650; color: var(--text); }
.overall { padding: 0.75rem 1rem; border: 1px solid var(--line); border-left: 0.375rem solid currentColor; border-radius: var(--radius, 8px); background: var(--raised); }
.overall.success { border-left-color: var(--success); }
.overall.degraded { border-left-color: var(--degraded); }
.overall.error { border-color: var(--error); }
.overall.unchecked { border-left-color: var(--quiet); }
.overall .mark .cut { stroke: var(--raised); }
.overall .mark { font-size: inherit; font-weight: inherit; gap: 0.75rem; align-items: center; }
.overall .mark svg { width: 1.75rem; height: 1.75rem; }
.status > header { align-items: center; }
.status .brand { display: flex; align-items: center; font-size: 1.25rem; font-weight: 650; color: var(--text); }
.status .brand img { width: 2rem; height: 2rem; object-fit: contain; }
.status .asof { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: center; }
.status .asof a { margin: 0; }
.follow { position: relative; }
.follow summary { list-style: none; padding: 0.25rem 0.875rem; border: 1px solid var(--quiet); border-radius: var(--radius, 6px); background: var(--raised); color: var(--text); font-weight: 600; cursor: pointer; }
.follow summary::-webkit-details-marker { display: none; }
.follow ul { position: absolute; right: 0; z-index: 1; min-width: 13rem; margin: 0.375rem 0 0; padding: 0.375rem 0; list-style: none; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius, 8px); box-shadow: 0 6px 20px rgb(0 0 0 / 18%); }
.follow li { padding: 0 1rem; color: var(--quiet); font-size: 0.875rem; }
.status .follow a { padding: 0.375rem 0.25rem 0.375rem 0; }
.status .follow .whole { display: block; }
.range { margin: 0; color: var(--quiet); font-size: 0.8125rem; display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; }
.said ul { list-style: disc; }
.late { margin: 1.5rem 0 0; padding: 0.5rem 0.75rem; border: 1px solid var(--degraded); border-radius: 0.375rem; color: var(--text); }
.components { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.component { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; column-gap: 1rem; align-items: baseline; padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
.component h3 { margin: 0; font-size: 1rem; font-weight: 600; }
.component .mark { font-size: 0.875rem; }
.component .share { margin: 0; font-size: 0.875rem; text-align: right; }
.component .share span { color: var(--quiet); }
.component .kind { grid-column: 1 / -1; margin: 0; }
.component .days { grid-column: 1 / -1; margin-top: 0.25rem; }
.component .uptime { height: 1.75rem; }
.status .uptime .before { stroke-width: 1; stroke-dasharray: none; vector-effect: non-scaling-stroke; }
.uptime .planned { stroke: var(--planned, var(--link)); stroke-width: 14; }
.component h3 a { color: inherit; text-decoration-color: var(--quiet); }
.component + .facts { margin-top: 0.5rem; }
.wide { overflow-x: auto; overflow-wrap: normal; }
.wide th, .wide td { white-space: nowrap; }
h2 ~ h3 { margin: 1.5rem 0 0; font-size: 0.9375rem; font-weight: 600; }
.bad { font-size: 0.875rem; }
.bad ul { margin: 0; padding-left: 1.25rem; color: var(--quiet); }
.group { padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
.group summary { color: var(--text); padding: 0.25rem 0; }
.group summary .name { font-weight: 650; margin-right: 1rem; }
.group .components { margin: 0.25rem 0 0.25rem 1.125rem; }
.kind { color: var(--quiet); font-size: 0.875rem; }
.report { margin: 1.25rem 0 0; padding: 0.125rem 0 0.125rem 1rem; border-left: 4px solid var(--degraded); }
.report:is(.major_outage, .partial_outage) { border-color: var(--error); }
.since { margin: 0; color: var(--quiet); font-size: 0.8125rem; }
.report.resolved { border-color: var(--success); }
.report.planned { border-color: var(--planned, var(--link)); }
.report h2, .report h3 { margin: 0; font-size: 1.0625rem; font-weight: 650; }
.report h2 a, .report h3 a { color: inherit; }
.updates { margin: 0.5rem 0 0; padding: 0; list-style: none; }
.when { margin: 0.5rem 0 0; font-size: 0.875rem; }
.when time { color: var(--quiet); }
.said p, .said ul, .said ol, .said pre { margin: 0.125rem 0 0.25rem; }
.said pre { overflow-x: auto; }
.languages { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0.5rem 0 0; padding: 0; list-style: none; font-size: 0.875rem; }
.languages a, footer a, .asof a { display: inline-block; padding: 0.25rem 0; }
.languages span { display: inline-block; padding: 0.25rem 0; font-weight: 650; }
.enter fieldset { width: 100%; min-width: 0; margin: 0.5rem 0; padding: 0; border: 0; }
.enter legend { padding: 0; color: var(--quiet); font-size: 0.8125rem; }
.pick { display: flex; gap: 0.625rem; align-items: center; min-height: 2rem; color: var(--text); font-size: 1rem; }
.pick input { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; }
.pick span { min-width: 0; overflow-wrap: anywhere; }
.enter { max-width: 22rem; margin: 1.5rem 0; width: auto; }
.status input, .status button { border-color: var(--input, var(--quiet)); border-radius: var(--radius, 4px); }
.fault { color: var(--error); font-weight: 600; width: 100%; margin: 0; }
@media (max-width: 30rem) { .follow[open] { flex-basis: 100%; } .follow summary { width: max-content; } .follow ul { position: static; box-shadow: none; } .component { grid-template-columns: minmax(0, 1fr) auto; } .component .share { grid-column: 1 / -1; text-align: left; } }
@media print { .skip, footer nav { display: none; } .component, .report { break-inside: avoid; } .group details::details-content { display: block; content-visibility: visible; } }
`;
