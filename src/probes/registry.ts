import type { Deadline } from "#base/deadline";
import { blamesTarget, failure, type Failure, isTimeout } from "#check/failure";
import { ownFaults } from "#check/own-faults";
import { lasting } from "#base/duration";
import type { Kind, Target, TargetOf } from "#check/monitor";
import { type Outcome, type OutcomeOf, theirs } from "#check/outcome";
import { cameLate } from "#probes/socket/classify";
import { probeDns } from "#probes/dns/dns";
import { probeGrpc } from "#probes/grpc/grpc";
import { probeIcmp } from "#probes/icmp/icmp";
import { probeHttp } from "#probes/http/http";
import type { Probe, ProbeContext } from "#probes/connection/probe";
import { probeTcp } from "#probes/tcp/tcp";
import * as limits from "#limits/check-limits";
import { type Millis, millis, nanos, nanosToMillis, seconds } from "#base/units";

/** Every kind of check has its probe; a kind without one does not compile. */
const probes: { readonly [K in Kind]: Probe<K> } = {
  http: probeHttp,
  tcp: probeTcp,
  dns: probeDns,
  icmp: probeIcmp,
  grpc: probeGrpc,
};

/** One attempt against a target of any kind. */
export async function probe(
  target: Target,
  deadline: Deadline,
  context: ProbeContext,
): Promise<Outcome> {
  const { clock, marker } = context;
  const attention = marker.attend();
  try {
    const begun = clock.monotonic();
    const [pausedBefore, sleptBefore] = [marker.paused(), marker.machineSlept()];
    const outcome = await attempt(target.kind, target, deadline, context);
    const { failure: failed } = outcome;
    const slept = millis(marker.machineSlept() - sleptBefore);
    if (failed === null) return slept > 0 ? outcome : inTime(outcome, deadline);
    if (slept > 0) return isOfTheWire(failed) ? withoutBlame(outcome, sleepWords(slept)) : outcome;
    const paused = nanosToMillis(nanos(marker.paused() - pausedBefore));
    const took = nanosToMillis(nanos(clock.monotonic() - begun));
    const delays = { paused, took, absent: nanosToMillis(marker.absentSince(begun)) };
    const words = ownDelay(outcome, failed, delays, deadline);
    return words === null ? outcome : withoutBlame(outcome, words);
  } finally {
    attention[Symbol.dispose]();
  }
}

/** What lies on the way to the target, or at the target, and not in what it answered. */
const isOfTheWire = ({ phase }: Failure): boolean =>
  blamesTarget(phase) && phase !== "assertion" && phase !== "decode";

function withoutBlame(outcome: Outcome, message: string): Outcome {
  return { ...outcome, failure: failure("agent_error", "agent", message) };
}

/** A connection does not outlive a sleep of its machine, whatever its target does. */
function sleepWords(slept: Millis): string {
  // Two clocks are read one after the other, so a sleep is known to a few milliseconds.
  const whole = seconds(Math.round(slept / 1000));
  return `${ownFaults.sleep} ${lasting(whole)} during the check, so its failure says nothing about the target`;
}

/** How the thread spent an attempt. */
interface AttemptDelays {
  readonly paused: Millis;
  readonly took: Millis;
  /** The longest time at a stretch in which the thread did nothing for it. */
  readonly absent: Millis;
}

/**
 * A timeout of which a good part passed while this process was paused says nothing of the target, nor does a failure of a
 * check that this process could do its part of only with a long delay: its end came late, it did not know when an answer
 * came, the peer waited for it, or its thread was away. Null if none of these explains the failure.
 */
function ownDelay(
  { own, errorBar }: Outcome,
  failed: Failure,
  { paused, took, absent }: AttemptDelays,
  { budget }: Deadline,
): string | null {
  const says = `its timeout of ${budget} ms says nothing about the target`;
  const late = took - budget;
  const isLate = isTimeout(failed.code);
  if (isLate && paused > budget * limits.errorBarShareMax)
    return `${ownFaults.pause} ${Math.round(paused)} ms during the check, so ${says}: look for what stops, freezes or throttles the agent`;
  if (!isLate && !isOfTheWire(failed)) return null;
  const delay = isLate ? Math.max(late, absent, (own ?? 0) / 1e6, errorBar / 1e6) : late;
  if (delay <= budget * limits.delayShareMax) return null;
  return `${ownFaults.delay} ${Math.round(delay)} ms during the check, so ${says}: look for what takes this machine's processors from the agent`;
}

/** What certainly came after the end of its time is late, also if a late thread has read it. */
function inTime(outcome: Outcome, { budget }: Deadline): Outcome {
  const took = nanosToMillis(nanos(theirs(outcome) - outcome.errorBar));
  return took > budget ? { ...outcome, failure: cameLate(outcome, took, budget) } : outcome;
}

const attempt = <K extends Kind>(
  kind: K,
  target: TargetOf<K>,
  deadline: Deadline,
  context: ProbeContext,
): Promise<OutcomeOf<K>> => probes[kind](target, deadline, context);
