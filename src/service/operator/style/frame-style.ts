/*
 * What is around every operator's page, and what all of them share. Sizes are multiples of --u, a quarter of a line;
 * letters come in five sizes, from --small to --huge. One accent: links, the current part, and the button that acts.
 */

import { darkPalette, lightPalette } from "#web/page/style";

const light = `
  --ground: #f7f8fa; --raised: #ffffff; --sunk: #f9fafb; --line: #e4e7ec; --text: #16181d; --quiet: #565d69; --link: #1b57c9;
  --accent: #1f5ad6; --on-accent: #ffffff; --wash: #ebf1fe; --focus: #1b57c9; --error-wash: #fdf1f0; --degraded-wash: #fdf6e9; --success-wash: #edf8f1;
  --edge: #868d98; --border: #cfd4dc; --hover: #f3f5f9; --shade: 0 1px 2px rgb(16 24 40 / 5%); --cut: rgb(16 24 40 / 22%); --above: 0 12px 32px rgb(16 24 40 / 18%);
  --bar: #3d6fd6; --up: #2f9a5f; --slow: #c57d06; --down: #cf2f35;`;
const dark = `
  --ground: #0d1014; --raised: #15191f; --sunk: #12161b; --line: #262c35; --text: #e8eaed; --quiet: #a0a8b4; --link: #8ab4ff;
  --accent: #8ab4ff; --on-accent: #0b1526; --wash: #1b2638; --focus: #8ab4ff; --error-wash: #2a181a; --degraded-wash: #292114; --success-wash: #14251b;
  --edge: #717b88; --border: #3b434e; --hover: #1b2028; --shade: none; --cut: rgb(0 0 0 / 75%); --above: 0 12px 32px rgb(0 0 0 / 55%);
  --bar: #7aa5f7; --up: #4fb57d; --slow: #e2a33c; --down: #f0706b;`;

