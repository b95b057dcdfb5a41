/** Files own all that is selected: each by itself, or all that is found. */
const onlyOfFiles =
  '.operator:is(:has(:is(.line, .cause) > .of-files:checked):not(:has(:is(.line, .cause) > .pick:not(.of-files):checked, [name="all"]:checked)), :has([name="all"]:checked):has(.all-of-files))';

/** The bar of what is done with the selected monitors: it is at the end of the window as long as there are any. */
export const manyStyle: string = `
.many { position: sticky; bottom: calc(var(--u) * 3); z-index: 1; margin-top: calc(var(--u) * 3); padding: calc(var(--u) * 2.5) calc(var(--u) * 3); border-color: var(--accent); box-shadow: var(--above); }
@supports selector(:has(*)) { .operator:not(:has(.pick:checked)) .many:not([data-refused]) { display: none; } }
.many .bar { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 1.5); align-items: center; }
.operator .many :is(.bar, .changing) > button, .operator .many .drop > summary { padding-inline: calc(var(--u) * 2.25); }
@media (min-width: 40rem) and (max-width: 66rem) {
  .many .bar { gap: var(--u); }
  .operator .many :is(.bar, .changing) > button, .operator .many .drop > summary { padding-inline: calc(var(--u) * 1.5); }
}
.picks :is(a, input, summary) { scroll-margin-bottom: 6rem; }
@media (max-width: 40rem) { .picks :is(a, input, summary) { scroll-margin-bottom: 13rem; } }
.picked { margin: 0; font-weight: 600; }
.many .clear { margin-right: auto; }
.picked::before { content: counter(picked) " selected"; }
.operator:has([name="all"]:checked) .picked::before { content: "All " attr(data-found) " selected"; }
.picked::after { content: attr(data-outside); margin-left: calc(var(--u) * 1.5); color: var(--quiet); font-size: var(--small); font-weight: 400; }
.many .changing { display: contents; }
.files-note, .files-note .only, .operator:not(:has(.waits:checked, [name="all"]:checked)) .files-note .waiting { display: none; }
.operator .files-note > summary { padding: calc(var(--u) * 1.5) calc(var(--u) * 2); color: var(--quiet); font-size: var(--small); }
.files-note p { flex-basis: 100%; margin: 0; max-width: none; font-size: var(--small); }
.files-note code { flex: 1 1 calc(100% - 9rem); overflow-wrap: anywhere; user-select: all; }
.operator .files-note .copy { margin: 0; }
.files-note [hidden] + .copy { display: none !important; }
.filed::before { content: counter(filed) " "; }
.operator:has([name="all"]:checked) .filed::before { content: attr(data-found) " "; }
.operator:has(:is(.line, .cause) > .some-of-files:checked) .files-note, .operator:has([name="all"]:checked) .some-of-files .files-note { display: block; }
${onlyOfFiles} .files-note .only { display: revert; }
${onlyOfFiles} .files-note .some { display: none; }
${onlyOfFiles} .changing :is(button, .button), .operator :is(button, .button):is(:disabled, :disabled:hover) { background: var(--ground); border-style: dashed; box-shadow: none; color: var(--quiet); cursor: not-allowed; filter: none; }
.changing:disabled .button { pointer-events: none; }
.many .files-note > .together { left: 0; right: auto; }
.many .drop > .together { right: 0; top: auto; bottom: calc(100% + var(--u) * 1.5); display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: end; width: max-content; max-width: min(34rem, 100vw - 2rem); padding: calc(var(--u) * 3) calc(var(--u) * 4); border-color: var(--accent); }
.many .together label { width: auto; }
.many .together :is(input, select) { display: block; width: 10rem; margin-top: 0.125rem; }
.many .together input { width: 8rem; }
.many .together [name="reason"] { width: 100%; }
.many .together small { flex-basis: 100%; margin: 0; }
`;
