import { lookup } from "node:dns/promises";
import { quote } from "#cli/apply/shown-plan";
import type { Clock } from "#base/clock";
import * as limits from "#limits/cli-limits";
import type { PageDefinition } from "#service/status-page/page-definition";

/** All addresses of a host name as this machine sees them; rejects with the system's error. */
export type LookUp = (host: string) => Promise<readonly string[]>;

export const systemLookUp: LookUp = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** What a page of a file says of its address. */
export interface NamedPage {
  readonly definition: Pick<PageDefinition, "slug" | "customDomain">;
}

/**
 * Domains of status pages that do not lead to the service yet. It never rejects: what cannot be looked up in time is left
 * out, so that a plan does not depend on DNS.
 */
export async function domainWarnings(
  pages: readonly NamedPage[],
  serviceUrl: string,
  { clock, lookUp }: { readonly clock: Clock; readonly lookUp: LookUp },
): Promise<readonly string[]> {
  const named = pages.filter(({ definition }) => isLookedUp(definition.customDomain));
  if (named.length === 0) return [];
  const over = new AbortController();
  const late = clock.sleep(limits.domainLookUpTimeout, over.signal).then(() => null);
  const addressesOf = (host: string): Promise<Addresses | null> =>
    Promise.race([late, looked(host, lookUp)]);
  const service = new URL(serviceUrl).hostname.replace(/^\[|\]$/g, "");
  const here = await addressesOf(service);
  const warnings = named.slice(0, limits.domainsLookedUpMax).map(async ({ definition }) => {
    const there = await addressesOf(definition.customDomain);
    const page = `status page ${quote(definition.slug)}`;
    return there === null ? null : warningOf(page, definition.customDomain, there, here ?? []);
  });
  const found = await Promise.all(warnings);
  over.abort();
  return found.filter((warning) => warning !== null);
}

/** Names that RFC 6761 keeps for examples and tests lead nowhere. */
const isLookedUp = (domain: string): boolean =>
  domain !== "" && !/(^|\.)(test|example|invalid|localhost)$/i.test(domain);

/** None if the name has no address. */
type Addresses = readonly string[];

/** Null if no one can say. */
const looked = (host: string, lookUp: LookUp): Promise<Addresses | null> =>
  lookUp(host).catch((error: unknown) =>
    Error.isError(error) && "code" in error && error.code === "ENOTFOUND" ? [] : null,
  );

function warningOf(page: string, domain: string, there: Addresses, here: Addresses): string | null {
  const [first] = there;
  if (first === undefined)
    return `${page} cannot be reached at ${domain} yet: DNS has no address for the name. Point it to the service.`;
  // A service that is asked on this machine has another address for its readers.
  const isElsewhere =
    here.length > 0 && !here.some((one) => isLoopback(one) || there.includes(one));
  if (!isElsewhere) return null;
  return `${domain} of ${page} points to ${first}, and the service is at ${here.join(", ")}. That is right only if a proxy at ${first} leads to the service.`;
}

const isLoopback = (address: string): boolean => address === "::1" || address.startsWith("127.");
