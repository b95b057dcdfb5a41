import { meanRoundTrip } from "#check/echoes";
import type { Deadline } from "#base/deadline";
import type { Failure } from "#check/failure";
import type { IcmpTarget } from "#check/kinds/icmp/icmp-monitor";
import { noEchoes } from "#check/kinds/icmp/icmp-outcome";
import type { AddressAttempt, AttemptTimes, OutcomeOf } from "#check/outcome";
import { timedOut } from "#probes/socket/classify";
import { Stopwatch } from "#probes/socket/stopwatch";
import type { Probe, ProbeContext } from "#probes/connection/probe";
import { lookUpTimed } from "#probes/connection/timed-lookup";
import { EchoRound } from "#probes/icmp/echo-round";
import { roundEvidence, roundFailure } from "#probes/icmp/icmp-failure";
import { nanos } from "#base/units";

/**
 * Sends echo requests to the first address that this machine has a way to, and waits for each reply. The latency is the
 * mean of the replies: the time between the requests is our own pace, and in no figure.
 */
export const probeIcmp: Probe<"icmp"> = async (target, deadline, context) => {
  const stopwatch = new Stopwatch(context.clock, context.marker);
  const found = await addressesOf(target, deadline, stopwatch, context);
  if (!found.ok) {
    stopwatch.stop();
    const { failure } = found;
    return { ...noEchoes, ...stopwatch.times, addresses: [], tls: null, evidence: null, failure };
  }
  const looked = context.marker.acted();
  const tried: AddressAttempt[] = [];
  for (const [index, address] of found.addresses.entries()) {
    const round = new EchoRound(address, target, deadline, context);
    await round.run();
    const failed = roundFailure(round, deadline);
    const isLast = index === found.addresses.length - 1;
    if (failed !== null && round.firstLeft === null && !isLast && deadline.ended === null) {
      tried.push({ address, port: 0, ended: failed.code, elapsed: nanos(0), measuredBy: "event" });
      continue;
    }
    if (round.firstLeft !== null) {
      // From the look-up on, all of it is.
      stopwatch.ownWork(looked.at, looked.at);
      stopwatch.enter("connect", round.firstLeft);
    }
    stopwatch.stop((failed === null ? round.lastCame : null) ?? undefined);
    return outcomeOf(round, failed, stopwatch.times, tried);
  }
  throw new Error("a name has at least one address");
};

type Addresses =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

async function addressesOf(
  { host }: IcmpTarget,
  deadline: Deadline,
  stopwatch: Stopwatch,
  context: ProbeContext,
): Promise<Addresses> {
  const { guard } = context;
  const pinged = { kind: "icmp", host, port: null } as const;
  const denial = guard.hostDenial(pinged);
  if (denial !== null) return { ok: false, failure: denial };
  const resolved = await lookUpTimed(host, { deadline, stopwatch, context });
  if (!resolved.ok)
    return deadline.ended === null
      ? resolved
      : { ok: false, failure: timedOut(deadline, "dns", host) };
  const screened = guard.screen(pinged, resolved.addresses);
  return screened.ok
    ? { ok: true, addresses: screened.addresses }
    : { ok: false, failure: screened.failure };
}

function outcomeOf(
  round: EchoRound,
  failed: Failure | null,
  times: AttemptTimes,
  before: readonly AddressAttempt[],
): OutcomeOf<"icmp"> {
  const { address, echoes, hopLimit, duplicates } = round;
  const elapsed = nanos(times.total - (times.phases.dns ?? 0) - (times.own ?? 0));
  const ended = failed?.code ?? "connected";
  return {
    kind: "icmp",
    ...(failed === null ? meanTimes(round, times) : times),
    addresses: [...before, { address, port: 0, ended, elapsed, measuredBy: "kernel" }],
    tls: null,
    evidence: failed === null || failed.phase === "agent" ? null : roundEvidence(round),
    address,
    echoes: [...echoes],
    hopLimit,
    duplicates,
    failure: failed,
  };
}

/** The look-up of the name, and the mean of the replies. */
function meanTimes(round: EchoRound, times: AttemptTimes): AttemptTimes {
  const mean = nanos(Math.round(meanRoundTrip(round) ?? 0));
  const { dns } = times.phases;
  const doubt = Math.max(0, ...round.echoes.map(({ errorBar }) => errorBar));
  return {
    ...times,
    phases: { ...times.phases, connect: mean },
    total: nanos((dns ?? 0) + mean),
    own: null,
    errorBar: nanos(dns === null ? doubt : Math.max(doubt, times.errorBar)),
    ownErrorBar: nanos(0),
  };
}
