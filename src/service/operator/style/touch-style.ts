/** Already higher, or as high as the line that it is ticked in. */
const others =
  '[type="checkbox"], [type="radio"], [type="hidden"], [type="file"], .many *, .jumping *';

/**
 * On a phone all that a finger presses is at least 40 px high, whatever a list or a form says about its own buttons: a
 * finger covers about as much. The chip of a label stays as it looks, and answers around it as well.
 */
export const touchStyle: string = `
@media (max-width: 40rem) {
  .operator :is(button, .button, .arrow, summary, select, textarea, input):not(${others}) { min-height: 2.5rem !important; }
  .operator :is(.arrow, .jump, .asked > summary, .acts-menu > summary:not(.small)) { min-width: 2.5rem; }
  .operator summary { align-content: center; }
  .operator :is(.choices:not(.found) li a, .ranges li a, .paging a, .form .buttons a:not(.button)) { display: inline-block; align-content: center; min-height: 2.5rem; }
  .operator .lengths fieldset label { min-height: 2.5rem; align-content: center; }
  .operator :is(.component, .group-head) > .acts { flex: none; flex-wrap: wrap; margin-left: auto; }
  :is(.component, .group-head) > .acts > * { flex: none; }
  .group-head { flex-wrap: wrap; row-gap: 0; }
  .group-head > h3 { flex: 1 1 5rem; }
  .operator .adds > .dropped { min-width: 15.5rem; }
  .operator a.chip { position: relative; z-index: 1; }
  .operator a.chip::after { content: ""; position: absolute; inset: -0.25rem 0 -0.875rem; }
  .operator :has(> a.chip) { row-gap: calc(var(--u) * 4); }
  .form details.group[open] { padding-top: calc(var(--u) * 1.5); }
  .form details.group[open] > summary { margin-bottom: calc(var(--u) * 1.5); }
}
`;
