/** The phases follow each other in the order of their names; neighbours differ in lightness as well as in hue. */
export const chartColours: { readonly light: string; readonly dark: string } = {
  light: `
  --other: #a2437c; --up: #3f8a5c; --slow: #b06a00; --down: #b01f24;
  --dns: #7a4fa3; --connect: #3c8fc4; --proxy: #6b6f76; --tls: #0f6f6a; --write: #c26a1c; --wait: #4668a8; --receive: #8a8f3c;`,
  dark: `
  --other: #e08fc0; --up: #5aa97a; --slow: #f0b556; --down: #ff938c;
  --dns: #b79ae0; --connect: #4fa6de; --proxy: #9aa0a8; --tls: #57c2b8; --write: #f0a35c; --wait: #7f9fe0; --receive: #c2c76a;`,
};

/** How charts look. Words in them have the page's size whatever the chart's width is; lines keep their width. */
export const chartStyle: string = `
.chart { display: block; width: 100%; margin: 0.5rem 0 0; overflow: visible; }
.chart text { fill: var(--quiet); font-size: 0.75rem; paint-order: stroke; stroke: var(--ground); stroke-width: 3px; stroke-linejoin: round; }
.chart path.band { fill: var(--bar); fill-opacity: 0.25; stroke: none; }
.chart path.lost { stroke: var(--degraded); stroke-width: 3; }
@media (max-width: 40rem) { .chart text.between { display: none; } }
.chart .rule, .chart .tick { stroke: var(--line); }
.chart svg { overflow: visible; }
.chart path { fill: none; vector-effect: non-scaling-stroke; }
.chart .curve { stroke: var(--bar); stroke-width: 1.5; stroke-linejoin: round; }
.chart .curve.other { stroke: var(--other); }
.chart .curve.earlier { stroke: var(--quiet); stroke-dasharray: 4 3; }
.chart .band { fill: var(--bar); fill-opacity: 0.25; stroke: none; }
.chart :is(.marked, .strip) { fill: var(--quiet); stroke: none; }
.chart .marked { fill-opacity: 0.13; }
.chart :is(.marked, .strip).error { fill: var(--error); stroke: none; }
.chart :is(.marked, .strip).degraded { fill: var(--degraded); }
.chart :is(.marked, .strip).planned { fill: var(--link); }
.chart .curve.p95 { stroke-dasharray: 5 3; }
.chart circle { fill: var(--bar); stroke: var(--bar); stroke-width: 1; }
.chart .place-1 { fill: var(--other); stroke: var(--other); }
.chart .place-2 { fill: var(--tls); stroke: var(--tls); }
.chart .place-3 { fill: var(--write); stroke: var(--write); }
.chart circle.degraded { fill: var(--degraded); stroke: var(--degraded); }
.chart circle.uncertain { fill: var(--ground); }
.chart .error { stroke: var(--error); stroke-width: 1.75; stroke-linecap: round; }
.chart .error-bar { stroke: var(--bar); }
.chart line.threshold { stroke: var(--degraded); stroke-dasharray: 2 3; }
.chart text.threshold { fill: var(--degraded); }
.chart .phase { stroke: none; }
.chart .cut { fill: var(--ground); }
.uptime { display: block; width: 100%; height: 1.5rem; }
.uptime path { fill: none; stroke-dasharray: 8 2; }
.uptime.few path { stroke-dasharray: 18 2; }
.uptime .up { stroke: var(--up); stroke-width: 18; }
.uptime .slow { stroke: var(--slow); stroke-width: 22; }
.uptime .down { stroke: var(--down); stroke-width: 24; }
.uptime .partly { stroke: color-mix(in srgb, var(--down) 60%, var(--ground)); stroke-width: 24; }
.uptime [class^="foot"] { stroke: var(--down); stroke-width: 6; }
.uptime .foot-2 { stroke-width: 12; }
.uptime .foot-3 { stroke-width: 18; }
.uptime .said { stroke: transparent; stroke-width: 24; stroke-dasharray: none; }
.uptime .before { stroke: var(--line); stroke-width: 4; }
.uptime .none { stroke: var(--quiet); stroke-width: 2; }
.phase.dns { fill: var(--dns); }
.phase.connect { fill: var(--connect); }
.phase.proxy { fill: var(--proxy); }
.phase.tls { fill: var(--tls); }
.phase.write { fill: var(--write); }
.phase.wait { fill: var(--wait); }
.phase.receive { fill: var(--receive); }
.swatch { width: 0.75rem; height: 0.75rem; margin-right: 0.375rem; vertical-align: -0.0625rem; }
`;
