/** Columns of a compact line behind its box: a long name, or the head of a cause, takes what it needs from what is behind it. */
const columns = "6.5rem minmax(14rem, max-content) minmax(6rem, 1fr) 9rem 4.75rem 4.5rem";

/**
 * Lines of one row, half as high as comfortable ones, and the switch between both. What is not well keeps its reason, in
 * a second row, and what is too long is cut at its end. A phone shows the shape of a state, its name and the latest figure.
 */
export const compactStyle: string = `
.views { display: inline-flex; grid-area: name; justify-self: end; }
.pick-all { grid-row: 1; }
@media print { .views { display: none; } }
.operator .views button { min-height: 1.625rem; padding: 0 calc(var(--u) * 2); border-color: var(--border); border-radius: 0; box-shadow: none; font-size: 0.75rem; font-weight: 500; }
.operator .views button:first-child { border-radius: 6px 0 0 6px; }
.operator .views button:last-child { margin-left: -1px; border-radius: 0 6px 6px 0; }
.operator .views button[aria-pressed="true"] { position: relative; border-color: var(--accent); }
.line-head:not(.picks) .views { grid-column: mark / name; grid-row: 1; justify-self: start; }
.line-head.compact .chart text:not(:first-of-type, :last-of-type) { display: none; }
.line-head.compact .usual, .compact .line .usual { display: none; }
.compact .line { padding-block: calc(var(--u) * 1.25); }
.compact .line .kind { margin: 0; overflow: hidden; }
.compact .line .who { flex-wrap: nowrap; }
.compact :is(.line, .cause) .uptime { height: 1.25rem; }
.compact .line .begins { display: inline; }
.compact .line :is(.scheme, .labels), .compact .until > .when { display: none; }
.operator .compact .line h3 { flex-wrap: nowrap; overflow: hidden; white-space: nowrap; }
.compact .line h3 > a { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.compact .line h3 > .chip { flex: none; }
.compact .line .why, .compact .cause summary > .why { font-size: var(--small); }
@media (min-width: 60rem) {
  .compact .line, .line-head.compact { grid-template: "mark name kind bar share latency" auto ". why why why why why" auto / ${columns}; column-gap: 0.75rem; }
  .compact .line > :is(.mark, .who, .kind, .share, .latency), .compact > .cause summary > :is(.mark, strong, .share, .latency) { align-self: baseline; }
  .compact.picks .line, .compact .picks .line, .line-head.compact.picks { grid-template: "pick mark name kind bar share latency" auto ". . why why why why why" auto / 1.25rem ${columns}; column-gap: 0.75rem; }
  .line-head.compact .views { grid-column: kind; }
  .compact > .cause { padding-block: calc(var(--u) * 1.25); }
  .compact > .cause summary, .compact.picks > .cause summary { grid-template: "mark name kind bar share latency" auto ". why why why why why" auto / ${columns}; column-gap: 0.75rem; }
  .compact.picks > .cause summary { margin-left: 2rem; }
  .operator .compact > .cause > input.pick { margin-top: 0.25rem; }
  .compact > .cause summary > strong { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
  .compact > .cause summary > .kind { align-self: baseline; margin: 0; overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
}
@media (min-width: 60rem) and (max-width: 75rem) {
  .compact .line .kind, .compact > .cause summary > .kind { display: none; }
  .compact .line .who, .compact > .cause summary > strong { grid-column: name / kind; }
}
@media (max-width: 60rem) {
  .line-head.picks:has(.views) { display: flex; flex-wrap: wrap; gap: var(--u) calc(var(--u) * 3); justify-content: space-between; align-items: center; }
  .line-head:not(.picks):has(.views) { display: block; padding: calc(var(--u) * 2) calc(var(--u) * 3); }
  .line-head:not(.picks):has(.views) + .watched { border-top: 0; border-radius: 0 0 var(--corner) var(--corner); }
  .operator .views button { min-height: 2rem; padding-inline: calc(var(--u) * 2.5); }
  .compact .line { grid-template: "mark name latency" auto "mark why why" auto / 1rem minmax(0, 1fr) auto; column-gap: 0.625rem; padding-block: calc(var(--u) * 2.25); }
  .compact.picks .line, .compact .picks .line { grid-template: "pick mark name latency" auto "pick mark why why" auto / 1.75rem 1rem minmax(0, 1fr) auto; column-gap: 0.5rem; }
  .compact .line > .mark { gap: 0; align-self: start; margin-top: 0.1875rem; overflow: hidden; font-size: 0; }
  .compact .line > :is(.kind, .bar, .share) { display: none; }
  .compact > .cause summary > :is(.kind, .bar) { display: none; }
}
`;
