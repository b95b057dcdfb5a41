import type { PublicAddress } from "#service/edge/public-address";
import type { FormNotice } from "#service/operator/form-notice";
import type { PageRooms } from "#service/operator/page-rooms";
import {
  type DomainLead,
  elsewhereWords,
  hostOf,
  isLoopback,
} from "#service/status-site/domain-look-up";
import { isReached } from "#service/status-site/page-address";
import { ownDomain } from "#service/status-page/page-definition";
import type { StatusPageRow } from "#service/store/page-store";

interface DomainRooms extends Pick<PageRooms, "domainLooks"> {
  readonly publicAddress: Pick<PublicAddress, "url">;
}

/** What is said of a page's own domain until a request has come by it over https; null of every other page. */
export async function domainNote(
  { publicAddress, domainLooks }: DomainRooms,
  row: StatusPageRow,
): Promise<string | null> {
  const domain = ownDomain(row.definition);
  if (domain === "" || isReached(row)) return null;
  const { url } = publicAddress;
  const lead = await domainLooks.leadOf(domain, url);
  const until =
    url === null
      ? ""
      : ` Until the first reader reaches the page there by https, links keep the address they have.`;
  return `${leadWords(domain, lead, serviceWords(url))}${until}`;
}

/** The same behind "Saved". */
export const domainNotice = (note: string): FormNotice => ({
  words: `Saved. ${note}`,
  isFault: false,
  isDoubtful: true,
});

/** Where a domain has to lead: a service that is asked on its own machine does not know its address for readers. */
function serviceWords(url: string | null): string {
  const host = url === null ? "" : hostOf(url);
  return host === "" || host === "localhost" || isLoopback(host)
    ? "the address at which readers reach this machine, or the proxy in front of this service"
    : host;
}

function leadWords(domain: string, lead: DomainLead, service: string): string {
  switch (lead.is) {
    case "nowhere":
      return `${domain} has no address in DNS yet: point it at ${service}.`;
    case "elsewhere":
      return elsewhereWords(domain, lead);
    case "here":
      return `${domain} has an address in DNS: open https://${domain} to see that the page is there.`;
    case "unknown":
      return `DNS did not say where ${domain} leads: it has to lead to ${service}.`;
  }
}
