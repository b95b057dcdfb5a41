import type { Clock } from "#base/clock";
import type { Deadline } from "#base/deadline";
import type { Kind, TargetOf } from "#check/monitor";
import type { OutcomeOf } from "#check/outcome";
import type { BodyMemory } from "#probes/socket/body-memory";
import type { TargetGuard } from "#probes/connection/guard";
import type { Marker } from "#probes/socket/marker";
import type { Sockets } from "#probes/socket/sockets";
import type { Proxying } from "#network/proxy";
import type { IpFamily, NameServer, Resolver } from "#probes/resolve/resolving";
import type { Overrides } from "#check/overrides";
import type { Stopwatch } from "#probes/socket/stopwatch";
import type { ServerOrder } from "#probes/resolve/server-order";
import type { SystemNames } from "#probes/resolve/system-names";
import type { Transcript } from "#probes/resolve/transcript";
import type { Trust } from "#machine/trust";
import type { Bytes } from "#base/units";

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

/** What the settings say of every probe. Plain values, which are copied to the probe threads. */
export interface ProbeSettings {
  /** Asked by DNS checks that name no server; empty asks the system's. */
  readonly nameServers: readonly NameServer[];
  readonly ipFamily: IpFamily;
  /** The way to targets; DNS checks ask their servers directly. */
  readonly proxying: Proxying;
  /** Whether HTTP/2 is offered by ALPN. */
  readonly http2: boolean;
  /** A response body is read up to here, decoded. */
  readonly bodyBytesMax: Bytes;
  readonly userAgent: string;
  /** What a check by hand changes; an agent has `noOverrides`. */
  readonly overrides: Overrides;
}

/** What the probes of one thread share. */
export interface ProbeContext extends ProbeSettings {
  readonly clock: Clock;
  readonly marker: Marker;
  readonly sockets: Sockets;
  readonly resolver: Resolver;
  readonly systemNames: SystemNames;
  readonly serverOrder: ServerOrder;
  readonly guard: TargetGuard;
  readonly bodyMemory: BodyMemory;
  readonly trust: Trust;
  readonly transcript: Transcript;
}
