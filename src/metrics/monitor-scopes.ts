/** The scopes that a monitor's series are in, to be forgotten with it; a view's series have their own attributes alone. */
export const scopesOf = (monitorId: string): readonly string[] => [
  monitorId,
  collectorScope(monitorId),
  blackboxScope(monitorId),
  openStatusScope(monitorId),
];

const collector = "collector\0";
const blackbox = "blackbox\0";
const openStatus = "openstatus\0";

export const collectorScope = (monitorId: string): string => `${collector}${monitorId}`;
export const blackboxScope = (monitorId: string): string => `${blackbox}${monitorId}`;
export const openStatusScope = (monitorId: string): string => `${openStatus}${monitorId}`;

/** The monitor whose series are in a scope. */
export function monitorOf(scope: string): string {
  for (const view of [collector, blackbox, openStatus])
    if (scope.startsWith(view)) return scope.slice(view.length);
  return scope;
}
