import { hostPortOf } from "#network/host-port";
import { failure, type Failure } from "#check/failure";
import type { ConnectionEvidence } from "#check/evidence";
import { withEvidence } from "#check/evidence-words";
import * as limits from "#limits/probes-limits";
import type { Deadline } from "#base/deadline";
import type { HttpTarget } from "#check/monitor";
import type { AddressAttempt, Hop, HttpOutcome, HttpResponse, TlsFacts } from "#check/outcome";
import { codingsOf, decodeBody, decodingBytes } from "#probes/http/body";
import { dial, type Endpoint } from "#probes/connection/dial";
import { startBestTls } from "#probes/connection/handshake";
import { firstValue } from "#network/http/headers";
import { type FirstRequest, firstRequestOf } from "#probes/http/first-request";
import type { ExchangeEnd } from "#probes/http/raw-response";
import { exchange } from "#probes/http/http-exchange";
import { noBodyMemory } from "#probes/socket/body-memory";
import type { Probe, ProbeContext, Run } from "#probes/connection/probe";
import { follow, isRedirect, type Request, withoutBound } from "#probes/resolve/redirect";
import { Stopwatch } from "#probes/socket/stopwatch";
import { counted } from "#base/text";
import { showParsedUrl } from "#check/target";

/** Sends the request, follows its redirects over a fresh connection each, and decodes what came at the end. */
export const probeHttp: Probe<"http"> = async (target, deadline, context) => {
  const chain = new Chain(target, deadline, context);
  const ended = await chain.run();
  chain.stopwatch.stop();
  const judged = await decodeEnd(ended, chain.first.request.url, {
    deadline,
    stopwatch: chain.stopwatch,
    context,
  });
  return {
    kind: "http",
    ...chain.stopwatch.times,
    addresses: chain.addresses,
    tls: chain.tls,
    evidence: chain.evidence,
    hops: chain.hops,
    ...judged,
  };
};

/** The requests of one attempt, from the configured one to the one whose response is judged. */
class Chain {
  readonly stopwatch: Stopwatch;
  readonly hops: Hop[] = [];
  readonly addresses: AddressAttempt[] = [];
  tls: TlsFacts | null = null;
  evidence: ConnectionEvidence | null = null;
  readonly first: FirstRequest;
  readonly #target: HttpTarget;
  readonly #run: Run;
  readonly #visited = new Set<string>();

  constructor(target: HttpTarget, deadline: Deadline, context: ProbeContext) {
    this.#target = target;
    this.first = firstRequestOf(target);
    this.stopwatch = new Stopwatch(context.clock, context.marker);
    this.#run = { deadline, stopwatch: this.stopwatch, context };
  }

  async run(): Promise<ExchangeEnd> {
    let { request } = this.first;
    for (;;) {
      this.#visited.add(visit(request));
      const ended = await this.#hop(request);
      const next = this.#next(request, ended);
      if (next === null) return ended;
      if (!next.ok) return { received: ended.received, failure: next.failure };
      request = next.request;
    }
  }

  async #hop(request: Request): Promise<ExchangeEnd> {
    const ended = await this.#send(request);
    const { startedAt, phases } = this.stopwatch.lap();
    this.hops.push({
      url: showParsedUrl(request.url),
      statusCode: ended.received?.statusCode ?? null,
      startedAt,
      phases,
      leftBehind: request.leftBehind,
    });
    return ended;
  }

  async #send(request: Request): Promise<ExchangeEnd> {
    const dialled = await dial(endpointOf(request.url, this.#run.context), this.#run, startBestTls);
    this.addresses.push(...dialled.addresses);
    this.tls = dialled.tls;
    if (!dialled.ok) {
      this.evidence = dialled.evidence;
      return { received: null, failure: dialled.failure };
    }
    const exchanged = await exchange(
      this.first.sent(request, this.#run.context.userAgent),
      dialled,
      this.#run,
      dialled.line.alpn === "h2" ? "2" : "1.1",
      (statusCode, location) => !this.#follows(statusCode, location),
    );
    if (exchanged.failure === null) return exchanged;
    this.evidence = dialled.witness.evidence;
    return { ...exchanged, failure: withEvidence(exchanged.failure, this.evidence) };
  }

  #follows(statusCode: number, location: string | null): boolean {
    return this.#target.followRedirects && isRedirect(statusCode, location);
  }

  #next(
    request: Request,
    { received, failure: failed }: ExchangeEnd,
  ): ReturnType<typeof follow> | null {
    if (received === null || failed !== null) return null;
    const location = firstValue(received.headers, "location");
    if (location === null || !this.#follows(received.statusCode, location)) return null;
    const followed = follow(request, received.statusCode, location);
    if (!followed.ok) return followed;
    const next = withoutBound(followed.request, request.url, this.#target.bound);
    if (!next.ok) return next;
    if (this.#visited.has(visit(next.request)))
      return tooMany("The redirects form a loop at", next.request);
    const { redirectsMax } = this.#run.context.overrides;
    if (this.hops.length > redirectsMax)
      return tooMany(
        `More than ${counted(redirectsMax, "redirect")}, the last one to`,
        next.request,
      );
    return next;
  }
}

const visit = ({ method, url }: Request): string => `${method} ${url.href}`;

const tooMany = (what: string, { url }: Request): { ok: false; failure: Failure } => ({
  ok: false,
  failure: failure("too_many_redirects", "receive", `${what} ${showParsedUrl(url)}`),
});

function endpointOf(url: URL, context: ProbeContext): Endpoint {
  const secure = url.protocol === "https:";
  return {
    kind: "http",
    ...hostPortOf(url),
    tls: secure ? { alpn: context.http2 ? withHttp2 : withoutHttp2 } : null,
  };
}

const withHttp2 = ["h2", "http/1.1"];
const withoutHttp2 = ["http/1.1"];

/** Decoding comes after the last byte and is in no phase. */
async function decodeEnd(
  { received, failure: failed }: ExchangeEnd,
  where: URL,
  { deadline, context }: Run,
): Promise<Pick<HttpOutcome, "response" | "failure">> {
  if (received === null) return { response: null, failure: failed };
  const { bodyMemory, bodyBytesMax } = context;
  const { raw, claim: held, cut, transferCodings: _, trailers: _unread, ...head } = received;
  const bodyBytesReceived = raw.length;
  const codings = codingsOf(received);
  // A long body has asked for what its decoding takes when it asked for itself.
  const needs = held === null ? decodingBytes(codings, raw.length, bodyBytesMax) : 0;
  const claim = held ?? (await bodyMemory.take(needs, deadline.end));
  const none = { ...head, body: new Uint8Array(), bodyBytes: 0, bodyCut: false, bodyBytesReceived };
  if (claim === null)
    return { response: none, failure: failed ?? noBodyMemory(showParsedUrl(where)) };
  const decoded = await decodeBody(raw, codings, bodyBytesMax, cut || failed !== null);
  if (!decoded.ok) {
    claim.shrink(0);
    return {
      response: none,
      failure: failed ?? failure("decode_error", "decode", decoded.message),
    };
  }
  const { body } = decoded;
  const isLong = body.length > limits.bodyBytesUnclaimed;
  claim.shrink(isLong ? body.length : 0);
  if (isLong) bodyMemory.keep(body, claim);
  const response: HttpResponse = { ...none, body, bodyBytes: body.length, bodyCut: decoded.cut };
  return { response, failure: failed };
}
