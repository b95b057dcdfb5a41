/** Who changed what, and what was deleted and can be undone. */
export const changeStyle = `
.changes-list, .alone .listed { margin: 0.5rem 0; padding: 0; list-style: none; }
.day { font-size: 1rem; margin: 1.25rem 0 0; }
.day + .changes-list { padding: 0 calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); }
.day + .changes-list > .change:last-child { border-bottom: 0; }
@media (min-width: 60rem) {
  .choices > .filter[data-days] { flex: 1; }
  .filter[data-days] > label { flex: 1 1 8rem; }
  .filter[data-days] > label :is(input, select) { width: 100%; }
}
.change { border-bottom: 1px solid var(--line); }
.changes-list .change { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 0.75rem; align-items: start; }
.to-object { padding: 0.375rem 0; font-size: 0.875rem; }
.change summary { display: grid; grid-template-columns: 0.75rem auto 1rem minmax(0, 1fr); gap: 0 0.5rem; align-items: baseline; width: auto; padding: 0.375rem 0; color: var(--text); font-size: 0.875rem; list-style: none; }
.change summary::-webkit-details-marker { display: none; }
.change summary::before { content: "▸"; color: var(--quiet); }
.change [open] > summary::before { content: "▾"; }
.change summary:hover::before { color: var(--accent); }
.change summary > span { min-width: 0; overflow-wrap: anywhere; }
.change summary b { font-weight: 600; }
.change time { color: var(--quiet); font-variant-numeric: tabular-nums; }
.change .actor svg { width: 1rem; height: 1rem; vertical-align: -0.1875rem; fill: none; stroke: var(--quiet); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.change .gist { margin-left: 0.375rem; color: var(--quiet); }
@media (max-width: 40rem) {
  .change summary { grid-template-columns: 0.75rem auto minmax(0, 1fr); }
  .change summary > span:last-child { grid-column: 2 / -1; }
}
.change details > :not(summary) { margin-left: 1.25rem; }
.change details > p { margin-block: 0 0.625rem; font-size: 0.8125rem; }
.change details > .changes-list { margin-block: 0 0.625rem; }
.changes-list .changes-list .change:last-child { border-bottom: 0; }
.change details > table { width: calc(100% - 1.25rem); margin-bottom: 0.25rem; }
table.changes { width: 100%; border-collapse: collapse; font-size: 0.875rem; table-layout: fixed; }
table.changes th, table.changes td { padding: 0.1875rem 0.75rem 0.1875rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; font-weight: normal; }
.change table.changes .whole > summary { display: block; padding: 0; cursor: pointer; }
.change table.changes .whole > div { margin: 0; }
.whole:not([open]) > summary > b, .whole[open] > summary > span { display: none; }
table.changes thead th { font-size: 0.75rem; color: var(--quiet); }
table.changes tbody th { width: 30%; color: var(--quiet); }
table.changes th:first-child { width: 30%; }
table.versions { max-width: 60rem; margin: calc(var(--u) * 4) 0; table-layout: auto; background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); border-collapse: separate; border-spacing: 0; }
table.versions :is(th, td) { padding: calc(var(--u) * 2.5) calc(var(--u) * 4); }
table.versions tbody :is(th, td) { border-top: 1px solid var(--line); }
table.versions :is(th:first-child, tbody th) { width: 22%; }
table.versions td { width: 26%; }
table.versions strong { font-weight: 600; }
.kept .picked-card > .help { grid-column: 1 / -1; margin: 0; }
.kept h2 { margin: calc(var(--u) * 6) 0 0; }
.kept .discard { align-self: center; color: var(--quiet); }
.kept .buttons { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); margin: 0; }
@media (max-width: 40rem) {
  .kept .buttons > * { flex: 1 0 100%; text-align: center; }
  table.versions, table.versions :is(tbody, tr, th, td) { display: block; }
  table.versions thead { display: none; }
  table.versions tr { padding: calc(var(--u) * 3) calc(var(--u) * 4); }
  table.versions tr + tr { border-top: 1px solid var(--line); }
  table.versions tbody :is(th, td) { width: auto; padding: 0.125rem 0; border: 0; }
  table.versions tbody th { font-weight: 600; color: var(--text); }
  table.versions td { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); }
  table.versions td::before { content: attr(data-column); color: var(--quiet); }
}
.undo { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; margin: 0 0 1rem; padding: 0.5rem 0.875rem; border: 1px solid var(--line); border-left: 0.25rem solid var(--accent); border-radius: 0.375rem; background: var(--raised); }
.title-line + .undo { margin-top: 1rem; }
.undo p { margin: 0; max-width: none; flex: 1 1 12rem; }
.undo form { margin: 0; }
.undo .close { margin-right: -0.5rem; }
.undo .close :is(button, .button) { min-width: 2.125rem; justify-content: center; text-align: center; font-size: 1.25rem; line-height: 1; }
.undo .others { flex: 1 0 100%; }
.undo .others > summary { width: fit-content; color: var(--quiet); cursor: pointer; }
.undo .others ul { margin: 0; padding: 0; list-style: none; }
.undo .others li { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; padding: 0.5rem 0; border-top: 1px solid var(--line); }
.undo .others li:first-child { margin-top: 0.5rem; }
`;
