/** Lists and tables: lines that stay readable by the thousand, with marks and figures in columns. */
export const listStyle = `
.act { margin: 0.75rem 0 0; }
.filter { gap: 0.5rem 0.75rem; align-items: end; }
.filter label { width: auto; }
.filter input, .filter select { display: block; margin-top: 0.125rem; width: 10rem; }
.filter .long { flex-basis: 100%; }
.filter .check { display: flex; gap: 0.375rem; align-items: center; min-height: 2.25rem; font-size: var(--normal); }
.sign-in { max-width: 24rem; margin: 1.5rem 0; }
.choices + .line-head, .line-head { font-size: 0.75rem; color: var(--quiet); }

.watched { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.line, .line-head {
  display: grid; column-gap: 1rem; align-items: center;
  grid-template: "mark name target bar share latency usual" auto "mark why why why why why why" auto / 6.5rem minmax(0, 12rem) minmax(0, 1fr) minmax(10rem, 18rem) 4.5rem 4.5rem 4.5rem;
}
.picks .line, .line-head.picks { grid-template: "pick mark name target bar share latency usual" auto "pick mark why why why why why why" auto / 1.5rem 6.5rem minmax(0, 12rem) minmax(0, 1fr) minmax(10rem, 18rem) 4.5rem 4.5rem 4.5rem; column-gap: 0.75rem; }
.line .pick { grid-area: pick; }
.many { margin-top: calc(var(--u) * 6); }
.operator .many h2 { margin: 0 0 calc(var(--u) * 3); }
.many .together { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: end; }
.operator:has(.pick:checked) .many { position: sticky; bottom: 0; z-index: 1; box-shadow: 0 -4px 16px rgb(0 0 0 / 15%); }
.line { padding: 0.25rem 0; border-bottom: 1px solid var(--line); }
.line p { margin: 0; }
.line .mark { grid-area: mark; font-size: 0.875rem; }
.operator .line h3 { grid-area: name; margin: 0; font-size: 0.9375rem; font-weight: 600; }
.line h3 a { color: inherit; text-decoration-color: var(--line); }
.line h3 a:hover { text-decoration-color: currentColor; }
.line .kind { grid-area: target; font-size: 0.8125rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.line .bar, .line-head .bar { grid-area: bar; }
.line .uptime { height: 1.125rem; }
.line .share, .line-head .share { grid-area: share; text-align: right; font-size: 0.875rem; }
.line .latency, .line-head .latency { grid-area: latency; text-align: right; font-size: 0.875rem; }
.line .usual, .line-head .usual { grid-area: usual; text-align: right; font-size: 0.875rem; color: var(--quiet); }
.line .unusual { color: var(--degraded); font-weight: 600; }
.line .why { grid-area: why; font-size: 0.875rem; max-width: none; }
.line-head .chart { margin: 0; }
.line-head span:not(.bar) { font-size: 0.75rem; }
.cause { padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
.cause summary { color: var(--text); font-size: 0.9375rem; }
.cause summary .mark { min-width: 6.5rem; margin-right: 0.75rem; font-size: 0.875rem; }
.cause .watched { margin: 0.25rem 0 0.5rem 1.25rem; }
.cause > .why { margin: 0 0 0 calc(7.5rem + 1rem); font-size: 0.875rem; }
.incident { display: grid; grid-template: "mark name kind" auto "mark why why" auto / 8rem minmax(0, 16rem) minmax(0, 1fr); column-gap: 1rem; align-items: baseline; padding: 0.25rem 0; border-bottom: 1px solid var(--line); }
.incident p { margin: 0; font-size: 0.875rem; }
.incident .mark { grid-area: mark; font-size: 0.875rem; }
.operator .incident h3 { grid-area: name; margin: 0; font-size: 0.9375rem; font-weight: 600; }
.incident .why { grid-area: why; max-width: none; }
.moments { margin: 0; padding: 0; list-style: none; max-width: 62rem; }
.moments li { display: grid; grid-template-columns: 10.5rem 4rem minmax(0, 1fr); column-gap: 1rem; padding: 0.25rem 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.moments p { margin: 0; }
.moments .said p:first-child { font-weight: 650; }
.moments time, .moments .offset, .moments .more { color: var(--quiet); }
.moments .offset { text-align: right; }
.remarks a { display: inline-block; padding: 0.25rem 0; }
.texts .figures td + td, .texts .figures th + th { text-align: left; }
.act .filter { align-items: end; margin-top: 0.5rem; }
.filter select[multiple] { width: 14rem; }
.wide { overflow-x: auto; overflow-wrap: normal; }
.figures .mark { font-size: 0.875rem; }
.chart + .wide { margin-top: 0.5rem; }

@media (max-width: 60rem) {
  .line { grid-template: "mark latency" auto "name share" auto "bar bar" auto "why why" auto / minmax(0, 1fr) auto; padding: 0.5rem 0; }
  .picks .line { grid-template: "pick mark latency" auto "pick name share" auto "pick bar bar" auto "pick why why" auto / 2rem minmax(0, 1fr) auto; column-gap: 0.5rem; }
  .line .kind, .line .usual, .line-head { display: none; }
  .line .why:empty { display: none; }
  .incident { grid-template: "mark kind" auto "name name" auto "why why" auto / 8rem minmax(0, 1fr); padding: 0.5rem 0; }
  .moments li { grid-template-columns: minmax(0, 1fr) auto; }
  .moments li div { grid-column: 1 / -1; }
  .cause > .why { margin-left: 0; }
  .cause .watched { margin-left: 0.5rem; }
  .filter input, .filter select { width: 8rem; }
}
@media (forced-colors: active) {
  .uptime .up { stroke: CanvasText; }
  .uptime .slow, .uptime .down { stroke: Highlight; }
  .chart .phase { stroke: Canvas; stroke-width: 1; }
}
@media print {
  form, .act, .acts, .many, .pick, .skip, .asof a, nav { display: none !important; }
  details:not([open]) { display: none; }
  .line { break-inside: avoid; }
}
`;
