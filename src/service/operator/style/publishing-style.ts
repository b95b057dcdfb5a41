/** What is published: the tabs of a status page without its preview in wide rows, and fields with a long hint. */
export const publishingStyle = `
.operator .shared { max-width: none; }
.shared .line { font-family: ui-monospace, monospace; font-size: var(--small); }
.shared .field { margin-bottom: calc(var(--u) * 3); }
.shared .badge-shown { display: flex; align-items: center; min-height: 4.5rem; margin: 0 0 calc(var(--u) * 4); padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--ground); border: 1px solid var(--line); border-radius: var(--corner); line-height: 0; }
.shared .badge-shown.light { background: #ffffff; }
.shared .badge-shown.dark { background: #0d1117; }
.shared .filter { display: grid; grid-template-columns: 1fr 1fr; margin-bottom: calc(var(--u) * 4); }
.shared .filter select { width: 100%; font-weight: 400; }
.shared .filter button { justify-self: start; }
.shared .badge-shown iframe { max-width: 100%; margin: auto; border: 0; }
.shared .badge-shown img { max-width: 100%; height: auto; margin: auto; }
.operator .begin-with { margin-bottom: calc(var(--u) * 4); }
.change > .said + .acts { margin: calc(var(--u) * 2) 0 calc(var(--u) * 3); }
.begin-with label { flex: 0 1 24rem; }
.operator .begin-with select { width: 100%; }
@media (min-width: 60.01rem) {
  .planned-row:has(> .acts) { grid-template-rows: auto 1fr; }
  .planned-row:has(> .acts) > .what { grid-area: 1 / 2 / span 2; }
  .planned-row > .acts { grid-column: 3 / -1; }
}
@media (min-width: 40rem) { .form .group .field.field:has(> :is([name="status"], [name="impact"], [name="page_id"])) { grid-column: 1 / -1; } }
@media (min-width: 68rem) {
  .operator .shared { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 calc(var(--u) * 6); align-items: start; }
  .shared > :not(.group) { grid-column: 1 / -1; }
  .shared > .group:first-of-type { grid-row: span 2; }
  .operator .form.shared .group { margin: calc(var(--u) * 4) 0 0; }
  .operator [aria-labelledby="settings"] > .form { max-width: none; }
  [aria-labelledby="settings"] .form .group > .field:has(> :is([name="title"], [name="slug"], [name="default_locale"], [name="time_zone"])) { grid-column: span 6; }
  [aria-labelledby="settings"] .form .group > .field:has(> :is([name="custom_domain"], [name="homepage_url"], [name="contact_url"])) { grid-column: span 4; }
  [aria-labelledby="settings"] .group .field > :is(.name, select) { width: 100%; max-width: none; }
  [aria-labelledby="settings"] .boxes { grid-template-columns: repeat(6, minmax(0, 1fr)); }
}
`;
