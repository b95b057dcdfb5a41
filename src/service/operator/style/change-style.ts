/** Who changed what, and what was deleted and can be undone. */
export const changeStyle = `
.changes-list { margin: 0.5rem 0; padding: 0; list-style: none; }
.change { padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
.change > p { display: flex; flex-wrap: wrap; gap: 0.125rem 0.5rem; align-items: baseline; margin: 0 0 0.25rem; max-width: none; }
.change > p time { color: var(--quiet); font-variant-numeric: tabular-nums; }
.change .quiet { margin-left: auto; font-size: 0.8125rem; }
.change h2 { font-size: 1rem; margin: 0 0 0.25rem; }
.change summary { font-size: 0.875rem; }
table.changes { width: 100%; border-collapse: collapse; font-size: 0.875rem; table-layout: fixed; }
table.changes th, table.changes td { padding: 0.1875rem 0.75rem 0.1875rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; font-weight: normal; }
table.changes thead th { font-size: 0.75rem; color: var(--quiet); }
table.changes tbody th { width: 30%; color: var(--quiet); }
table.changes th:first-child { width: 30%; }
.undo { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; align-items: center; margin: 0 0 1rem; padding: 0.5rem 0.875rem; border: 1px solid var(--line); border-left: 0.25rem solid var(--accent); border-radius: 0.375rem; background: var(--raised); }
.undo p { margin: 0; max-width: none; }
.undo form { margin: 0 0 0 auto; }
`;
