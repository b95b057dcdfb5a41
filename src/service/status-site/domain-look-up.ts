import { lookup } from "node:dns/promises";
import type { Clock } from "#base/clock";
import type { Millis } from "#base/units";

/** All addresses of a host name as this machine sees them; rejects with the system's error. */
export type LookUp = (host: string) => Promise<readonly string[]>;

export const systemLookUp: LookUp = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Where DNS leads a domain: "unknown" if no one can say. */
export type DomainLead =
  | { readonly is: "unknown" | "nowhere" | "here" }
  | { readonly is: "elsewhere"; readonly first: string; readonly here: readonly string[] };

interface LookUpTools {
  readonly clock: Clock;
  readonly lookUp: LookUp;
  /** How long all of it may take. */
  readonly within: Millis;
}

/**
 * Where domains lead, in their order. It never rejects: what cannot be looked up in time is unknown, so that nothing
 * depends on DNS. With `serviceUrl` null, they are not compared with the service.
 */
export async function domainLeads(
  domains: readonly string[],
  serviceUrl: string | null,
  { clock, lookUp, within }: LookUpTools,
): Promise<readonly DomainLead[]> {
  const over = new AbortController();
  const late = clock.sleep(within, over.signal).then(() => null);
  const addressesOf = (host: string): Promise<Addresses | null> =>
    Promise.race([late, looked(host, lookUp)]);
  const here = serviceUrl === null ? null : await addressesOf(hostOf(serviceUrl));
  const leads = await Promise.all(
    domains.map(async (domain) => leadOf(await addressesOf(domain), here ?? [])),
  );
  over.abort();
  return leads;
}

/** Names that RFC 6761 keeps for examples and tests: DNS has no address for them. */
export const isReserved = (domain: string): boolean =>
  /(^|\.)(test|example|invalid|localhost)$/i.test(domain);

/** What is said of a name that leads elsewhere. */
export const elsewhereWords = (
  named: string,
  { first, here }: Extract<DomainLead, { readonly is: "elsewhere" }>,
): string =>
  `${named} points to ${first}, and the service is at ${here.join(", ")}. That is right only if a proxy at ${first} leads to the service.`;

export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

/** None if the name has no address. */
type Addresses = readonly string[];

/** Null if no one can say. */
const looked = (host: string, lookUp: LookUp): Promise<Addresses | null> =>
  lookUp(host).catch((error: unknown) =>
    Error.isError(error) && "code" in error && error.code === "ENOTFOUND" ? [] : null,
  );

function leadOf(there: Addresses | null, here: Addresses): DomainLead {
  if (there === null) return { is: "unknown" };
  const [first] = there;
  if (first === undefined) return { is: "nowhere" };
  // A service that is asked on this machine has another address for its readers.
  const isElsewhere =
    here.length > 0 && !here.some((one) => isLoopback(one) || there.includes(one));
  return isElsewhere ? { is: "elsewhere", first, here } : { is: "here" };
}

export const isLoopback = (address: string): boolean =>
  address === "::1" || address.startsWith("127.");
