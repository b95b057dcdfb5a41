import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import { aborted } from "#base/aborted";
import type { Clock } from "#base/clock";
import type { Deadline } from "#base/deadline";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import { again, stopped } from "#service/notify/outcomes";
import type { HttpReply, HttpRequest } from "#service/notify/provider-request";
import * as limits from "#limits/alerts-limits";
import { basicAuth } from "#network/basic-auth";
import { deniedWords } from "#service/notify/denied-address";
import { dialledAddress, isPrivate } from "#network/dialled-address";
import { hostPortOf, showHostPort } from "#network/host-port";
import { proxyFor, type Proxying } from "#network/proxy";
import { certificateFault } from "#network/certificate-faults";
import { errorCode, systemErrorWords, tlsErrorWords } from "#network/system-errors";

/** By which way providers are reached, and what is allowed on it. */
export interface HttpWay {
  readonly clock: Clock;
  readonly userAgent: string;
  readonly proxying: Proxying;
  /** Whom to trust, and the client certificate; undefined is the runtime's own. */
  readonly secureContext: (() => SecureContext) | undefined;
  /** Allows plain http to hosts that are not private. */
  readonly httpAllowed: boolean;
  /** The addresses of a name; the system's resolver if none is given. */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
}

export type HttpExchange =
  | { readonly ok: true; readonly reply: HttpReply }
  | { readonly ok: false; readonly outcome: DeliveryOutcome };

/**
 * Sends requests to providers, each over its own connection. A name is resolved once, its addresses are judged, and
 * exactly those are dialled. Redirects are not followed: a message would go if no one sent it.
 */
export class HttpPost {
  readonly #way: HttpWay;

  constructor(way: HttpWay) {
    this.#way = way;
  }

  /** Always resolves; `label` is how sentences call the provider. */
  async exchange(request: HttpRequest, label: string, deadline: Deadline): Promise<HttpExchange> {
    const url = new URL(request.url);
    const late = aborted(deadline.signal).then((): HttpExchange => notInTime(label));
    try {
      return await Promise.race([this.#exchange(url, request, label, deadline), late]);
    } catch (error) {
      return deadline.ended === null ? unreachable(label, url, error) : notInTime(label);
    }
  }

  async #exchange(
    url: URL,
    request: HttpRequest,
    label: string,
    deadline: Deadline,
  ): Promise<HttpExchange> {
    const proxied = proxyFor(hostPortOf(url), this.#way.proxying) !== null;
    const { host } = hostPortOf(url);
    const known = dialledAddress(host) !== null;
    // Behind a proxy a name is the proxy's to resolve; an address is judged as it is written.
    const addresses = known ? [host] : proxied ? [] : await this.#addressesOf(host);
    const denied = this.#denial(url, label, addresses);
    if (denied !== null) return { ok: false, outcome: denied };
    const dispatcher = await this.#dispatcher(url, addresses);
    const end = (): void => void dispatcher.destroy();
    deadline.signal.addEventListener("abort", end, { once: true });
    try {
      return { ok: true, reply: await this.#reply(dispatcher, url, request) };
    } finally {
      deadline.signal.removeEventListener("abort", end);
      await dispatcher.destroy();
    }
  }

  async #addressesOf(host: string): Promise<readonly string[]> {
    if (this.#way.addressesOf !== undefined) return this.#way.addressesOf(host);
    return (await lookup(host, { all: true })).map(({ address }) => address);
  }

  /** Why it must not be sent; null if it may. */
  #denial(url: URL, label: string, addresses: readonly string[]): DeliveryOutcome | null {
    const known = addresses.flatMap((address) => dialledAddress(address) ?? []);
    const never = deniedWords(addresses);
    const { host } = hostPortOf(url);
    if (never !== null)
      return stopped(
        "failing",
        "address_denied",
        `${label} is not reached: ${host} leads to ${never}; correct it`,
        null,
      );
    const stays = known.length > 0 && known.every(isPrivate);
    if (url.protocol === "https:" || stays || this.#way.httpAllowed) return null;
    return stopped(
      "failing",
      "address_denied",
      `${label} is not reached: plain http to ${host} would send the message unencrypted; use https, or set PICKET_NOTIFY_ALLOW_HTTP=on at the service`,
      null,
    );
  }

  async #dispatcher(url: URL, addresses: readonly string[]): Promise<Dispatcher> {
    // A service that notifies no one needs none of it.
    const { Agent, ProxyAgent } = await import("undici");
    const tls = secureOptions(this.#way.secureContext);
    const proxy = proxyFor(hostPortOf(url), this.#way.proxying);
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    if (proxy === null)
      return new Agent({
        ...timeouts,
        connect: { ...tls, timeout: limits.notifyTimeout, lookup: lookupOf(addresses) },
      });
    const host = proxy.host.includes(":") ? `[${proxy.host}]` : proxy.host;
    return new ProxyAgent({
      ...timeouts,
      uri: `${proxy.secure ? "https" : "http"}://${host}:${proxy.port}`,
      proxyTunnel: true,
      requestTls: tls,
      proxyTls: tls,
      ...(proxy.authorization === null ? {} : { token: proxy.authorization }),
    });
  }

  async #reply(dispatcher: Dispatcher, url: URL, request: HttpRequest): Promise<HttpReply> {
    const authorization = basicAuth(url);
    const { statusCode, headers, body } = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: request.method,
      headers: {
        "user-agent": this.#way.userAgent,
        ...(authorization === null ? {} : { authorization }),
        ...request.headers,
      },
      ...(request.body === "" ? {} : { body: request.body }),
    });
    return { status: statusCode, headers: firstValues(headers), body: await beginningOf(body) };
  }
}

const secureOptions = (
  context: (() => SecureContext) | undefined,
): { readonly secureContext?: SecureContext } =>
  context === undefined ? {} : { secureContext: context() };

/** Gives the addresses that were judged, whatever the name means by now. */
function lookupOf(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = found;
    if (first === undefined) callback(new Error("no address"), "");
    else if (all === true) callback(null, found);
    else callback(null, first.address, first.family);
  };
}

const firstValues = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === "string" ? value : (value[0] ?? "")]],
    ),
  );

/** What a provider says past the limit is none of its words. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > limits.notifyAnswerBytesMax) break;
  }
  return Buffer.concat(chunks).subarray(0, limits.notifyAnswerBytesMax).toString();
}

const notInTime = (label: string): HttpExchange => ({
  ok: false,
  outcome: again(
    "timed_out",
    `${label} did not answer within ${limits.notifyTimeout / 1000} s`,
    null,
  ),
});

function unreachable(label: string, url: URL, error: unknown): HttpExchange {
  const { host, port } = hostPortOf(url);
  const message = `${label} is not reached at ${showHostPort(host, port)}: ${wordsOf(error)}`;
  return { ok: false, outcome: again("unreachable", message, null) };
}

function wordsOf(error: unknown): string {
  const code = errorCode(error);
  const known = systemErrorWords[code];
  if (known !== undefined) return known;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "its certificate is for another name: correct the address";
  const fault = certificateFault(code);
  if (fault !== null) return `its certificate is not trusted: ${fault.words}; ${fault.next}`;
  return tlsErrorWords(code)?.words ?? "the connection broke";
}
