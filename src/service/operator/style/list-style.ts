/** A box for several monitors has a mark for each bit of their number, so that a style counts them: 2,047 at most. */
export const countMarks: readonly number[] = Array.from({ length: 11 }, (_, bit) => 2 ** bit);

/** Lists and tables: lines that stay readable by the thousand, with marks and figures in columns. */
export const listStyle: string = `
.act { margin: 0.75rem 0 0; }
.filter { gap: 0.5rem 0.75rem; align-items: end; }
.filter label { width: auto; }
.filter input, .filter select { display: block; margin-top: 0.125rem; width: 10rem; }
.scripted .instant > button { display: none; }
.filter .long { flex-basis: 100%; }
.filter .check { display: flex; gap: 0.375rem; align-items: center; min-height: 2.25rem; font-size: var(--normal); }
.sign-in { max-width: 24rem; margin: 1.5rem 0; }
.line-head { min-height: 2.375rem; padding: calc(var(--u) * 1.5) calc(var(--u) * 4); font-size: 0.75rem; color: var(--quiet); background: var(--sunk); border: 1px solid var(--line); border-radius: var(--corner) var(--corner) 0 0; }

.watched { margin: 0; padding: 0; list-style: none; background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); }
.advice + :is(.watched, .wide) { margin-top: calc(var(--u) * 4); }
.watched > li:last-child { border-bottom: 0; border-radius: 0 0 var(--corner) var(--corner); }
.line-head + .watched { border-top: 0; border-top-left-radius: 0; border-top-right-radius: 0; }
.cause .watched { background: none; border: 0; border-radius: 0; box-shadow: none; }
.line, .line-head {
  display: grid; column-gap: 1rem; align-items: center;
  --columns: 6.25rem minmax(0, 1fr) var(--bars) 4.75rem 4.5rem 4.75rem;
  grid-template: "mark name bar share latency usual" auto "mark kind bar share latency usual" auto ". why why why why why" auto / var(--columns);
}
.operator { --bars: 13rem; }
@media (min-width: 70rem) and (max-width: 76rem) { .operator { --bars: 9rem; } .line-head .chart text:not(:first-of-type, :last-of-type) { display: none; } }
@media (min-width: 76rem) { .operator { --bars: 15rem; } }
@media (min-width: 96rem) { .operator { --bars: 24rem; } }
.picks .line, .line-head.picks { grid-template: "pick mark name bar share latency usual" auto "pick mark kind bar share latency usual" auto ". . why why why why why" auto / 1.25rem var(--columns); column-gap: 0.875rem; }
.operator .line input.pick { grid-area: pick; }
.pick-all { grid-column: pick / name; display: inline-flex; gap: 0.75rem; align-items: center; width: auto; font-size: var(--small); color: var(--quiet); }
.operator { counter-reset: picked filed; }
.line .pick:checked { counter-increment: picked; }
.line .pick.of-files:checked { counter-increment: picked filed; }
${countMarks
  .map(
    (count) => `.cause > .pick:checked ~ .counts-${count} { counter-increment: picked ${count}; }
