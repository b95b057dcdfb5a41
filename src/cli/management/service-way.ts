import type { Config } from "#agent/settings/config";
import { proxyingOf } from "#config/service-proxy";
import { trustMaterial } from "#config/trust-files";
import { userAgent } from "#base/version";
import { systemClock } from "#base/clock";
import { systemTrust } from "#machine/trust";
import type { ServiceWay } from "#transport/service-dialer";

/** How every connection to the service is opened, whatever is spoken over it. */
export const serviceWay = ({
  serviceProxy,
  trusted,
}: Pick<Config, "serviceProxy" | "trusted">): ServiceWay => {
  const trust = systemTrust(trustMaterial(trusted));
  return {
    // Whether there is a proxy for the service was judged when the configuration was read.
    proxying: proxyingOf(serviceProxy, []),
    secureContext: () => trust.secureContext(),
    userAgent: userAgent(),
    clock: systemClock,
  };
};

/** The way to a service of our own on this machine. */
export const directWay = (): ServiceWay =>
  serviceWay({ serviceProxy: null, trusted: { authorities: null, identity: null } });
