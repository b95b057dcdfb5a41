import { chartColours, chartStyle } from "#web/page/chart/chart-style";

/*
 * The look of the pages: one column of system type, hairlines instead of boxes, colour only if something is wrong.
 * Every pair of text and ground has at least the contrast of WCAG AA in both schemes; a test measures it.
 */

/** Colours of the light scheme, as variables. */
export const lightPalette: string = `
  --ground: #f8f8f6; --raised: #ffffff; --line: #dadad4; --text: #1b1d21; --quiet: #555b65; --link: #0b57a4;
  --error: #b01f24; --degraded: #844a00; --success: #1f6b3b; --bar: #5f7d9c; --focus: #0b57a4; ${chartColours.light}`;
/** And of the dark one. */
export const darkPalette: string = `
  --ground: #121417; --raised: #1b1e22; --line: #343a41; --text: #e7e8ea; --quiet: #a7adb7; --link: #8ab8f5;
  --error: #ff938c; --degraded: #f0b556; --success: #7dcf9b; --bar: #7f9cba; --focus: #8ab8f5; ${chartColours.dark}`;

export const style: string = `
:root { color-scheme: light dark; ${lightPalette} }
@media (prefers-color-scheme: dark) { :root { ${darkPalette} } }
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1.25rem clamp(1rem, 4vw, 2rem) 3rem;
  background: var(--ground); color: var(--text); overflow-wrap: anywhere; font-variant-numeric: tabular-nums;
}
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; top: 0; left: -999rem; z-index: 1; padding: 0.5rem; background: var(--ground); }
.skip:focus { left: 0; }
code { font: 0.92em ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; }
svg { flex: none; }

header { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; justify-content: space-between; align-items: baseline; }
header p, footer p { margin: 0; color: var(--quiet); font-size: 0.875rem; }
.asof a { margin-left: 0.75rem; white-space: nowrap; }
.brand { font-weight: 600; }
.brand a { color: inherit; text-decoration: none; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }

h1 { margin: 2rem 0 0; font-size: 1.125rem; line-height: 1.3; font-weight: 600; color: var(--quiet); }
h1.target { font-size: 1.5rem; color: var(--text); margin-top: 0.5rem; }
.lede { margin: 0.125rem 0 0; font-size: clamp(1.5rem, 5vw, 2.125rem); line-height: 1.2; font-weight: 650; letter-spacing: -0.015em; text-wrap: balance; }
.advice { margin: 0.75rem 0 0; max-width: 46rem; font-size: 1.0625rem; }
.back { margin: 2rem 0 0; font-size: 0.875rem; }
.id { margin: 0.25rem 0 0; color: var(--quiet); font-size: 0.875rem; }
h2 { margin: 2.5rem 0 0.5rem; font-size: 1rem; line-height: 1.3; font-weight: 650; }

.choices { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; justify-content: space-between; align-items: end; margin-bottom: 0.75rem; font-size: 0.9375rem; }
.choices ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
.choices li a { display: inline-block; padding: 0.375rem 0; }
.choices a[aria-current] { color: var(--text); font-weight: 650; text-decoration: none; border-bottom: 2px solid var(--text); }
.count { color: var(--quiet); font-weight: 400; }
form { display: flex; flex-wrap: wrap; gap: 0.375rem; align-items: center; width: 18rem; }
label { width: 100%; color: var(--quiet); font-size: 0.8125rem; line-height: 1.2; }
input, button { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--quiet); border-radius: 4px; padding: 0.25rem 0.625rem; }
input { flex: 1; min-width: 0; }
button { cursor: pointer; }

.monitors { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.monitor {
  display: grid; grid-template: "name history latency" auto "verdict history latency" auto "why why why" auto "more more more" auto / minmax(0, 1fr) auto 6rem;
  column-gap: 1.5rem; align-items: center; padding: 0.875rem 0; border-bottom: 1px solid var(--line);
}
.monitor h3 { grid-area: name; margin: 0; font-size: 1rem; line-height: 1.35; font-weight: 600; }
.monitor h3 a { color: inherit; text-decoration-color: var(--line); }
.monitor h3 a:hover { text-decoration-color: currentColor; }
.monitor p { margin: 0; }
.monitor .verdict { grid-area: verdict; }
.monitor .whys { grid-area: why; }
.monitor .why { grid-area: why; margin-top: 0.375rem; max-width: 46rem; }
.monitor .latency { grid-area: latency; text-align: right; font-size: 1.125rem; }
.monitor .history { grid-area: history; line-height: 0; }
.monitor details, .monitor .when { grid-area: more; margin-top: 0.25rem; font-size: 0.875rem; color: var(--quiet); }
.verdict { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; margin: 0.375rem 0 0; font-size: 0.875rem; }
.mark { display: inline-flex; gap: 0.375rem; align-items: center; font-weight: 600; }
.mark svg { width: 0.95rem; height: 0.95rem; }
.mark.error { color: var(--error); }
.mark.degraded { color: var(--degraded); }
.mark.success { color: var(--success); }
.mark.unchecked, .kind { color: var(--quiet); }
.mark .fill { fill: currentColor; }
.mark .cut { fill: none; stroke: var(--ground); stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
.mark .outline { fill: none; stroke: currentColor; stroke-width: 1.6; stroke-dasharray: 3.2 2.6; }
.why { margin: 0.75rem 0 0; max-width: 46rem; }
h1 ~ .why { font-size: 1.125rem; }

.sparkline .ground { fill: none; stroke: var(--line); vector-effect: non-scaling-stroke; }
.sparkline .success { fill: var(--bar); }
.sparkline rect.degraded, .sparkline circle { fill: var(--degraded); }
.sparkline .error { fill: none; stroke: var(--error); stroke-width: 1.5; stroke-linecap: round; vector-effect: non-scaling-stroke; }
.sparkline .uncertain { fill: none; stroke: var(--bar); }
.sparkline rect.degraded.uncertain { stroke: var(--degraded); }
.sparkline .gap { fill: none; stroke: var(--quiet); stroke-dasharray: 2 2; }
.axis { display: flex; justify-content: space-between; color: var(--quiet); font-size: 0.75rem; line-height: 1.2; }
.words { margin: 0.375rem 0 0.75rem; color: var(--quiet); font-size: 0.875rem; }

.lines .monitor { grid-template: "verdict name target history latency" auto "verdict why why why why" auto / 8.5rem minmax(0, 3fr) minmax(0, 2fr) auto 5rem; column-gap: 1rem; padding: 0.25rem 0; }
.lines .mark { grid-area: verdict; font-size: 0.875rem; }
.lines .monitor h3 { font-size: 0.9375rem; }
.lines .monitor .kind { grid-area: target; font-size: 0.8125rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.lines .monitor .latency { font-size: 0.9375rem; }
.lines .monitor .why { margin: 0; font-size: 0.875rem; }
.lines .monitor .why + .why { grid-area: auto; grid-column: 2 / -1; }
.lines .monitor h3:has(+ .kind:empty) { grid-column: name-start / target-end; }
.lines .sparkline { width: auto; height: 1.125rem; }

summary { cursor: pointer; width: fit-content; padding: 0.125rem 0; color: var(--quiet); }
summary:hover { color: var(--text); }
details[open] { color: var(--text); }
details[open] > summary { margin-bottom: 0.5rem; }
.code { margin: 0.25rem 0 1rem; color: var(--quiet); max-width: 46rem; }
.monitor .code { margin-bottom: 0.75rem; }
.code code { color: var(--text); }
table { border-collapse: collapse; font-size: 0.875rem; }
caption { text-align: left; color: var(--quiet); padding-bottom: 0.25rem; }
th { font-weight: 400; text-align: left; }
th, td { padding: 0.1875rem 1.25rem 0.1875rem 0; vertical-align: baseline; }
thead th { color: var(--quiet); font-size: 0.8125rem; }
tfoot th, tfoot td { border-top: 1px solid var(--line); }
.phases { width: 100%; max-width: 46rem; color: var(--text); }
.phases :is(th, td) { padding: 0.3125rem 1rem 0.3125rem 0; white-space: nowrap; overflow-wrap: normal; vertical-align: middle; }
.phases :is(th, td):not(:first-child, .bar) { width: 1%; text-align: right; }
.phases :is(th, td):first-child { width: 1%; }
.phases :is(th, td):last-child { padding-right: 0.5rem; }
.phases .bar svg { display: block; width: 100%; height: 0.625rem; border-radius: 2px; background: color-mix(in srgb, var(--line) 50%, transparent); }
.phases .own, .phases .other { fill: var(--quiet); }
.phases rect.failed { fill: var(--error); }
.phases .failing > * { background: color-mix(in srgb, var(--error) 7%, transparent); }
.phases tfoot :is(th, td) { font-weight: 600; }
span.failed { display: inline-flex; gap: 0.25rem; align-items: baseline; margin-left: 0.375rem; color: var(--error); font-weight: 600; }
span.failed svg { align-self: center; }
span.failed path { fill: none; stroke: currentColor; stroke-width: 2.25; stroke-linecap: round; }
.phase-notes { margin: 0.375rem 0 0.75rem; max-width: 46rem; color: var(--quiet); font-size: 0.8125rem; }
.figures :is(td, th):not(:first-child) { text-align: right; }
.path-hops :is(td, th):nth-child(2) { text-align: left; }
.doubt { margin: 0.5rem 0 0; max-width: 46rem; color: var(--degraded); }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.125rem 1.25rem; margin: 0.875rem 0 0; font-size: 0.875rem; max-width: 46rem; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; color: var(--text); }

.cells { display: grid; grid-template-columns: repeat(auto-fit, minmax(12rem, 1fr)); gap: 1.5rem 2rem; margin: 0; padding-top: 0.875rem; border-top: 1px solid var(--line); }
.cell dt { color: var(--quiet); font-size: 0.875rem; }
.cell dd { margin: 0; }
.cell strong { display: block; font-size: 1.25rem; line-height: 1.4; font-weight: 600; }
.cell.attention strong { color: var(--error); }
.note { display: block; color: var(--quiet); font-size: 0.8125rem; line-height: 1.45; }
.paging { display: flex; gap: 1.25rem; margin-top: 1rem; font-size: 0.9375rem; color: var(--quiet); }

@media (max-width: 40rem) {
  .monitor { grid-template: "name name" auto "verdict verdict" auto "why why" auto "history latency" auto "more more" auto / minmax(0, 1fr) auto; }
  .monitor .history { margin-top: 0.5rem; }
  .lines .monitor { grid-template: "verdict latency" auto "name history" auto "why why" auto / minmax(0, 1fr) auto; }
  .lines .monitor .kind { display: none; }
  .lines .monitor .history { margin-top: 0; }
  .lines .monitor .why + .why { grid-column: 1 / -1; }
  .phases :is(th, td) { padding-right: 0.625rem; }
  .asof a { margin-left: 0; margin-right: 0.75rem; }
  .choices li a, summary, header a, .paging a { padding: 0.375rem 0; }
  form { width: 100%; }
}
${chartStyle}`;

/** The icon of the tab: a picket fence, in a colour that shows on light and dark. */
export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#5f7d9c" d="M2 5l1.7-3L5.4 5v9H2zM6.3 5 8 2l1.7 3v9H6.3zM10.6 5l1.7-3L14 5v9h-3.400z"/><path fill="#5f7d9c" d="M1 7h14v1.600H1zM1 11h14v1.600H1z"/></svg>';
