import type { ProberOptions } from "#agent/prober";
import { systemClock } from "#clock";
import { openKernelClock } from "#probes/kernel-clock";
import type { ProbeContext } from "#probes/probe";
import { stubResolver, systemResolver } from "#probes/resolver";
import { systemTrust } from "#probes/trust";

/** What the probes of one thread share, made from the agent's options. */
export function proberContext(options: ProberOptions, caPem: string | null): ProbeContext {
  const { nameServers, ipFamily, http2, bodyBytesMax, userAgent } = options;
  return {
    clock: systemClock,
    kernelClock: openKernelClock(),
    resolver:
      options.resolver === "system"
        ? systemResolver()
        : stubResolver({ clock: systemClock, nameServers }),
    nameServers,
    ipFamily,
    trust: systemTrust(caPem),
    http2,
    bodyBytesMax,
    userAgent,
  };
}
