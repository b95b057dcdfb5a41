import type { Deadline } from "#deadline";
import { failure } from "#check/failure";
import type { Kind, Target, TargetOf } from "#check/monitor";
import type { Outcome, OutcomeOf } from "#check/outcome";
import { probeDns } from "#probes/dns/dns";
import { probeHttp } from "#probes/http/http";
import type { Probe, ProbeContext } from "#probes/probe";
import { probeTcp } from "#probes/tcp/tcp";
import * as limits from "#limits/check-limits";
import { type Millis, nanos, nanosToMillis } from "#units";

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
    const pausedBefore = marker.paused();
    const outcome = await attempt(target.kind, target, deadline, context);
    return withoutBlame(outcome, nanosToMillis(nanos(marker.paused() - pausedBefore)), deadline);
  } finally {
    attention[Symbol.dispose]();
  }
}

/** A timeout of which a good part passed while this process was paused says nothing of the target. */
function withoutBlame(outcome: Outcome, paused: Millis, { budget }: Deadline): Outcome {
  if (outcome.failure?.code.endsWith("_timeout") !== true) return outcome;
  if (paused <= budget * limits.errorBarShareMax) return outcome;
  const message = `The agent was paused for ${Math.round(paused)} ms during the check, so its timeout of ${budget} ms says nothing about the target: look for what stops, freezes or throttles the agent`;
  return { ...outcome, failure: failure("agent_error", "agent", message) };
}

const attempt = <K extends Kind>(
  kind: K,
  target: TargetOf<K>,
  deadline: Deadline,
  context: ProbeContext,
): Promise<OutcomeOf<K>> => probes[kind](target, deadline, context);
