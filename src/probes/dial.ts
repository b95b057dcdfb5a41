import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Deadline } from "#deadline";
import { failure, type Failure } from "#failure";
import * as limits from "#limits";
import type { AddressTried, TlsFacts } from "#outcome";
import { tlsFacts } from "#probes/certificate";
import { classify, timedOut } from "#probes/classify";
import type { Mark } from "#probes/marker";
import type { ProbeContext, Run } from "#probes/probe";
import { refusal } from "#probes/refusal";
import type { Resolution } from "#probes/resolver";
import type { Stopwatch } from "#probes/stopwatch";
import { showHostPort } from "#target";
import { type Millis, nanos, type Nanos } from "#units";

/** Where to connect, and how TLS is spoken there; null speaks none. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly tls: { readonly alpn: readonly string[] } | null;
}

/** A connection that is ready to use, or why there is none. */
export type Dialled =
  | (DialFacts & { readonly ok: true; readonly socket: Socket; readonly ready: Mark })
  | (DialFacts & { readonly ok: false; readonly failure: Failure });

interface DialFacts {
  readonly addresses: readonly AddressTried[];
  readonly tls: TlsFacts | null;
}

/**
 * Opens one fresh connection: resolve, screen, connect, TLS. Marks those phases on the stopwatch, leaves the last one
 * running, and destroys every socket it opened unless it hands it over. Every probe opens its connections here.
 */
export async function dial(endpoint: Endpoint, run: Run): Promise<Dialled> {
  const { stopwatch } = run;
  const resolved = await resolve(endpoint.host, run);
  if (!resolved.ok) return { ok: false, failure: resolved.failure, addresses: [], tls: null };
  const screened = run.context.guard.screen(endpoint.host, resolved.addresses);
  const denied = screened.denied.map((address) => deniedAt(address, endpoint.port));
  if (!screened.ok) return { ok: false, failure: screened.failure, addresses: denied, tls: null };
  const race = new ConnectRace(screened.addresses, endpoint.port, run);
  const won = await race.run();
  const addresses = [...denied, ...race.tried];
  if (!won.ok) return { ok: false, failure: won.failure, addresses, tls: null };
  if (endpoint.tls === null)
    return { ok: true, socket: won.socket, ready: won.mark, addresses, tls: null };
  stopwatch.enter("tls", won.mark);
  const secured = await handshake(won.socket, endpoint, endpoint.tls.alpn, run);
  return { ...secured, addresses };
}

const deniedAt = (address: string, port: number): AddressTried => ({
  address,
  port,
  ended: "target_denied",
  elapsed: nanos(0),
  measuredBy: "event",
});

/** An address needs no resolution, so its check has no dns phase. */
async function resolve(host: string, { deadline, stopwatch, context }: Run): Promise<Resolution> {
  if (isIP(host) !== 0) return { ok: true, addresses: [host] };
  const denial = context.guard.hostDenial(host);
  if (denial !== null) return { ok: false, failure: denial };
  stopwatch.enter("dns");
  const resolution = await context.resolver.resolve(host, context.ipFamily, deadline);
  if (!resolution.ok && deadline.ended !== null)
    return { ok: false, failure: timedOut(deadline, "dns", host) };
  return resolution;
}

type Won =
  | { readonly ok: true; readonly socket: Socket; readonly mark: Mark }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Happy Eyeballs (RFC 8305): the addresses are dialled in order, the next one as soon as the last has failed or has
 * kept silent for 250 ms; the first that connects wins.
 *
 *     a ────────────────✗ abandoned
 *        b ──✗ refused
 *           c ────● wins
 */
class ConnectRace {
  readonly #addresses: readonly string[];
  readonly #port: number;
  readonly #deadline: Deadline;
  readonly #stopwatch: Stopwatch;
  readonly #context: ProbeContext;
  readonly #over = new AbortController();
  readonly #outcome = Promise.withResolvers<Won>();
  readonly #runners = new Map<Socket, { readonly address: string; readonly startedAt: Nanos }>();
  readonly #tried: AddressTried[] = [];
  #next = 0;
  #firstFailure: Failure | null = null;

