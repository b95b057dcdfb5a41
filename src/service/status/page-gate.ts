import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Clock } from "#clock";
import * as limits from "#limits/status-limits";
import { type Block, covers, parseBlock, writtenAddress } from "#network/address-block";
import { isMapped, lowestFour } from "#network/address-block";
import { cookieIn } from "#service/pages/sessions";
import type { SecretBox } from "#service/secret-box";
import type { StatusPages } from "#service/status/status-pages";
import type { PublishedPage } from "#service/status/published-pages";
import { after } from "#units";

export interface GateRooms {
  readonly statusPages: StatusPages;
  readonly box: SecretBox;
  readonly clock: Clock;
}

/** Whether a reader may see a page, and if not, what would let it in. */
export type Admission = "open" | "password" | "closed to address" | "closed to mail";

/** Stands before every route of a page: feeds, badges and JSON like the page itself. */
export class PageGate {
  readonly #rooms: GateRooms;
  readonly #trustedProxies: readonly Block[];

  constructor(rooms: GateRooms, trustedProxies: readonly Block[]) {
    this.#rooms = rooms;
    this.#trustedProxies = trustedProxies;
  }

  async admission(page: PublishedPage, request: IncomingMessage): Promise<Admission> {
    const { access, addressRanges } = page.facts.definition;
    switch (access) {
      case "public":
        return "open";
      case "ip-restriction": {
        const ranges = addressRanges.flatMap((one) => parseBlock(one) ?? []);
        return isAmong(this.addressOf(request), ranges) ? "open" : "closed to address";
      }
      case "password":
        return (await this.#hasCookie(page.id, request)) ? "open" : "password";
      case "email-domain":
        return "closed to mail";
    }
  }

  addressOf(request: IncomingMessage): string {
    return readersAddress(request, this.#trustedProxies);
  }

  /** What the cookie of a reader holds who knows the password; null for whoever does not. */
  async entered(page: PublishedPage, password: string): Promise<string | null> {
    const own = await this.#password(page.id);
    if (own === null || !isSame(password.trim(), own)) return null;
    const until = after(this.#rooms.clock.wall(), limits.statusSessionLength);
    return this.#rooms.box.seal(`${page.id} ${digest(own)} ${until}`, purpose);
  }

  /** It ends with its time, and with the password. */
  async #hasCookie(id: number, { headers }: IncomingMessage): Promise<boolean> {
    const cookie = cookieIn(headers.cookie, pageCookie(id));
    const opened = cookie === null ? null : this.#rooms.box.open(cookie, purpose);
    const [of = "", mark = "", until = ""] = opened?.split(" ") ?? [];
    if (of !== String(id) || !(Number(until) > this.#rooms.clock.wall())) return false;
    const own = await this.#password(id);
    return own !== null && mark === digest(own);
  }

  /** Null where it has none, or the key that sealed it is not there: then no one is let in. */
  async #password(id: number): Promise<string | null> {
    const { statusPages } = this.#rooms;
    const password = statusPages.passwordOf(await statusPages.get(String(id)));
    return password === "" ? null : password;
  }
}

const purpose = "a reader of a status page";

export const pageCookie = (id: number): string => `picket-page-${id}`;

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");

const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(digest(a)), Buffer.from(digest(b)));

/**
 * Who asks: the peer, or, behind proxies of ours, the last address in X-Forwarded-For that is none of theirs. What a
 * stranger writes into the header stands before that.
 */
export function readersAddress(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  trustedProxies: readonly Block[],
): string {
  const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
  const way = [...forwarded, socket.remoteAddress ?? ""].map((one) => one.trim());
  for (const address of way.toReversed()) if (!isAmong(address, trustedProxies)) return address;
  return way[0] ?? "";
}

/** An IPv4 address may come as a mapped one. */
function isAmong(text: string, blocks: readonly Block[]): boolean {
  const written = writtenAddress(text);
  if (written === null) return false;
  const address = isMapped(written) ? lowestFour(written) : written;
  return blocks.some((block) => covers(block, address));
}
