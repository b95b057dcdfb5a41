/** A monitor's page: figures at the top, charts in the wider column, and in the other what explains them. */
export const monitorStyle = `
.drop { position: relative; }
.operator .drop > summary { padding: calc(var(--u) * 1.5) calc(var(--u) * 3.5); color: var(--text); list-style: none; }
.drop[open] > summary { margin-bottom: 0; }
.drop > summary::-webkit-details-marker { display: none; }
.drop > summary::after { content: "▾"; margin-left: calc(var(--u) * 1.5); color: var(--quiet); }
.drop > .dropped { position: absolute; z-index: 3; right: 0; top: calc(100% + var(--u)); width: min(26rem, calc(100vw - 2rem)); padding: calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--above); }
.dropped .words { margin-bottom: 0; }
.operator .acts-menu > summary { display: flex; padding-inline: calc(var(--u) * 2.5); font-size: 1.125rem; line-height: 1; }
.acts-menu > summary::after { content: none; }
.acts-menu > .dropped { display: grid; width: max-content; min-width: 12rem; margin: 0; padding: calc(var(--u) * 1.5); list-style: none; }
.acts-menu .act { display: block; width: auto; }
.operator .acts-menu > .dropped :is(.button, button) { width: 100%; justify-content: flex-start; padding: calc(var(--u) * 1.5) calc(var(--u) * 2.5); border-color: transparent; background: none; box-shadow: none; color: var(--text); font-weight: 450; }
.operator .acts-menu > .dropped :is(.button, button):hover { background: var(--hover); }
.operator .acts-menu > .dropped .button.danger { color: var(--error); }
.acts-menu li:has(.danger):not(:first-child) { margin-top: calc(var(--u) * 1.5); padding-top: calc(var(--u) * 1.5); border-top: 1px solid var(--line); }
.dropped label, .dropped label input { width: 100%; }
.acts li:has(> .if-narrow), .acts > .if-narrow { display: none; }
.monitor-head { display: grid; grid-template: "name acts" auto "facts facts" auto / minmax(0, 1fr) auto; gap: calc(var(--u) * 2) calc(var(--u) * 6); }
.monitor-head > .acts { grid-area: acts; }
.monitor-head > .verdict { grid-area: facts; gap: var(--u) calc(var(--u) * 3); margin: 0; }
.monitor-head .kind { min-width: 0; max-width: 100%; overflow-wrap: anywhere; }
.chip { display: inline-block; padding: 0 calc(var(--u) * 2); border: 1px solid var(--line); border-radius: 1rem; background: var(--raised); color: var(--quiet); font-size: 0.75rem; line-height: 1.375rem; }
.operator a.chip { text-decoration: none; }
.operator a.chip:hover { border-color: var(--accent); color: var(--accent); }
.chip.files { background: none; font-weight: 400; }
.no-channel { margin: 0; padding-left: calc(var(--u) * 3); border-left: 3px solid var(--degraded); font-size: var(--small); }
.names { display: flex; flex-wrap: wrap; gap: var(--u) calc(var(--u) * 4); margin: 0; padding: 0; list-style: none; font-size: var(--small); }
.trouble { margin: calc(var(--u) * 4) 0; padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); }
.trouble.error { background: var(--error-wash); border-color: color-mix(in srgb, var(--error) 45%, transparent); }
.trouble.degraded { background: var(--degraded-wash); border-color: color-mix(in srgb, var(--degraded) 45%, transparent); }
.trouble:has(p:only-child:empty) { display: none; }
.trouble p { margin: 0; max-width: none; }
.trouble.with-act { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2) calc(var(--u) * 4); justify-content: space-between; align-items: center; margin-top: 0; }
.trouble.refused { margin-top: calc(var(--u) * 4); }
.trouble .why { font-weight: 600; font-size: var(--normal); }
.trouble .reason { margin-right: calc(var(--u) * 3); color: var(--quiet); }
.trouble .reason code { color: var(--text); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 0; margin: calc(var(--u) * 4) 0; background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); overflow: hidden; }
.tiles > div { padding: calc(var(--u) * 3) calc(var(--u) * 4); box-shadow: -1px -1px 0 var(--line); }
.tiles dt { color: var(--quiet); font-size: var(--small); }
.tiles dd { margin: 0; font-size: 1.375rem; font-weight: 650; line-height: 1.4; letter-spacing: -0.018em; white-space: nowrap; }
.tiles .note { display: block; white-space: normal; overflow-wrap: anywhere; line-height: 1.35; font-weight: 400; letter-spacing: 0; }
.columns { display: grid; gap: calc(var(--u) * 4); align-items: start; margin: 0 0 calc(var(--u) * 4); }
.columns > div { display: grid; gap: calc(var(--u) * 4); min-width: 0; }
@media (min-width: 76rem) { .columns { grid-template-columns: minmax(0, 1fr) 22rem; } .columns.even { grid-template-columns: minmax(0, 1fr) 27rem; } }
.columns > .whole { grid-column: 1 / -1; }
@media (min-width: 76rem) {
  :is(.level, .story) .check-parts { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: calc(var(--u) * 8); align-items: start; }
}
.columns section { min-width: 0; padding: calc(var(--u) * 4) calc(var(--u) * 5); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); }
.columns section > :last-child { margin-bottom: 0; }
@media (min-width: 76rem) { .check-parts p:last-child { margin-bottom: 0; } }
main > p.quiet { font-size: var(--small); }
.operator .columns h2 { margin: 0 0 calc(var(--u) * 3); font-size: var(--normal); }
.operator .columns h3 { margin-top: calc(var(--u) * 4); }
.columns .chart { --ground: var(--raised); }
.columns .watched { border: 0; border-radius: 0; box-shadow: none; }
.columns .incident { grid-template: "mark name" auto "mark kind" auto "mark why" auto / 6rem minmax(0, 1fr); padding: calc(var(--u) * 2) 0; }
.columns .watched > li:first-child { padding-top: 0; }
.columns .incident:hover { background: none; }
.columns .choices { margin-bottom: var(--u); }
.columns .choices ul { align-items: baseline; }
.columns .words { font-size: var(--small); }
.columns .advice { margin: 0; font-size: var(--normal); }
.columns .messages + .advice { margin-top: calc(var(--u) * 3); }
.columns .facts { grid-template-columns: 6rem minmax(0, 1fr); margin: 0; font-size: var(--small); }
.sights, .checks { margin: 0; padding: 0; list-style: none; font-size: var(--small); }
.sights li { display: grid; grid-template-columns: 6rem minmax(0, 1fr) auto; gap: 0 calc(var(--u) * 2); align-items: baseline; padding: calc(var(--u) * 1.5) 0; border-top: 1px solid var(--line); }
.settled td .note { display: inline; }
.settled th .note { font-weight: 400; }
.sights .note { grid-column: 2 / -1; }
.sights .when { text-align: right; color: var(--quiet); white-space: nowrap; }
.checks li:not(.run), .checks .run > details > summary { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 calc(var(--u) * 2); align-items: baseline; width: auto; padding: calc(var(--u) * 1.5) 0; }
.checks li { border-top: 1px solid var(--line); }
:is(.sights, .checks) li:first-child { border-top: 0; }
.checks :is(.when, .latency) { text-align: right; }
.checks .note { grid-column: 1; }
.checks .run > details > summary > :is(.when, .note) { grid-column: 1 / -1; text-align: left; overflow-wrap: anywhere; }
.checks .run > details > summary > .latency { grid-area: 1 / 2; }
.checks .run > details > summary { list-style: none; color: var(--text); }
.checks .run > details > summary::-webkit-details-marker { display: none; }
.checks .run summary .mark::after { content: "▸"; color: var(--quiet); font-weight: 400; }
.checks .run [open] > summary .mark::after { content: "▾"; }
.checks .run summary:hover .mark::after { color: var(--accent); }
.checks .run details details { font-size: var(--small); }
.checks .run .checks { padding-left: calc(var(--u) * 5); border-left: 2px solid var(--line); margin: 0 0 calc(var(--u) * 2) calc(var(--u) * 1.5); }
.checks a { color: inherit; }
.checks .run .checks li { padding: calc(var(--u) * 0.75) 0; border: 0; }
.checks .run .checks a { margin-right: calc(var(--u) * 2); color: var(--text); }
.operator .bad-days { margin: calc(var(--u) * 2) 0 0; padding: 0; list-style: none; font-size: var(--small); }
.bad-days a { display: inline-block; min-width: 4rem; }
.bad-days + details { font-size: var(--small); }
.checks + details { margin-top: var(--u); font-size: var(--small); }
.legend { display: flex; flex-wrap: wrap; gap: var(--u) calc(var(--u) * 5); margin: calc(var(--u) * 2) 0 0; padding: 0; list-style: none; font-size: var(--small); }
.legend .note { display: inline; }
.operator .columns summary h2 { display: inline; color: var(--text); }
.columns [id$="-check"][open] > summary { margin-bottom: calc(var(--u) * 3); }
.columns [id$="-check"] .facts { grid-template-columns: auto minmax(0, 1fr); max-width: none; }
.columns [id$="-check"] .phases { max-width: none; font-size: 0.875rem; }
.columns [id$="-check"] .phases :is(th, td) { padding-block: 0.1875rem; }
@media (min-width: 40rem) { .columns .phases tbody th { white-space: nowrap; } }
.columns [id$="-check"] .why { margin-top: 0; font-size: var(--normal); }
#bad-check + #first-check { margin-top: calc(var(--u) * 4); padding-top: calc(var(--u) * 3); border-top: 1px solid var(--line); }
.operator .remark + :is(.check-parts, .answered) { margin-top: calc(var(--u) * 4); }
.answered { min-width: 0; }
.answered:has(+ .check-parts) { margin-bottom: calc(var(--u) * 5); }
.answered > .words { margin: calc(var(--u) * 2) 0 0; max-width: none; }
.answered .facts { margin-top: calc(var(--u) * 2); }
.answer-body { max-height: 20rem; margin: calc(var(--u) * 1.5) 0 0; padding: calc(var(--u) * 3); overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; font-size: var(--small); line-height: 1.5; }
.columns .fold > summary { font-size: var(--small); }
@supports selector(::details-content) { @media (min-width: 40rem) { .fold > summary { display: none; } .fold::details-content { content-visibility: visible; } } }
@media (min-width: 40rem) and (max-width: 60rem) {
  .tiles:has(> :nth-child(6)) { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .tiles:has(> :nth-child(7)) { grid-template-columns: repeat(4, minmax(0, 1fr)); }
}
@media (max-width: 60rem) { .monitor-head { grid-template: "name" auto "facts" auto "acts" auto / minmax(0, 1fr); } }
@media (max-width: 40rem) {
  .columns .incident { grid-template-columns: minmax(0, 1fr) auto; }
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .tiles > div { padding: calc(var(--u) * 2) calc(var(--u) * 3); }
  .tiles > :last-child:nth-child(odd) { grid-column: 1 / -1; }
  .tiles dd { font-size: var(--large); white-space: normal; }
  .columns section { padding: calc(var(--u) * 3); }
  .drop[open] { flex-basis: 100%; }
  .drop > .dropped { position: static; width: auto; margin-top: var(--u); }
  .acts-menu[open] { flex-basis: auto; }
  .acts-menu > .dropped { position: absolute; width: max-content; margin: 0; }
  .title-line .acts { gap: calc(var(--u) * 1.5); }
  .operator .acts > .if-wide { display: none; }
  .acts li:has(> .if-narrow), .acts > .if-narrow { display: block; }
  .acts > .button.if-narrow { display: inline-flex; justify-content: center; align-items: center; }
  .monitor-head > .acts > * { flex: 1 1 auto; }
  .monitor-head > .acts > .act > :is(button, summary) { width: 100%; }
  .monitor-head > .acts > .acts-menu { flex: none; }
  .monitor-head > .acts:not(.bar) > .act:has(> .main):first-child { flex-basis: 100%; }
  .operator .title-line .acts :is(.button, button) { min-height: 2.125rem; padding: var(--u) calc(var(--u) * 2.5); font-size: var(--small); }
}
@media print {
  .tiles { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); }
  .tiles dd { font-size: var(--large); }
}
`;
