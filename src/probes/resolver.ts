import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Clock } from "#clock";
import type { Deadline } from "#deadline";
import { failure, type Failure } from "#failure";
import * as limits from "#limits";
import { timedOut } from "#probes/classify";
import { type AskPolicy, type Asked, askServers, policyOf } from "#probes/dns-exchange";
import type { NameServer } from "#probes/probe";
import { type SystemNames, systemNames } from "#probes/system-names";

/** Finds the addresses of a name, as the host would. Each look-up stands alone: nothing is kept, nothing waits for another. */
export interface Resolver {
  /** At most `addressesMax` addresses, in the order in which to dial them. Ends when the deadline does. */
  resolve(host: string, family: IpFamily, deadline: Deadline): Promise<Resolution>;
}

export type IpFamily = "any" | "4" | "6";

export type Resolution =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

export interface StubOptions {
  readonly clock: Clock;
  /** Asked in place of the system's name servers; empty asks those. */
  readonly nameServers?: readonly NameServer[];
  readonly names?: SystemNames;
}

/**
 * Our own stub resolver: hosts file, then the name servers with search domains and ndots. The C library's blocks a
 * thread of a small pool for each look-up, so that a few names that hang would stall every check.
 */
export function stubResolver({
  clock,
  nameServers = [],
  names = systemNames(clock),
}: StubOptions): Resolver {
  const policy = (): AskPolicy =>
    nameServers.length > 0 ? policyOf(nameServers) : names.resolvConf();
  return {
    resolve: async (host, family, deadline) => {
      const known = isIP(host) === 0 ? knownAddresses(host, names) : [host];
      if (known.length > 0) return inOrder(known, family, host);
      let first: Failure | null = null;
      for (const candidate of candidates(host, names)) {
        const found = await lookUp(candidate, family, policy(), deadline, clock);
        if (found.ok) return inOrder(found.addresses, family, host);
        first ??= found.failure;
        if (deadline.ended !== null) return { ok: false, failure: timedOut(deadline, "dns", host) };
      }
      return {
        ok: false,
        failure: first ?? failure("dns_nxdomain", "dns", `name does not exist: ${host}`),
      };
    },
  };
}

/** RFC 6761 §6.3: localhost is this machine, whatever the files and servers say. */
function knownAddresses(host: string, names: SystemNames): readonly string[] {
  const name = host.replace(/\.$/, "");
  const listed = names.hosts(name);
  if (listed.length > 0) return listed;
  return /(^|\.)localhost$/i.test(name) ? ["127.0.0.1", "::1"] : [];
}

/** resolv.conf(5): the name as it is and under each search domain, which first is a matter of its dots. */
function candidates(host: string, names: SystemNames): readonly string[] {
  if (host.endsWith(".")) return [host.slice(0, -1)];
  const { search, ndots } = names.resolvConf();
  const under = search.filter((domain) => domain !== "").map((domain) => `${host}.${domain}`);
  const dots = host.split(".").length - 1;
  const all = dots >= ndots ? [host, ...under] : [...under, host];
  return all.filter((name) => name.length <= limits.dnsNameCharsMax);
}

/** A and AAAA at once; once one has addresses, the other has a moment more (RFC 8305 §3). */
async function lookUp(
  name: string,
  family: IpFamily,
  policy: AskPolicy,
  deadline: Deadline,
  clock: Clock,
): Promise<Resolution> {
  const types = (["A", "AAAA"] as const).filter(
    (type) => family === "any" || (family === "4") === (type === "A"),
  );
  const found: string[] = [];
  const failures: Asked[] = [];
  const ready = Promise.withResolvers<void>();
  const asking = types.map(async (type) => {
    const asked = await askServers({ name, type }, policy, deadline, clock);
    const addresses = asked.ok
      ? asked.answer.records.flatMap((record) => (record.type === type ? [record.value] : []))
      : [];
    if (addresses.length === 0) failures.push(asked);
    else ready.resolve();
    found.push(...addresses);
  });
  const all = Promise.all(asking);
  await Promise.race([all, ready.promise]);
  if (failures.length + (found.length > 0 ? 1 : 0) < types.length) {
    const patience = new AbortController();
    await Promise.race([all, clock.sleep(limits.dnsResolutionDelay, patience.signal)]);
    patience.abort();
  }
  if (found.length > 0) return { ok: true, addresses: found };
  return { ok: false, failure: whyNone(name, failures) };
}

