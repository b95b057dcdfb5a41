/** The settings: their parts, tables of things with a few facts each, and what is shown once. */
export const settingsStyle = `
.parts { --under: var(--ground); scrollbar-width: none; display: flex; gap: 0 var(--u); margin: 0 0 calc(var(--u) * 6); box-shadow: inset 0 -1px var(--line); }
.parts a { flex: none; padding: calc(var(--u) * 2) calc(var(--u) * 3); color: var(--quiet); text-decoration: none; font-weight: 500; border-bottom: 2px solid transparent; }
.parts a:focus-visible { outline-offset: -2px; }
.parts a:hover { color: var(--text); }
.parts a[aria-current] { color: var(--accent); border-color: var(--accent); font-weight: 600; }
.settings-title { margin: 0 0 calc(var(--u) * 3); font-size: var(--huge); line-height: 1.25; font-weight: 680; letter-spacing: -0.018em; }
.settings-title ~ h1, .settings-title ~ .list-head h1 { font-size: var(--large); }
.settings-title ~ .list-head .lede { margin-top: calc(var(--u) * 0.5); font-size: 0.875rem; }
.settled { width: 100%; font-size: var(--normal); border-collapse: separate; border-spacing: 0; }
.settled tbody tr:last-child > * { border-bottom: 0; }
.settled th, .settled td { padding: calc(var(--u) * 2) calc(var(--u) * 4); border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.settled thead th { color: var(--quiet); font-size: var(--small); font-weight: 500; white-space: nowrap; }
.settled .figure { text-align: right; }
.settled .long { min-width: 11rem; overflow-wrap: anywhere; }
.settled tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 9rem; }
.settled :is(time, [data-label="Begins with"] code) { white-space: nowrap; }
.settled thead th { position: relative; }
.settled form { margin: 0; }
.operator .sure form, .operator .sign-in { display: block; }
.first-link { margin: calc(var(--u) * 4) 0; }
.operator .sure > form > button { margin-top: calc(var(--u) * 3); }
.sure form p { margin: calc(var(--u) * 2) 0; }
.settled .sure[open] { min-width: 14rem; }
.setting { display: grid; grid-template-columns: 18rem minmax(0, 1fr); gap: calc(var(--u) * 3) calc(var(--u) * 10); margin: 0 0 calc(var(--u) * 4); }
.operator .setting h2 { margin: 0 0 var(--u); }
/* A part that is one act: what it does, and the act at the right. */
@media (min-width: 40.01rem) { .setting:has(> div > .button:only-child) { grid-template-columns: minmax(0, 1fr) auto; align-items: center; } }
.settled [data-label="Created"] .note { display: block; }
.setting > div > .button:only-child { min-width: 12rem; }
.wide + .setting, .parts ~ .words + .setting { margin-top: calc(var(--u) * 6); }
.setting .help { margin: 0; color: var(--quiet); font-size: var(--small); line-height: 1.45; }
.setting > div > p { margin: 0 0 calc(var(--u) * 3); }
.setting > div > :last-child { margin-bottom: 0; }
.setting .form select { width: 22rem; }
.setting .field + .buttons { margin-top: calc(var(--u) * 4); }
.setting .field > .help { margin-top: var(--u); }
.setting .profile { margin: 0 0 calc(var(--u) * 4); }
.setting .acts { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); }
.setting .acts .act, .setting details.act { margin: 0; }
.profile { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: calc(var(--u) * 2) calc(var(--u) * 6); margin: calc(var(--u) * 4) 0; }
.profile > div { display: contents; }
.profile dt { color: var(--quiet); }
.profile dd { margin: 0; overflow-wrap: anywhere; }
.profile.card { margin: 0; font-size: var(--normal); }
.removal { max-width: 44rem; margin: calc(var(--u) * 4) 0 0; padding: calc(var(--u) * 5); }
.operator .removal .facts { grid-template-columns: 8rem minmax(0, 1fr); gap: calc(var(--u) * 1.5) calc(var(--u) * 5); margin: 0 0 calc(var(--u) * 5); padding: 0 0 calc(var(--u) * 5); border-bottom: 1px solid var(--line); font-size: var(--normal); }
.removal .facts .said > * { margin: 0; }
.operator .removal h2 { margin: 0 0 calc(var(--u) * 2); }
.removal .remarks { margin: 0; padding-left: 1.25rem; }
.removal dd ul { margin: 0; padding: 0; list-style: none; }
.removal .undoing { margin: calc(var(--u) * 4) 0 0; color: var(--quiet); }
.operator .removal .act { display: flex; width: auto; gap: calc(var(--u) * 3); margin: calc(var(--u) * 5) 0 0; }
.operator .removal button.danger { background: var(--error); border-color: var(--error); color: var(--raised); }
.operator .removal button.danger:hover { filter: brightness(1.1); }
.shown-once { max-width: 48rem; margin: calc(var(--u) * 4) 0; border-color: var(--accent); }
.shown-once label { font-weight: 600; }
.shown-once .pasting { display: flex; gap: calc(var(--u) * 2); align-items: center; margin: 0 0 calc(var(--u) * 2); }
.operator .shown-once .copy { margin: 0; }
.shown-once input { flex: 1; min-width: 0; width: 100%; font-family: ui-monospace, monospace; }
.shown-once p { margin: 0 0 calc(var(--u) * 2); }
.qr { width: 14rem; height: 14rem; max-width: 100%; }
.operator .setup { max-width: 48rem; padding-left: calc(var(--u) * 10); }
.setup > li { margin: 0 0 calc(var(--u) * 6); }
.setup > li:last-child { margin: 0; }
.recovery { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: calc(var(--u) * 2); max-width: 48rem; list-style: none; font-size: var(--large); }
@media (max-width: 60rem) { .setting { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 40rem) {
  .removal { padding: calc(var(--u) * 4); }
  .operator .removal .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .removal .facts dd { margin-bottom: calc(var(--u) * 2); }
  .settled, .settled tbody, .settled tr, .settled th, .settled td { display: block; }
  .settled thead { display: none; }
  .settled tbody tr { padding: calc(var(--u) * 3) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
  .settled tbody tr:last-child { border-bottom: 0; }
  .settled .figure { text-align: left; }
  .settled tbody td[data-label=""] { padding-left: 0; }
  .settled .sure[open] { min-width: 0; }
  .parts { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: var(--u); padding: var(--u); background: var(--sunk); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: none; }
  .parts:has(:nth-child(7)) { display: flex; flex-wrap: wrap; }
  .parts:has(:nth-child(7)) a { flex: 1 1 auto; padding-inline: calc(var(--u) * 2); }
  .parts a { display: flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: var(--u); border: 0; border-radius: 7px; text-align: center; }
  .parts a[aria-current] { background: var(--wash); }
  .settled tbody :is(th, td) { position: relative; min-width: 0; padding: calc(var(--u) * 0.5) 0; border: 0; overflow-wrap: anywhere; }
  .settled tbody td { padding-left: 7rem; }
  .settled code { font-size: 0.75rem; }
  .settled td::before { content: attr(data-label); position: absolute; left: 0; color: var(--quiet); font-size: var(--small); line-height: calc(var(--normal) * 1.5); }
  .settled time { white-space: normal; }
}
@media (max-width: 22rem) { .parts { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.form .picked-card { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: calc(var(--u) * 3); }
.form .picked-card legend { padding: 0; margin-bottom: calc(var(--u) * 2); font-weight: 600; }
.form .choice-card { display: flex; gap: calc(var(--u) * 3); align-items: baseline; min-width: 0; margin: 0; padding: calc(var(--u) * 2.5) calc(var(--u) * 4); border: 1px solid var(--line); border-radius: var(--corner); cursor: pointer; }
.form .choice-card:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.form .choice-card input { flex: none; align-self: flex-start; width: auto; margin: 0.2rem 0 0; }
.form .choice-card strong { display: block; }
.form .choice-card .help { margin: 0; font-weight: 400; }
.form .sampled.picked-card:has(legend) { grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); }
.form .sampled .choice-card { position: relative; padding: calc(var(--u) * 3); }
.form .sampled .choice-card > span { flex: 1; min-width: 0; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: calc(var(--u) * 2); }
.form .sampled strong { grid-column: 1 / -1; padding-left: calc(var(--u) * 6); font-size: 0.875rem; }
.form .sampled .choice-card input { position: absolute; }
.sample { display: block; width: 100%; height: auto; border: 1px solid var(--border); border-radius: 6px; }
.picked-card .choice-card strong::first-letter { text-transform: uppercase; }
.form .picked-card:has(> :nth-of-type(4)) { grid-template-columns: minmax(0, 1fr); }
.form:has([name="access_type"]) .field:not(.wrong):has([name="allow_index"], [name="password"], [name="auth_email_domains"], [name="allowed_ip_ranges"]) { display: none; }
.form:has([name="access_type"][value="public"]:checked) .field:not(.wrong):has([name="allow_index"]) { display: flex; }
.form:has([name="access_type"][value="password"]:checked) .field:not(.wrong):has([name="password"]) { display: block; }
.form:has([name="access_type"][value="email-domain"]:checked) .field:not(.wrong):has([name="auth_email_domains"]) { display: block; }
.form:has([name="access_type"][value="ip-restriction"]:checked) .field:not(.wrong):has([name="allowed_ip_ranges"]) { display: block; }
.operator :is(.by-provider, details:has(> .sign-in)) > .button { width: 100%; min-height: 2.5rem; }
.operator .either { display: flex; gap: calc(var(--u) * 3); align-items: center; margin: calc(var(--u) * 4) 0 0; color: var(--quiet); font-size: var(--small); }
.either::before, .either::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.either + .sign-in { margin-top: 0; }
.sign-in .help { margin: calc(var(--u)) 0; color: var(--quiet); font-size: var(--small); }
.sign-in label { display: block; margin: calc(var(--u) * 3) 0 var(--u); font-weight: 600; }
.sign-in input:not([type="hidden"], [hidden]) { width: 100%; }
.sign-in button { width: 100%; margin-top: calc(var(--u) * 4); min-height: 2.5rem; }
main:has(.sign-in) .advice { margin-bottom: 0; font-size: var(--small); color: var(--quiet); }
main:has(.sign-in) .advice > p { margin: calc(var(--u) * 2) 0 0; }
`;
