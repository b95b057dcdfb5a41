/** What the pages of incidents, planned work and publishing add: comments, messages, and what was typed and not taken. */
export const workStyle = `
.operator .brief dd { font-size: var(--normal); font-weight: 600; letter-spacing: 0; line-height: 1.5; white-space: normal; }
.brief { grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); }
.brief a { color: inherit; }
.latest { margin: 0 0 calc(var(--u) * 4); padding: calc(var(--u) * 2.5) calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); font-size: 0.875rem; }
.latest > span { color: var(--quiet); margin-right: var(--u); }
.latest time { color: var(--quiet); margin-right: calc(var(--u) * 2); }
.trouble .code { margin-top: var(--u); font-size: var(--small); }
.reason a, .code a, .why a:has(code), .meta a:has(code), .more a:has(code) { color: inherit; }
.failures > div { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 0 calc(var(--u) * 4); padding: calc(var(--u) * 2) 0; border-top: 1px solid var(--line); scroll-margin-top: calc(var(--u) * 4); }
.failures > div:target { background: var(--raised); box-shadow: inset 3px 0 var(--link); padding-left: calc(var(--u) * 3); }
.failures dd { margin: 0; max-width: 46rem; }
.failures dd p { margin: 0; }
@media (max-width: 40rem) { .failures > div { grid-template-columns: minmax(0, 1fr); } }
.trouble .runbook { margin: calc(var(--u) * 2) 0 0; font-size: 0.875rem; font-weight: 400; max-width: 46rem; overflow-wrap: anywhere; white-space: pre-line; }
.brief .note { overflow-wrap: anywhere; white-space: normal; }
.operator .stack .messages li:last-child { padding-bottom: 0; }
p.recovering { font-weight: 600; }
span.recovering { display: block; }
.operator .columns.stack { grid-template-columns: minmax(0, 1fr); }
.stack .title-line { margin-bottom: calc(var(--u) * 2); }
.operator .stack .title-line h2 { margin: 0; }
.stack .one-line, .one-line + details { margin: 0; }
.stack .one-line:first-child li:first-child { border-top: 0; }
.operator .stack details { margin-bottom: 0; }
.one-line .mark { grid-area: mark; }
.operator :is(.one-line, .incident) > .mark svg, .operator .one-line li > .mark svg { align-self: flex-start; margin-top: 0.125rem; }
.one-line li > :is(a, .what) { grid-area: name; }
.one-line li > :is(time, .length) { grid-area: length; }
.one-line .next { grid-area: next; }
.operator .part > summary { width: auto; font-size: var(--normal); color: var(--text); }
.part[open] > summary { margin-bottom: calc(var(--u) * 3); }
.one-line .note { display: block; color: var(--quiet); font-size: var(--small); }
.stack .messages li { grid-template-columns: 10rem minmax(0, 1fr) auto; }
.stack .messages.reported li { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr) auto; }
.stack .messages li > .kind { grid-column: 2; order: 0; }
.stack .messages + .acts { margin: calc(var(--u) * 3) 0 0; }
.stack .messages li > details { grid-column: 2 / -1; order: 2; }
.event { grid-template: "mark name length next" auto "mark why why next" auto "mark meta meta next" auto / 6.5rem minmax(0, 1fr) auto minmax(6.75rem, auto); row-gap: calc(var(--u) * 0.5); }
.event > .length { grid-area: length; text-align: right; white-space: nowrap; }
.event > .meta { display: flex; flex-wrap: wrap; grid-area: meta; gap: 0 calc(var(--u) * 4); color: var(--quiet); font-size: var(--small); }
.event > .meta time { white-space: nowrap; }
@media (min-width: 60rem) { .event > .meta > :not(.names) { white-space: nowrap; } }
.event > .why { margin: 0; font-size: 0.875rem; }
.stack .messages h3 a { font-weight: 600; }
.acts.bar .button { color: var(--text); }
.incident.outage { grid-template: "mark name length next" auto "mark why why why" auto "mark meta meta meta" auto "mark fold fold fold" auto / 8rem minmax(0, 1fr) auto 11rem; }
.outage > :is(.length, .next) { font-size: 0.875rem; }
.incident.outage > .next { align-self: baseline; justify-self: stretch; text-align: right; }
:is(.outage, .one-line, .stack) form.next { display: flex; justify-content: flex-end; margin: 0; }
.incident.outage > form.next { align-self: start; }
@media (min-width: 60.01rem) { .operator .incident.outage > form.next { margin-block: calc(var(--u) * -0.5) calc(var(--u) * -1.5); } }
.operator .outage > p.next, .one-line .next { color: var(--quiet); font-size: var(--small); }
.operator .outage.over > :is(h3, .mark, .why, .length) { color: var(--quiet); font-weight: 450; }
.operator .outage > details { grid-area: fold; margin-top: var(--u); }
.outage > details > summary { color: var(--quiet); font-size: var(--small); }
.one-line { margin: var(--u) 0 0; padding: 0; list-style: none; font-size: 0.875rem; }
.one-line li { display: grid; grid-template: "mark name length next" auto / 9rem minmax(0, 1fr) auto 11rem; column-gap: 1rem; align-items: center; min-height: 2.5rem; padding: calc(var(--u) * 1.5) 0; border-top: 1px solid var(--line); }
.one-line .mark { font-size: 0.875rem; }
.one-line li > :is(time, .length) { justify-self: end; color: var(--quiet); white-space: nowrap; }
.one-line a { color: inherit; font-weight: 600; text-decoration: none; overflow-wrap: anywhere; }
.one-line a:hover { color: var(--link); text-decoration: underline; }
.one-line .next { margin: 0; text-align: right; }
.columns .incident.event { grid-template: "mark name length" auto "mark why why" auto "mark meta meta" auto / 8rem minmax(0, 1fr) auto; }
.comment, .said-text, .kept-texts dd { white-space: pre-line; }
.moments .more .comment { color: var(--text); }
.lengths { display: grid; gap: calc(var(--u) * 3); flex-basis: 100%; width: 100%; }
.lengths > button { justify-self: start; }
.lengths fieldset { margin: 0; padding: 0; border: 0; }
.lengths .options { display: grid; grid-template-columns: repeat(5, auto); gap: 2px; padding: 2px; border: 1px solid var(--line); border-radius: 7px; background: var(--sunk); }
.dropped > .filter { margin: 0; }
.lengths legend { padding: 0; margin-bottom: var(--u); font-size: var(--small); color: var(--quiet); }
.operator .lengths fieldset label { position: relative; width: auto; margin: 0; padding: calc(var(--u) * 1.25) calc(var(--u) * 0.5); border-radius: 5px; color: var(--text); font-size: 0.875rem; font-weight: 500; text-align: center; white-space: nowrap; cursor: pointer; }
.lengths fieldset label:hover { background: var(--hover); }
.operator .lengths fieldset label:has(:checked) { background: var(--accent); color: var(--on-accent); }
.lengths fieldset label:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: 1px; }
.operator .lengths fieldset input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.own-length { display: flex; flex-wrap: wrap; gap: 0 calc(var(--u) * 2); align-items: end; }
.lengths .wrong-line { flex-basis: 100%; }
.lengths > .wrong-line { margin-top: calc(var(--u) * -2); }
.lengths:not(:has(input[value="own"]:checked)) .own-length { display: none; }
.operator .own-length label { width: auto; }
.own-length :is(input, select) { margin-top: 3px; }
.operator .own-length input { width: 5rem; }
.operator .own-length select { width: 7rem; }
.silenced { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2) calc(var(--u) * 4); justify-content: space-between; align-items: center; background: var(--raised); border-color: var(--line); }
.silenced p { margin: 0; }
.form > .notice { margin-top: 0; }
.incident .notice { margin: calc(var(--u) * 2) 0 var(--u); }
.operator .kept { display: block; max-width: 46rem; margin: calc(var(--u) * 4) 0; }
.operator .preview h2 { margin: 0 0 calc(var(--u) * 2); }
.letter { margin: 0 0 calc(var(--u) * 4); padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--sunk); border: 1px solid var(--line); border-radius: var(--corner); overflow-wrap: anywhere; }
.letter > p { margin: 0 0 var(--u); }
.letter .subject { font-weight: 650; }
.letter .kind { font-size: var(--small); }
.letter .subject ~ .said { margin-top: calc(var(--u) * 3); }
.operator .preview h3 { margin: 0 0 var(--u); font-size: var(--normal); font-weight: 600; }
.seen .report { --tone: var(--degraded); margin: 0 0 calc(var(--u) * 4); padding: calc(var(--u) * 3) calc(var(--u) * 4); border: 1px solid color-mix(in srgb, var(--tone) 50%, var(--line)); border-radius: var(--corner); overflow: hidden; overflow-wrap: anywhere; }
.seen .report:is(.major_outage, .partial_outage) { --tone: var(--error); }
.seen .report.resolved { --tone: var(--line); } .seen .report.planned { --tone: var(--accent); }
.operator .seen .report h2 { margin: calc(var(--u) * -3) calc(var(--u) * -4) calc(var(--u) * 2); padding: calc(var(--u) * 2.5) calc(var(--u) * 4); background: color-mix(in srgb, var(--tone) 14%, var(--raised)); color: var(--text); font-weight: 650; }
.operator .seen .report.resolved h2 { background: none; }
.seen .standing { float: right; margin-left: calc(var(--u) * 3); font-size: var(--small); font-weight: 600; line-height: 1.75; }
.seen .resolved .standing { color: var(--success); }
.seen .kind, .seen .when { margin: 0; color: var(--quiet); font-size: var(--small); }
.seen .period { color: var(--text); font-weight: 600; } .seen .said + .said { margin-top: calc(var(--u) * 3); } .seen .when strong { margin-right: var(--u); color: var(--text); }
.seen .updates { display: grid; gap: calc(var(--u) * 3); margin: calc(var(--u) * 2) 0 0; padding: 0; list-style: none; }
.seen .said { margin-top: calc(var(--u) * 0.5); }
@media (min-width: 60.01rem) { .said-updates > .incident { grid-template-columns: 8rem minmax(0, 1fr) 20rem 0; } }
.affected { margin: 0 0 calc(var(--u) * 3); padding: 0; list-style: none; }
.affected li { display: flex; flex-wrap: wrap; gap: 0 calc(var(--u) * 3); justify-content: space-between; padding: calc(var(--u) * 1.5) 0; border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.affected li > span:last-child { order: -1; }
.mark.planned { color: var(--link); } [data-preview] > .help + h3 { margin-top: calc(var(--u) * 5); }
[data-previews] .operator [data-instead="preview"] { display: none; }
.said > :first-child { margin-top: 0; }
.said > :last-child { margin-bottom: 0; }
.incident .acts { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); margin: calc(var(--u) * 2) 0; }
.incident .acts .act { margin: 0; }
.incident .acts button { min-height: 1.875rem; padding: calc(var(--u) * 0.75) calc(var(--u) * 2.5); font-size: var(--small); }
.title-line + .lede-line { margin: calc(var(--u) * -3) 0 0; }
@media (min-width: 40rem) {
  .form .group .field:has(> :is(input[name="from"], input[name="to"])) { grid-column: span 6; }
  .form .field :is(input[name="from"], input[name="to"]) { width: 100%; max-width: none; }
}
@media (max-width: 40rem) {
  .operator .columns.stack { display: contents; }
  .stack > section { margin-bottom: calc(var(--u) * 4); }
  .operator .acts.bar { position: fixed; inset: auto 0 0; z-index: 2; max-height: 80vh; padding: calc(var(--u) * 3) calc(var(--u) * 4); overflow-y: auto; background: var(--ground); border-top: 1px solid var(--line); }
  .acts.bar:has(> .drop[open]) > :not(.drop[open]) { display: none; }
  .acts.bar > .drop > .dropped { padding: calc(var(--u) * 3) 0 0; background: none; border: 0; box-shadow: none; }
  .acts.bar > .acts-menu[open] { flex-basis: 100%; }
  .acts.bar > .acts-menu[open] > summary { width: max-content; margin-left: auto; }
  .acts.bar > .acts-menu > .dropped { position: static; width: 100%; }
  body:has(.acts.bar) { padding-bottom: calc(var(--u) * 18); scroll-padding-bottom: calc(var(--u) * 18); }
  .stack :is(.messages, .messages.reported) li { grid-template-columns: minmax(0, 1fr) auto; }
  .stack .messages li > .kind, .stack .messages li > details { grid-column: 1 / -1; order: 2; }
  .choices:not(.found) > .filter { width: 100%; }
  .choices:not(.found) > .filter > button { grid-column: 1 / -1; }
}
.event > .acts { max-width: 21rem; justify-content: flex-end; margin: 0; }
.operator .event .acts .filter { flex-wrap: nowrap; gap: var(--u); align-items: center; margin: 0; }
.operator .event .acts select { width: auto; min-height: 1.875rem; margin: 0; padding-block: 0; font-size: var(--small); }
.event > details { grid-column: name / length; }
.event > .advice { grid-column: name / length; }
@media (max-width: 60rem) {
  .event, .columns .incident.event { grid-template: "mark length" auto "name name" auto "why why" auto "meta meta" auto "next next" auto / minmax(0, 1fr) auto; }
  .event .next { justify-self: start; }
  .operator .incident.outage > form.next { margin-top: calc(var(--u) * 1.5); }
  .incident.outage > .next { justify-content: flex-start; text-align: left; }
  .incident.outage { grid-template: "mark length" auto "name name" auto "why why" auto "meta meta" auto "next next" auto "fold fold" auto / minmax(0, 1fr) auto; }
  .one-line li { grid-template: "mark length" auto "name next" auto / minmax(0, 1fr) auto; row-gap: var(--u); padding: calc(var(--u) * 2) 0; }
  .event > .acts { max-width: none; justify-content: flex-start; margin-top: calc(var(--u) * 1.5); }
  .event > details { grid-column: 1 / -1; }
}
.planned-row { display: grid; grid-template-columns: 6.5rem minmax(0, 5fr) minmax(0, 4fr) minmax(0, 3fr); gap: calc(var(--u) * 2) calc(var(--u) * 4); align-items: baseline; padding: calc(var(--u) * 3) calc(var(--u) * 4); border-bottom: 1px solid var(--line); font-size: 0.875rem; }
.operator .title-line .acts :is(select, .filter) { width: auto; margin: 0; }
.title-line .acts .filter { flex-wrap: nowrap; gap: var(--u); align-items: center; }
.stack .words:last-child, .stack .change p { margin-bottom: 0; }
.stack .change { padding-bottom: calc(var(--u) * 3); }
.stack .change > p:first-child { margin: 0; font-size: var(--small); }
.stack .change:last-child { padding-bottom: 0; border-bottom: 0; }
.another { margin-top: calc(var(--u) * 6); }
.another[open] > summary { margin-bottom: calc(var(--u) * 4); }
.how-to-silence { margin-top: calc(var(--u) * 8); }
.planned-row:hover { background: var(--hover); }
.planned-row p, .operator .planned-row h3 { margin: 0; }
.operator .planned-row h3 { font-size: var(--normal); font-weight: 600; }
.planned-row .mark { font-size: 0.875rem; overflow-wrap: normal; }
.planned-row .said > * { margin: 0; }
.planned-row .kind { font-size: var(--small); }
.planned-row .affects a { color: inherit; }
.planned-row > .acts { grid-column: 2 / -1; display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: center; margin: 0; }
.planned-row .acts .act { margin: 0; }
.planned-row .acts :is(button, select) { width: auto; min-height: 1.75rem; margin: 0; padding-block: 0; font-size: var(--small); }
.planned-row .acts .filter { flex-wrap: nowrap; gap: var(--u); align-items: center; }
@media (max-width: 60rem) {
  .planned-row { grid-template-columns: minmax(0, 1fr); gap: calc(var(--u) * 1.5); padding-inline: calc(var(--u) * 3); }
  .planned-row > .acts { grid-column: 1; }
}
.components ul { margin: 0; padding: 0; list-style: none; }
.component { display: grid; grid-template: "mark name acts" auto "mark kind kind" auto "edited edited edited" auto / 6.25rem minmax(0, 1fr) auto; column-gap: 0.75rem; align-items: center; padding: calc(var(--u) * 1.5) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
.component:hover { background: var(--hover); }
.component:has(> .edited) { background: none; }
.component > .mark { grid-area: mark; font-size: 0.875rem; white-space: nowrap; }
.component > .name { grid-area: name; }
.component > .about-it { grid-area: kind; font-size: var(--small); }
.about-it p { margin: 0; }
.component > .acts { grid-area: acts; display: flex; align-items: center; margin: 0; }
.component > .edited { grid-area: edited; padding: calc(var(--u) * 3) 0 calc(var(--u) * 2); cursor: auto; }
.component strong, .operator .group-head h3 { margin: 0; font-size: 0.9375rem; font-weight: 600; }
.component .help, .component-group > .help { margin: 0; color: var(--quiet); font-size: var(--small); }
.component-group > .help { padding: calc(var(--u) * 2) calc(var(--u) * 4); }
.component .act, .group-head .act { margin: 0; }
.component .dropped, .group-head .dropped { cursor: auto; }
.component-group .acts, .component > .acts { gap: var(--u); }
.component .acts :is(.arrow, .button), .group-head .acts :is(.arrow, .button) { min-height: 1.875rem; }
.operator .arrow { display: inline-flex; align-items: center; justify-content: center; width: 1.875rem; padding: 0; border: 1px solid var(--border); color: var(--quiet); }
.operator :is(span.arrow, .arrow[aria-disabled="true"]) { color: color-mix(in srgb, var(--quiet) 40%, transparent); }
/* A part that can pass no other has no buttons for it. */
.acts .filter:has(> .arrow):not(:has(> button)) { visibility: hidden; }
.operator .arrow:not(.arrow ~ .arrow) { border-radius: 7px 0 0 7px; } .operator .arrow ~ .arrow { margin-left: -1px; border-radius: 0 7px 7px 0; }
.operator button.arrow:is(:hover:not([aria-disabled]), :focus-visible) { z-index: 1; color: var(--text); }
.operator .arrow svg { width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
.component-group .acts .filter, .component .acts .filter { flex-wrap: nowrap; gap: 0; }
.component-group > .edited { padding: calc(var(--u) * 3) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
.component, .group-head { position: relative; }
:is(.component, .component-group)[id] { scroll-margin-top: 40vh; }
.grip { display: none; position: absolute; left: 0; top: 50%; width: 2.25rem; height: 2.25rem; margin-top: -1.125rem; align-items: center; justify-content: center; border-radius: 7px; color: var(--quiet); cursor: grab; touch-action: none; user-select: none; }
.scripted .grip { display: flex; }
.grip:hover { color: var(--text); background: var(--hover); }
.grip svg { width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 2.25; stroke-linecap: round; }
.component:has(> .edited) > .grip { top: calc(var(--u) * 6); }
[data-dragged] { position: relative; z-index: 2; background: var(--raised); box-shadow: var(--above); pointer-events: none; opacity: 0.95; }
[data-dragged] .grip { cursor: grabbing; }
[data-over="before"] { box-shadow: inset 0 2px var(--accent); }
[data-over="after"] { box-shadow: inset 0 -2px var(--accent); }
[data-over="into"] { box-shadow: inset 0 0 0 2px var(--accent); }
.section-head { display: flex; min-height: 2.125rem; gap: calc(var(--u) * 4); justify-content: space-between; align-items: center; margin: 0 0 calc(var(--u) * 3); }
.operator .section-head h2, .section-head .act { margin: 0; }
.operator .acts-menu.adds > summary { font-size: 0.875rem; line-height: 1.35; padding: calc(var(--u) * 1.25) calc(var(--u) * 3); }
.acts-menu.adds > summary::after { content: "▾"; }
.adding, .new-page { margin: 0 0 calc(var(--u) * 4); }
section + .adding, .advice + .adding { margin-top: calc(var(--u) * 4); }
.adding:focus { outline: none; }
.adding .group { margin-bottom: calc(var(--u) * 3); }
.draft { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2) calc(var(--u) * 4); justify-content: space-between; align-items: center; margin: calc(var(--u) * 4) 0 0; padding: calc(var(--u) * 2) calc(var(--u) * 4); background: var(--degraded-wash); border: 1px solid color-mix(in srgb, var(--degraded) 35%, transparent); border-radius: var(--corner); }
.draft p { flex: 1 1 18rem; margin: 0; }
.operator .draft .act { margin: 0; }
.operator .new-page .form:has(> .extra) { display: block; max-width: 48rem; }
.new-page .form > .extra { position: static; max-height: none; margin: 0 0 calc(var(--u) * 4); font-size: var(--normal); }
.group-head .acts { display: flex; align-items: center; margin: 0; }
.operator .asked > summary { display: inline-flex; width: 1.875rem; padding: 0; color: var(--quiet); } .operator .asked > summary:hover { border-color: var(--error); color: var(--error); }
.asked > summary svg { width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.operator .asked > summary::after { content: none; }
.operator .asked > .dropped { position: absolute; width: min(18rem, 100vw - 5rem); margin: 0; }
.operator .asked[open] { flex-basis: auto; }
.asked .dropped p { margin: 0 0 calc(var(--u) * 3); font-size: var(--normal); }
.operator .moves > summary { padding: 0 calc(var(--u) * 2.5); font-size: var(--small); line-height: 1.35; white-space: nowrap; } .operator .moves > summary::after { content: "▾"; }
.moves .dropped .act { display: grid; }
.group-head { display: flex; gap: calc(var(--u) * 3); justify-content: space-between; align-items: center; padding: calc(var(--u) * 0.5) calc(var(--u) * 4); background: var(--sunk); border-bottom: 1px solid var(--line); }
.component-group { border-bottom: 1px solid var(--line); }
.components > .component-group:first-child > .group-head, .components > .component:first-child { border-top-left-radius: calc(var(--corner) - 1px); border-top-right-radius: calc(var(--corner) - 1px); }
.components > .component-group:last-child li:last-child { border-radius: 0 0 calc(var(--corner) - 1px) calc(var(--corner) - 1px); }
.component-group li:last-child { border-bottom: 0; }
.component-group .component { padding-left: calc(var(--u) * 8); }
.scripted .ordered :is(.component, .group-head) { padding-left: calc(var(--u) * 9); }
.scripted .ordered .component-group .component { padding-left: calc(var(--u) * 14); }
.component-group .component > .grip { left: calc(var(--u) * 5); }
/* Next to the preview there is no room for a name between its state and its acts. */
@media (min-width: 75rem) and (max-width: 96rem) { .component { grid-template: "name name acts" auto "mark kind kind" auto "edited edited edited" auto / auto minmax(0, 1fr) auto; } .component > .mark { align-self: start; font-size: var(--small); } }
@media (max-width: 74.99rem) { .component { grid-template: "mark acts" auto "name name" auto "kind kind" auto "edited edited" auto / minmax(0, 1fr) auto; } }
@media (max-width: 30rem) { .component { grid-template: "name mark" auto "kind kind" auto "acts acts" auto "edited edited" auto / minmax(0, 1fr) auto; row-gap: var(--u); } .component > .acts { justify-content: flex-end; } }
@media (max-width: 60rem) {
  .component { column-gap: 0.5rem; padding-inline: calc(var(--u) * 3); }
  .component-group .component { padding-left: calc(var(--u) * 6); }
  .group-head { padding-inline: calc(var(--u) * 3); }
  .scripted .ordered .component-group .component { padding-left: calc(var(--u) * 11); }
  .component-group .component > .grip { left: calc(var(--u) * 2); }
}
.component :is(.about-it, .edited) .doubt { margin: 0; font-size: var(--small); }
.component-group > .doubt { margin: 0; padding: var(--u) calc(var(--u) * 4); font-size: var(--small); }
.seen-at-once { margin: calc(var(--u) * 2) 0 0; font-size: var(--small); }
.operator .tab > section + section { margin-top: calc(var(--u) * 10); }
:is(.title-line, .draft, .seen-at-once) + .parts { margin-top: calc(var(--u) * 4); }
.operator .tab > section > h2:first-child { display: flex; align-items: center; min-height: 2.125rem; margin: 0 0 calc(var(--u) * 3); }
.with-preview .form .group { margin-bottom: calc(var(--u) * 4); }
.preview-head { display: flex; gap: calc(var(--u) * 4); align-items: center; min-height: 2.125rem; margin: 0 0 calc(var(--u) * 3); font-size: var(--small); }
.operator .preview-head h2 { flex: 1; margin: 0; }
.preview-sizes { display: flex; gap: 2px; margin: 0; padding: 2px; border: 1px solid var(--line); border-radius: 7px; background: var(--sunk); }
.operator .preview-sizes label { position: relative; width: auto; margin: 0; font-weight: 500; white-space: nowrap; padding: calc(var(--u) * 0.5) calc(var(--u) * 2); border-radius: 5px; color: var(--quiet); cursor: pointer; }
.operator .preview-sizes label:has(:checked) { background: var(--raised); color: var(--text); box-shadow: var(--shade); }
.preview-sizes label:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: 1px; }
.operator .preview-sizes input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer; }
.preview-pane:has([value="phone"]:checked) .preview-frame { width: min(100%, 24.5rem); margin-inline: auto; }
.preview-pane:has([value="phone"]:checked) iframe { width: 100%; height: 100%; transform: none; }
.preview-frame { height: 34rem; overflow: hidden; border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); }
.preview-frame iframe { display: block; width: 160%; height: 160%; border: 0; transform: scale(0.625); transform-origin: 0 0; }
@media (min-width: 30.01rem) { .operator .preview-sizes:not(:has(:checked)) label:first-of-type { background: var(--raised); color: var(--text); box-shadow: var(--shade); } }
@media (max-width: 30rem) { .operator .preview-sizes:not(:has(:checked)) label:last-of-type { background: var(--raised); color: var(--text); box-shadow: var(--shade); } .preview-pane:not(:has([value="desk"]:checked)) iframe { width: 100%; height: 100%; transform: none; } }
.preview-pane { margin-top: calc(var(--u) * 10); }
@media (min-width: 68rem) {
  .with-preview { display: grid; grid-template-columns: minmax(0, 1fr) minmax(20rem, 27rem); gap: 0 calc(var(--u) * 8); }
  .preview-pane { position: sticky; top: calc(var(--u) * 4); align-self: start; margin: 0; }
  .preview-frame { height: calc(100vh - 8rem); max-height: 44rem; }
}
@media (min-width: 60.01rem) { .with-preview .incident { grid-template: "mark name" auto "mark kind" auto "mark why" auto / 8rem minmax(0, 1fr); } }
.operator .with-preview .form:has(> .extra) { display: block; }
.with-preview .form > .extra { position: static; max-height: none; margin: 0; }
:is(.with-preview, .new-page) .mistakes:has(+ .form > .extra) { max-width: 48rem; }
.form .group .field:has(> .colour) { grid-column: span 6; }
.form .colour { display: flex; flex-direction: row-reverse; justify-content: flex-end; }
.form .colour .word { flex: 0 1 8.5rem; min-width: 0; border-radius: 0 7px 7px 0; font-family: ui-monospace, monospace; }
.operator .colour [type="color"] { width: 2.25rem; padding: 3px; border-radius: 7px 0 0 7px; border-right: 0; cursor: pointer; }
.operator .colour [type="color"]:disabled { border-style: solid; cursor: default; }
.contrast { margin: 0 0 calc(var(--u) * 4); font-size: var(--normal); }
.contrast p, .contrast ul { margin: 0; }
@media print { .preview-pane { display: none; } }
.kept-texts { margin: calc(var(--u) * 3) 0; padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); }
`;
