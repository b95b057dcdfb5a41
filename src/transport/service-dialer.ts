import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { connect, isIP, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls, type SecureContext } from "node:tls";
import type { Clock } from "#base/clock";
import { type Deadline, startDeadline } from "#base/deadline";
import { peerClock } from "#base/peer-clock";
import * as limits from "#limits/wire-limits";
import { type Proxy, proxyFor, type Proxying } from "#network/proxy";
import { hostPortOf, showHostPort } from "#network/host-port";
import { ServiceError } from "#transport/control-plane";
import { reachFailure, tlsFailure } from "#transport/service-failure";
import {
  connectRequest,
  opensTunnel,
  refusalSentence,
  tunnelAnswerIn,
  type TunnelEnds,
  tunnelEnds,
  type TunnelRefusal,
} from "#network/connect-request";

/** By which way the service is reached, and how it and we prove who we are. */
export interface ServiceWay {
  readonly proxying: Proxying;
  /** Whom to trust and the client certificate, for the service and for a proxy that speaks TLS. */
  readonly secureContext: () => SecureContext;
  readonly userAgent: string;
  readonly clock: Clock;
}

/**
 * Opens every connection to the service, for whatever speaks HTTP: node's http and https, and ws, take it as `agent`.
 * A proxy is asked for a tunnel by CONNECT, for plain http too. A connection that does not come about fails with a
 * ServiceError whose sentence names what stood in the way, never its password.
 */
export function serviceAgent(baseUrl: string, way: ServiceWay): HttpAgent {
  const secure = new URL(baseUrl).protocol === "https:";
  const agent = new (secure ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    timeout: limits.serviceIdleMax,
  });
  const dialOne = serviceDialer(baseUrl, way);
  agent.createConnection = (_options, done) => {
    const settle = done as ((error: Error | null, socket?: Duplex) => void) | undefined;
    dialOne().then(
      (socket) => settle?.(null, socket),
      (error: Error) => settle?.(error),
    );
    return undefined;
  };
  return agent;
}

/** The same for whoever speaks on the connection itself. */
export function serviceDialer(baseUrl: string, way: ServiceWay): () => Promise<Socket> {
  const service = serviceAt(baseUrl);
  return () => dial(service, way);
}

