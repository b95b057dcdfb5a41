import type { Deadline } from "#deadline";
import { blamesTarget, failure, isTimeout } from "#check/failure";
import { ownFaults } from "#check/own-faults";
import { lasting } from "#duration";
import type { Kind, Target, TargetOf } from "#check/monitor";
import type { Outcome, OutcomeOf } from "#check/outcome";
import { probeDns } from "#probes/dns/dns";
import { probeHttp } from "#probes/http/http";
import type { Probe, ProbeContext } from "#probes/probe";
import { probeTcp } from "#probes/tcp/tcp";
import * as limits from "#limits/check-limits";
import { type Millis, millis, nanos, nanosToMillis, seconds } from "#units";

/** Every kind of check has its probe; a kind without one does not compile. */
const probes: { readonly [K in Kind]: Probe<K> } = {
  http: probeHttp,
  tcp: probeTcp,
  dns: probeDns,
};

/** One attempt against a target of any kind. */
export async function probe(
  target: Target,
  deadline: Deadline,
  context: ProbeContext,
): Promise<Outcome> {
  const { marker } = context;
  const attention = marker.attend();
  try {
    const [pausedBefore, sleptBefore] = [marker.paused(), marker.machineSlept()];
    const outcome = await attempt(target.kind, target, deadline, context);
    const slept = millis(marker.machineSlept() - sleptBefore);
    if (slept > 0) return afterSleep(outcome, slept);
    return withoutBlame(outcome, nanosToMillis(nanos(marker.paused() - pausedBefore)), deadline);
  } finally {
    attention[Symbol.dispose]();
  }
}

/** A connection does not outlive a sleep of its machine, whatever its target does. */
function afterSleep(outcome: Outcome, slept: Millis): Outcome {
  const phase = outcome.failure?.phase ?? "agent";
  if (!blamesTarget(phase) || phase === "assertion" || phase === "decode") return outcome;
  // Two clocks are read one after the other, so a sleep is known to a few milliseconds.
  const whole = seconds(Math.round(slept / 1000));
  const message = `${ownFaults.sleep} ${lasting(whole)} during the check, so its failure says nothing about the target`;
  return { ...outcome, failure: failure("agent_error", "agent", message) };
}

/** A timeout of which a good part passed while this process was paused says nothing of the target. */
function withoutBlame(outcome: Outcome, paused: Millis, { budget }: Deadline): Outcome {
  if (outcome.failure === null || !isTimeout(outcome.failure.code)) return outcome;
  if (paused <= budget * limits.errorBarShareMax) return outcome;
  const message = `${ownFaults.pause} ${Math.round(paused)} ms during the check, so its timeout of ${budget} ms says nothing about the target: look for what stops, freezes or throttles the agent`;
  return { ...outcome, failure: failure("agent_error", "agent", message) };
}

const attempt = <K extends Kind>(
  kind: K,
  target: TargetOf<K>,
  deadline: Deadline,
  context: ProbeContext,
): Promise<OutcomeOf<K>> => probes[kind](target, deadline, context);
