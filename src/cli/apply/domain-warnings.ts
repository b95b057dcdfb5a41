import { quote } from "#cli/apply/shown-plan";
import type { Clock } from "#base/clock";
import * as limits from "#limits/cli-limits";
import type { PageDefinition } from "#service/status-page/page-definition";
import {
  type DomainLead,
  domainLeads,
  elsewhereWords,
  isReserved,
  type LookUp,
} from "#service/status-site/domain-look-up";

/** What a page of a file says of its address. */
export interface NamedPage {
  readonly definition: Pick<PageDefinition, "slug" | "customDomain">;
}

/** Domains of status pages that do not lead to the service yet. Files of examples have names that lead nowhere. */
export async function domainWarnings(
  pages: readonly NamedPage[],
  serviceUrl: string,
  tools: { readonly clock: Clock; readonly lookUp: LookUp },
): Promise<readonly string[]> {
  const named = pages
    .map(({ definition }) => definition)
    .filter(({ customDomain }) => customDomain !== "" && !isReserved(customDomain))
    .slice(0, limits.domainsLookedUpMax);
  if (named.length === 0) return [];
  const domains = named.map(({ customDomain }) => customDomain);
  const within = limits.domainLookUpTimeout;
  const leads = await domainLeads(domains, serviceUrl, { ...tools, within });
  return leads.flatMap((lead, n) => warningsOf(named[n], lead));
}

function warningsOf(page: NamedPage["definition"] | undefined, lead: DomainLead): string[] {
  if (page === undefined) return [];
  const { customDomain: domain } = page;
  const named = `status page ${quote(page.slug)}`;
  if (lead.is === "elsewhere") return [elsewhereWords(`${domain} of ${named}`, lead)];
  if (lead.is !== "nowhere") return [];
  return [
    `${named} cannot be reached at ${domain} yet: DNS has no address for the name. Point it to the service.`,
  ];
}
