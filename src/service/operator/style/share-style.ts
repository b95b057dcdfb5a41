/** What others may take from a status page: its badge as it is, next to the addresses of its feeds. */
export const shareStyle = `
.operator .shared { max-width: none; }
.shared .line { font-family: ui-monospace, monospace; font-size: var(--small); }
.shared .field { margin-bottom: calc(var(--u) * 3); }
.shared .badge-shown { display: flex; align-items: center; min-height: 4.5rem; margin: 0 0 calc(var(--u) * 4); padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--ground); border: 1px solid var(--line); border-radius: var(--corner); line-height: 0; }
.shared .badge-shown img { max-width: 100%; height: auto; margin: auto; }
@media (min-width: 68rem) {
  .operator .shared { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 calc(var(--u) * 6); align-items: start; }
  .shared > :not(.group) { grid-column: 1 / -1; }
  .operator .form.shared .group { margin: calc(var(--u) * 4) 0 0; }
}
`;
