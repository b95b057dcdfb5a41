import { darkPalette, lightPalette, style } from "#web/page/style";
import { writtenStyle } from "#web/page/written-style";
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

/** What each variable of a palette is at last. */
export const valuesIn = (palette: string): ReadonlyMap<string, string> =>
  new Map(
    [...palette.matchAll(/(--[\w-]+): ([^;]+);/g)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );

/** The colours of each scheme by the contract's variables. */
export function coloursOf(look: Pick<PageDefinition, "configuration" | "customTheme">): {
  readonly [S in keyof CustomTheme]: ReadonlyMap<string, string>;
} {
  const { light, dark } = palettesOf(look);
  const named = (palette: string): ReadonlyMap<string, string> => {
    const values = valuesIn(palette);
    // Maintenance is in the colour of links unless a theme says otherwise.
    const planned = values.get("--planned") ?? values.get("--link") ?? "";
    return new Map(
      [...namedHere].map(([name, [own = ""]]) => [
        name,
        own === "--planned" ? planned : (values.get(own) ?? ""),
      ]),
    );
  };
  return { light: named(light), dark: named(dark) };
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

const base = `${style}${writtenStyle}
.status { max-width: 48rem; }
.status a { text-underline-offset: 0.2em; }
:lang(ko) { word-break: keep-all; }
.status h1 { margin: 1.75rem 0 0; font-size: clamp(1.25rem, 4.5vw, 1.625rem); line-height: 1.25; font-weight: 700; color: var(--text); }
.status h2 { margin: 2.75rem 0 0.75rem; font-size: 1.125rem; }
.status .overall:not([class="overall"]) { margin-top: 1.5rem; padding: 1.125rem 1.25rem; border: 1px solid transparent; border-radius: var(--radius, 10px); background: var(--tone); color: var(--ground); }
.success { --tone: var(--success); }
.degraded { --tone: var(--degraded); }
.error { --tone: var(--error); }
.unchecked { --tone: var(--quiet); }
.planned { --tone: var(--planned, var(--link)); }
.mark.planned { color: var(--tone); }
.overall.degraded { --tone: var(--slow); }
@supports (color: light-dark(red, red)) and (color: oklch(from red l c h)) { .status .overall:not([class="overall"]) { --banner: light-dark(var(--tone), oklch(from var(--tone) 0.4 0.12 h)); background: var(--banner); color: light-dark(var(--ground), var(--text)); } .status .overall .mark .cut { stroke: var(--banner); } .status .overall.unchecked { --banner: light-dark(var(--tone), oklch(from var(--tone) 0.4 0.02 h)); } }
.overall .mark { color: inherit; font-weight: inherit; gap: 0.75rem; }
.overall .mark .cut { stroke: var(--tone); }
.overall .mark svg { width: 1.75rem; height: 1.75rem; }
.status .advice { margin: 1rem 0 0; color: var(--quiet); font-size: 1rem; }
.status > header { display: grid; grid-template-columns: minmax(0, 1fr) auto auto; align-items: center; gap: 0.25rem 1.25rem; }
.status .brand { display: flex; gap: 0.625rem; align-items: center; font-size: 1.25rem; font-weight: 650; color: var(--text); }
.status .brand img { flex: none; width: auto; max-width: min(12rem, 45vw); height: 2rem; object-fit: contain; }
.status .asof { display: flex; flex-wrap: wrap; gap: 0 1.25rem; align-items: center; font-size: 0.9375rem; }
.status .asof a { margin: 0; }
.status .asof a, .status > footer a { color: var(--quiet); text-decoration-color: var(--line); }
.status .asof a:hover, .status > footer a:hover { color: var(--text); text-decoration-color: currentColor; }
.fresh { margin: 0.5rem 0 0; color: var(--quiet); font-size: 0.8125rem; }
.status .fresh + .advice { margin-top: 0.75rem; }
.follow { position: relative; grid-column: 3; }
.follow summary { list-style: none; white-space: nowrap; padding: 0.3125rem 0.8125rem; border: 1px solid var(--line); border-radius: var(--radius, 6px); background: var(--raised); color: var(--text); font-size: 0.9375rem; font-weight: 500; cursor: pointer; }
.status .follow summary { margin: 0; }
.follow.by-mail summary { border-color: var(--link); background: var(--link); color: var(--ground); font-weight: 600; }
.follow summary:hover { border-color: var(--quiet); }
.follow.by-mail summary:hover { filter: brightness(1.1); }
.follow summary::-webkit-details-marker { display: none; }
.follow ul { position: absolute; right: 0; z-index: 1; min-width: 13rem; max-width: calc(100vw - 2rem); margin: 0.375rem 0 0; padding: 0.375rem 0; list-style: none; background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius, 8px); box-shadow: 0 6px 20px rgb(0 0 0 / 18%); }
.follow li { padding: 0 1rem; color: var(--quiet); font-size: 0.875rem; }
.status .follow a { padding: 0.375rem 0.25rem 0.375rem 0; }
.status .follow .whole { display: block; }
.late { margin: 1.5rem 0 0; padding: 0.5rem 0.75rem; border: 1px solid var(--degraded); border-radius: 0.375rem; color: var(--text); }

.components { margin: 0; padding: 0; list-style: none; }
.components > li { padding: 1rem 1.25rem; border: 1px solid var(--line); background: var(--raised); }
.components > :is(:first-child, .group, .group + li) { border-top-left-radius: var(--radius, 10px); border-top-right-radius: var(--radius, 10px); }
.components > :is(:last-child, .group, :has(+ .group)) { border-bottom-left-radius: var(--radius, 10px); border-bottom-right-radius: var(--radius, 10px); }
.components > .component + .component { border-top: 0; }
.components > .group:not(:first-child), .group + li { margin-top: 0.75rem; }
.group .components > li.component { padding: 1rem 0; border: 0; border-top: 1px solid var(--line); border-radius: 0; background: none; }
.group .components > li.component:last-child { padding-bottom: 0; }
.components .mark .cut { stroke: var(--raised); }
.component { display: grid; grid-template-columns: minmax(min(5rem, 50%), 1fr) auto; column-gap: 1rem; align-items: baseline; }
.component h3 { margin: 0; font-size: 1rem; font-weight: 600; }
.component h3 a, .report :is(h2, h3, h4) a, .history h3 a { color: inherit; text-decoration-color: transparent; text-underline-offset: 0.25em; }
:is(.component h3, .report :is(h2, h3, h4), .history h3) a:hover { text-decoration-color: currentColor; }
.component .kind { grid-column: 1 / -1; margin: 0; }
.components .mark { flex-direction: row-reverse; text-align: right; font-size: 0.875rem; }
.components .mark.success { font-weight: 500; }
.days { position: relative; grid-column: 1 / -1; margin-top: 0.625rem; }
.shapes { position: absolute; }
.days .uptime { height: 2.125rem; touch-action: pan-y; }
.days .uptime path { stroke-width: 48; stroke-dasharray: none; }
.uptime .planned { stroke: var(--planned, var(--link)); }
.days .uptime .cut { stroke: var(--raised); stroke-width: 2; }
.days .uptime .none { stroke: color-mix(in srgb, var(--quiet) 45%, var(--raised)); }
.days .uptime .before { stroke: color-mix(in srgb, var(--line) 65%, var(--raised)); }
.uptime .said.on { stroke: color-mix(in srgb, var(--text) 35%, transparent); }
.day { position: absolute; left: 0; bottom: 100%; z-index: 1; width: max-content; max-width: 100%; margin: 0 0 0.375rem; padding: 0.375rem 0.625rem; border: 1px solid transparent; border-radius: var(--radius, 6px); background: var(--text); color: var(--ground); font-size: 0.8125rem; line-height: 1.35; pointer-events: none; }
.day:empty { display: none; }
.spoken { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.days .uptime:focus:not(:focus-visible) { outline: none; }
.range { display: flex; gap: 0 0.5rem; justify-content: space-between; margin: 0.375rem 0 0; color: var(--quiet); font-size: 0.8125rem; line-height: 1.35; }
.range:has(strong) { display: grid; gap: 0 0.3125rem; grid-template-columns: minmax(0, 1fr) minmax(4rem, auto) minmax(0, 1fr) auto; }
.range strong { color: var(--text); font-weight: 600; text-align: right; }
.group > details > summary { display: flex; gap: 0.625rem; align-items: baseline; width: auto; padding: 0; color: var(--text); list-style: none; }
.group > details > summary::-webkit-details-marker { display: none; }
.group > details > summary::before { content: ""; flex: none; width: 0.4375rem; height: 0.4375rem; border: solid currentColor; border-width: 0 2px 2px 0; rotate: -45deg; translate: 0 -0.0625rem; }
.group > [open] > summary::before { rotate: 45deg; translate: 0 -0.1875rem; }
.group > [open] + .days { display: none; }
.group > .days { margin-top: 0.625rem; }
.group .name { flex: 1; min-width: min(5rem, 50%); font-weight: 650; }
.group > [open] > summary { margin-bottom: 1rem; }
.bad { margin-top: 0.25rem; font-size: 0.8125rem; }
:is(.bad, .folded > details) > summary { display: flex; gap: 0.5rem; align-items: baseline; list-style: none; }
:is(.bad, .folded > details) > summary::-webkit-details-marker { display: none; }
:is(.bad, .folded > details) > summary::before { content: ""; flex: none; width: 0.3125rem; height: 0.3125rem; border: solid currentColor; border-width: 0 1.5px 1.5px 0; rotate: -45deg; translate: 0 -0.0625rem; }
:is(.bad, .folded > details)[open] > summary::before { rotate: 45deg; translate: 0 -0.125rem; }
.bad ul { margin: 0.25rem 0 0; padding-left: 0.875rem; list-style: none; color: var(--quiet); }
main > section > .component { padding: 1.25rem; border: 1px solid var(--line); border-radius: var(--radius, 10px); background: var(--raised); }
main > section > .component > .days { margin-top: 0; }
.uptimes { display: grid; grid-template-columns: repeat(auto-fit, minmax(6rem, 1fr)); gap: 0.75rem; margin: 0 0 0.75rem; }
.uptimes > div { display: flex; flex-direction: column-reverse; padding: 0.75rem 1.25rem; border: 1px solid var(--line); border-radius: var(--radius, 10px); background: var(--raised); }
.uptimes dt { color: var(--quiet); font-size: 0.8125rem; }
.uptimes dd { margin: 0; font-size: 1.25rem; line-height: 1.35; font-weight: 650; }
.status .wide table { width: 100%; }
.status .wide :is(th, td):last-child { padding-right: 0; }
main > section > details > summary { font-size: 0.875rem; }
.status h1.target + .verdict { margin-top: 0.25rem; font-size: 1rem; }
.wide { overflow-x: auto; overflow-wrap: normal; }
.wide th, .wide td { white-space: nowrap; }
h2 ~ h3 { margin: 1.5rem 0 0; font-size: 0.9375rem; font-weight: 600; }
.kind { color: var(--quiet); font-size: 0.875rem; }

.report { --tone: var(--degraded); margin: 0; padding: 1rem 1.25rem; border: 1px solid color-mix(in srgb, var(--tone) 50%, var(--line)); border-radius: var(--radius, 10px); background: var(--raised); }
.report:is(.major_outage, .partial_outage) { --tone: var(--error); }
.report.planned { --tone: var(--planned, var(--link)); }
.report.resolved { --tone: var(--line); }
* + .report { margin-top: 1rem; }
.status h3 + .report { margin-top: 0.5rem; }
.report .period { margin: 0; font-weight: 600; }
.report .period time { color: var(--text); }
.report > .said { margin-top: 0.625rem; }
.report.folded { padding-block: 0.75rem; }
.report.folded + .folded { margin-top: 0.5rem; }
.folded > details { margin-top: 0.125rem; font-size: 0.875rem; }
.folded > details > :not(summary) { font-size: 0.9375rem; }
.status .folded summary { margin: 0; }
.folded .updates { margin-top: 0.625rem; padding-top: 0.625rem; }
.no-reports { margin: 1.25rem 0 0; color: var(--quiet); font-size: 0.875rem; }
h2 + .no-reports { margin-top: 0; }
.status .report:not(.resolved) > :is(h2, h3, h4) { margin: -1rem -1.25rem 0.75rem; padding: 0.75rem 1.25rem; border-radius: var(--radius, 10px) var(--radius, 10px) 0 0; background: color-mix(in srgb, var(--tone) 14%, var(--raised)); }
.status .report :is(h2, h3, h4) { margin: 0; font-size: 1.0625rem; font-weight: 650; }
.report .standing { float: right; margin: 0.125rem 0 0 1rem; color: var(--text); font-size: 0.875rem; font-weight: 600; }
.report.resolved .standing { color: var(--quiet); }
.report.resolved:not(.planned) .updates > li:first-child > .when strong { color: var(--success); }
.later-times { margin-top: 0.75rem; font-size: 0.875rem; color: var(--quiet); }
.later-times summary { cursor: pointer; }
.later-times time { white-space: nowrap; }
.later-times ul { margin: 0.375rem 0 0; padding-left: 1.125rem; }
.report .kind { margin: 0.125rem 0 0; }
.history { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: var(--radius, 10px); background: var(--raised); }
.history > li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0.125rem 1rem; align-items: baseline; padding: 0.875rem 1.25rem; }
.history > li + li { border-top: 1px solid var(--line); }
.history h3 { margin: 0; font-size: 1rem; font-weight: 600; }
.history .mark { font-size: 0.875rem; }
.history .mark .cut { stroke: var(--raised); }
.history > li > :is(.said, .kind) { grid-column: 1 / -1; }
.history .said { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; font-size: 0.9375rem; }
.history .kind { margin: 0; font-size: 0.8125rem; }
.status main > section:has(> .history) > h2 { margin-top: 2rem; }
.updates { display: grid; gap: 0.875rem; margin: 0.875rem 0 0; padding: 0.875rem 0 0; border-top: 1px solid var(--line); list-style: none; }
.report > :is(.updates:first-child, :is(h2, h4) + .updates) { padding-top: 0; border-top: 0; }
.when { margin: 0.125rem 0 0; font-size: 0.875rem; }
.when, .when time { color: var(--quiet); }
.when strong { color: var(--text); margin-right: 0.25rem; }
.since { margin: 0; color: var(--quiet); font-size: 0.8125rem; }

.status > footer { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; justify-content: space-between; align-items: baseline; }
.status > footer:not(:has(*)) { border: 0; }
.ways { display: flex; flex: 1 0 100%; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; padding: 0; list-style: none; font-size: 0.875rem; }
.status > footer:not(:has(> p)) .ways { flex: 0 1 auto; }
.languages { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0; padding: 0; list-style: none; font-size: 0.875rem; }
.languages a, footer a, .asof a { display: inline-block; padding: 0.25rem 0; }
.languages span { display: inline-block; padding: 0.25rem 0; font-weight: 650; }
.enter fieldset { width: 100%; min-width: 0; margin: 0.5rem 0; padding: 0; border: 0; }
.enter legend { padding: 0 0 0.25rem; color: var(--text); font-size: 0.9375rem; font-weight: 600; }
.enter fieldset fieldset legend { font-weight: 400; color: var(--quiet); }
.pick { display: flex; gap: 0.625rem; align-items: center; min-height: 2rem; color: var(--text); font-size: 1rem; }
.pick input { flex: none; width: 1.5rem; height: 1.5rem; margin: 0; }
.pick span { min-width: 0; overflow-wrap: anywhere; }
.status:has(.enter):not(:has(.follow)) { max-width: 28rem; padding-top: 12vh; }
.enter { width: auto; max-width: 28rem; margin: 1.25rem 0; padding: 1.25rem; gap: 0.5rem; border: 1px solid var(--line); border-radius: var(--radius, 10px); background: var(--raised); }
.enter :is([type="password"], [type="email"]) { flex: 1 1 12rem; min-width: 0; }
.enter > label { color: var(--text); font-size: 0.9375rem; font-weight: 600; }
.status .enter input:not([type="checkbox"]), .status .enter button { min-height: 2.5rem; }
.status .enter button { padding-inline: 1.125rem; border-color: var(--link); background: var(--link); color: var(--ground); font-weight: 600; }
.status .enter button:enabled:hover { filter: brightness(1.1); }
.status .enter button:disabled { opacity: 0.6; cursor: not-allowed; }
.status input, .status button { border-color: var(--input, var(--quiet)); border-radius: var(--radius, 4px); }
.fault { color: var(--error); font-weight: 600; width: 100%; margin: 0; }
@media (min-width: 40rem) { .status { padding-top: 2rem; } .updates > li { display: grid; grid-template-columns: 9rem minmax(0, 1fr); } .updates .when { display: contents; } .updates time { grid-area: 2 / 2; margin-top: 0.25rem; font-size: 0.8125rem; } .updates .said { grid-area: 1 / 2; } .updates .said > :first-child { margin-top: 0; } }
@media (max-width: 30rem) { .status > header { grid-template-columns: minmax(0, 1fr) auto; } .follow { grid-column: 2; } .status .asof { grid-area: 2 / 1 / auto / -1; } .components > li, .report, .history > li { padding-inline: 1rem; } .uptimes > div { padding-inline: 0.75rem; } .status .wide :is(th, td):not(:last-child) { padding-right: 0.875rem; } main > section > .component { padding-inline: 1rem; } .status .report:not(.resolved) > :is(h2, h3, h4) { margin-inline: -1rem; padding-inline: 1rem; } .range { font-size: 0.75rem; } .range:has(strong) { grid-template-columns: minmax(0, 4fr) minmax(3.75rem, auto) minmax(0, 5fr) auto; } }
/* The name of a row and its counts are above its latencies: so all of them are in view in each language. */
@media (max-width: 30rem) {
  .status .figures { display: grid; grid-template-columns: repeat(5, auto); column-gap: 0.5rem; }
  .status .figures :is(thead, tbody, tr) { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; }
  .status .wide .figures :is(th, td) { grid-row: 2; padding: 0; text-align: right; }
  .status .wide .figures tr > :first-child { grid-area: 1 / 1 / auto / span 3; font-weight: 600; text-align: left; }
  .status .wide .figures tr > :is(:nth-child(7), :nth-child(8)) { grid-row: 1; }
  .status .wide .figures tr > :nth-child(7) { grid-column: 4; }
  .status .wide .figures tr > :nth-child(8) { grid-column: 5; }
  .status .figures tr { row-gap: 0.125rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
}
@media print { .skip, footer nav { display: none; } .component, .report { break-inside: avoid; } .group details::details-content { display: block; margin-top: 1rem; content-visibility: visible; } .folded details::details-content { display: block; content-visibility: visible; } .status .overall:not([class="overall"]) { border: 2px solid var(--tone); background: none; color: var(--tone); } .overall .mark .cut { stroke: var(--ground); } }
`;
