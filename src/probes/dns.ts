import { isIP } from "node:net";
import type { Deadline } from "#deadline";
import { failure, type Failure } from "#failure";
import type { DnsTarget } from "#monitor";
import type { DnsOutcome } from "#outcome";
import { timedOut } from "#probes/classify";
import { type Asked, type AskPolicy, askServers, policyOf } from "#probes/dns-exchange";
import type { Probe, ProbeContext } from "#probes/probe";
import { rcodeFailure } from "#probes/resolver";
import { Stopwatch } from "#probes/stopwatch";
import { systemNames } from "#probes/system-names";

/**
 * Asks each type of the target, all at once, and judges the answers together: what one type has makes up for what
 * another lacks, but an error of the server is one whatever else it said. Failures after the query was sent are in the
 * phase `wait`; only the look-up of a server given by name is in `dns`.
 */
export const probeDns: Probe<"dns"> = async (target, deadline, context) => {
  const stopwatch = new Stopwatch(context.clock);
  const policy = await policyFor(target, deadline, stopwatch, context);
  const asked = policy.ok ? await askAll(target, policy.value, deadline, stopwatch, context) : [];
  stopwatch.stop();
  const spoken = asked.findLast((one) => one.ok) ?? asked.at(-1);
  return {
    kind: "dns",
    startedAt: stopwatch.startedAt,
    phases: stopwatch.phases,
    total: stopwatch.total,
    addresses: [],
    tls: null,
    errorBar: null,
    server: spoken?.server ?? null,
    rcode: rcodeOf(asked),
    transport: spoken?.ok === true ? spoken.transport : null,
    records: recordsOf(asked),
    failure: policy.ok ? judge(target, asked, deadline) : policy.failure,
  };
};

type PolicyFound =
  | { readonly ok: true; readonly value: AskPolicy }
  | { readonly ok: false; readonly failure: Failure };

async function policyFor(
  { server }: DnsTarget,
  deadline: Deadline,
  stopwatch: Stopwatch,
  { nameServers, resolver, ipFamily, clock }: ProbeContext,
): Promise<PolicyFound> {
  if (server === null)
    return {
      ok: true,
      value: nameServers.length > 0 ? policyOf(nameServers) : systemNames(clock).resolvConf(),
    };
  if (isIP(server.host.replace(/%.*$/, "")) !== 0) return { ok: true, value: policyOf([server]) };
  stopwatch.enter("dns");
  const found = await resolver.resolve(server.host, ipFamily, deadline);
  if (!found.ok) return found;
  const servers = found.addresses.map((host) => ({ host, port: server.port }));
  return { ok: true, value: policyOf(servers) };
}

async function askAll(
  { name, types }: DnsTarget,
  policy: AskPolicy,
  deadline: Deadline,
  stopwatch: Stopwatch,
  { clock }: ProbeContext,
): Promise<readonly Asked[]> {
  stopwatch.enter("write");
  let unsent = types.length;
  const onSent = (): void => {
    unsent -= 1;
    if (unsent === 0) stopwatch.enter("wait");
  };
  const asked = await Promise.all(
    types.map((type) => askServers({ name, type }, policy, deadline, clock, onSent)),
  );
  return asked;
}

/** The worst code that was given: an error of one type is not hidden by the other's success. */
function rcodeOf(asked: readonly Asked[]): string | null {
  const rcodes = asked.flatMap((one) => (one.ok ? [one.answer.rcode] : []));
  return rcodes.find((rcode) => rcode !== "NOERROR") ?? rcodes[0] ?? null;
}

/** Every type asked passes the same aliases: they are listed once. */
function recordsOf(asked: readonly Asked[]): DnsOutcome["records"] {
  const all = asked.flatMap((one) => (one.ok ? one.answer.records : []));
  return all.filter(
    ({ type, value }, index) =>
      type !== "CNAME" ||
      all.findIndex((other) => other.type === type && other.value === value) === index,
  );
}

function judge({ name }: DnsTarget, asked: readonly Asked[], deadline: Deadline): Failure | null {
  const broken = asked.find((one) => !one.ok);
  if (broken !== undefined && !broken.ok) {
    if (
      deadline.ended !== null &&
      broken.code !== "dns_malformed" &&
      broken.code !== "dns_truncated"
    )
      return inWait(timedOut(deadline, "dns", `${name} at ${broken.server ?? "the name server"}`));
    return failure(broken.code, "wait", broken.message);
  }
  const erring = asked.find((one) => one.ok && one.answer.rcode !== "NOERROR");
  if (erring?.ok === true) return inWait(rcodeFailure(name, erring.answer.rcode, erring.server));
  if (asked.some((one) => one.ok && one.answer.records.length > 0)) return null;
  const empty = asked[0];
  return inWait(rcodeFailure(name, "NOERROR", empty?.server ?? "the name server"));
}

/** A DNS check resolves nothing on the way: its failures lie in its own exchange, unless it was cancelled. */
const inWait = (failed: Failure): Failure =>
  failed.phase === "dns" ? { ...failed, phase: "wait" } : failed;
