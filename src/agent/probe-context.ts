import type { ProberOptions } from "#agent/prober";
import { systemClock } from "#clock";
import { TargetGuard } from "#probes/guard";
import { noKernelClock, openKernelClock } from "#probes/kernel-clock";
import { loopMarker } from "#probes/marker";
import type { ProbeContext } from "#probes/probe";
import { stubResolver } from "#probes/resolver";
import { systemNames } from "#probes/system-names";
import { systemResolver } from "#probes/system-resolver";
import { noTranscript, type Transcript } from "#probes/transcript";
import { systemTrust } from "#probes/trust";

/** What the probes of one thread share, made from the agent's options. */
export function proberContext(
  options: ProberOptions,
  transcript: Transcript = noTranscript,
): ProbeContext {
  const { nameServers, ipFamily, http2, bodyBytesMax, userAgent } = options;
  const names = systemNames(systemClock);
  return {
    clock: systemClock,
    marker: loopMarker(systemClock),
    kernelClock: options.kernelClock ? openKernelClock() : noKernelClock,
    resolver:
      options.resolver === "system"
        ? systemResolver({ clock: systemClock })
        : stubResolver({ clock: systemClock, nameServers, names, transcript }),
    systemNames: names,
    nameServers,
    ipFamily,
    guard: new TargetGuard(options.targetRules),
    proxying: options.proxying,
    trust: systemTrust(options.trust),
    http2,
    bodyBytesMax,
    userAgent,
    transcript,
  };
}
