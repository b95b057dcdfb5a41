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
.form .group .field${short} > :is(.figure, .word, .unit, select) { width: 100%; max-width: 22rem; min-width: 0; text-overflow: ellipsis; }
.form .group .field > .unit > input { flex: 1 1 3rem; min-width: 0; }
.form:has(> .extra) .group .field > .name { width: 100%; }
.form .group .field > select.wide { width: auto; max-width: 100%; }
@media (min-width: 40rem) {
  .form .group .field.field${short} { grid-column: span 6; }
  .form .group .field.field:has(> .unit) { grid-column: span 4; }
  .form .group:not(:has(.narrowing)) :is(.several:has(+ .several), .several + .several) { grid-column: span 6; }
  .form .group .field.field:has(> [name="method"]) { grid-column: span 3; }
  .form .group .field:has(> [name="method"]) + .field { grid-column: span 9; }
  .form .group .field.field:is(:has(> select.wide), :has(> select):has(+ .field > .colour)) { grid-column: 1 / -1; }
}
@media (max-width: 39.99rem) {
  .form .group .field.field:has(> [name="method"]) { grid-column: span 4; }
  .form .group .field:has(> [name="method"]) + .field { grid-column: span 8; }
  .form .group .field > [name="method"] { padding-inline: calc(var(--u) * 2); }
}
`;
