import { thrownText } from "#base/text";
import type { Clock } from "#base/clock";
import { loopMarker, type Marker, threadTimes } from "#probes/socket/marker";
import type { KernelClock } from "#probes/socket/kernel-clock";
import type { SocketEvidence } from "#probes/socket/socket-evidence";
import { runtimeSockets } from "#probes/socket/runtime-sockets";
import type { Sockets } from "#probes/socket/sockets";
import type { DescriptorList } from "#probes/raw/descriptor-list";
import { openKernelCalls } from "#probes/raw/kernel-calls";
import { RawLoop } from "#probes/raw/raw-loop";
import { openOpenSsl } from "#probes/raw/openssl";
import { RawTls } from "#probes/raw/raw-tls";
import { rawSockets } from "#probes/raw/raw-sockets";
import { failsEverySelfTest } from "#probes/raw/self-test";
import { failsTlsTest } from "#probes/raw/tls-self-test";

/** Which sockets a thread uses. */
export type SocketsInUse =
  /** `noOwnTls` says why the runtime speaks TLS over them; null if OpenSSL is called directly. */
  | { readonly kind: "raw"; readonly noOwnTls: string | null }
  /** `why` says what keeps raw sockets from being used; null if they are not wanted. */
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
  const why = await failsEverySelfTest(raw.sockets, clock, unplaced);
  if (why === null) return withTls(raw, clock);
  raw.close();
  return onlyRuntime(clock, kernelClock, evidence, why);
}

/** With TLS of our own where it passes its test. */
async function withTls(raw: UntriedSockets, clock: Clock): Promise<OpenSockets> {
  let tls: RawTls;
  try {
    tls = new RawTls(openOpenSsl());
  } catch (error) {
    return { ...raw, inUse: { kind: "raw", noOwnTls: thrownText(error) } };
  }
  const sockets = raw.withTls(tls);
  const noOwnTls = await failsTlsTest(sockets, clock);
  // What the test believed is forgotten.
  tls.end();
  if (noOwnTls !== null) return { ...raw, inUse: { kind: "raw", noOwnTls } };
  const close = (): void => {
    tls.end();
    raw.close();
  };
  return { ...raw, sockets, close };
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

/** Raw sockets over which the runtime speaks TLS. */
interface UntriedSockets extends OpenSockets {
  withTls(tls: RawTls): Sockets;
}

type RawOpening =
  | { readonly ok: true; readonly raw: UntriedSockets; readonly unplaced: () => number }
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
    const others = runtimeSockets(marker, kernelClock, evidence);
    const socketsWith = (tls: RawTls | null): Sockets =>
      rawSockets({ loop, marker, evidence, tls }, others);
    const raw: UntriedSockets = {
      sockets: socketsWith(null),
      withTls: socketsWith,
      marker,
      inUse: { kind: "raw", noOwnTls: null },
      close: () => loop.end(),
    };
    return { ok: true, raw, unplaced: () => loop.unplaced };
  } catch (error) {
    return { ok: false, why: thrownText(error) };
  }
}
