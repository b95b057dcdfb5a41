import type { ProbeThreadOptions } from "#prober/prober";
import { BodyMemory, bodyMemoryOf } from "#probes/body-memory";
import { systemClock } from "#clock";
import { TargetGuard } from "#probes/connection/guard";
import { noKernelClock, openKernelClock } from "#probes/connection/kernel-clock";
import { loopMarker } from "#probes/connection/marker";
import { runtimeSockets } from "#probes/connection/runtime-sockets";
import type { ProbeContext } from "#probes/probe";
import { noSocketEvidence, openSocketEvidence } from "#probes/evidence/socket-evidence";
import { stubResolver } from "#probes/dns/resolver";
import { systemNames } from "#probes/dns/system-names";
import { systemResolver } from "#probes/dns/system-resolver";
import { noTranscript, type Transcript } from "#probes/transcript";
import { systemTrust } from "#probes/connection/trust";

/** What the probes of one thread share, made from the agent's options. */
export function proberContext(
  options: ProbeThreadOptions,
  transcript: Transcript = noTranscript,
): ProbeContext {
  const { nameServers } = options;
  const names = systemNames(systemClock);
  const marker = loopMarker(systemClock);
  const kernelClock = options.kernelClock ? openKernelClock() : noKernelClock;
  const evidence = options.evidence === "off" ? noSocketEvidence : openSocketEvidence();
  const sockets = runtimeSockets(marker, kernelClock, evidence);
  return {
    ...options,
    clock: systemClock,
    marker,
    sockets,
    resolver:
      options.resolver === "system"
        ? systemResolver({ clock: systemClock })
        : stubResolver({ clock: systemClock, nameServers, names, transcript, sockets }),
    systemNames: names,
    guard: new TargetGuard(options.targetRules),
    trust: systemTrust(options.trust),
    bodyMemory: new BodyMemory(bodyMemoryOf(options.threads)),
    transcript,
  };
}
