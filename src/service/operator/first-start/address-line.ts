import { html, type Html } from "#web/page/html";
import { may } from "#service/operator/roles";
import type { PageRequest } from "#service/operator/page-request";
import type { PublicAddress } from "#service/edge/public-address";

/** Until messages have links: how they get them, by the address that is in use. Null if they have. */
export function addressLine(
  { linkUrl }: Pick<PublicAddress, "linkUrl">,
  { reader, address }: Pick<PageRequest, "reader" | "address">,
): Html | null {
  if (linkUrl !== null) return null;
  const words =
    "Messages have no links yet: the service does not know by which address people open it.";
  if (!may(reader, "owner"))
    return html`<p class="words">${words} An owner can say it in <em>Settings → Service</em>.</p>`;
  return html`<form method="post" action="/settings/service" class="address-line">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="next" value="/start" />
    <input type="hidden" name="address" value="${address}" />
    <p class="words">${words}</p>
    <button type="submit" class="small">Use ${address}</button>
    <a href="/settings/service">Give another address</a>
  </form>`;
}
