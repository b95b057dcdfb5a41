/** Forms in one column of groups: labels above, help and refusals below, and fields as wide as what is typed into them. */
export const formStyle = `
.operator .form { display: block; max-width: 48rem; }
.operator .form:has(> .extra) { display: grid; max-width: none; grid-template-columns: minmax(0, 48rem) clamp(20rem, 36%, 26rem); gap: 0 calc(var(--u) * 6); }
.form:has(> .extra) > * { grid-column: 1; }
.form > .extra { grid-area: 1 / 2 / span 60; align-self: start; position: sticky; top: calc(var(--u) * 4); max-height: calc(100vh - var(--u) * 8); overflow-y: auto; }
.operator .sums h2 { margin: 0 0 calc(var(--u) * 2); }
.sums ul { margin: 0; padding: 0; list-style: none; font-size: var(--normal); line-height: 1.45; overflow-wrap: anywhere; }
.sums li + li { margin-top: calc(var(--u) * 1.5); color: var(--quiet); }
.operator .trial h2 { margin: 0 0 calc(var(--u) * 3); }
.trial .lede { margin: calc(var(--u) * 4) 0 calc(var(--u) * 2); font-size: var(--large); }
.trial .figure { margin-left: calc(var(--u) * 3); }
.trial dl + details { margin-top: calc(var(--u) * 3); }
.operator .form #tried > .why { margin: 0; }
.expected-answers { margin: 0; padding: 0; list-style: none; }
.expected-answers li { display: flex; flex-wrap: wrap; gap: var(--u) calc(var(--u) * 3); justify-content: space-between; align-items: center; padding: calc(var(--u) * 2) 0; border-top: 1px solid var(--line); }
.expected-answers code { flex: 1 1 12rem; min-width: 0; overflow-wrap: anywhere; }
.trial-place { display: flex; gap: calc(var(--u) * 2); align-items: center; }
.operator .trial select { flex: 1; min-width: 0; width: auto; }
.verdicts { width: 100%; margin: 0 0 calc(var(--u) * 3); font-size: var(--small); }
.verdicts :is(th, td) { padding: var(--u) calc(var(--u) * 2) var(--u) 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: baseline; overflow-wrap: anywhere; }
.verdicts th { color: var(--quiet); font-weight: 600; }
.verdicts :is(th, td:first-child) { white-space: nowrap; overflow-wrap: normal; }
.verdicts td:last-child { font-weight: 600; }
.trial .phases :is(th, td) { padding-right: calc(var(--u) * 2); font-size: var(--small); }
@media (min-width: 48rem) { .trial .phases th { white-space: nowrap; overflow-wrap: normal; } .trial .phases .bar { width: 40%; } }
[aria-busy="true"] { opacity: 0.6; }
.form fieldset { min-width: 0; margin: 0; padding: 0; border: 0; }
.form .group { margin: 0 0 calc(var(--u) * 4); padding: calc(var(--u) * 4) calc(var(--u) * 5); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); }
.form fieldset.group { padding-top: calc(var(--u) * 5); }
.form .group > legend { float: left; width: 100%; margin: 0 0 calc(var(--u) * 3); padding: 0; font-size: var(--large); font-weight: 650; line-height: 1.3; }
.form .group > legend + * { clear: both; }
.form details.group > summary { width: 100%; padding: 0; font-size: var(--normal); font-weight: 650; line-height: 1.3; color: var(--text); }
.form details.group[open] > summary { margin-bottom: calc(var(--u) * 4); }
.form .field { margin: 0 0 calc(var(--u) * 4); }
.form .field:last-child { margin-bottom: 0; }
.form label, .form .field > legend { display: block; width: auto; margin: 0 0 var(--u); padding: 0; color: var(--text); font-size: var(--normal); font-weight: 600; line-height: 1.35; }
.form .tick { display: flex; flex-wrap: wrap; gap: 0 calc(var(--u) * 2); align-items: center; }
.form .tick label, .form label.tick { margin: 0; font-weight: 500; min-height: 1.75rem; display: inline-flex; align-items: center; }
.form label.fixed { color: var(--quiet); }
.form .tick .help, .form .tick .wrong-line { flex-basis: 100%; }
.form .help { margin: var(--u) 0 0; max-width: 42rem; color: var(--quiet); font-size: var(--small); line-height: 1.45; }
.form .group > .help, .form details.group > fieldset > .help { margin: 0 0 calc(var(--u) * 3); }
.form :is(input, select) { flex: none; max-width: 100%; }
.form .figure { width: 8rem; }
.form .word { width: 12rem; }
.form .name { width: 22rem; }
.form .line { width: 100%; }
.form select { min-width: 8rem; }
.form textarea { max-width: none; resize: vertical; }
.operator .form .grows { min-height: 2.125rem; max-height: 12rem; resize: none; field-sizing: content; overflow-wrap: anywhere; }
.form .lead { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2) calc(var(--u) * 4); align-items: center; justify-content: space-between; margin: 0 0 calc(var(--u) * 3); }
.form .filled { flex-basis: 100%; margin: 0; color: var(--quiet); font-size: var(--small); }
.form .lead > .notice { flex-basis: 100%; margin: 0; }
.form .filled:empty, .scripted .form .fills { display: none; }
.form .unit { display: inline-flex; gap: calc(var(--u) * 2); align-items: center; color: var(--quiet); font-size: var(--normal); }
.form .wrong :is(input, select, textarea):not(:required:valid:has(~ .lack)), :is(.form, .lengths, .dropped, .choices) [aria-invalid]:not(:required:valid:has(~ .lack)) { border-color: var(--error); box-shadow: 0 0 0 1px var(--error); }
.form .tick[aria-invalid], .form fieldset[aria-invalid] { box-shadow: none; }
:is(.form, .lengths, .dropped, .choices) .wrong-line { margin: var(--u) 0 0; color: var(--error); font-size: var(--small); font-weight: 600; }
.form :required:valid ~ .lack { display: none; }
.mistakes { margin: 0 0 calc(var(--u) * 4); max-width: 48rem; padding: calc(var(--u) * 3) calc(var(--u) * 5); background: var(--error-wash); border: 1px solid var(--error); border-radius: var(--corner); }
@media (min-width: 68rem) { .mistakes:has(+ .form > .extra) { max-width: min(48rem, 64% - var(--u) * 6); } }
.operator .mistakes h2 { margin: 0 0 var(--u); font-size: var(--normal); }
:is(.form, .lengths, .dropped, .choices) .wrong-line::before, .mistakes h2::before { content: "!" / ""; display: inline-block; width: 1rem; margin-right: var(--u); border-radius: 50%; background: var(--error); color: var(--raised); font-size: 0.6875rem; font-weight: 700; line-height: 1rem; text-align: center; vertical-align: 0.0625rem; }
.mistakes ul { margin: 0; padding-left: 1.25rem; }
.mistakes li { padding: 0.125rem 0; }
.mistakes a { color: var(--error); }
.shows { display: flex; gap: calc(var(--u) * 2); align-items: center; }
.form .shows input { flex: 0 1 22rem; min-width: 0; }
.operator .shows button { flex: none; width: auto; min-height: 2.125rem; margin: 0; }
.form .boxes { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0 calc(var(--u) * 4); max-height: 15rem; margin-inline: calc(var(--u) * -1); padding-inline: var(--u); overflow-y: auto; }
.operator :is(input, select, textarea):focus-visible { outline-width: 2px; outline-offset: 1px; }
.form:not(:has(.group)) .boxes { --under: var(--ground); }
.form .boxes { padding-bottom: calc(var(--u) * 2); background: linear-gradient(var(--under, var(--raised)), var(--under, var(--raised))) bottom / 100% 0.5rem no-repeat local, linear-gradient(transparent, var(--cut)) bottom / 100% 0.5rem no-repeat scroll; }
.form .quick { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: center; margin: 0 0 calc(var(--u) * 4); color: var(--quiet); font-size: var(--small); }
.form .boxes label { gap: calc(var(--u) * 2); }
.form .row { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: start; margin: 0 0 calc(var(--u) * 2); }
.form .row .cell-field { flex: 1 1 9rem; min-width: 0; }
@media (min-width: 40rem) { .form .row:not(:has(> .cell-field:nth-of-type(4))) { flex-wrap: nowrap; } .form .row > button { flex: none; } }
.field:has(> [name="end"]):not(:has([value="other"]:checked)) + .field:has(> [name="days"]):not(.wrong) { display: none; }
.tick:has([name="all_monitors"]:checked) + .several:not(:has(.wrong-line)) { display: none; }
.field:has(> [name="page_id"] > [value=""]:checked) ~ :is(.several, .tick):not(:has(.wrong-line)) { display: none; }
.form .row .cell-field:has(select) { flex: 0 1 auto; min-width: 5rem; }
.form .row .cell-field:has(.unit, .figure) { flex: 0 1 auto; }
.form .row .cell-field:has(.unit, .figure) > .wrong-line { width: 0; min-width: 100%; }
.form .row label { font-size: var(--small); font-weight: 500; color: var(--quiet); }
.form .row :is(input, select) { width: 100%; }
.form .row select { min-width: 5rem; }
.form .row .figure { width: 8rem; }
.form .row .figure[name^="quiet_hours"] { width: 6rem; }
.operator .form .row button { min-height: 2.125rem; margin-top: 1.3125rem; }
.form .rows > .help { margin: 0 0 calc(var(--u) * 2); }
.operator .form .default { position: absolute; left: -999rem; }
.form .buttons { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2) calc(var(--u) * 3); align-items: center; margin: 0; }
.form .buttons a { padding: calc(var(--u) * 1.5) calc(var(--u) * 2); }
.form .buttons .notice { flex-basis: 100%; order: -1; margin: 0; }
.actions { margin-top: calc(var(--u) * 4); }
.tab > section > .form ~ :is(.form, .mistakes) { margin-top: calc(var(--u) * 8); }
.tab > section > .mistakes + .form.form { margin-top: 0; }
.form:is(:has(details.group, > .extra), .tab *) > .actions.stays { position: sticky; bottom: 0; z-index: 1; margin: 0; container-type: scroll-state; }
.form:is(:has(details.group, > .extra), .tab *) > .actions.stays > .buttons { margin-inline: -2px; padding: calc(var(--u) * 3) 2px; background: var(--ground); border-top: 1px solid transparent; }
@container scroll-state(stuck: bottom) { .form > .actions.stays > .buttons.buttons { border-color: var(--border); box-shadow: 0 -10px 16px -14px rgb(0 0 0 / 45%); } }
@supports not (container-type: scroll-state) { .form > .actions.stays > .buttons.buttons { border-color: var(--border); } }
:root:has(.form details.group, .form > .extra, .tab .actions.stays) { scroll-padding-bottom: 6rem; }
.form details.group:not([open]) { margin-bottom: calc(var(--u) * 2); padding-block: calc(var(--u) * 2.5); }
.operator .form details.group:has(+ fieldset.group) { margin-bottom: calc(var(--u) * 4); }
.form details.group > summary { display: grid; grid-template-columns: 0.75rem minmax(10.5rem, max-content) minmax(0, 1fr); gap: 0 calc(var(--u) * 3); align-items: baseline; list-style: none; }
.form details.group > summary::-webkit-details-marker { display: none; }
.form details.group > summary::before { content: "▸"; width: 0.75rem; color: var(--quiet); font-size: var(--normal); }
.form details.group[open] > summary::before { content: "▾"; }
.summed { color: var(--quiet); font-size: var(--small); font-weight: 400; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
[open] > summary > .summed { display: none; }
.form .pasting { display: flex; gap: calc(var(--u) * 2); align-items: start; }
.operator .form .pasting .copy { margin: 0; }
.form .pasting :is(textarea, input) { flex: 1; min-width: 0; resize: vertical; }
.form .icon-now { display: flex; gap: calc(var(--u) * 3); align-items: center; margin: calc(var(--u) * 3) 0; color: var(--quiet); font-size: var(--small); }
.icon-now :is(img, canvas, .none) { flex: none; box-sizing: border-box; width: 3rem; height: 3rem; object-fit: contain; border: 1px solid var(--line); border-radius: 7px; background: var(--ground); }
.form .icon-now > img { width: auto; max-width: 12rem; }
.icon-now .none { border-style: dashed; }
.operator .form [type="file"] { width: 100%; max-width: 30rem; min-height: 4.5rem; padding: calc(var(--u) * 4); border: 1px dashed var(--quiet); border-radius: 7px; background: var(--sunk); color: var(--quiet); font-size: var(--small); cursor: pointer; }
.operator .form [type="file"]:is(:hover, [data-over]) { border-color: var(--accent); background: var(--wash); }
.form [type="file"]::file-selector-button { min-height: 2.125rem; margin-right: calc(var(--u) * 3); padding: calc(var(--u) * 1) calc(var(--u) * 3); border: 1px solid var(--border); border-radius: 7px; background: var(--raised); color: var(--text); font: inherit; font-weight: 500; cursor: pointer; }
.operator button[aria-pressed="true"] { background: var(--wash); border-color: var(--accent); color: var(--accent); font-weight: 650; }
@media (max-width: 68rem) {
  .operator .form:has(> .extra) { display: block; max-width: 48rem; }
  .form > .extra { position: static; max-height: none; margin-top: calc(var(--u) * 4); }
}
@media (max-width: 40rem) {
  .form details.group > summary { grid-template-columns: 0.75rem minmax(0, 1fr); }
  .form .summed { grid-column: 2; }
  .form > .actions.stays > .buttons.buttons { margin-inline: calc(-1 * var(--side)); padding-inline: var(--side); }
  .form .group { padding: calc(var(--u) * 4); }
  .form :is(.name, .word) { width: 100%; }
  .form .row { padding-bottom: calc(var(--u) * 3); border-bottom: 1px solid var(--line); }
  .form .row .cell-field:is(*, :has(select), :has(.unit, .figure)) { flex: 1 0 100%; }
  .operator .form .row button { margin-top: 0; }
}
[data-follows]:empty { display: none; }
.operator .waits-for-service { margin: 0 0 calc(var(--u) * 3); }
`;
