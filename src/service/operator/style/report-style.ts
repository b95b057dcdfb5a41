/** How the days of an uptime report look. */
export const reportStyle: string = `
.down-days .chart { margin: 0; }
.chart rect.down { fill: var(--down); }
.chart rect.quiet { fill: var(--edge); }
.chart rect.down:hover { fill-opacity: 0.8; }
.down-days details { margin-top: calc(var(--u) * 3); font-size: var(--small); }
.down-days ul { margin: calc(var(--u) * 2) 0 0; padding-left: calc(var(--u) * 5); line-height: 1.7; }
`;
