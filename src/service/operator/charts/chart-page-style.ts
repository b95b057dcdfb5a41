/** Charts of a monitor's page under the pointer, and its days. */
export const chartPageStyle = `
.plot { position: relative; overflow: hidden; min-height: 10.25rem; touch-action: pan-y; }
.nothing { display: grid; place-items: center; min-height: 10rem; margin: 0; padding: 1rem; border: 1px dashed var(--line); border-radius: var(--corner); color: var(--quiet); text-align: center; }
.plot:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.plot .u-over { cursor: crosshair; }
.plot .u-select { background: var(--link); opacity: 0.25; }
.plot .u-cursor-pt { background: var(--ground) !important; }
.plot .unpassed { position: absolute; inset: 0 0 2rem 4rem; display: grid; place-items: center; margin: 0; color: var(--quiet); font-size: 0.875rem; text-align: center; pointer-events: none; }
.readout { min-height: 2.75em; margin: 0.25rem 0 0; font-size: 0.875rem; }
.own-range { margin-bottom: 0.75rem; font-size: 0.9375rem; }
.own-range .filter input { width: 13rem; }
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
.day-bars li:hover .tip, .day-bars :focus .tip { display: block; }
@media (forced-colors: active) { .day-bars li > * { forced-color-adjust: none; } }
`;