export const frameStyle: string = `
:root { ${light} --u: 0.25rem; --small: 0.8125rem; --normal: 0.9375rem; --large: 1.125rem; --huge: 1.5rem; --column: 82rem; --corner: 10px; --rail: 0rem; }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
:root[data-theme="light"] { color-scheme: light; ${lightPalette} ${light} }
:root[data-theme="dark"] { color-scheme: dark; ${darkPalette} ${dark} }
.operator { max-width: none; padding: 0; font-size: var(--normal); }
.operator > header {
  flex-wrap: nowrap; gap: calc(var(--u) * 4); align-items: center; min-height: 3.25rem; padding: calc(var(--u) * 1.5) var(--side);
  background: var(--raised); border-bottom: 1px solid var(--line);
}
.operator { --side: max(clamp(1rem, 3vw, 2.25rem), calc((100vw - var(--rail) - var(--column)) / 2)); }
.operator { display: flex; flex-direction: column; min-height: 100vh; }
.operator > main { flex: 1; width: 100%; padding: calc(var(--u) * 8) var(--side) 0; }
.operator > footer { margin: calc(var(--u) * 12) 0 0; padding: calc(var(--u) * 4) var(--side) calc(var(--u) * 6); }
.operator > footer p { font-size: var(--small); }
.operator:not(.open) > header { background: none; border: 0; }
.operator .brand { flex: none; font-size: var(--large); font-weight: 700; color: var(--text); letter-spacing: -0.01em; }
.brand a { display: inline-flex; gap: calc(var(--u) * 2); align-items: center; min-height: 2.25rem; }
.logo { width: 1.625rem; height: 1.625rem; padding: 0.25rem; border-radius: 7px; background: var(--accent); fill: var(--on-accent); }
.rail { display: contents; }
.rooms { display: flex; gap: var(--u); margin: 0; padding: 0; position: static; border: 0; background: none; color: inherit; overflow: visible; font-size: var(--normal); }
.rooms > div { display: contents; }
.rooms a { display: flex; gap: calc(var(--u) * 2.5); align-items: center; padding: calc(var(--u) * 1.5) calc(var(--u) * 2.5); border-radius: 7px; color: var(--quiet); text-decoration: none; font-weight: 500; white-space: nowrap; }
.rooms a:hover { color: var(--text); background: var(--hover); }
.rooms a[aria-current] { color: var(--accent); background: var(--wash); }
.rooms a[data-open]::after { content: attr(data-open); min-width: 1.25rem; margin-left: auto; padding: 0 calc(var(--u) * 1.5); border-radius: 99rem; background: var(--error); color: var(--raised); font-size: 0.75rem; font-weight: 650; line-height: 1.25rem; text-align: center; }
:is(.rooms, .menu, .account, .jump) svg { flex: none; width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
.seen-by { display: flex; gap: calc(var(--u) * 3); align-items: center; margin-left: auto; min-width: 0; }
.asof { white-space: nowrap; }
.asof a { margin-left: calc(var(--u) * 2); }
.scripted .asof a { display: none; }
.operator :is(.menu, .account, .jump) { display: inline-flex; flex: 0 1 auto; gap: calc(var(--u) * 2); align-items: center; min-width: 0; border-color: var(--line); color: var(--text); font-weight: 500; }
.account span { max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.operator .menu { display: none; position: relative; flex: none; white-space: nowrap; }
.rail:has(a[data-open]) .menu::after { content: ""; position: absolute; top: -0.25rem; right: -0.25rem; box-sizing: content-box; width: 0.5rem; height: 0.5rem; border: 2px solid var(--raised); border-radius: 50%; background: var(--error); }
.account small { color: var(--quiet); font-size: 0.75rem; font-weight: 400; }
.out[popover] { inset: 3.5rem var(--side) auto auto; min-width: 14rem; max-width: 18rem; margin: 0; color: var(--text); box-shadow: var(--above); }
.operator .out p { margin: 0 0 calc(var(--u) * 2); font-size: var(--normal); }
.operator .out button { width: 100%; margin-top: var(--u); }
@supports not selector(:popover-open) { .operator :is(.menu, .account) { display: none !important; } .operator > header { flex-wrap: wrap; } .operator .out[popover] { display: block; border: 0; padding: 0; } }
.operator form { width: auto; }
.operator a { text-decoration-color: color-mix(in srgb, currentColor 40%, transparent); }
.operator a:hover { text-decoration-color: currentColor; }
.operator h1 { margin: 0; font-size: var(--huge); line-height: 1.25; color: var(--text); font-weight: 680; letter-spacing: -0.018em; }
.operator h1.page { margin-bottom: calc(var(--u) * 5); }
.operator h2 { margin: calc(var(--u) * 8) 0 calc(var(--u) * 3); font-size: 1rem; letter-spacing: -0.006em; }
.operator h3 { margin: calc(var(--u) * 6) 0 0; font-size: var(--normal); font-weight: 650; }
.operator :is(p, li, dd, td, th, h1, h2, h3) { text-wrap: pretty; }
.operator .back { margin: 0 0 calc(var(--u) * 2); font-size: var(--small); }
.operator .back a { color: var(--quiet); text-decoration: none; }
.operator .back a::before { content: "←"; margin-right: calc(var(--u) * 1.5); }
.operator .back a:hover { color: var(--accent); }
.operator :is(.advice, .why, .lede-line) { font-size: var(--normal); }
.operator :is(input, select, textarea):disabled { background: var(--ground); border-style: dashed; color: var(--quiet); cursor: not-allowed; opacity: 1; }
.operator > main:is(:has(> .sign-in, > details > .sign-in), .alone > *) { flex: none; width: min(28rem, 100% - 2rem); margin: auto; padding: calc(var(--u) * 8); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); }
.lede + form, .lede + .filter, .why + .filter, .title-line + .filter, .unseen + .choices, .advice + .choices { margin-top: calc(var(--u) * 5); }
.lede { margin: var(--u) 0 0; font-size: var(--normal); line-height: 1.45; color: var(--quiet); font-weight: 400; letter-spacing: 0; }
.title-line { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 3) calc(var(--u) * 6); justify-content: space-between; align-items: center; }
.title-line > div:first-child { flex: 1; min-width: 12rem; }
.list-head { align-items: flex-start; margin-bottom: calc(var(--u) * 5); }
.list-head .lede { color: var(--text); }
.about { max-width: 46rem; margin: 0; color: var(--quiet); font-size: var(--small); }
.making:has(> details:not([open])) { display: none; }
.title-line .acts { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: center; margin: 0; }
.title-line .acts .act { margin: 0; }
.card { background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); padding: calc(var(--u) * 4) calc(var(--u) * 5); box-shadow: var(--shade); }
.notice { margin: calc(var(--u) * 4) 0; padding: calc(var(--u) * 2.5) calc(var(--u) * 4); background: var(--wash); border: 1px solid color-mix(in srgb, var(--accent) 35%, transparent); border-radius: var(--corner); }
.notice.good { background: var(--success-wash); border-color: color-mix(in srgb, var(--success) 40%, transparent); color: var(--success); }
.notice.warn { background: var(--degraded-wash); border-color: color-mix(in srgb, var(--degraded) 45%, transparent); }
.notice.warn p { margin: 0; }
.notice.bad { background: var(--error-wash); border-color: color-mix(in srgb, var(--error) 40%, transparent); color: var(--error); }
.unanswered { position: fixed; z-index: 4; inset: calc(var(--u) * 3) var(--side) auto calc(var(--rail) + var(--side)); display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2); align-items: center; width: fit-content; max-width: 44rem; margin: 0 auto; padding: calc(var(--u) * 2.5) calc(var(--u) * 4); background: var(--degraded); border: 1px solid var(--degraded); border-radius: var(--corner); box-shadow: var(--above); color: var(--raised); font-weight: 600; }
.unanswered::before { content: "!" / ""; flex: none; width: 1.75rem; padding-top: 0.25rem; background: var(--raised); clip-path: polygon(50% 0, 100% 100%, 0 100%); color: var(--degraded); font-weight: 700; line-height: 1.375rem; text-align: center; }
.unanswered p { flex: 1 1 16rem; margin: 0; }
.operator .mark { align-items: baseline; font-weight: 550; line-height: 1.35; }
.operator .mark svg { align-self: center; }
.notice .mark { font-weight: 550; }
/* What has the focus only so that a screen reader reads it: the Tab key never leads there. */
:is(.notice, .undo, .mistakes, .advice)[tabindex="-1"]:focus { outline: none; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: calc(var(--u) * 4); }
.operator [hidden] { display: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.operator button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.125rem; padding: calc(var(--u) * 1.25) calc(var(--u) * 3); border: 1px solid var(--border); border-radius: 7px;
  background: var(--raised); color: var(--text); font: inherit; font-size: 0.875rem; font-weight: 550; line-height: 1.35; text-decoration: none; text-align: center; box-shadow: var(--shade);
}
.operator button:hover, .button:hover { border-color: var(--edge); background: var(--hover); }
.operator button[aria-disabled="true"], .operator button[aria-disabled="true"]:hover { border-color: var(--border); background: none; box-shadow: none; color: var(--quiet); cursor: default; }
.operator :is(button, .button).main { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.operator :is(button, .button).main:hover { background: var(--accent); filter: brightness(1.1); color: var(--on-accent); }
.operator :is(button, .button).danger { color: var(--error); }
.operator :is(button, .button).danger:hover { border-color: var(--error); background: var(--error-wash); }
.operator :is(button, .button).small { min-height: 1.75rem; padding: calc(var(--u) * 0.5) calc(var(--u) * 2.5); font-size: var(--small); }
.operator :is(button, .button).bare { border-color: transparent; background: none; box-shadow: none; padding-inline: calc(var(--u) * 2); color: var(--quiet); }
.operator :is(button, .button).bare:hover { background: var(--hover); color: var(--text); }
.operator :is(button, .button).bare.danger, .operator :is(button, .button).bare.danger:hover { color: var(--error); }
.operator input, .operator select, .operator textarea {
  font: inherit; font-size: 0.875rem; color: var(--text); background: var(--raised); border: 1px solid var(--edge); border-radius: 7px; padding: calc(var(--u) * 1.25) calc(var(--u) * 2.5);
}
.operator input, .operator select { min-height: 2.125rem; }
.operator textarea { display: block; width: 100%; max-width: 46rem; }
.operator :is(input, select, textarea):hover { border-color: var(--accent); }
.operator ::placeholder { color: var(--quiet); opacity: 1; }
.operator input:is([type="checkbox"], [type="radio"]) { flex: none; width: 1rem; height: 1rem; min-height: 0; margin: 0; accent-color: var(--accent); }
kbd { display: inline-block; min-width: 1.25rem; padding: 0 var(--u); border: 1px solid var(--border); border-radius: 5px; background: var(--sunk); color: var(--quiet); font: 500 0.75rem/1.125rem system-ui, sans-serif; text-align: center; }
.operator .jump { display: none; }
.scripted .operator .jump { display: inline-flex; }

dialog.jumping, dialog.key-help { padding: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); color: var(--text); box-shadow: var(--above); font-size: var(--normal); }
dialog::backdrop { background: rgb(10 14 20 / 35%); }
.jumping { width: min(40rem, 100vw - 2rem); margin: 12vh auto auto; overflow: hidden; }
.operator .jumping input { width: 100%; min-height: 3.25rem; padding: 0 calc(var(--u) * 5); border: 0; border-bottom: 1px solid var(--line); border-radius: 11px 11px 0 0; font-size: 1rem; outline-offset: -3px; }
.jumping ul { max-height: min(24rem, 60vh); margin: 0; padding: calc(var(--u) * 2); overflow-y: auto; list-style: none; }
.jumping li { display: flex; gap: calc(var(--u) * 3); align-items: baseline; padding: calc(var(--u) * 2) calc(var(--u) * 3); border-radius: 7px; cursor: pointer; }
.jumping p { margin: 0; padding: calc(var(--u) * 4) calc(var(--u) * 5); color: var(--quiet); }
.jumping p:empty { display: none; }
.jumping li:hover { background: var(--hover); }
.jumping li[aria-selected="true"] { background: var(--wash); color: var(--accent); }
.jumping small { flex: 1; min-width: 0; overflow: hidden; color: var(--quiet); font-size: var(--small); text-overflow: ellipsis; white-space: nowrap; }
.key-help { width: min(30rem, 100vw - 2rem); margin: 10vh auto auto; }
.operator .key-help { padding: calc(var(--u) * 5) calc(var(--u) * 6); }
.operator .key-help h2 { margin: 0 0 calc(var(--u) * 3); }
.key-help dl { display: grid; grid-template-columns: 6rem 1fr; gap: calc(var(--u) * 1.5); margin: 0 0 calc(var(--u) * 4); font-size: 0.875rem; }
.key-help dd { margin: 0; }

@media (min-width: 70rem) {
  .operator.open { --rail: 14.5rem; display: grid; grid-template: "rail main" 1fr "rail foot" auto / var(--rail) minmax(0, 1fr); }
  .open > header { grid-area: rail; display: block; padding: 0; border: 0; border-right: 1px solid var(--line); }
  .open > main { grid-area: main; }
  .open > footer { grid-area: foot; }
  .open .rail { position: sticky; top: 0; display: flex; flex-direction: column; height: 100vh; padding: calc(var(--u) * 4) calc(var(--u) * 3); overflow-y: auto; }
  .open .brand { padding: 0 calc(var(--u) * 2); margin: 0 0 calc(var(--u) * 4); }
  .open .rooms { width: 100%; flex-direction: column; gap: calc(var(--u) * 5); margin: calc(var(--u) * 3) 0 0; font-size: 0.875rem; }
  .open .rooms > div { display: grid; gap: 2px; }
  .open .seen-by { flex-direction: column; gap: calc(var(--u) * 2); align-items: stretch; margin: auto 0 0; padding-top: calc(var(--u) * 4); }
  .open .seen-by .asof { padding: 0 calc(var(--u) * 2.5); font-size: 0.75rem; }
  .open .asof a { float: right; }
  .operator.open .account { justify-content: flex-start; }
  .open .account span { max-width: none; }
  .open .account small { margin-left: auto; }
  .open .out[popover] { inset: auto auto 4rem calc(var(--u) * 3); }
  .operator.open .jump { justify-content: flex-start; color: var(--quiet); font-weight: 400; background: var(--sunk); box-shadow: none; }
  .open .jump kbd { margin-left: auto; }
}
@media (max-width: 70rem) {
  @supports selector(:popover-open) {
    .operator .menu { display: inline-flex; }
    .rooms:not(:popover-open) { display: none; }
    .rooms {
      flex-direction: column; gap: 0; position: fixed; inset: 3.5rem var(--side) auto auto; min-width: 14rem; padding: calc(var(--u) * 2);
      background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--above);
    }
    .rooms a { padding: calc(var(--u) * 2.5) calc(var(--u) * 3); }
  }
  .account span { max-width: 8rem; }
  .jump kbd { display: none; }
  .jump span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .operator .jump { padding-inline: calc(var(--u) * 2.25); }
}
@media (max-width: 24rem) { .operator .asof { display: none; } }
@media (max-width: 40rem) {
  .operator > header { gap: calc(var(--u) * 2); }
  .seen-by { gap: calc(var(--u) * 2); }
  .wordy, .account :is(span, small), .operator .asof a { display: none; }
  .operator .account { flex: none; padding: calc(var(--u) * 1.5) calc(var(--u) * 2); min-height: 2.25rem; }
  .operator .menu { gap: calc(var(--u) * 1.5); padding-inline: calc(var(--u) * 2); }
  .operator > main { padding-top: calc(var(--u) * 5); }
  .title-line > div:first-child:has(> h1.target) { flex-basis: 100%; }
  .list-head { display: grid; grid-template-columns: minmax(min-content, 1fr) minmax(0, auto); gap: var(--u) calc(var(--u) * 3); }
  .list-head > div { display: contents; }
  .list-head > div > h1 { align-self: center; overflow-wrap: normal; }
  .list-head > div > :not(h1) { grid-column: 1 / -1; margin: 0; }
  .list-head > .acts { grid-area: 1 / 2; }
}
@media print {
  :root, :root[data-theme] { color-scheme: light; ${lightPalette} ${light} --ground: #ffffff; --side: 0px; --shade: none; }
  html, body { background: #ffffff; }
  .operator, .operator.open { display: block; min-height: 0; padding-inline: 14mm; background: none; --side: 0px; }
  .operator > header { min-height: 0; padding: 0; border: 0; background: none; }
  .operator .brand a { min-height: 0; }
  .operator .logo { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .operator > main { padding-top: calc(var(--u) * 4); }
  .operator > footer { margin-top: calc(var(--u) * 4); padding-bottom: 0; }
  .operator .title-line, .operator h1 { margin-top: 0; }
  .list-head { margin-bottom: calc(var(--u) * 2); }
  .open .rail { position: static; height: auto; padding: 0; }
  .operator .jump { display: none !important; }
}
`;
