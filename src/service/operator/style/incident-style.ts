/** An incident's page: its timeline and the latency in the wider column, and next to it who was notified and what else fails. */
export const incidentStyle = `
.story > div { display: grid; gap: calc(var(--u) * 4); min-width: 0; }
@media (min-width: 76rem) {
  .story { grid-template: "story around" auto "past around" 1fr "check check" auto / minmax(0, 1fr) 22rem; }
  .story > .around { grid-area: around; }
  .story > .past { grid-area: past; }
  .story > .check { grid-area: check; }
  /* The end of a short timeline is in view. */
  main:not(:has(.moments > li:nth-child(9))) > .latest { display: none; }
}
.story .title-line { gap: calc(var(--u) * 2) calc(var(--u) * 4); margin-bottom: calc(var(--u) * 2); }
.operator .story .title-line h2 { margin: 0; }
.operator .story details { margin-bottom: 0; }
.story .messages li:last-child { padding-bottom: 0; }
.trouble + .acts { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); margin: calc(var(--u) * 3) 0; }
.story .messages + .acts { margin: calc(var(--u) * 3) 0 0; }
.story .messages li > details { margin-top: calc(var(--u) * 0.5); }
.story .one-line, .story .one-line + details { margin: 0; }
.story .one-line:first-child li:first-child { border-top: 0; padding-top: 0; }
.story .one-line li { grid-template: "mark length" auto "name name" auto "next next" auto / minmax(0, 1fr) auto; row-gap: calc(var(--u) * 0.5); padding: calc(var(--u) * 2) 0; }
.story .one-line .next { text-align: left; }
.story .one-line form.next { justify-content: flex-start; margin-top: var(--u); }
.moments .acts { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: center; margin-top: calc(var(--u) * 2); }
.moments .acts .act { margin: 0; }
.operator .moments .acts :is(button, .button) { min-height: 1.875rem; margin: 0; padding: calc(var(--u) * 0.75) calc(var(--u) * 2.5); font-size: var(--small); }
.story .words:last-child { margin-bottom: 0; }
`;