/** Of two failures, the one that says more: a name that does not exist before a server that does not answer. */
function whyNone(name: string, failures: readonly Asked[]): Failure {
  const answered = failures.find((asked) => asked.ok) ?? failures[0];
  if (answered === undefined) return failure("dns_timeout", "dns", `no answer for ${name}`);
  if (!answered.ok)
    return failure(answered.code, "dns", `cannot resolve ${name}: ${answered.message}`);
  return rcodeFailure(name, answered.answer.rcode, answered.server);
}

/** What a response code without usable records means. */
export function rcodeFailure(name: string, rcode: string, server: string): Failure {
  const from = `(${rcode} from ${server})`;
  switch (rcode) {
    case "NOERROR":
      return failure(
        "dns_nodata",
        "dns",
        `name has no record of the types asked: ${name} (from ${server})`,
      );
    case "NXDOMAIN":
      return failure("dns_nxdomain", "dns", `name does not exist: ${name} ${from}`);
    case "SERVFAIL":
      return failure("dns_servfail", "dns", `name server could not answer for ${name} ${from}`);
    case "REFUSED":
      return failure("dns_refused", "dns", `name server refused to answer for ${name} ${from}`);
    default:
      return failure("dns_rcode", "dns", `name server answered with an error for ${name} ${from}`);
  }
}

/** The addresses of the wanted family, alternating, IPv6 first where this machine has an IPv6 address of its own. */
function inOrder(addresses: readonly string[], family: IpFamily, host: string): Resolution {
  const v6 = addresses.filter((address) => address.includes(":") && family !== "4");
  const v4 = addresses.filter((address) => !address.includes(":") && family !== "6");
  const [first, second] = hasGlobalIpv6() ? [v6, v4] : [v4, v6];
  const mixed = Array.from({ length: Math.max(first.length, second.length) }, (_, index) =>
    [first[index], second[index]].filter((address) => address !== undefined),
  ).flat();
  if (mixed.length > 0) return { ok: true, addresses: mixed.slice(0, limits.addressesMax) };
  return {
    ok: false,
    failure: failure("dns_nodata", "dns", `name has no IPv${family} address: ${host}`),
  };
}

function hasGlobalIpv6(): boolean {
  return Object.values(networkInterfaces())
    .flat()
    .some((at) => at?.family === "IPv6" && !at.internal && !/^fe80:/i.test(at.address));
}

/** The system's getaddrinfo, for hosts whose names come from NSS plug-ins. An abandoned look-up runs on, unheard. */
export function systemResolver(): Resolver {
  return {
    resolve: async (host, family, deadline) => {
      const { promise: late, resolve: onLate } = Promise.withResolvers<Resolution>();
      const end = (): void => onLate({ ok: false, failure: timedOut(deadline, "dns", host) });
      deadline.signal.addEventListener("abort", end, { once: true });
      if (deadline.signal.aborted) end();
      const looking = lookup(host, { all: true, family: family === "any" ? 0 : Number(family) });
      const found = looking.then(
        (all): Resolution =>
          inOrder(
            all.map(({ address }) => address),
            family,
            host,
          ),
        (error: unknown): Resolution => ({ ok: false, failure: lookupFailure(host, error) }),
      );
      const resolution = await Promise.race([found, late]);
      deadline.signal.removeEventListener("abort", end);
      return resolution;
    },
  };
}

function lookupFailure(host: string, error: unknown): Failure {
  const code = Error.isError(error) && "code" in error ? String(error.code) : "";
  if (code === "ENOTFOUND" || code === "ENODATA")
    return failure("dns_nxdomain", "dns", `name does not exist: ${host} (getaddrinfo)`);
  return failure(
    "dns_servfail",
    "dns",
    `the system could not resolve ${host} (getaddrinfo ${code})`,
  );
}