  constructor(addresses: readonly string[], port: number, { deadline, stopwatch, context }: Run) {
    this.#addresses = addresses.slice(0, limits.addressesMax);
    this.#port = port;
    this.#deadline = deadline;
    this.#stopwatch = stopwatch;
    this.#context = context;
  }

  /** Addresses in the order in which they ended. */
  get tried(): readonly AddressTried[] {
    return this.#tried;
  }

  async run(): Promise<Won> {
    const onDeadline = (): void => {
      // Also a race that ended before its first SYN has failed in this phase.
      this.#enterConnect();
      this.#stopwatch.stop();
      this.#finish({ ok: false, failure: this.#timeout() });
    };
    if (this.#deadline.signal.aborted) onDeadline();
    else {
      this.#deadline.signal.addEventListener("abort", onDeadline, { once: true });
      this.#startNext();
    }
    const won = await this.#outcome.promise;
    this.#deadline.signal.removeEventListener("abort", onDeadline);
    return won;
  }

  #startNext(): void {
    const address = this.#addresses[this.#next];
    if (address === undefined || this.#over.signal.aborted) return;
    this.#next += 1;
    const socket = connect({
      host: address,
      port: this.#port,
      autoSelectFamily: false,
      noDelay: true,
    });
    this.#runners.set(socket, { address, startedAt: this.#context.marker.acted().at });
    socket.once("connectionAttempt", () => this.#onAttempt(socket, address));
    socket.once("connect", () => this.#onConnect(socket));
    socket.once("error", (error) => this.#onError(socket, error));
    if (this.#next < this.#addresses.length) this.#startNextAfter(limits.nextAddressAfter);
  }

  /** The call that sends the SYN follows at once: the SYN has left when it returns, which the next tick sees. */
  #onAttempt(socket: Socket, address: string): void {
    const { marker } = this.#context;
    const calling = marker.acted();
    process.nextTick(() => {
      if (!this.#runners.has(socket)) return;
      const sent = marker.since(calling);
      this.#runners.set(socket, { address, startedAt: sent.at });
      this.#enterConnect(sent);
    });
  }

  #enterConnect(mark?: Mark): void {
    if (this.#stopwatch.running !== "connect") this.#stopwatch.enter("connect", mark);
  }

  #startNextAfter(pause: Millis): void {
    const waited = this.#next;
    void this.#context.clock.sleep(pause, this.#over.signal).then(() => {
      if (this.#next === waited) this.#startNext();
    });
  }

  /** The event comes late, by however long the loop was busy; where the kernel knows the instant, that one counts. */
  #onConnect(socket: Socket): void {
    const told = this.#context.marker.told();
    if (this.#over.signal.aborted) return;
    const handshake = this.#context.kernelClock.handshake(socket);
    const startedAt = this.#runners.get(socket)?.startedAt ?? told.at;
    const mark: Mark =
      handshake === null
        ? told
        : { at: nanos(Math.min(startedAt + handshake, told.at)), errorBar: nanos(0) };
    this.#end(socket, "connected", mark.at, handshake === null ? "event" : "kernel");
    socket.removeAllListeners("error");
    this.#finish({ ok: true, socket, mark });
  }

  #onError(socket: Socket, error: Error): void {
    if (this.#over.signal.aborted) return;
    const runner = this.#runners.get(socket);
    const where = showHostPort(runner?.address ?? "?", this.#port);
    const failed = classify(error, "connect", where);
    const told = this.#context.marker.told();
    this.#firstFailure ??= failed;
    this.#end(socket, failed.code, told.at);
    socket.destroy();
    if (this.#next < this.#addresses.length) this.#startNext();
    else if (this.#runners.size === 0) {
      this.#enterConnect();
      this.#stopwatch.stop(told);
      this.#finish({ ok: false, failure: withCount(this.#firstFailure, this.#tried.length) });
    }
  }

  #finish(won: Won): void {
    if (this.#over.signal.aborted) return;
    this.#over.abort();
    const { at } = this.#context.marker.acted();
    const ended = won.ok ? "abandoned" : won.failure.code;
    for (const socket of this.#runners.keys()) {
      this.#end(socket, ended, at);
      // A socket that is destroyed while it connects may still emit an error; nobody is asking any more.
      socket.on("error", () => {});
      socket.destroy();
    }
    this.#outcome.resolve(won);
  }

  #end(
    socket: Socket,
    ended: AddressTried["ended"],
    at: Nanos,
    measuredBy: AddressTried["measuredBy"] = "event",
  ): void {
    const runner = this.#runners.get(socket);
    if (runner === undefined) return;
    this.#runners.delete(socket);
    const elapsed = nanos(at - runner.startedAt);
    this.#tried.push({ address: runner.address, port: this.#port, ended, elapsed, measuredBy });
  }

  #timeout(): Failure {
    const where = [...this.#runners.values()].map(({ address }) =>
      showHostPort(address, this.#port),
    );
    return timedOut(this.#deadline, "connect", where.join(", ") || "the target");
  }
}

function withCount(first: Failure, count: number): Failure {
  if (count < 2) return first;
  return { ...first, message: `${first.message}; none of ${count} addresses could be reached` };
}

type Secured =
  | { readonly ok: true; readonly socket: Socket; readonly ready: Mark; readonly tls: TlsFacts }
  | { readonly ok: false; readonly failure: Failure; readonly tls: TlsFacts | null };

/**
 * TLS over a connected socket, without session reuse. Verification is judged here and not by the runtime, so that a
 * refused certificate can still be described; nothing is sent to a peer that was refused.
 */
async function handshake(
  raw: Socket,
  endpoint: Endpoint,
  alpn: readonly string[],
  { deadline, context }: Run,
): Promise<Secured> {
  const where = showHostPort(endpoint.host, endpoint.port);
  const serverName = isIP(endpoint.host) === 0 ? endpoint.host : null;
  if (deadline.signal.aborted) {
    raw.destroy();
    return { ok: false, failure: timedOut(deadline, "tls", where), tls: null };
  }
  const socket = connectTls({
    socket: raw,
    host: endpoint.host,
    ...(serverName === null ? {} : { servername: serverName }),
    secureContext: context.trust.secureContext(),
    ALPNProtocols: [...alpn],
    rejectUnauthorized: false,
  });
  const ended = await handshakeEnd(socket, deadline, context);
  if (ended.how === "secured") {
    const tls = tlsFacts(socket, serverName);
    if (socket.authorized) return { ok: true, socket, ready: ended.mark, tls };
    const refused = refusal(socket, where, context.clock);
    socket.destroy();
    return { ok: false, failure: refused, tls };
  }
  socket.on("error", () => {});
  socket.destroy();
  raw.destroy();
  switch (ended.how) {
    case "deadline":
      return { ok: false, failure: timedOut(deadline, "tls", where), tls: null };
    case "closed":
      return { ok: false, failure: closedInHandshake(where), tls: null };
    case "error":
      return { ok: false, failure: handshakeFailure(ended.error, where), tls: null };
  }
}

type HandshakeEnd =
  | { readonly how: "secured"; readonly mark: Mark }
  | { readonly how: "closed" | "deadline" }
  | { readonly how: "error"; readonly error: Error };

function handshakeEnd(
  socket: TLSSocket,
  deadline: Deadline,
  { marker }: ProbeContext,
): Promise<HandshakeEnd> {
  return new Promise((resolve) => {
    const end = (ended: HandshakeEnd): void => {
      deadline.signal.removeEventListener("abort", onDeadline);
      socket.removeAllListeners("secureConnect");
      socket.removeAllListeners("error");
      socket.removeAllListeners("close");
      resolve(ended);
    };
    const onDeadline = (): void => end({ how: "deadline" });
    socket.once("secureConnect", () => {
      const done = marker.acted();
      // Our last message of the handshake leaves when this turn ends: the request would hold it back.
      setImmediate(() => end({ how: "secured", mark: marker.since(done) }));
    });
    socket.once("error", (error) => end({ how: "error", error }));
    socket.once("close", () => end({ how: "closed" }));
    deadline.signal.addEventListener("abort", onDeadline, { once: true });
  });
}

const closedInHandshake = (where: string): Failure =>
  failure("tls_closed", "tls", `the peer closed the connection in the TLS handshake (${where})`);

/** Node says ECONNRESET both for a reset and for an orderly close before the handshake was done. */
function handshakeFailure(error: Error, where: string): Failure {
  return error.message.includes("before secure TLS connection")
    ? closedInHandshake(where)
    : classify(error, "tls", where);
}
