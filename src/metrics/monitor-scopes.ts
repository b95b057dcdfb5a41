/** The scopes that a monitor's series are in, to be forgotten with it; a view's series have its own attributes alone. */
export const scopesOf = (monitorId: string): readonly string[] => [
  monitorId,
  collectorScope(monitorId),
  blackboxScope(monitorId),
  openStatusScope(monitorId),
];

export const collectorScope = (monitorId: string): string => `collector\0${monitorId}`;
export const blackboxScope = (monitorId: string): string => `blackbox\0${monitorId}`;
export const openStatusScope = (monitorId: string): string => `openstatus\0${monitorId}`;
