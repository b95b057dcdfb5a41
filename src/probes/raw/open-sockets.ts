import type { Clock } from "#clock";
import { type LoopTimes, loopMarker, type Marker, threadTimes } from "#probes/connection/marker";
import type { KernelClock } from "#probes/connection/kernel-clock";
import type { SocketEvidence } from "#probes/evidence/socket-evidence";
import { runtimeSockets } from "#probes/connection/runtime-sockets";
import type { Sockets } from "#probes/connection/sockets";
import type { DescriptorList } from "#probes/raw/descriptor-list";
import { openKernelCalls } from "#probes/raw/kernel-calls";
import { RawLoop } from "#probes/raw/raw-loop";
import { rawSockets } from "#probes/raw/raw-sockets";
import { passesSelfTest } from "#probes/raw/self-test";
import { nanos } from "#units";

/** The setting PICKET_RAW_SOCKETS. */
export const rawSocketsSettings = ["auto", "on", "off"] as const;
export type RawSockets = (typeof rawSocketsSettings)[number];

/** What "auto" means for now: the runtime's sockets. */
export const isWanted = (setting: RawSockets): boolean => setting === "on";

/** The sockets of one thread, who reads instants there, and which kind of sockets they are. */
export interface OpenSockets {
  readonly sockets: Sockets;
  readonly marker: Marker;
  readonly kind: "raw" | "runtime";
  /** Closes what is open for as long as the thread needs sockets. */
  close(): void;
}

/** Raw sockets where they pass their test in this thread, or else the runtime's. `descriptors` outlives the thread. */
export async function openSockets(
  clock: Clock,
  kernelClock: KernelClock,
  evidence: SocketEvidence,
  descriptors: DescriptorList,
): Promise<OpenSockets> {
  const raw = openRaw(clock, kernelClock, evidence, descriptors);
  if (raw !== null) {
    if (await passesSelfTest(raw.sockets, clock, raw.unplaced)) return raw;
    raw.close();
  }
  return onlyRuntime(clock, kernelClock, evidence);
}

export function onlyRuntime(
  clock: Clock,
  kernelClock: KernelClock,
  evidence: SocketEvidence,
): OpenSockets {
  const marker = loopMarker(clock);
  return {
    sockets: runtimeSockets(marker, kernelClock, evidence),
    marker,
    kind: "runtime",
    close: () => {},
  };
}

function openRaw(
  clock: Clock,
  kernelClock: KernelClock,
  evidence: SocketEvidence,
  descriptors: DescriptorList,
): (OpenSockets & { readonly unplaced: () => number }) | null {
  try {
    const calls = openKernelCalls();
    if (calls === null) return null;
    const runtime = threadTimes();
    const loop = new RawLoop(calls, clock, runtime, descriptors);
    // The thread sleeps in the runtime's loop or in this one.
    const times: LoopTimes = { ...runtime, slept: () => nanos(runtime.slept() + loop.slept) };
    const marker = loopMarker(clock, times);
    const sockets = rawSockets(
      { loop, marker, evidence },
      runtimeSockets(marker, kernelClock, evidence),
    );
    return {
      sockets,
      marker,
      kind: "raw",
      close: () => loop.end(),
      unplaced: () => loop.unplaced,
    };
  } catch {
    return null;
  }
}
