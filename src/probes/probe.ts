import type { Clock } from "#clock";
import type { Deadline } from "#deadline";
import type { Kind, TargetOf } from "#monitor";
import type { OutcomeOf } from "#outcome";
import type { TargetGuard } from "#probes/guard";
import type { KernelClock } from "#probes/kernel-clock";
import type { Marker } from "#probes/marker";
import type { Proxying } from "#proxy";
import type { IpFamily, Resolver } from "#probes/resolver";
import type { Stopwatch } from "#probes/stopwatch";
import type { SystemNames } from "#probes/system-names";
import type { Transcript } from "#probes/transcript";
import type { Trust } from "#probes/trust";
import type { Bytes } from "#units";

/**
 * One attempt of one check. It always resolves: what the network does is part of the outcome. It ends when the
 * deadline does, whatever the peer does, and leaves no socket open.
 */
export type Probe<K extends Kind> = (
  target: TargetOf<K>,
  deadline: Deadline,
  context: ProbeContext,
) => Promise<OutcomeOf<K>>;

/** One attempt under way: what each of its steps needs. */
export interface Run {
  readonly deadline: Deadline;
  readonly stopwatch: Stopwatch;
  readonly context: ProbeContext;
}

/** What the probes of one thread share. */
export interface ProbeContext {
  readonly clock: Clock;
  readonly marker: Marker;
  readonly kernelClock: KernelClock;
  readonly resolver: Resolver;
  readonly systemNames: SystemNames;
  /** Asked by DNS checks that name no server; empty asks the system's. */
  readonly nameServers: readonly NameServer[];
  readonly ipFamily: IpFamily;
  readonly guard: TargetGuard;
  /** DNS checks ask their servers directly. */
  readonly proxying: Proxying;
  readonly trust: Trust;
  /** Whether HTTP/2 is offered by ALPN. */
  readonly http2: boolean;
  /** A response body is read up to here, decoded. */
  readonly bodyBytesMax: Bytes;
  readonly userAgent: string;
  readonly transcript: Transcript;
}

export interface NameServer {
  readonly host: string;
  readonly port: number;
}
