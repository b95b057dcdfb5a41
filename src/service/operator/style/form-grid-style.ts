/** Fields that are typed in a word or a figure, two or three in a row; the others have the whole width of their group. */
const short = ":has(> :is(.figure, .word, .unit, select))";

/**
 * How the fields of a group lie: in twelve columns, so that short ones are next to each other and all of a row begin and
 * end on the same lines. A phone has two of them in a row, or one.
 */
export const formGridStyle: string = `
.form :is(fieldset.group, details.group > fieldset) { display: grid; grid-template-columns: repeat(12, minmax(0, 1fr)); gap: calc(var(--u) * 4) calc(var(--u) * 3); align-items: start; }
.form :is(fieldset.group, details.group > fieldset) > * { grid-column: 1 / -1; min-width: 0; }
.form :is(fieldset.group, details.group > fieldset) > :is(*, .field:last-child) { margin-block: 0; }
.operator .form fieldset.group > legend { margin-bottom: calc(var(--u) * -1); }
.form .group .field${short} > :is(.figure, .word, .unit, select) { width: 100%; max-width: 24rem; min-width: 0; text-overflow: ellipsis; }
.form .group .field > .unit > input { flex: 1 1 3rem; min-width: 0; }
.form:has(> .extra) .group .field > .name { width: 100%; }
.form .group .field > select.wide { width: auto; max-width: 100%; }
.form .kinds { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 1.5); }
.operator .form .kinds button { display: inline-flex; gap: calc(var(--u) * 1.5); align-items: center; min-height: 2.125rem; padding-inline: calc(var(--u) * 3); font-size: 0.875rem; font-weight: 550; }
.operator .kinds [aria-pressed="true"] { box-shadow: inset 0 0 0 1px var(--accent); font-weight: 650; }
.kinds svg { flex: none; width: 1.125rem; height: 1.125rem; fill: none; stroke: var(--quiet); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.kinds [aria-pressed="true"] svg { stroke: currentColor; }
@media (min-width: 40rem) {
  .form .group .field.field${short} { grid-column: span 6; }
  .form .group .field.field:has(> .unit) { grid-column: span 4; }
  .form .group .field:has(> [name="name"]):has(+ .field > [name="periodicity"]) { grid-column: span 6; }
  .form .group .field.tick > .help { flex: 0 1 auto; margin: 0 0 0 var(--u); }
  .form .group:not(:has(.narrowing)) :is(.several:has(+ .several), .several + .several) { grid-column: span 6; }
  .form .group:has(> .rows ~ .rows) > .rows:not(:has(.row)), .form .group > fieldset:has(> .rows ~ .rows) > .rows:not(:has(.row)) { grid-column: span 6; }
  .form .group > .rows:not(:has(.row)):has(+ .field > [name="time_zone"]) { grid-column: span 6; }
  .form .group > .rows:has(.row) + .field.field:has(> [name="time_zone"]) { grid-column: 1 / -1; }
  .form .group .field.field:has(> [name="method"]) { grid-column: span 3; }
  .form .group .field:has(> [name="method"]) + .field { grid-column: span 9; }
  .form .group .field.field:is(:has(> select.wide), :has(> select):has(+ .field > .colour)) { grid-column: 1 / -1; }
}
@media (max-width: 39.99rem) {
  .form .lead > [role="group"] { flex: 1; }
  .form .kinds { display: grid; grid-template-columns: repeat(5, minmax(0, 1fr)); }
  .operator .form .kinds button { flex-direction: column; gap: var(--u); justify-content: center; padding: calc(var(--u) * 2) 0; }
  .form .group .field.field:has(> [name="method"]) { grid-column: span 4; }
  .form .group .field:has(> [name="method"]) + .field { grid-column: span 8; }
  .form .group .field > [name="method"] { padding-inline: calc(var(--u) * 2); }
}
`;
