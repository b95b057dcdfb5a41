import type { ExchangeWatch } from "#probes/resolve/exchange-watch";
import type { Deadline } from "#base/deadline";
import type { Failure, FailurePhase } from "#check/failure";
import type { DnsTarget } from "#check/monitor";
import type { DnsOutcome } from "#check/outcome";
import type { QueryEnd } from "#probes/resolve/ask-server";
import { type AskPolicy, askServers, policyOf } from "#probes/resolve/dns-exchange";
import { lookupFailure } from "#probes/resolve/dns-failure";
import { QueryTimes } from "#probes/resolve/query-times";
import type { MeasuredMark } from "#probes/socket/sockets";
import type { Probe, ProbeContext } from "#probes/connection/probe";
import type { NameServer, Resolution } from "#probes/resolve/resolving";
import { lookUpTimed } from "#probes/connection/timed-lookup";
import { Stopwatch } from "#probes/socket/stopwatch";

/**
 * Asks each type of the target, all at once, and judges the answers together: what one type has makes up for what
 * another lacks, but an error of the server is one whatever else it said. The name itself is what is checked, so that
 * a failure lies in the exchange: in the phase `wait`, or `write` where no query could be sent. The phase `dns` is the
 * look-up of a server that was given by name, and nothing else.
 */
export const probeDns: Probe<"dns"> = async (target, deadline, context) => {
  const stopwatch = new Stopwatch(context.clock, context.marker);
  const policy = await policyFor(target, deadline, stopwatch, context);
  const { asked, answered } = policy.ok
    ? await askAll(target, policy.value, deadline, stopwatch, context)
    : nobodyAsked;
  const phase = stopwatch.running === "write" ? "write" : "wait";
  // Where each question has its answer, the last of these is the end; a silence ends when we stop listening.
  stopwatch.stop(asked.every((one) => one.ok) ? answered?.mark : undefined);
  const spoken = asked.findLast((one) => one.ok) ?? asked.at(-1);
  return {
    kind: "dns",
    ...stopwatch.times,
    addresses: [],
    tls: null,
    evidence: null,
    server: spoken?.server ?? null,
    rcode: rcodeOf(asked),
    transport: spoken?.ok === true ? spoken.transport : null,
    measuredBy: answered?.measuredBy ?? null,
    records: recordsOf(asked),
    failure: policy.ok ? judge(target, asked, phase) : policy.failure,
  };
};

type PolicyFinding =
  | { readonly ok: true; readonly value: AskPolicy }
  | { readonly ok: false; readonly failure: Failure };

async function policyFor(
  { server }: DnsTarget,
  deadline: Deadline,
  stopwatch: Stopwatch,
  context: ProbeContext,
): Promise<PolicyFinding> {
  const { nameServers, systemNames, guard } = context;
  if (server === null)
    return {
      ok: true,
      value: nameServers.length > 0 ? policyOf(nameServers) : systemNames.resolvConf(),
    };
  const found = await addressesOf(server, deadline, stopwatch, context);
  if (!found.ok) return found;
  // The operator's own servers pass; one that a monitor names is a target like any other.
  const screened = guard.screen({ kind: "dns", ...server }, found.addresses);
  if (!screened.ok) return screened;
  const servers = screened.addresses.map((host) => ({ host, port: server.port }));
  return { ok: true, value: policyOf(servers) };
}

interface QueryRound {
  readonly asked: readonly QueryEnd[];
  /** The answer that came last. */
  readonly answered: MeasuredMark | null;
}

const nobodyAsked: QueryRound = { asked: [], answered: null };

async function addressesOf(
  server: NameServer,
  deadline: Deadline,
  stopwatch: Stopwatch,
  context: ProbeContext,
): Promise<Resolution> {
  const { host } = server;
  const denial = context.guard.hostDenial({ kind: "dns", ...server });
  if (denial !== null) return { ok: false, failure: denial };
  return lookUpTimed(host, { deadline, stopwatch, context });
}

/**
 * The measurement begins when the first query leaves: to make sockets and messages is our work, not the server's. Where
 * nothing could be sent, that is what failed, and it took from here.
 */
async function askAll(
  { name, types }: DnsTarget,
  policy: AskPolicy,
  deadline: Deadline,
  stopwatch: Stopwatch,
  context: ProbeContext,
): Promise<QueryRound> {
  const times = new QueryTimes();
  const begun = context.marker.acted();
  const asked = await Promise.all(
    types.map((type) => {
      const watch: ExchangeWatch = {
        marker: context.marker,
        onSending: (mark) => times.leaving(type, mark),
        onSent: (mark) => times.sent(type, mark),
        onAnswer: (arrived) => times.answeredAt(type, arrived),
      };
      return askServers({ name, type }, policy, deadline, context, watch);
    }),
  );
  stopwatch.enter("write", times.start ?? begun);
  if (times.lastSent !== null) stopwatch.enter("wait", times.lastSent);
  return { asked, answered: times.answered };
}

/** The worst code that was given: an error of one type is not hidden by the other's success. */
function rcodeOf(asked: readonly QueryEnd[]): string | null {
  const rcodes = asked.flatMap((one) => (one.ok ? [one.answer.rcode] : []));
  return rcodes.find((rcode) => rcode !== "NOERROR") ?? rcodes[0] ?? null;
}

/** Every type asked passes the same aliases: they are listed once. */
function recordsOf(asked: readonly QueryEnd[]): DnsOutcome["records"] {
  const all = asked.flatMap((one) => (one.ok ? one.answer.records : []));
  return all.filter(
    ({ type, value }, index) =>
      type !== "CNAME" ||
      all.findIndex((other) => other.type === type && other.value === value) === index,
  );
}

/**
 * Aliases that lead nowhere are no record of a type that was asked for. Having no record is what some assertions want,
 * and theirs to judge once a server has said so of the name itself.
 */
function judge(
  { name, types, recordsNeeded }: DnsTarget,
  asked: readonly QueryEnd[],
  phase: FailurePhase,
): Failure | null {
  const clean = asked.every((one) => one.ok && one.answer.rcode === "NOERROR");
  if (clean && recordsOf(asked).some(({ type }) => types.includes(type))) return null;
  const isSaid = asked.every((one) => one.ok && !one.answer.isReferral);
  return clean && isSaid && !recordsNeeded ? null : lookupFailure(asked, name, phase);
}
