import type { ProberOptions, ProbeThreadOptions } from "#agent/prober/prober";
import { BodyMemory, bodyMemoryOf } from "#probes/socket/body-memory";
import { systemClock } from "#base/clock";
import { TargetGuard } from "#probes/connection/guard";
import { noKernelClock, openKernelClock } from "#probes/socket/kernel-clock";
import type { ProbeContext } from "#probes/connection/probe";
import {
  noSocketEvidence,
  openSocketEvidence,
  type SocketEvidence,
} from "#probes/socket/socket-evidence";
import { onlyRuntime, type OpenSockets, openSockets } from "#probes/raw/open-sockets";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { stubResolver } from "#probes/resolve/resolver";
import { ServerOrder } from "#probes/resolve/server-order";
import { systemNames } from "#probes/resolve/system-names";
import { systemResolver } from "#probes/resolve/system-resolver";
import { noTranscript, type Transcript } from "#probes/resolve/transcript";
import { systemTrust } from "#machine/trust";

/** What the probes of one thread share, made from the agent's options. */
export function proberContext(
  options: ProbeThreadOptions,
  transcript: Transcript = noTranscript,
  { sockets, marker }: OpenSockets = runtimeOnly(options),
): ProbeContext {
  const { nameServers } = options;
  const names = systemNames(systemClock);
  const serverOrder = new ServerOrder(systemClock);
  const naming = { nameServers, names, transcript, sockets, serverOrder };
  return {
    ...options,
    clock: systemClock,
    marker,
    sockets,
    resolver:
      options.resolver === "system"
        ? systemResolver({ clock: systemClock })
        : stubResolver({ clock: systemClock, ...naming }),
    systemNames: names,
    serverOrder,
    guard: new TargetGuard(options.targetRules),
    trust: systemTrust(options.trust),
    bodyMemory: new BodyMemory(bodyMemoryOf(options.threads)),
    transcript,
  };
}

/** The sockets that the settings want of this thread, as far as it can have them. */
export async function threadSockets(
  options: SocketOptions,
  descriptors: SharedArrayBuffer,
): Promise<OpenSockets> {
  const { kernelClock, rawSockets } = options;
  const list = new DescriptorList(descriptors);
  const clock = kernelClock ? openKernelClock((one) => list.add(one)) : noKernelClock;
  const evidence = evidenceOf(options);
  if (rawSockets === "off") return onlyRuntime(systemClock, clock, evidence);
  if (!kernelClock) return onlyRuntime(systemClock, clock, evidence, "PICKET_KERNEL_CLOCK is off");
  return openSockets(systemClock, clock, evidence, list);
}

type SocketOptions = Pick<ProberOptions, "kernelClock" | "rawSockets" | "evidence">;

const runtimeOnly = (options: SocketOptions): OpenSockets =>
  onlyRuntime(
    systemClock,
    options.kernelClock ? openKernelClock() : noKernelClock,
    evidenceOf(options),
  );

const evidenceOf = ({ evidence }: SocketOptions): SocketEvidence =>
  evidence === "off" ? noSocketEvidence : openSocketEvidence();