.cause > .pick:checked ~ .files-${count} { counter-increment: filed ${count}; }`,
  )
  .join("\n")}
.operator .cause.unshown { margin-bottom: calc(var(--u) * 3); border: 1px solid var(--line); border-radius: var(--corner); }
.operator .cause.unshown > input.pick { margin-top: 0.25rem; }
.unshown p { margin: 0 0 0 2.125rem; font-size: var(--small); }
.operator .cause > input.pick { position: absolute; margin-top: 0.875rem; }
.cause > .pick:checked ~ details .line .pick { visibility: hidden; counter-increment: none; }
.choices.found { display: block; margin: calc(var(--u) * 5) 0 calc(var(--u) * 3); }
.choices.found ul { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); gap: calc(var(--u) * 3); margin: 0 0 calc(var(--u) * 5); }
.choices.found ul:not(:has(> :nth-child(4))) { max-width: 46rem; }
.choices.found ul:not(:has(> :nth-child(3))) { max-width: 30rem; }
.operator .choices.found li a { position: relative; display: flex; flex-direction: column-reverse; justify-content: flex-end; height: 100%; padding: calc(var(--u) * 3) calc(var(--u) * 4); background: var(--raised); border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); color: var(--quiet); font-size: var(--small); font-weight: 500; text-decoration: none; }
.found li a::after { content: ""; position: absolute; top: calc(var(--u) * 4); right: calc(var(--u) * 4); width: 0.5rem; height: 0.5rem; border-radius: 50%; background: var(--tile, transparent); }
.operator .choices.found li a:hover { border-color: var(--edge); color: var(--text); }
.operator .choices.found a[aria-current] { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); color: var(--text); }
.found .count { color: var(--text); font-size: 1.625rem; font-weight: 650; line-height: 1.25; letter-spacing: -0.02em; }
.found .count small { color: var(--quiet); font-size: var(--small); font-weight: 400; letter-spacing: 0; }
.found .error { --tile: var(--down); }
.found .degraded { --tile: var(--slow); }
.found .success { --tile: var(--up); }
.found .unchecked { --tile: var(--edge); }
.found .error .count { color: var(--error); }
.found .degraded .count { color: var(--degraded); }
.choices.found .search { flex: 1 1 16rem; }
.choices.found input[type="search"] { width: 100%; }
.found .fold { flex: 0 1 auto; min-width: 0; }
.more-choices > label { flex: 0 1 auto; min-width: 6rem; max-width: 12rem; }
.scripted .found .more-choices > button, .scripted .choices:not(.found) > form[role="search"] > button { display: none; }
.choices.found .more-choices select { width: 100%; }
.more-choices { display: flex; gap: 0.5rem 0.75rem; align-items: end; }
@media (min-width: 60rem) { .found .filter { flex-wrap: nowrap; } }
@media (min-width: 40rem) and (max-width: 60rem) {
  .choices.found .search, .found .fold { flex-basis: 100%; }
  .more-choices > label { flex: 1 1 8rem; max-width: none; }
}
.line { padding: calc(var(--u) * 1.75) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
.line:hover, .incident:hover, .figures tbody tr:hover, .settled tbody tr:hover { background: var(--hover); }
.line p { margin: 0; }
.line .mark { grid-area: mark; font-size: 0.875rem; }
.line .who { grid-area: name; display: flex; flex-wrap: wrap; gap: 0.125rem 0.5rem; align-items: baseline; min-width: 0; }
.labels { display: flex; flex-wrap: wrap; gap: 0.125rem calc(var(--u) * 1.5); }
.who .chip { padding-inline: calc(var(--u) * 1.5); }
@media (min-width: 60.01rem) { .who .chip { line-height: 1.125rem; } }
@media (max-width: 60rem) { .line h3 a { padding-block: 0.0625rem; } }
.operator .line h3 { display: flex; flex-wrap: wrap; gap: 0.125rem 0.5rem; align-items: baseline; min-width: 0; margin: 0; font-size: 0.9375rem; font-weight: 600; }
.line h3 a { min-width: 0; overflow-wrap: anywhere; }
.chip.until { background: var(--sunk); color: var(--text); font-weight: 500; }
.operator :is(.line, .incident, .planned-row) h3 a { color: inherit; text-decoration: none; }
.operator :is(.line, .incident, .planned-row) h3 a:hover { color: var(--link); text-decoration: underline; }
.line .kind { grid-area: kind; display: flex; gap: calc(var(--u) * 1.5); align-items: baseline; min-width: 0; margin-top: 0.125rem; font-size: 0.8125rem; }
.line .tag { flex: none; }
.line .target { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.line .begins { display: inline-block; max-width: calc(100% - 8rem); overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
.operator .line .chip[aria-current] { border-color: var(--accent); color: var(--accent); }
.line:has(> .pick:checked), .cause:has(> .pick:checked) { background: var(--wash); box-shadow: inset 3px 0 0 var(--accent); }
@media (scripting: none) { .operator:has([name="all"]:checked) .picks > :is(.line, .cause) { background: var(--wash); box-shadow: inset 3px 0 0 var(--accent); } }
.tag { padding: 0 calc(var(--u) * 1.25); border: 1px solid var(--line); border-radius: 5px; background: var(--sunk); font-size: 0.6875rem; font-weight: 550; }
.line .bar, .line-head .bar { grid-area: bar; }
.line .uptime, .cause .uptime { height: 1.75rem; }
.operator .uptime .before { stroke-width: 32; }
.line .share, .line-head .share { grid-area: share; text-align: right; font-size: 0.875rem; }
.line .latency, .line-head .latency { grid-area: latency; text-align: right; font-size: 0.875rem; }
.line .usual, .line-head .usual { grid-area: usual; text-align: right; font-size: 0.875rem; color: var(--quiet); }
.line .unusual { color: var(--degraded); font-weight: 600; }
/* Not on a phone, where it would cover what answers around a label. */
@media (min-width: 60.01rem) { .line .bar, .cause .bar { position: relative; top: -2px; } }
.line .why, .cause summary > .why { margin-top: 0.125rem; }
.line .why { grid-area: why; font-size: 0.875rem; max-width: none; }
.line-head .chart { margin: 0; }
.line-head span:not(.bar) { font-size: 0.75rem; }
.operator .line-head a { color: inherit; text-decoration: none; white-space: nowrap; }
.operator .line-head a:is(:hover, [aria-current]) { color: var(--accent); text-decoration: underline; }
.cause { padding: calc(var(--u) * 1.75) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
.cause summary { display: grid; grid-template: "mark name bar share latency ." auto "mark kind bar share latency ." auto ". why why why why why" auto / 6.25rem minmax(0, 1fr) var(--bars) 4.75rem 4.5rem 4.75rem; column-gap: 1rem; align-items: center; width: auto; padding: 0; color: var(--text); list-style: none; }
.cause summary > strong { grid-area: name; font-size: 0.9375rem; font-weight: 600; }
.cause summary > .kind { grid-area: kind; margin-top: 0.125rem; font-size: var(--small); }
.cause summary::-webkit-details-marker { display: none; }
.cause summary > strong::after { content: "▸"; margin-left: calc(var(--u) * 1.5); color: var(--quiet); font-weight: 400; }
.cause summary > .bar { grid-area: bar; }
.cause summary > :is(.share, .latency) { text-align: right; font-size: 0.875rem; }
.cause summary > .share { grid-area: share; }
.cause summary > .latency { grid-area: latency; }
.cause [open] > summary > strong::after { content: "▾"; }
.cause summary > .mark { grid-area: mark; font-size: 0.875rem; }
.picks > .cause summary { column-gap: 0.875rem; margin-left: 2.125rem; }
.cause .watched { margin: 0.25rem calc(var(--u) * -4) 0.5rem; }
.cause summary > .why { grid-area: why; max-width: none; font-size: 0.875rem; }
.incident { display: grid; grid-template: "mark name kind next" auto "mark why why next" auto / 6.5rem minmax(0, 1fr) 20rem minmax(6.75rem, auto); column-gap: 1rem; align-items: baseline; padding: calc(var(--u) * 2.5) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
.incident .next { grid-area: next; align-self: center; justify-self: end; }
.incident p, .incident summary { margin: 0; font-size: 0.875rem; }
.incident > .kind { font-size: var(--small); }
.incident .next .act { margin: 0; }
.incident > .acts.next { gap: calc(var(--u) * 1.5); margin: 0; }
@media (min-width: 60.01rem) { .incident.subscriber { grid-template-columns: 6.5rem minmax(0, 1fr) 16rem 16.5rem; gap: 0 0.75rem; align-items: center; padding-block: calc(var(--u) * 1.5); }
.operator .incident.subscriber h3 { font-size: 0.875rem; }
.operator .incident.subscriber:not(:has(.why)) > :is(h3, .kind) { grid-row: 1 / -1; } }
.incident .why:empty { display: none; }
.incident details.act { margin-top: var(--u); }
.incident details.act > summary { font-size: var(--small); }
.incident .mark { grid-area: mark; font-size: 0.875rem; overflow-wrap: normal; }
.operator .incident h3, .operator .columns .incident h3 { grid-area: name; margin: 0; font-size: 0.9375rem; font-weight: 600; }
.incident .why { grid-area: why; max-width: none; }
.moments { display: grid; grid-template-columns: auto auto minmax(0, 1fr); column-gap: 0.875rem; margin: 0; padding: 0; list-style: none; font-size: 0.875rem; }
.moments li { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; }
.labels-offered { margin: 0 0 calc(var(--u) * 4); font-size: 0.875rem; }
.moments p { margin: 0; max-width: 46rem; }
.moments :is(time, .offset, .more) { color: var(--quiet); }
.moments li > :is(time, .offset) { font-size: var(--small); line-height: 1.3125rem; }
.moments .offset { text-align: right; }
.moments li > div { position: relative; padding: 0 0 calc(var(--u) * 4) calc(var(--u) * 5); border-left: 2px solid var(--line); }
.moments li:last-child > div { border-color: transparent; padding-bottom: 0; }
.moments li > div::before { content: ""; position: absolute; left: calc(-0.3125rem - 1px); top: 0.3125rem; width: 0.625rem; height: 0.625rem; border: 2px solid var(--raised); border-radius: 50%; background: var(--dot, var(--edge)); box-sizing: content-box; margin: -2px; }
.moments .error { --dot: var(--down); }
.moments .degraded { --dot: var(--slow); }
.moments .success { --dot: var(--up); }
.moments .wrote { --dot: var(--accent); }
.moments .said p:first-child { font-weight: 650; }
.moments .written > * { margin: var(--u) 0 0; max-width: 46rem; }
.moments ~ .form { margin-top: calc(var(--u) * 5); padding-top: calc(var(--u) * 4); border-top: 1px solid var(--line); }
.moments ~ .form .group { margin: 0; padding: 0; border: 0; background: none; }
.operator .moments ~ .form { max-width: none; }
.moments ~ .form .actions { margin-top: calc(var(--u) * 2); }
.operator .moments ~ .form button.main { background: var(--raised); border-color: var(--border); color: var(--text); }
.operator .moments ~ .form button.main:hover { background: var(--hover); border-color: var(--edge); }
.messages { margin: 0; padding: 0; list-style: none; font-size: var(--small); }
.messages li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 calc(var(--u) * 2); align-items: baseline; padding: calc(var(--u) * 2) 0; border-top: 1px solid var(--line); }
.messages li:first-child { border-top: 0; padding-top: 0; }
.messages li > :is(p, details) { grid-column: 1 / -1; margin: 0; }
.messages .mark { order: 1; }
.operator .columns .messages h3 { margin: 0; font-size: 0.875rem; }
.messages li > :is(.kind, details) { order: 2; }
.remarks a { display: inline-block; padding: 0.25rem 0; }
.figures { width: 100%; }
.figures :is(th, td) { padding: calc(var(--u) * 1.75) calc(var(--u) * 4); border-bottom: 1px solid var(--line); }
.figures tbody tr:last-child > * { border-bottom: 0; }
.figures thead th { font-size: 0.75rem; white-space: nowrap; background: var(--sunk); }
.operator .figures thead a { color: inherit; text-decoration: none; }
.operator .figures thead a:is(:hover, [aria-current]) { color: var(--accent); }
.operator .figures tbody th a { color: inherit; font-weight: 600; text-decoration: none; }
.operator .figures tbody th a:hover { color: var(--link); text-decoration: underline; }
${[2, 3, 4, 5, 6, 7, 8].map((one) => `.figures.words-${one} :is(th, td):nth-child(${one})`).join(", ")} { text-align: left; }
.act .filter { align-items: end; margin-top: 0.5rem; }
.filter select[multiple] { width: 14rem; }
/* An edge that is cut has a shade: covers of the same ground, which scroll along, hide that of an end that is in view. */
.wide, .parts {
  overflow-x: auto; background:
    linear-gradient(to right, var(--under) 50%, transparent) left / 2rem 100% no-repeat local,
    linear-gradient(to left, var(--under) 50%, transparent) right / 2rem 100% no-repeat local,
    linear-gradient(to right, var(--cut), transparent) left / 0.875rem 100% no-repeat scroll,
    linear-gradient(to left, var(--cut), transparent) right / 0.875rem 100% no-repeat scroll, var(--under);
}
.wide { --under: var(--raised); width: 100%; overflow-wrap: normal; border: 1px solid var(--line); border-radius: var(--corner); box-shadow: var(--shade); }
.figures .mark { font-size: 0.875rem; }
.chart + .wide { margin-top: 0.5rem; }

@media (max-width: 60rem) {
  .line { grid-template: "mark latency" auto "name share" auto "kind kind" auto "bar bar" auto "why why" auto / minmax(0, 1fr) auto; padding: calc(var(--u) * 2) calc(var(--u) * 3); }
  .picks .line { grid-template: "pick mark latency" auto "pick name share" auto "pick kind kind" auto "pick bar bar" auto "pick why why" auto / 2rem minmax(0, 1fr) auto; column-gap: 0.5rem; }
  .line .bar { margin-block: var(--u); }
  .operator .line input.pick { align-self: start; margin-top: 0.3125rem; }
  .line .usual, .line-head:not(.picks), .line-head span { display: none; }
  .line-head:not(.picks) + .watched { border-top: 1px solid var(--line); border-radius: var(--corner); }
  .line-head.picks { display: block; padding: calc(var(--u) * 2) calc(var(--u) * 3); }
  .cause { padding-inline: calc(var(--u) * 3); }
  .operator .cause > input.pick { margin-top: 0.125rem; }
  .cause .watched { margin-inline: calc(var(--u) * -3); }
  .many .drop { position: static; }
  .many .drop > .together { left: -1px; right: -1px; width: auto; max-width: none; }
  .line .why:empty { display: none; }
  .incident { grid-template: "name mark" auto "kind kind" auto "why why" auto "next next" auto / minmax(0, 1fr) auto; padding: calc(var(--u) * 2.5) calc(var(--u) * 3); }
  .incident .next { margin-top: calc(var(--u) * 1.5); }
  .moments li { padding-left: calc(var(--u) * 4); }
  .moments li > div { grid-column: 1 / -1; margin-left: calc(var(--u) * -4); }
  .cause summary { grid-template: "mark mark" auto "name share" auto "kind kind" auto "bar bar" auto "why why" auto / minmax(0, 1fr) auto; }
  .cause summary > .bar { margin-block: var(--u); }
  .cause summary > .latency { display: none; }
  .picks > .cause summary { margin-left: 2.5rem; }
  .filter input, .filter select { width: 8rem; }
  .filter select[name="period"] { width: 10.5rem; }
}
@media (max-width: 40rem) {
  .line .kind { display: none; }
  .many :is(.picked, .files-note, .clear) { order: -2; }
  .many .bar::before { content: ""; order: -1; flex-basis: 100%; margin-top: calc(var(--u) * -1.5); }
  .picked { flex: 1 1 auto; }
  .many .clear { margin: 0; }
  .many :is(.bar, .changing) > :is(button, details:not(.files-note)) { flex: 1 1 auto; }
  .many .files-note[open] { flex-basis: auto; }
  .operator .many :is(.bar, .changing) > button, .operator .many .drop > summary { width: 100%; min-height: 2.75rem; padding-inline: calc(var(--u) * 1.5); font-size: var(--small); }
  .operator .many :is(.bar, .changing) > button { width: auto; }
  .operator .many .files-note > summary { min-height: 2.25rem; }
  .many .drop > .together { max-height: 60vh; overflow-y: auto; border-color: var(--line); box-shadow: none; }
  .many .files-note > .together { position: absolute; border-color: var(--accent); }
  .choices.found ul { grid-template-columns: repeat(auto-fit, minmax(5rem, 1fr)); gap: calc(var(--u) * 1.5); }
  .choices.found ul:has(> :nth-child(4):last-child) { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .choices.found ul:has(> :nth-child(5)) { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .choices.found li:first-child:nth-last-child(3n + 2):not(:nth-last-child(2)) { grid-column: span 2; }
  .choices.found li:first-child:nth-last-child(3n + 1):not(:nth-last-child(-n + 4)) { grid-column: span 3; }
  .operator .choices.found li a { padding: calc(var(--u) * 1.5) calc(var(--u) * 2); }
  .choices .filter { display: grid; grid-template-columns: 1fr 1fr; }
  .choices .filter :is(input, select) { width: 100%; max-width: none; }
  .scripted .choices:not(.found) .filter > label:nth-of-type(odd):last-of-type { grid-column: 1 / -1; }
  .choices.found .filter { grid-template-columns: minmax(0, 1fr) auto; }
  .operator .found .fold > summary { min-height: 2.125rem; color: var(--text); list-style: none; }
  @supports selector(::details-content) { .found .fold { display: contents; } .found .fold::details-content { grid-column: 1 / -1; } }
  @supports not selector(::details-content) { .filter:has(.fold[open]) .search, .found .fold[open] { grid-column: 1 / -1; } }
  .operator .found .fold[open] > summary { margin-bottom: 0; }
  .more-choices { display: grid; grid-template-columns: 1fr 1fr; margin-top: calc(var(--u) * 2); }
  .more-choices > label { max-width: none; }
  .scripted .more-choices > label:nth-child(odd):nth-last-child(2) { grid-column: 1 / -1; }
  .figures :is(th, td) { padding-inline: var(--u); font-size: var(--small); }
  .wide thead th { background: none; }
  .figures :is(th, td):first-child { padding-left: calc(var(--u) * 3); }
  .figures :is(th, td):last-child { padding-right: calc(var(--u) * 3); }
  .list-head:has(> .acts > .main:only-child) { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 calc(var(--u) * 3); align-items: center; }
  .list-head:has(> .acts > .main:only-child) > div { display: contents; }
  .list-head:has(> .acts > .main:only-child) > .acts { grid-area: 1 / 2; }
  .list-head:has(> .acts > .main:only-child) > div > p { grid-column: 1 / -1; }
}
.remarks.card { margin: 0 0 calc(var(--u) * 3); padding-left: calc(var(--u) * 9); }
@media (max-width: 40rem) {
  .report .figures, .report :is(thead, tbody) { display: block; }
  .report tr { padding: calc(var(--u) * 2.5) calc(var(--u) * 3); border-bottom: 1px solid var(--line); }
  .report thead tr { display: flex; flex-wrap: wrap; gap: 0 calc(var(--u) * 3); }
  .report tbody tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: var(--u) calc(var(--u) * 3); }
  .report tbody tr:last-child { border-bottom: 0; }
  .operator .report .figures :is(th, td) { min-width: 0; padding: 0; border: 0; }
  .report tbody th { grid-column: span 3; font-size: var(--normal); overflow-wrap: anywhere; }
  .report td:first-of-type { font-weight: 600; }
  .report td.long { grid-column: span 2; }
  .report td.none { display: none; }
  .report td:nth-of-type(n + 2) { text-align: left; }
  .report td:nth-of-type(n + 2)::before { content: attr(data-label); display: block; color: var(--quiet); font-size: 0.75rem; }
}
@media (forced-colors: active) {
  .uptime .up { stroke: CanvasText; }
  .uptime .partly { stroke: GrayText; }
  .uptime :is(.slow, .down, [class^="foot"]) { stroke: Highlight; }
  .chart .phase { stroke: Canvas; stroke-width: 1; }
}
@media screen { .printed { display: none; } }
.summary { max-width: 52rem; margin: calc(var(--u) * 2) 0 0; font-size: 1rem; line-height: 1.5; text-wrap: pretty; }
@media print {
  .choices { display: none; }
  form, .act, .acts, .unprinted, .many, .menu, .account, .pick, .skip, .asof a, nav { display: none !important; }
  details:not([open]) { display: none; }
  .run details { display: block !important; }
  .line, .figures tr, .remarks li, .tiles { break-inside: avoid; }
  .figures thead { display: table-header-group; }
  .wide { overflow: visible; border-radius: 0; box-shadow: none; }
  .operator .wide :is(th, td) { min-width: 0; padding-inline: var(--u); white-space: normal; font-size: 0.75rem; }
  h2 { break-after: avoid; }
}
/* The sides are padding of the page: whoever prints without margins has them as well. */
@page { size: A4; margin: 14mm 0; }
`;
