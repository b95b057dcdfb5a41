import type { Clock } from "#clock";
import { loopMarker, type Marker, threadTimes } from "#probes/connection/marker";
import type { KernelClock } from "#probes/connection/kernel-clock";
import type { SocketEvidence } from "#probes/evidence/socket-evidence";
import { runtimeSockets } from "#probes/connection/runtime-sockets";
import type { Sockets } from "#probes/connection/sockets";
import type { DescriptorList } from "#probes/raw/descriptor-list";
import { openKernelCalls } from "#probes/raw/kernel-calls";
import { RawLoop } from "#probes/raw/raw-loop";
import { rawSockets } from "#probes/raw/raw-sockets";
import { failsSelfTest } from "#probes/raw/self-test";

/** The setting PICKET_RAW_SOCKETS. */
export const rawSocketsSettings = ["auto", "on", "off"] as const;
export type RawSockets = (typeof rawSocketsSettings)[number];

/** Which sockets a thread uses. */
export type SocketsInUse =
  | { readonly kind: "raw" }
  /** `why` says what keeps raw sockets from being used; null where they are not wanted. */
  | { readonly kind: "runtime"; readonly why: string | null };

/** The sockets of one thread, who reads instants there, and which kind of sockets they are. */
export interface OpenSockets {
  readonly sockets: Sockets;
  readonly marker: Marker;
  readonly inUse: SocketsInUse;
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
  const opened = openRaw(clock, kernelClock, evidence, descriptors);
  if (!opened.ok) return onlyRuntime(clock, kernelClock, evidence, opened.why);
  const { raw, unplaced } = opened;
  const why = await failsSelfTest(raw.sockets, clock, unplaced);
  if (why === null) return raw;
  raw.close();
  return onlyRuntime(clock, kernelClock, evidence, why);
}

export function onlyRuntime(
  clock: Clock,
  kernelClock: KernelClock,
  evidence: SocketEvidence,
  why: string | null = null,
): OpenSockets {
  const marker = loopMarker(clock);
  return {
    sockets: runtimeSockets(marker, kernelClock, evidence),
    marker,
    inUse: { kind: "runtime", why },
    close: () => {},
  };
}

type RawOpening =
  | { readonly ok: true; readonly raw: OpenSockets; readonly unplaced: () => number }
  | { readonly ok: false; readonly why: string };

function openRaw(
  clock: Clock,
  kernelClock: KernelClock,
  evidence: SocketEvidence,
  descriptors: DescriptorList,
): RawOpening {
  try {
    const calls = openKernelCalls();
    const loop = new RawLoop(calls, clock, threadTimes(), descriptors);
    const marker = loopMarker(clock, loop);
    const sockets = rawSockets(
      { loop, marker, evidence },
      runtimeSockets(marker, kernelClock, evidence),
    );
    const raw: OpenSockets = { sockets, marker, inUse: { kind: "raw" }, close: () => loop.end() };
    return { ok: true, raw, unplaced: () => loop.unplaced };
  } catch (error) {
    return { ok: false, why: Error.isError(error) ? error.message : String(error) };
  }
}
