import manifest from "#manifest" with { type: "json" };

/** The version of this Picket, as package.json has it: a bundle carries what it said when it was built. */
export function version(): string {
  return manifest.version;
}

/** How Picket calls itself to targets, proxies and the service. */
export const userAgent = (): string => `picket/${version()}`;
