/** Charts of a monitor's page under the pointer, and its days. */
export const chartPageStyle = `
.plot { position: relative; overflow: hidden; min-height: 10.25rem; touch-action: pan-y; }
.nothing { display: grid; place-items: center; min-height: 10rem; margin: 0; padding: 1rem; border: 1px dashed var(--line); border-radius: var(--corner); color: var(--quiet); text-align: center; }
.plot:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.plot .u-over { cursor: crosshair; }
.plot .u-select { background: var(--link); opacity: 0.25; }
.plot .unpassed { position: absolute; inset: 0 0 2rem 4rem; display: grid; place-items: center; margin: 0; color: var(--quiet); font-size: 0.875rem; text-align: center; pointer-events: none; }
.charts { position: relative; display: flex; flex-direction: column; }
.charts > [data-chart] { flex: 1 0 auto; display: grid; max-height: 26rem; }
[data-chart][data-drawn] { min-height: 13.75rem; }
[data-chart] > .uplot { position: absolute; inset: 0; }
.ranges { justify-content: flex-start; align-items: center; gap: 0.5rem 0.75rem; font-size: 0.8125rem; }
.ranges + .since { margin: 0 0 var(--u); }
.ranges .compared { margin-left: auto; }
.charts-head { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; justify-content: space-between; align-items: center; margin-bottom: 0.75rem; }
.operator .columns .charts-head h2 { margin: 0; }
.charts-head .ranges { margin: 0; }
.ranges nav, nav.ranges { display: flex; align-items: center; gap: 0.5rem; color: var(--quiet); }
.ranges ul { display: flex; flex-wrap: wrap; gap: 0; margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: var(--corner); background: var(--ground); overflow: hidden; }
.operator .ranges li + li { border-left: 1px solid var(--line); }
.operator .ranges li a { display: block; padding: 0.3125rem 0.5625rem; color: var(--text); text-decoration: none; }
.operator .ranges li a:hover { background: var(--hover); }
.operator .ranges li a[aria-current] { border: 0; background: var(--link); color: var(--raised); font-weight: 600; }
.ranges li a:focus-visible { outline-offset: -2px; }
.operator :is(.own-range, .compared) > summary { padding: 0.3125rem 0.625rem; border: 1px solid var(--line); border-radius: var(--corner); background: var(--ground); color: var(--text); font-size: inherit; }
.operator :is(.own-range, .compared).chosen > summary { border-color: var(--link); background: var(--link); color: var(--raised); font-weight: 600; }
@media (max-width: 40rem) { .ranges .compared { margin-left: 0; } }
.operator .chosen > summary::after { color: inherit; }
.compared > .dropped { width: max-content; min-width: 10rem; padding: calc(var(--u) * 1.5); }
.operator .compared ul { display: grid; width: 100%; border: 0; background: none; }
.operator .compared li + li { border: 0; }
.operator .compared li a { border-radius: 7px; }
.own-range > .dropped { left: 0; right: auto; width: min(18rem, calc(100vw - 3rem)); }
.choices:not(.ranges) > .own-range > .dropped { left: auto; right: 0; }
@media (min-width: 40.01rem) and (max-width: 62rem) {
  .choices:not(.ranges) > .own-range[open] { flex-basis: 100%; }
  .choices:not(.ranges) > .own-range > .dropped { position: static; margin-top: var(--u); }
}
.operator .choices:not(.ranges) > .own-range > summary { font-size: 0.8125rem; }
.choices + .summary { margin-top: calc(var(--u) * 4); }
.choices:not(.ranges):has(> .own-range) { justify-content: flex-start; }
.choices > .own-range ~ nav { margin-left: auto; }
.operator .own-range .filter { display: grid; grid-template-columns: minmax(0, 1fr); width: auto; }
.own-range .filter input { width: 100%; }
.key { color: var(--quiet); }
.key svg.chart { display: inline-block; margin: 0 0.375rem 0 0; flex: none; width: 1.125rem; height: 0.75rem; vertical-align: -0.0625rem; overflow: visible; }
.key svg * { vector-effect: non-scaling-stroke; }
.operator .chart .curve.p95 { stroke-dasharray: none; stroke-opacity: 0.55; stroke-width: 1.25; }
.readout { position: absolute; z-index: 4; width: max-content; min-width: 11rem; max-width: min(19rem, 80vw); padding: 0.5rem 0.625rem; border: 1px solid var(--line); border-radius: var(--corner); background: var(--raised); box-shadow: var(--above); color: var(--text); font-size: 0.75rem; line-height: 1.5; font-variant-numeric: tabular-nums; pointer-events: none; }
.readout[hidden] { display: none; }
.readout strong { display: block; font-weight: 600; color: var(--quiet); }
.readout ul { margin: 0.25rem 0 0; padding: 0.25rem 0 0; border-top: 1px solid var(--line); list-style: none; }
.readout li { display: flex; gap: 0.375rem; align-items: baseline; }
.readout i { flex: none; width: 0.5rem; height: 0.5rem; border-radius: 2px; }
.readout b { margin-left: auto; padding-left: 1rem; font-weight: 600; white-space: nowrap; }
.hint { margin: 0.5rem 0 0; color: var(--quiet); font-size: 0.75rem; }
@media print { .hint, .readout { display: none; } }
.day-bars { display: flex; align-items: flex-end; height: 1.75rem; margin: 0; padding: 0; list-style: none; }
.day-bars li { position: relative; flex: 1; height: 100%; display: flex; align-items: flex-end; }
.day-bars li > * { display: block; width: 100%; height: 100%; background: linear-gradient(var(--down), var(--down)) bottom / calc(100% - 2px) var(--foot, 0%) no-repeat, linear-gradient(var(--day), var(--day)) bottom / calc(100% - 2px) var(--tall, 100%) no-repeat; }
.day-bars .up { --day: var(--up); --tall: 70%; }
.day-bars .slow { --day: var(--slow); --tall: 85%; }
.day-bars .partly { --day: color-mix(in srgb, var(--down) 60%, var(--raised)); }
.day-bars .down { --day: var(--down); }
.day-bars .foot-1 { --foot: 25%; }
.day-bars .foot-2 { --foot: 50%; }
.day-bars .foot-3 { --foot: 75%; }
.day-bars .before { --day: var(--line); --tall: 35%; }
.day-bars .none { --day: var(--quiet); --tall: 2px; }
.day-bars .tip { display: none; position: absolute; z-index: 2; bottom: calc(100% + 0.25rem); left: 50%; width: max-content; max-width: min(20rem, 70vw); transform: translateX(-50%); padding: 0.25rem 0.5rem; border: 1px solid var(--line); border-radius: 4px; background: var(--raised); color: var(--text); font-size: 0.8125rem; line-height: 1.35; text-align: left; pointer-events: none; }
.day-bars li:nth-child(-n + 18) .tip { left: 0; transform: none; }
.day-bars li:nth-last-child(-n + 18) .tip { left: auto; right: 0; transform: none; }
.day-bars.of-day li:nth-child(-n + 12) .tip, .day-bars.of-days li:nth-child(-n + 24) .tip { right: auto; left: 0; }
.day-bars li:hover .tip, .day-bars :focus .tip { display: block; }
@media (forced-colors: active) { .day-bars li > * { forced-color-adjust: none; } }
`;
