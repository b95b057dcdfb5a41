/*
 * What people wrote in Markdown, on every page that shows it: lists have their marks also inside other lists, and a long
 * line of code is broken, so that no page is wider than a phone and no box is reached by scrolling alone.
 */
export const writtenStyle: string = `
div:is(.said, .written) :is(p, ul, ol, pre, blockquote) { margin: 0.375rem 0 0; }
div:is(.said, .written) > :first-child { margin-top: 0; }
div:is(.said, .written) :is(ul, ol) { padding-left: 1.375rem; }
div:is(.said, .written) ul { list-style: disc; }
div:is(.said, .written) ol { list-style: decimal; }
div:is(.said, .written) ul ul { list-style: circle; }
div:is(.said, .written) li { display: list-item; padding: 0; }
div:is(.said, .written) blockquote { padding-left: 0.75rem; border-left: 3px solid var(--line); }
div:is(.said, .written) :is(pre, code) { border: 1px solid var(--line); border-radius: 4px; background: var(--ground); }
div:is(.said, .written) code { padding: 0.0625rem 0.25rem; }
div:is(.said, .written) pre { padding: 0.5rem 0.75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
div:is(.said, .written) pre code { padding: 0; border: 0; background: none; }
div:is(.said, .written) a { overflow-wrap: anywhere; }
`;
