/** How charts look. Words in them have the page's size whatever the chart's width is; lines keep their width. */
export const chartStyle: string = `
.chart { display: block; width: 100%; margin: 0.5rem 0 0; overflow: visible; }
.chart text { fill: var(--quiet); font-size: 0.75rem; paint-order: stroke; stroke: var(--ground); stroke-width: 3px; stroke-linejoin: round; }
.chart .rule, .chart .tick { stroke: var(--line); }
.chart svg { overflow: visible; }
.chart path { fill: none; vector-effect: non-scaling-stroke; }
.chart .curve { stroke: var(--bar); stroke-width: 1.5; stroke-linejoin: round; }
.chart .curve.p95 { stroke-dasharray: 5 3; }
.chart circle { fill: var(--bar); stroke: var(--bar); stroke-width: 1; }
.chart circle.degraded { fill: var(--degraded); stroke: var(--degraded); }
.chart circle.uncertain { fill: var(--ground); }
.chart .error { stroke: var(--error); stroke-width: 1.75; stroke-linecap: round; }
.chart .error-bar { stroke: var(--bar); }
.chart line.threshold { stroke: var(--degraded); stroke-dasharray: 2 3; }
.chart text.threshold { fill: var(--degraded); }
`;
