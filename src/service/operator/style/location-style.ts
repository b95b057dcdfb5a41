/** A location's page: a short line for each monitor that it runs, and its token in a card. */
export const locationStyle = `
.here .line { --columns: 6.25rem minmax(0, 3fr) minmax(0, 4fr) 5.5rem 6.5rem; grid-template: "mark name kind latency since" auto ". why why why why" auto / var(--columns); align-items: baseline; padding-block: calc(var(--u) * 2); }
.here .line > :is(.mark, h3, .kind, .latency, .since) { align-self: baseline; margin-top: 0; }
.operator .here .line h3 { grid-area: name; font-size: 0.875rem; }
.here .since { grid-area: since; color: var(--quiet); font-size: var(--small); text-align: right; white-space: nowrap; }
.here .line .why { font-size: var(--small); color: var(--quiet); }
.all-there { padding: calc(var(--u) * 2.5) calc(var(--u) * 4); font-size: 0.875rem; }
.watched.here + .words { margin-top: calc(var(--u) * 2); }
section:not(.setting) + .setting { margin-top: calc(var(--u) * 8); }
.setting .act.filter { margin: 0; }
@media (max-width: 60rem) {
  .here .line { grid-template: "mark latency" auto "name since" auto "kind kind" auto "why why" auto / minmax(0, 1fr) auto; }
}
`;
