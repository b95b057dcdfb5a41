import { type ClockLook, clockLook } from "#agent/looks/clock-look";
import { type DirectCheck, directCheck } from "#agent/looks/direct-way";
import { type NarrowCheck, narrowCheck } from "#agent/looks/narrow-way";
import type { ResolverAnswer } from "#check/place-evidence";
import type { Clock } from "#base/clock";
import * as limits from "#limits/vantage-limits";
import type { Proxying } from "#network/proxy";
import { showHostPort } from "#network/host-port";
import type { Outcome } from "#check/outcome";
import { startDeadline } from "#base/deadline";
import { proberContext } from "#agent/prober/probe-context";
import type { ProberOptions, Reference } from "#agent/prober/prober";
import { TargetGuard } from "#probes/connection/guard";
import { parseHostRule, type TargetRules } from "#network/target-rules";
import { probe } from "#probes/registry";
import type { ProbeContext } from "#probes/connection/probe";
import { askResolver } from "#probes/evidence/ask-resolver";
import type { PathEnd } from "#probes/socket/socket-calls";
import { type FlowAsk, openFlowAsk } from "#probes/evidence/flow-trace";
import { openPathTracer, type PathTracer } from "#probes/evidence/path-trace";
import { systemNames } from "#probes/resolve/system-names";
import type { NameServer } from "#probes/resolve/resolving";
import { MachineFiles } from "#agent/vantage/machine-files";
import { nanos } from "#base/units";
import type { MachineSight } from "#agent/vantage/machine-sight";

/** Where an agent learns about its own place. */
export interface PlaceSources {
  readonly proxying: Proxying;
  /** Reads this machine's files; `now` is of the monotonic clock, in milliseconds. */
  look(now: number): MachineSight;
  /** The addresses of the name servers that checks ask. */
  resolvers(): readonly string[];
  /** Asks all of them at once for a name that cannot exist. */
  askResolvers(signal: AbortSignal): Promise<readonly ResolverAnswer[]>;
  /** How far packets to an address that was just dialled come. */
  readonly tracePath: PathTracer;
  /** One packet of a path's trace; null if the settings do not want it, or this machine cannot send it. */
  readonly askPath: FlowAsk | null;
  readonly narrowCheck: NarrowCheck;
  /** What the clock of a target says, whatever its certificate is. */
  readonly clockLook: ClockLook;
  /** Null if the settings do not want it. */
  readonly directCheck: DirectCheck | null;
  /** What the operator named to be asked in addition to a failed check. */
  readonly references: readonly Reference[];
  /** Whether the targets' proxy takes a connection; null if that is not known. */
  askProxy(signal: AbortSignal): Promise<boolean | null>;
  /** Whether a plain connection to what a check has dialled is taken; the guard judges it again. */
  reaches(end: PathEnd, signal: AbortSignal): Promise<boolean>;
  /** Connects to one of them, as a TCP check does. */
  askReference(reference: Reference, signal: AbortSignal): Promise<Outcome>;
  /** Whether whole ways may be traced, or only whether a gateway passes packets on. */
  readonly evidence: "local" | "full";
}

/** The same, with rules for targets that may change while it is used. */
interface GuardedPlace extends PlaceSources {
  /** What may be asked from now on. */
  useTargets(rules: TargetRules): void;
}

/** This machine's own; null if the settings want none of it. */
export function placeSources(options: ProberOptions, clock: Clock): GuardedPlace | null {
  const { evidence, proxying, nameServers, references } = options;
  if (evidence === "off") return null;
  const { context, useTargets } = guardedContext(options);
  const files = new MachineFiles();
  const names = systemNames(clock);
  const servers = (): readonly NameServer[] =>
    nameServers.length > 0 ? nameServers : names.resolvConf().servers;
  return {
    proxying,
    look: (now) => files.look(now),
    resolvers: () => servers().map(({ host }) => host),
    tracePath: openPathTracer(clock),
    askPath: options.paths ? openFlowAsk(clock) : null,
    narrowCheck: narrowCheck(context, clock),
    clockLook: clockLook(context, clock),
    directCheck: options.evidenceDirect ? directCheck(context, clock) : null,
    evidence,
    references,
    useTargets,
    askReference: (reference, signal) => connectTo(reference, context(), clock, signal),
    reaches: async ({ address, port }, signal) => {
      const direct = { ...context(), proxying: { proxy: null, exceptions: [] } };
      return (await connectTo({ host: address, port }, direct, clock, signal)).failure === null;
    },
    askProxy: async (signal) => {
      if (proxying.proxy === null) return null;
      const { host, port } = proxying.proxy;
      const { failure } = await connectTo({ host, port }, toProxy(host, context()), clock, signal);
      return failure?.phase === "agent" ? null : failure === null;
    },
    askResolvers: (signal) =>
      Promise.all(servers().map((server) => answerOf(server, clock, signal))),
  };
}

/** A context of probes, made when it is first asked for, by the rules for targets of that moment and after it. */
function guardedContext(options: ProberOptions): {
  readonly context: () => ProbeContext;
  readonly useTargets: (rules: TargetRules) => void;
} {
  const bodyBytesMax = limits.narrowBodyBytesMax;
  let { targetRules } = options;
  let opened: ProbeContext | null = null;
  return {
    context: () =>
      (opened ??= proberContext({ ...options, targetRules, bodyBytesMax, threads: 1 })),
    useTargets: (rules) => {
      targetRules = rules;
      opened?.guard.replace(rules);
    },
  };
}

async function connectTo(
  end: Reference,
  by: ProbeContext,
  clock: Clock,
  signal: AbortSignal,
): Promise<Outcome> {
  using deadline = startDeadline(clock, limits.referencePatience, signal);
  return await probe({ kind: "tcp", ...end }, deadline, by);
}

async function answerOf(
  server: NameServer,
  clock: Clock,
  signal: AbortSignal,
): Promise<ResolverAnswer> {
  const began = clock.monotonic();
  const outcome = await askResolver(server, limits.evidencePatience, clock, signal);
  const took = nanos(clock.monotonic() - began);
  const roundTrip = outcome === "answered" ? took : null;
  return { server: showHostPort(server.host, server.port), outcome, roundTrip };
}

/** The proxy is the operator's choice and no target: no rule for targets is about it. */
function toProxy(host: string, context: ProbeContext): ProbeContext {
  const itself = parseHostRule(host);
  const guard = new TargetGuard({ allow: itself === null ? [] : [itself], deny: [] });
  return { ...context, guard, proxying: { proxy: null, exceptions: [] } };
}
