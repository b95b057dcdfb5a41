import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Clock } from "#base/clock";
import * as limits from "#limits/status-limits";
import type { Logger } from "#base/log";
import { type Block, parseBlock } from "#network/address-block";
import { mailDomain } from "#service/notify/mail-address";
import { isSecure } from "#service/edge/request-facts";
import type { SecretBox } from "#service/edge/secret-box";
import type { StatusPages } from "#service/status-site/status-pages";
import type { Visit } from "#service/status-site/page-visit";
import type { PublishedPage } from "#service/status-site/published-pages";
import type { PagePlace } from "#service/status-site/view/status-frame";
import { isOpenTo } from "#service/status-page/page-definition";
import { cookieIn, type CookieName } from "#web/cookie";
import { isAmong, peerOf, readersAddress, unknownProxy } from "#web/reader-address";
import { after, type EpochMillis, type Millis } from "#base/units";

export interface GateRooms {
  readonly statusPages: StatusPages;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** Whether a reader may see a page, and if not, what would let it in. */
export type Admission = "open" | "password" | "closed to address" | "mail";

/** A reader's request for a page, at one of its places. */
type GateRequest = Pick<Visit, "page" | "place" | "request">;

/** What a reader's cookie holds, and how long it lets in. */
export interface Session {
  readonly value: string;
  readonly length: Millis;
}

/** A link that signs in: which mail it was in, and where its reader wanted to go. */
interface EntryLink {
  readonly page: number;
  readonly ask: number;
  readonly at: EpochMillis;
  readonly address: string;
  readonly next: string;
}

/** Names the address's domain and not the address: whoever sees the link learns nothing of its reader. */
export const entryToken = (box: SecretBox, { address, ...link }: EntryLink): string =>
  box.seal(JSON.stringify({ ...link, domain: mailDomain(address) }), entryPurpose);

/** Stands before every route of a page: feeds, badges and JSON like the page itself. */
export class PageGate {
  readonly #rooms: GateRooms;
  readonly #trustedProxies: readonly Block[];
  readonly #log: Logger;
  /** Proxies that the log has named. */
  readonly #named = new Set<string>();

  constructor(rooms: GateRooms, trustedProxies: readonly Block[], log: Logger) {
    this.#rooms = rooms;
    this.#trustedProxies = trustedProxies;
    this.#log = log;
  }

  admission(asked: GateRequest): Admission {
    const { page, request } = asked;
    const { access, addressRanges } = page.facts.definition;
    switch (access) {
      case "public":
        return "open";
      case "ip-restriction": {
        const ranges = addressRanges.flatMap((one) => parseBlock(one.trim()) ?? []);
        const isIn = this.#addresses(request).every((address) => isAmong(address, ranges));
        return isIn ? "open" : "closed to address";
      }
      case "password":
        return this.#hasCookie(asked) ? "open" : "password";
      case "email-domain":
        return this.#hasDomain(asked) ? "open" : "mail";
    }
  }

  addressOf(request: IncomingMessage): string {
    return readersAddress(request, this.#trustedProxies);
  }

  /**
   * All that have to be in the ranges of a page. A proxy that we do not know may be in them while the person behind it is
   * not, so the address that it names is asked for, too. Whoever writes the header themselves gains nothing by that.
   */
  #addresses(request: IncomingMessage): readonly string[] {
    const unknown = unknownProxy(request, this.#trustedProxies);
    const address = this.addressOf(request);
    if (unknown !== null) this.#warnOf(unknown.proxy, "sent X-Forwarded-For", nameIt);
    if (address === "") this.#warnOf(peerOf(request), "sent no X-Forwarded-For", haveItSent);
    return unknown === null ? [address] : [unknown.proxy, unknown.reader];
  }

  /** Once for each proxy. */
  #warnOf(proxy: string, deed: string, advice: string): void {
    if (this.#named.has(proxy) || this.#named.size >= limits.proxiesWarnedOfMax) return;
    this.#named.add(proxy);
    this.#log.warn(
      `a status page that is restricted to networks was asked for by ${proxy}, which ${deed}: ${advice}`,
      { "client.address": proxy },
    );
  }

