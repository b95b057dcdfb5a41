/** What the pages of channels add: providers as cards, the list, and messages as their readers see them. */
const tints = `.provider-mark.chat { --tint: 262 52%; } .provider-mark.mail { --tint: 212 60%; } .provider-mark.on-call { --tint: 328 48%; }
.provider-mark.phone { --tint: 162 45%; } .provider-mark.program { --tint: 220 12%; }`;

export const channelStyle: string = `
.choosing { max-width: 62rem; }
.operator .choosing .form { max-width: none; }
.providers { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: calc(var(--u) * 3); margin: 0; padding: 0; list-style: none; }
.provider { position: relative; display: flex; gap: calc(var(--u) * 3); align-items: center; padding: calc(var(--u) * 3) calc(var(--u) * 4); }
.provider:hover { border-color: var(--edge); background: var(--hover); }
.operator .provider a { color: var(--text); font-weight: 600; text-decoration: none; }
.provider a::after { content: ""; position: absolute; inset: 0; border-radius: var(--corner); }
.provider:has(a:focus-visible) { border-color: var(--focus); }
.provider .help { margin: 0; color: var(--quiet); font-size: var(--small); line-height: 1.35; }
.operator h2.waiting { margin: calc(var(--u) * 6) 0 calc(var(--u) * 3); color: var(--quiet); font-size: var(--normal); font-weight: 600; }
.waiting .provider { background: none; box-shadow: none; }
.waiting .provider a { color: var(--quiet); }
${tints}
.provider-mark { flex: none; display: inline-flex; align-items: center; justify-content: center; width: 2.25rem; height: 2.25rem; border-radius: 8px; background: hsl(var(--tint) 94%); color: hsl(var(--tint) 32%); }
.provider-mark svg { fill: none; stroke: currentColor; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
@media (prefers-color-scheme: dark) { .provider-mark { background: hsl(var(--tint) 20%); color: hsl(var(--tint) 82%); } }
:root[data-theme="light"] .provider-mark { background: hsl(var(--tint) 94%); color: hsl(var(--tint) 32%); }
:root[data-theme="dark"] .provider-mark { background: hsl(var(--tint) 20%); color: hsl(var(--tint) 82%); }
.waiting .provider-mark { --tint: 220 12%; }
.channel-row { display: grid; grid-template: "mark name acts" auto "mark fault acts" auto "mark said acts" auto "mark meta acts" auto / 6.5rem minmax(0, 1fr) auto; gap: calc(var(--u) * 0.5) calc(var(--u) * 4); align-items: baseline; padding: calc(var(--u) * 3) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
.channel-row:hover { background: var(--hover); }
.channel-row > * { margin: 0; }
.channel-row > .mark { grid-area: mark; font-size: 0.875rem; overflow-wrap: normal; }
.operator .channel-row h3 { grid-area: name; margin: 0; }
.operator .channel-row h3 a { color: inherit; text-decoration: none; }
.operator .channel-row h3 a:hover { color: var(--link); text-decoration: underline; }
.channel-row > .fault { grid-area: fault; max-width: 46rem; font-size: 0.875rem; }
.channel-row > .fault strong { color: var(--error); font-weight: 600; }
.channel-row > .said { grid-area: said; max-width: 46rem; font-size: 0.875rem; }
.channel-row > .fault ~ .said { margin-top: var(--u); color: var(--quiet); }
.channel-row > .meta { grid-area: meta; display: flex; flex-wrap: wrap; gap: 0 calc(var(--u) * 4); color: var(--quiet); font-size: var(--small); }
.channel-row > .act { grid-area: acts; align-self: start; }
.operator .channel-name { display: flex; gap: calc(var(--u) * 3); align-items: center; }
.channel-name h1 { min-width: 0; }
.operator .channel-name.page { margin-bottom: calc(var(--u) * 5); }
.operator .channel-name.page h1 { margin: 0; }
.preview.group { padding: calc(var(--u) * 4) calc(var(--u) * 5); }
@media (max-width: 40rem) { .preview.group { padding: calc(var(--u) * 4); } }
.preview .try { display: flex; flex-wrap: wrap; gap: calc(var(--u) * 2) calc(var(--u) * 3); align-items: center; margin: 0 0 calc(var(--u) * 4); padding-bottom: calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
.preview .signing { margin: 0 0 calc(var(--u) * 4); padding-bottom: calc(var(--u) * 2); border-bottom: 1px solid var(--line); }
.preview .signing p { margin: calc(var(--u) * 2) 0; }
.preview .look pre { max-height: 20rem; overflow: auto; }
.preview .try .help { flex: 1 1 10rem; margin: 0; }
.preview .notice { margin: 0 0 calc(var(--u) * 4); }
.operator aside.preview h2 { margin-bottom: calc(var(--u) * 3); color: var(--text); font-size: 1rem; font-weight: 650; }
.form .tick:has([name="all_monitors"]:checked) { margin-bottom: 0; }
.form .tick:has([name="all_monitors"]:checked) + .several { margin-top: calc(var(--u) * 4); }
.preview .look { background: var(--sunk); }
.look .mail { margin: 0 0 calc(var(--u) * 3); padding: calc(var(--u) * 3); background: var(--raised); border: 1px solid var(--line); border-radius: 4px; }
.operator .look .mail-head { margin: 0 0 calc(var(--u) * 3); padding-left: calc(var(--u) * 3); border-left: 4px solid var(--error); color: var(--error); font-size: 1.25rem; font-weight: 700; line-height: 1.3; }
.look .mail .reason { font-size: var(--normal); }
.look .mail table { width: 100%; margin: 0 0 calc(var(--u) * 3); border-collapse: collapse; }
.look .mail :is(th, td) { padding: calc(var(--u) * 1.5) 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; font-size: var(--small); }
.look .mail th { width: 7rem; padding-right: calc(var(--u) * 3); color: var(--quiet); font-weight: 400; }
.look .mail .note { padding: calc(var(--u) * 2) calc(var(--u) * 3); background: var(--ground); border: 1px solid var(--line); border-radius: 4px; }
.look .mail .press { padding: calc(var(--u) * 1.5) calc(var(--u) * 3); border-color: var(--link); color: var(--link); }
.look .mail .press.main { background: var(--link); color: var(--raised); }
.look .mail-foot { color: var(--quiet); }
.preview .look + .help { margin-top: calc(var(--u) * 3); }
.channel-facts { margin: calc(var(--u) * 4) 0 0; }
.tab > .channel-facts { margin-top: 0; }
.channel-facts .facts { max-width: none; margin-top: calc(var(--u) * 3); }
.operator .channel-facts h2 { margin-top: 0; }
.signature > :first-child { margin-top: 0; }
.signature > :last-child { margin-bottom: 0; }
@media (max-width: 60rem) {
  .channel-row { grid-template: "mark acts" auto "name name" auto "fault fault" auto "said said" auto "meta meta" auto / minmax(0, 1fr) auto; padding-inline: calc(var(--u) * 3); }
}
.channel-facts .facts summary { padding: 0; line-height: inherit; }
.delivered .outcome { min-width: 9rem; }
@media (min-width: 40.01rem) {
  .delivered tbody :is(th, td) { padding-block: var(--u); font-size: var(--small); }
  .delivered .mark { font-size: var(--small); }
  .delivered td:nth-of-type(3) { white-space: nowrap; }
  .delivered .outcome { width: 26%; }
  .delivered .outcome > .note { display: inline; margin-left: calc(var(--u) * 1.5); }
}
@media (max-width: 40rem) {
  .delivered :is(table, tbody) { display: block; }
  .delivered thead { display: none; }
  .delivered tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: var(--u) calc(var(--u) * 3); align-items: baseline; padding: calc(var(--u) * 3) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
  .delivered tr:last-child { border-bottom: 0; }
  .operator .delivered :is(th, td) { min-width: 0; padding: 0; border: 0; text-align: left; overflow-wrap: anywhere; }
  .operator .delivered th { font-size: var(--normal); }
  .operator .delivered :is(.says, td:nth-of-type(3)) { color: var(--quiet); text-align: right; }
  .delivered .attempts::after { content: " attempts"; }
  .delivered .attempts.once { display: none; }
  .providers { grid-template-columns: minmax(0, 1fr); gap: calc(var(--u) * 2); }
}
`;
