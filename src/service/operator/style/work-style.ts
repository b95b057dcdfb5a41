/** What the pages of incidents, planned work and publishing add: comments, messages, and what was typed and not taken. */
export const workStyle = `
.comment, .said-text, .kept-texts dd { white-space: pre-line; }
.moments .more .comment { color: var(--text); }
.own-length { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: end; flex-basis: 100%; }
.operator .own-length label { width: auto; }
.operator .own-length input { width: 5rem; }
.operator .own-length select { width: 7rem; }
.silenced { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2) calc(var(--u) * 4); justify-content: space-between; align-items: center; background: var(--raised); border-color: var(--line); }
.silenced p { margin: 0; }
.lengths { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); flex-basis: 100%; }
.operator .kept { display: block; max-width: 46rem; margin: calc(var(--u) * 4) 0; }
.operator .preview h2 { margin: 0 0 calc(var(--u) * 2); }
.preview .said { margin: 0 0 calc(var(--u) * 3); }
[data-previews] .operator [data-instead="preview"] { display: none; }
.said > :first-child { margin-top: 0; }
.said > :last-child { margin-bottom: 0; }
.incident .acts { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); margin: calc(var(--u) * 2) 0; }
.incident .acts .act { margin: 0; }
.incident .acts button { min-height: 1.875rem; padding: calc(var(--u) * 0.75) calc(var(--u) * 2.5); font-size: var(--small); }
[draggable="true"] { cursor: grab; }
.kept-texts { margin: calc(var(--u) * 3) 0; padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); }
`;