interface Service {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

function serviceAt(baseUrl: string): Service {
  const url = new URL(baseUrl);
  return { ...hostPortOf(url), secure: url.protocol === "https:" };
}

async function dial(service: Service, way: ServiceWay): Promise<Socket> {
  using deadline = startDeadline(peerClock(way.clock), limits.serviceDialTimeout);
  const named = `the service ${showHostPort(service.host, service.port)}`;
  const peer: Peer = { ...service, named, blame: "unavailable" };
  const proxy = proxyFor(service, way.proxying);
  const socket =
    proxy === null ? await reach(peer, deadline) : await tunnel(proxy, service, way, deadline);
  if (!service.secure) return socket;
  // Awaited here: the deadline ends with this function.
  return await secure(socket, peer, way, deadline);
}

/** Who is spoken with, how a sentence calls it, and what it means when nothing more is known. */
interface Peer {
  readonly host: string;
  readonly port: number;
  readonly named: string;
  readonly blame: "unavailable" | "proxy";
}

/** A TCP connection; of a name with several addresses, the first that answers (RFC 8305). */
async function reach({ host, port, named, blame }: Peer, deadline: Deadline): Promise<Socket> {
  const socket = connect({ host, port, noDelay: true });
  const happened = await first(socket, "connect", deadline);
  if (happened.what === "event") return socket;
  throw new ServiceError(
    happened.what === "late" && blame === "unavailable" ? "timeout" : blame,
    happened.what === "late"
      ? `${named} does not answer within ${deadline.budget} ms`
      : reachFailure(named, happened.error),
  );
}

/** TLS, verified whatever the environment says. */
async function secure(
  raw: Socket,
  { host, named, blame }: Peer,
  { secureContext }: ServiceWay,
  deadline: Deadline,
): Promise<Socket> {
  const socket = connectTls({
    socket: raw,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    secureContext: secureContext(),
    ALPNProtocols: ["http/1.1"],
    rejectUnauthorized: true,
  });
  // Over another TLS, the end of the upper one is not the end of the connection by itself.
  socket.once("close", () => raw.destroy());
  const happened = await first(socket, "secureConnect", deadline);
  if (happened.what === "event") return socket;
  raw.destroy();
  if (happened.what === "late")
    throw new ServiceError(
      blame === "proxy" ? "proxy" : "timeout",
      `${named} does not end the TLS handshake within ${deadline.budget} ms`,
    );
  throw tlsFailure(named, happened.error, blame);
}

async function tunnel(
  proxy: Proxy,
  service: Service,
  way: ServiceWay,
  deadline: Deadline,
): Promise<Socket> {
  const ends = tunnelEnds(proxy, service);
  const peer: Peer = { ...proxy, named: ends.proxy, blame: "proxy" };
  const raw = await reach(peer, deadline);
  const socket = proxy.secure ? await secure(raw, peer, way, deadline) : raw;
  const answer = await askedForTunnel(
    socket,
    connectRequest(ends, proxy, way.userAgent),
    ends,
    deadline,
  );
  if (opensTunnel(answer)) {
    if (answer.rest.length > 0) socket.unshift(answer.rest);
    return socket;
  }
  socket.destroy();
  throw new ServiceError("proxy", refusalSentence(answer, ends, proxy));
}

/** Sends the question and reads until the head of its answer is whole, and nothing of what follows it. */
async function askedForTunnel(
  socket: Socket,
  question: string,
  ends: TunnelEnds,
  deadline: Deadline,
): Promise<TunnelRefusal> {
  let seen: Uint8Array = new Uint8Array();
  socket.write(question);
  for (;;) {
    const happened = await first(socket, "readable", deadline);
    if (happened.what === "late")
      throw new ServiceError(
        "proxy",
        `${ends.proxy} does not answer CONNECT ${ends.target} within ${deadline.budget} ms`,
      );
    if (happened.what === "error")
      return { how: happened.error === null ? "closed" : "reset", begun: seen.length > 0 };
    for (let chunk: unknown = socket.read(); chunk !== null; chunk = socket.read())
      if (chunk instanceof Uint8Array) seen = Buffer.concat([seen, chunk]);
    const answer = tunnelAnswerIn(seen);
    if (answer !== null) return answer;
  }
}

type SocketEvent =
  | { readonly what: "event" }
  | { readonly what: "late" }
  /** Null: the connection was closed without one. */
  | { readonly what: "error"; readonly error: Error | null };

/** The first thing that happens to a connection; anything but the event that is waited for destroys it. */
function first(
  socket: Socket,
  event: "connect" | "secureConnect" | "readable",
  { signal }: Deadline,
): Promise<SocketEvent> {
  return new Promise((resolve) => {
    const end = (happened: SocketEvent): void => {
      signal.removeEventListener("abort", onDeadline);
      for (const [name, listener] of Object.entries(listeners)) socket.off(name, listener);
      if (happened.what !== "event") {
        // What is destroyed may still emit an error; nothing listens for it any more.
        socket.on("error", () => {});
        socket.destroy();
      }
      resolve(happened);
    };
    const listeners = {
      [event]: (): void => end({ what: "event" }),
      end: (): void => end({ what: "error", error: null }),
      close: (): void => end({ what: "error", error: null }),
      error: (error: Error): void => end({ what: "error", error }),
    };
    const onDeadline = (): void => end({ what: "late" });
    if (signal.aborted) return onDeadline();
    signal.addEventListener("abort", onDeadline, { once: true });
    for (const [name, listener] of Object.entries(listeners)) socket.on(name, listener);
  });
}
