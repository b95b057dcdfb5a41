/** Commands to copy, what a page waits for, and messages as their readers see them. */
export const startStyle = `
.ways { max-width: 60rem; }
.ways .way { margin: 0 0 calc(var(--u) * 2); padding: calc(var(--u) * 3) calc(var(--u) * 5); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); }
.ways .way > summary { padding: var(--u) 0; font-size: var(--normal); font-weight: 650; color: var(--text); }
.way-name { display: inline-block; min-width: 6.5rem; }
.ways .gist { color: var(--quiet); font-size: var(--small); font-weight: 400; line-height: calc(var(--normal) * 1.5); }
.places > .incident { grid-template: "mark name kind" auto "mark why why" auto / 7rem minmax(0, 1fr) auto; }
.places .kind { display: grid; grid-template-columns: 7rem 9rem 9rem; column-gap: calc(var(--u) * 3); }
.places .kind span:nth-child(3) { text-align: right; }
@media (max-width: 60rem) {
  .places > .incident { grid-template: "name mark" auto "kind kind" auto "why why" auto / minmax(0, 1fr) auto; }
  .places .kind { display: block; }
  .places .kind span:first-child::after { content: " ·"; }
  .places .kind span:nth-child(3) { display: block; text-align: left; }
}
@media (max-width: 40rem) { .ways .gist { display: block; padding-left: 1.125rem; } }
.ways .help { margin: calc(var(--u) * 2) 0 0; color: var(--quiet); font-size: var(--small); }
.copied { position: relative; }
.commands { margin: calc(var(--u) * 2) 0 0; padding: calc(var(--u) * 3); white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; font-size: var(--small); line-height: 1.6; }
.operator .copy { display: none; margin: calc(var(--u) * 2) 0 0; }
.scripted .operator .copy { display: inline-block; }
.operator .print { display: none; }
.scripted .operator .print { display: inline-flex; }
.arrival { max-width: 60rem; padding-left: calc(var(--u) * 5 - 3px); border-left: 4px solid var(--quiet); margin: calc(var(--u) * 4) 0; }
.arrival p { margin: 0; }
.arrival p:has(> :is(strong, .button)) { margin-top: calc(var(--u) * 3); }
.saved-token, .next-step { max-width: 60rem; }
.saved-token p, .next-step p { margin: 0 0 calc(var(--u) * 2); }
.next-step p:last-child { margin: 0; }
.arrival .mark { font-weight: 650; }
.arrival.there { border-left-color: var(--success); }
.form .narrowing { display: none; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: center; margin: 0 0 calc(var(--u) * 2); }
.scripted .form .narrowing { display: flex; }
.form .boxes label.tick[hidden] { display: none; }
.form .boxes label.tick { flex-wrap: nowrap; }
.advice + :is(.form, fieldset) { margin-top: calc(var(--u) * 4); }
.steps { display: grid; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); gap: calc(var(--u) * 4); margin: calc(var(--u) * 4) 0; padding: 0; list-style: none; }
.operator > main:has(> .steps) { max-width: 66rem; padding-top: 4vh; }
.operator .steps h2 { display: flex; flex-wrap: wrap; gap: 0 calc(var(--u) * 3); margin: 0; }
.operator > main:has(> .first-steps) { max-width: 56rem; padding-top: 4vh; }
.operator .first-steps { margin: calc(var(--u) * 5) 0; }
.first-steps > li, .optional-steps > li { display: grid; grid-template: "mark title act" auto "mark words act" auto / 1.75rem minmax(0, 1fr) auto; gap: calc(var(--u) * 0.5) calc(var(--u) * 4); align-content: center; align-items: center; min-height: 5.5rem; padding: calc(var(--u) * 3) calc(var(--u) * 5); border-bottom: 1px solid var(--line); }
.operator :is(.first-steps h2, .optional-steps h3) { grid-area: title; align-self: end; margin: 0; }
:is(.first-steps, .optional-steps) .words { grid-area: words; align-self: start; margin: 0; font-size: 0.875rem; }
:is(.first-steps, .optional-steps) > li > :is(.button, form, .is-done) { grid-area: act; margin: 0; }
.first-steps .number { grid-area: mark; display: inline-flex; align-items: center; justify-content: center; width: 1.75rem; height: 1.75rem; border: 1px solid var(--border); border-radius: 50%; font-size: var(--small); font-weight: 650; color: var(--quiet); }
.first-steps .present .number { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.first-steps .done .number { background: var(--success-wash); border-color: transparent; color: var(--success); }
.first-steps .number path { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.first-steps > li > .button { min-width: 9.5rem; }
.first-steps .is-done { min-width: 9.5rem; color: var(--success); font-size: 0.875rem; font-weight: 600; text-align: end; }
.first-steps .later h2 { color: var(--quiet); }
.steps-done { display: flex; gap: calc(var(--u) * 3); align-items: center; margin: 0; color: var(--quiet); font-size: var(--small); }
.steps-done progress { appearance: none; width: 7.5rem; height: 0.375rem; border: 0; border-radius: 99rem; background: var(--line); overflow: hidden; }
.steps-done progress::-webkit-progress-bar { background: var(--line); }
.steps-done progress::-webkit-progress-value { background: var(--success); }
.steps-done progress::-moz-progress-bar { background: var(--success); }
.optional-steps > li { grid-template: "title act" auto "words act" auto / minmax(0, 1fr) auto; min-height: 4.5rem; }
.operator .optional-steps h3 { font-size: 0.875rem; font-weight: 600; }
.operator .optional-steps .words { font-size: var(--small); }
.steps .mark { font-size: var(--normal); }
.steps .words { min-height: 3rem; }
.steps p:last-child { margin: 0; }
.operator .set-list { display: grid; gap: calc(var(--u) * 1.5); margin: calc(var(--u) * 3) 0 calc(var(--u) * 4); padding: 0; list-style: none; font-size: var(--normal); }
.set-list li { display: flex; flex-wrap: wrap; gap: 0 calc(var(--u) * 3); }
.set-list .mark { min-width: 6rem; }
.set-course { margin: 0; padding-left: calc(var(--u) * 6); max-width: 46rem; }
.set-course li { padding: calc(var(--u) * 0.5) 0; }
.operator .set-acts { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); }
.set-further { margin: 0; padding: 0; list-style: none; }
.operator .set-further h3 { margin: 0; }
.set-further .words { margin-bottom: 0; }
.steps-line { margin: 0 0 calc(var(--u) * 4); }
.title-line ~ .steps-line { margin-top: calc(var(--u) * 4); }
.operator .preview h2 { margin: 0 0 calc(var(--u) * 2); font-size: var(--normal); color: var(--quiet); font-weight: 600; }
.look { padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); font-size: var(--small); line-height: 1.5; overflow-wrap: anywhere; }
.look.card { border-left: 4px solid var(--error); }
.look.bubble { display: inline-block; max-width: 20rem; border-radius: 16px; }
.look p { margin: 0 0 calc(var(--u) * 2); }
.look p:last-child { margin: 0; }
.look .title { font-weight: 700; font-size: var(--normal); }
.look .lines { white-space: pre-line; }
.look .link { color: var(--link); text-decoration: underline; }
.look .press { display: inline-block; margin: 0 var(--u) var(--u) 0; padding: 0.125rem 0.625rem; border: 1px solid var(--quiet); border-radius: 4px; }
.look dl { display: grid; grid-template-columns: minmax(5rem, auto) minmax(0, 1fr); gap: 0 calc(var(--u) * 3); margin: 0 0 calc(var(--u) * 2); }
.look dt { color: var(--quiet); }
.look dd { margin: 0; }
.look pre { margin: 0; white-space: pre-wrap; }
@media (max-width: 40rem) {
  .first-steps > li { grid-template: "mark title" auto "words words" auto "act act" auto / 1.75rem minmax(0, 1fr); min-height: 0; padding: calc(var(--u) * 4); gap: calc(var(--u) * 2) calc(var(--u) * 3); }
  .first-steps > .done { grid-template: "mark title act" auto "mark words words" auto / 1.75rem minmax(0, 1fr) auto; row-gap: calc(var(--u) * 0.5); }
  .first-steps .is-done { min-width: 0; }
  .operator .first-steps h2 { align-self: center; }
  .optional-steps > li { grid-template: "title" auto "words" auto "act" auto / minmax(0, 1fr); min-height: 0; padding: calc(var(--u) * 4); row-gap: calc(var(--u) * 2); }
  .optional-steps > li > .button { justify-self: start; }
}
@media (max-width: 60rem) {
  .operator .form:has(> .extra) { display: block; }
  .form > .extra { position: static; max-height: none; overflow: visible; }
}
@media print { .copy { display: none !important; } }
`;
