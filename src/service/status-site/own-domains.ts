import type { IncomingMessage, RequestListener } from "node:http";
import type { PublicAddress } from "#service/edge/public-address";
import type { PublishedPages } from "#service/status-site/published-pages";
import type { AnsweredHost } from "#web/answered-host";

/** The name by which a request calls us: in small letters, without a port and without the dot that may end it. */
export const hostIn = ({ headers }: Pick<IncomingMessage, "headers">): string =>
  (headers.host ?? "").toLowerCase().replace(/\.?(:\d{1,5})?$/, "");

interface DomainRooms {
  readonly published: PublishedPages;
  /** Which names are this machine's. */
  readonly answered: AnsweredHost;
  readonly publicAddress: Pick<PublicAddress, "url">;
}

/** Which requests are for a status page's own domain, if there is that page and nothing else. */
export class OwnDomains {
  readonly #rooms: DomainRooms;

  constructor(rooms: DomainRooms) {
    this.#rooms = rooms;
  }

  /** Whether a request calls the service by one of its names, and not by one that only leads to it. */
  isServices(request: IncomingMessage): boolean {
    const { answered, publicAddress } = this.#rooms;
    if (answered(request.headers.host ?? "")) return true;
    return publicAddress.url !== null && hostIn(request) === new URL(publicAddress.url).hostname;
  }

  async has(request: IncomingMessage): Promise<boolean> {
    if (this.isServices(request)) return false;
    const names = await this.#rooms.published.names().catch(() => null);
    const host = hostIn(request);
    return names !== null && (names.domains.has(host) || names.formerDomains.has(host));
  }

  /** Has requests for one of these domains answered by `pages`, and all others by `otherwise`. */
  before(pages: RequestListener, otherwise: RequestListener): RequestListener {
    return (request, response) => {
      if (this.isServices(request)) return otherwise(request, response);
      void this.has(request).then((isPages) => (isPages ? pages : otherwise)(request, response));
    };
  }
}
