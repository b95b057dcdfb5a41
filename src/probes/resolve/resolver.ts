import { isIP } from "node:net";
import type { Clock } from "#base/clock";
import { type Deadline, endedEarlierBy } from "#base/deadline";
import { Ending } from "#base/ending";
import { failure, type Failure } from "#check/failure";
import * as limits from "#limits/probes-limits";
import { dialOrder } from "#probes/resolve/address-order";
import type { QueryEnd } from "#probes/resolve/ask-server";
import { type AskPolicy, askServers, policyOf } from "#probes/resolve/dns-exchange";
import { lookupFailure } from "#probes/resolve/dns-failure";
import type { LookupWatch } from "#probes/resolve/exchange-watch";
import type { IpFamily, NameServer, Resolution, Resolver } from "#probes/resolve/resolving";
import { ServerOrder } from "#probes/resolve/server-order";
import { type SystemNames, systemNames } from "#probes/resolve/system-names";
import { plainSockets } from "#probes/socket/runtime-sockets";
import type { Sockets } from "#probes/socket/sockets";
import type { AskTools } from "#probes/resolve/dns-transport";
import { noTranscript, type Transcript } from "#probes/resolve/transcript";

interface StubOptions {
  readonly clock: Clock;
  /** Asked in place of the system's name servers; empty asks those. */
  readonly nameServers?: readonly NameServer[];
  readonly names?: SystemNames;
  readonly transcript?: Transcript;
  readonly sockets?: Sockets;
  readonly serverOrder?: ServerOrder;
}

/**
 * Our own stub resolver: hosts file, then the name servers with search domains and ndots. The C library's blocks a
 * thread of a small pool for each look-up, so that a few names that hang would stall every check. An address is given
 * back as it is, whatever the family.
 */
export function stubResolver({
  clock,
  nameServers = [],
  names = systemNames(clock),
  transcript = noTranscript,
  sockets = plainSockets(clock),
  serverOrder = new ServerOrder(clock),
}: StubOptions): Resolver {
  const inDialOrder = dialOrder(clock);
  return {
    resolve: async (host, family, deadline, watch) => {
      if (isIP(host) !== 0) return { ok: true, addresses: [host] };
      const known = inDialOrder(knownAddresses(host, names), family, host);
      if (known.ok) return known;
      const policy = nameServers.length > 0 ? policyOf(nameServers) : names.resolvConf();
      const failures: { readonly name: string; readonly failure: Failure }[] = [];
      for (const name of candidates(host, names)) {
        const tools = { clock, sockets, transcript, serverOrder };
        const found = await lookUp({ name, family, policy, watch }, deadline, tools);
        if (found.ok) return inDialOrder(found.addresses, family, host);
        failures.push({ name, failure: found.failure });
        if (deadline.ended !== null || !goesOn(found.failure)) break;
      }
      return { ok: false, failure: mostTelling(failures, host) };
    },
  };
}

/** RFC 6761 §6.3: localhost is this machine, whatever the files and servers say. */
function knownAddresses(host: string, names: SystemNames): readonly string[] {
  const name = withoutDot(host);
  return /(^|\.)localhost$/i.test(name) ? ["127.0.0.1", "::1"] : names.hosts(name);
}

/** resolv.conf(5): the name as it is and under each search domain, which first is a matter of its dots. */
function candidates(host: string, names: SystemNames): readonly string[] {
  if (host.endsWith(".")) return [withoutDot(host)].filter(isPossible);
  const { search, ndots } = names.resolvConf();
  const under = search.filter((domain) => domain !== "").map((domain) => `${host}.${domain}`);
  const dots = host.split(".").length - 1;
  return (dots >= ndots ? [host, ...under] : [...under, host]).filter(isPossible);
}

/** RFC 1035 §2.3.4: a name that does not fit these limits cannot even be asked for. */
const isPossible = (name: string): boolean =>
  name.length <= limits.dnsNameCharsMax &&
  name
    .split(".")
    .every((label) => label !== "" && Buffer.byteLength(label) <= limits.dnsLabelCharsMax);

/** The next candidate is worth a question when a server spoke of this one; where all are silent, it would be too. */
const goesOn = ({ code }: Failure): boolean =>
  code !== "dns_timeout" && code !== "dns_unreachable" && code !== "agent_error";

/** An error leaves open whether there is such a name; without one, the name as it was given says it best. */
function mostTelling(
  failures: readonly { readonly name: string; readonly failure: Failure }[],
  host: string,
): Failure {
  const absent = (code: string): boolean => code === "dns_nxdomain" || code === "dns_nodata";
  const telling =
    failures.find(({ failure }) => !absent(failure.code)) ??
    failures.find(({ failure }) => failure.code === "dns_nodata") ??
    failures.find(({ name }) => name === withoutDot(host));
  return (
    telling?.failure ??
    failure("dns_nxdomain", "dns", `name does not exist: ${host} (it is not a possible name)`)
  );
}

/** A name that is possible, and who is asked for it how. */
interface LookUp {
  readonly name: string;
  readonly family: IpFamily;
  readonly policy: AskPolicy;
  readonly watch: LookupWatch | undefined;
}

/** A and AAAA at once; once one has addresses, the other has a moment more (RFC 8305 §3). */
async function lookUp(
  { name, family, policy, watch }: LookUp,
  deadline: Deadline,
  tools: AskTools,
): Promise<Resolution> {
  const types = (["A", "AAAA"] as const).filter(
    (type) => family === "any" || (family === "4") === (type === "A"),
  );
  const enough = new Ending();
  const patience = endedEarlierBy(deadline, enough);
  const answers: QueryEnd[] = [];
  const { promise: first, resolve: onFirst } = Promise.withResolvers<void>();
  const all = Promise.all(
    types.map(async (type) => {
      const question = { name, type };
      const asked = await askServers(question, policy, patience, tools, watch?.asking(type));
      answers.push(asked);
      if (addressesOf(asked).length > 0) onFirst();
    }),
  );
  await Promise.race([all, first]);
  if (answers.length < types.length)
    await Promise.race([all, tools.clock.sleep(limits.dnsResolutionDelay, enough)]);
  enough.abort();
  const addresses = answers.flatMap(addressesOf);
  if (addresses.length > 0) return { ok: true, addresses };
  const why = lookupFailure(answers, name, "dns");
  return { ok: false, failure: why ?? failure("dns_timeout", "dns", `no answer for ${name}`) };
}

const addressesOf = (asked: QueryEnd): readonly string[] =>
  asked.ok
    ? asked.answer.records.flatMap(({ type, value }) =>
        type === "A" || type === "AAAA" ? [value] : [],
      )
    : [];

const withoutDot = (name: string): string => name.replace(/\.$/, "");
