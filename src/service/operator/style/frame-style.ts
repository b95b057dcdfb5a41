/*
 * What is around every operator's page, and what all of them share. Sizes are multiples of --u, a quarter of a line;
 * letters come in five sizes, from --small to --huge. One accent: links, the current part, and the button that acts.
 */

const light = `
  --ground: #f6f7f9; --raised: #ffffff; --line: #dde1e6; --text: #1a1d21; --quiet: #545b66; --link: #1b57c9;
  --accent: #1b57c9; --on-accent: #ffffff; --wash: #eef2fb; --focus: #1b57c9; --error-wash: #fdf0ef; --degraded-wash: #fdf5e8;
  --edge: #868d98; --hover: #f4f7fc; --shade: 0 1px 2px rgb(16 24 40 / 6%);`;
const dark = `
  --ground: #0f1216; --raised: #181c22; --line: #2c333c; --text: #e6e8eb; --quiet: #a3abb6; --link: #8ab4ff;
  --accent: #8ab4ff; --on-accent: #0b1526; --wash: #1c2635; --focus: #8ab4ff; --error-wash: #2a1a1b; --degraded-wash: #2a2216;
  --edge: #717b88; --hover: #1d222a; --shade: none;`;

export const frameStyle: string = `
:root { ${light} --u: 0.25rem; --small: 0.8125rem; --normal: 0.9375rem; --large: 1.125rem; --huge: 1.625rem; --column: 84rem; --corner: 8px; }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
.operator { max-width: none; padding: 0; font-size: var(--normal); }
.operator > header {
  flex-wrap: nowrap; gap: calc(var(--u) * 4); align-items: center; min-height: 3.25rem; padding: calc(var(--u) * 1.5) var(--side);
  background: var(--raised); border-bottom: 1px solid var(--line);
}
.operator { --side: max(clamp(1rem, 3vw, 2rem), calc((100vw - var(--column)) / 2)); }
.operator { display: flex; flex-direction: column; min-height: 100vh; }
.operator > main { flex: 1; width: 100%; padding: calc(var(--u) * 6) var(--side) 0; }
.operator > footer { margin: calc(var(--u) * 10) 0 0; padding: calc(var(--u) * 4) var(--side) calc(var(--u) * 6); }
.operator .brand { flex: none; font-size: var(--large); font-weight: 700; color: var(--text); letter-spacing: -0.01em; }
.brand a { display: inline-flex; gap: calc(var(--u) * 1.5); align-items: center; min-height: 2.25rem; }
.logo { width: 1.375rem; height: 1.375rem; fill: var(--accent); }
.rooms { display: flex; gap: var(--u); margin: 0 auto 0 0; padding: 0; position: static; border: 0; background: none; color: inherit; overflow: visible; font-size: var(--normal); }
.rooms a { padding: calc(var(--u) * 1.5) calc(var(--u) * 2.5); border-radius: 6px; color: var(--quiet); text-decoration: none; font-weight: 500; white-space: nowrap; }
.rooms a:hover { color: var(--text); background: var(--hover); }
.rooms a[aria-current] { color: var(--accent); background: var(--wash); }
.seen-by { display: flex; gap: calc(var(--u) * 3); align-items: center; margin-left: auto; min-width: 0; }
.asof { white-space: nowrap; }
.asof a { margin-left: calc(var(--u) * 2); }
.scripted .asof a { display: none; }
.operator :is(.menu, .account) { display: inline-flex; flex: 0 1 auto; gap: calc(var(--u) * 1.5); align-items: center; min-width: 0; border-color: var(--line); color: var(--text); font-weight: 500; }
:is(.menu, .account) svg { width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; }
.account span { max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.operator .menu { display: none; }
.out[popover] { inset: 3.5rem var(--side) auto auto; min-width: 14rem; margin: 0; color: var(--text); box-shadow: 0 8px 24px rgb(0 0 0 / 18%); }
.operator .out p { margin: 0 0 calc(var(--u) * 2); font-size: var(--normal); }
.operator .out button { width: 100%; margin-top: var(--u); }
@supports not selector(:popover-open) { .operator :is(.menu, .account) { display: none !important; } .operator > header { flex-wrap: wrap; } .operator .out[popover] { display: block; border: 0; padding: 0; } }
.operator form { width: auto; }
.operator a { text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
.operator a:hover { text-decoration-color: currentColor; }
.operator h1 { margin: 0; font-size: var(--huge); line-height: 1.25; color: var(--text); font-weight: 650; letter-spacing: -0.01em; }
.operator h1.page { margin-bottom: calc(var(--u) * 4); }
.operator h2 { margin: calc(var(--u) * 8) 0 calc(var(--u) * 3); font-size: var(--large); }
.operator h3 { margin: calc(var(--u) * 6) 0 0; font-size: var(--normal); font-weight: 650; }
.operator .back { margin: 0 0 calc(var(--u) * 2); }
.operator :is(.advice, .why, .lede-line) { font-size: var(--normal); }
.operator :is(input, select, textarea):disabled { background: var(--ground); border-style: dashed; color: var(--quiet); cursor: not-allowed; opacity: 1; }
.operator > main:has(> .sign-in, > details > .sign-in) { flex: none; width: min(28rem, 100% - 2rem); margin: 8vh auto 0; padding: calc(var(--u) * 7); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); }
.lede + form, .lede + .filter, .unseen + .choices { margin-top: calc(var(--u) * 4); }
.lede { margin: var(--u) 0 0; font-size: var(--large); font-weight: 550; letter-spacing: 0; }
.title-line { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2) calc(var(--u) * 4); justify-content: space-between; align-items: center; }
.title-line > div:first-child { flex: 1; min-width: 12rem; }
.title-line .acts { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: center; }
.title-line .acts .act { margin: 0; }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); padding: calc(var(--u) * 4) calc(var(--u) * 5); box-shadow: var(--shade); }
.notice { margin: calc(var(--u) * 3) 0; padding: calc(var(--u) * 2) calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: var(--corner); }
.notice.good { border-left-color: var(--success); color: var(--success); }
.notice.bad { border-left-color: var(--error); color: var(--error); }
.operator .mark { align-items: baseline; }
.operator .mark svg { align-self: center; }
.notice .mark { font-weight: 550; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: calc(var(--u) * 4); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.operator button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.25rem; padding: calc(var(--u) * 1.5) calc(var(--u) * 3.5); border: 1px solid var(--edge); border-radius: 6px;
  background: var(--raised); color: var(--text); font: inherit; font-size: var(--normal); font-weight: 550; line-height: 1.35; text-decoration: none; text-align: center;
}
.operator button:hover, .button:hover { border-color: var(--accent); color: var(--accent); background: var(--hover); }
.operator button.main, .button.main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.operator button.main:hover, .button.main:hover { background: var(--accent); filter: brightness(1.1); color: var(--on-accent); }
.operator button.danger, .button.danger { color: var(--error); }
.operator button.danger:hover, .button.danger:hover { border-color: var(--error); background: var(--error-wash); }
.operator button.small, .button.small { min-height: 1.875rem; padding: calc(var(--u) * 0.75) calc(var(--u) * 2.5); font-size: var(--small); }
.operator input, .operator select, .operator textarea {
  font: inherit; font-size: var(--normal); color: var(--text); background: var(--raised); border: 1px solid var(--edge); border-radius: 6px; padding: calc(var(--u) * 1.25) calc(var(--u) * 2);
}
.operator input, .operator select { min-height: 2.25rem; }
.operator textarea { display: block; width: 100%; max-width: 46rem; }
.operator :is(input, select, textarea):hover { border-color: var(--accent); }
.operator ::placeholder { color: var(--quiet); opacity: 1; }
.operator input:is([type="checkbox"], [type="radio"]) { flex: none; width: 1.125rem; height: 1.125rem; min-height: 0; margin: 0; accent-color: var(--accent); }
@media (max-width: 88rem) { .wordy { display: none; } .account span { max-width: 8rem; } }
@media (max-width: 70rem) {
  @supports selector(:popover-open) {
    .operator .menu { display: inline-flex; }
    .rooms:not(:popover-open) { display: none; }
    .rooms {
      flex-direction: column; gap: 0; position: fixed; inset: 3.5rem var(--side) auto auto; min-width: 14rem; padding: calc(var(--u) * 2);
      background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: 0 8px 24px rgb(0 0 0 / 18%);
    }
    .rooms a { padding: calc(var(--u) * 2.5) calc(var(--u) * 3); }
  }
}
@media (max-width: 23rem) { .operator .asof { display: none; } }
@media (max-width: 40rem) {
  .operator > header { gap: calc(var(--u) * 2); }
  .seen-by { gap: calc(var(--u) * 2); }
  .wordy, .account span, .operator .asof a { display: none; }
  .operator .account { padding: calc(var(--u) * 1.5) calc(var(--u) * 2); min-height: 2.25rem; }
  .operator > main { padding-top: calc(var(--u) * 4); }
}
`;