  /** What the cookie of a reader holds who knows the password; null for whoever does not. */
  entered(page: PublishedPage, password: string): Session | null {
    const own = this.#password(page);
    if (own === null || !isSame(password.trim(), own.trim())) return null;
    return this.#session(page.id, digest(own), limits.statusSessionLength, purpose);
  }

  #session(page: number, mark: string, length: Millis, by: string): Session {
    const until = after(this.#rooms.clock.wall(), length);
    return { value: this.#rooms.box.seal(`${page} ${mark} ${until}`, by), length };
  }

  /** Whether a mail's link can let in still; it may have been used. */
  isEntry(page: PublishedPage, token: string): boolean {
    return this.#entryIn(page, token) !== null;
  }

  /** Uses a mail's link up; null if that is not possible any more. */
  async enteredByMail(
    page: PublishedPage,
    token: string,
  ): Promise<(Session & { readonly next: string }) | null> {
    const link = this.#entryIn(page, token);
    if (link === null) return null;
    const { statusPages, clock } = this.#rooms;
    if (!(await statusPages.useEntry(page.id, link.ask, clock.wall()))) return null;
    const length = limits.entrySessionLength;
    return { ...this.#session(page.id, link.domain, length, byMail), next: link.next };
  }

  #entryIn({ id, facts }: PublishedPage, token: string): OpenedLink | null {
    const { box, clock } = this.#rooms;
    const text = box.open(token, entryPurpose);
    if (text === null) return null;
    const link: OpenedLink = JSON.parse(text);
    const isOver = after(link.at, limits.entryWithin) <= clock.wall();
    const { access } = facts.definition;
    if (link.page !== id || isOver || access !== "email-domain") return null;
    return isOpenTo(facts.definition, link.domain) ? link : null;
  }

  /** It ends with its time, and when its domain is no longer among the page's. */
  #hasDomain(asked: GateRequest): boolean {
    const domain = this.#markIn(asked, byMail);
    return domain !== null && isOpenTo(asked.page.facts.definition, domain);
  }

  /** What a cookie of this page says of its reader; null for one that is over or not of ours. */
  #markIn({ page: { id }, place, request }: GateRequest, by: string): string | null {
    const cookie = cookieIn(request.headers.cookie, pageCookie(id, place), isSecure(request));
    const opened = cookie === null ? null : this.#rooms.box.open(cookie, by);
    const [of = "", mark = "", until = ""] = opened?.split(" ") ?? [];
    return of === String(id) && Number(until) > this.#rooms.clock.wall() ? mark : null;
  }

  /** It ends with its time, and with the password. */
  #hasCookie(asked: GateRequest): boolean {
    const mark = this.#markIn(asked, purpose);
    if (mark === null) return false;
    const own = this.#password(asked.page);
    return own !== null && mark === digest(own);
  }

  /** Null if it has none, or the key that sealed it is not there: then no one is let in. */
  #password({ row }: PublishedPage): string | null {
    const password = this.#rooms.statusPages.passwordOf(row);
    return password === "" ? null : password;
  }
}

const purpose = "a reader of a status page";
const byMail = "a reader of a status page by mail";
const entryPurpose = "a link that signs in to a status page";

/** What `entryToken` has sealed. */
interface OpenedLink extends Omit<EntryLink, "address"> {
  readonly domain: string;
}

const nameIt = "if that is your own reverse proxy, name it in PICKET_SERVICE_TRUSTED_PROXIES";
const haveItSent =
  "have that proxy send the header: without it, the page refuses every reader behind this proxy";

/** Below the page's path: a reader of many pages sends one cookie at a time. */
export const pageCookie = (id: number, { base }: PagePlace): CookieName => ({
  name: `picket-page-${id}`,
  path: base === "" ? "/" : base,
});

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(digest(a)), Buffer.from(digest(b)));
