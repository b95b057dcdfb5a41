/** What the pages of incidents, planned work and publishing add: comments, messages, and what was typed and not taken. */
export const workStyle = `
.comment, .said-text, .kept-texts dd { white-space: pre-line; }
.moments .more .comment { color: var(--text); }
.lengths { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); flex-basis: 100%; }
.operator .kept { display: block; max-width: 46rem; margin: calc(var(--u) * 4) 0; }
.kept-texts { margin: calc(var(--u) * 3) 0; padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); }
`;
