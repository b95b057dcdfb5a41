import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  ServerResponse,
} from "node:http";
import { createServer as createTlsServer, type Server as TlsServer } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Clock, systemClock } from "#base/clock";
import * as limits from "#limits/service-limits";
import { keepRoom } from "#network/connection-room";
import { listenObstacle } from "#network/listen-address";
import { errorCode } from "#network/system-errors";
import {
  type ClientPatience,
  dropSlowClients,
  handshakeTimeoutMax,
  noTimeouts,
} from "#web/slow-clients";

/** The server that answers over http or https, and hands on requests for a push channel. */
export interface WebServer {
  readonly server: Server | TlsServer;
  /** Shows another certificate from the next connection on. */
  readonly renew: (identity: ServerIdentity) => void;
  /** Drops every connection, handshakes included. */
  readonly cutOff: () => void;
}

/** A certificate, with those of its chain behind it, and its key, both as PEM. */
export interface ServerIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** Who answers what. */
export interface RequestListeners {
  readonly calls: RequestListener;
  /** What is no call, a channel that is refused included. */
  readonly plainly: RequestListener;
  readonly asksForChannel: (request: IncomingMessage) => boolean;
  /** Takes the socket over, or has the request answered by `refuse`. */
  readonly openChannel: (
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    refuse: () => void,
  ) => Promise<void>;
}

/** Whoever `now` gives answers a request: that may change while the server runs. */
export function webServer(
  now: () => RequestListeners,
  identity: ServerIdentity | undefined,
): WebServer {
  const calls: RequestListener = (request, response) => now().calls(request, response);
  const options: ServerOptions = {
    ...noTimeouts,
    shouldUpgradeCallback: (request) => now().asksForChannel(request),
  };
  const { server, renew } =
    identity === undefined ? plain(options, calls) : secure(options, calls, identity);
  server.on("upgrade", (request, socket, head) => {
    // It may go away while it is asked whether it may have a channel.
    socket.on("error", () => socket.destroy());
    const { openChannel, plainly } = now();
    void openChannel(request, socket, head, () => answerOn(socket, request, plainly));
  });
  return { server, renew, cutOff: keepRoom(server, limits.serviceConnectionsMax) };
}

/** Answers a request whose socket was taken out of the server's hands, and ends the connection. */
function answerOn(socket: Duplex, request: IncomingMessage, plainly: RequestListener): void {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  if (socket instanceof Socket) response.assignSocket(socket);
  // A client that never closes its end would keep the connection, which no one else looks after.
  if (socket instanceof Socket) response.on("finish", () => socket.destroySoon());
  plainly(request, response);
}

const plain = (options: ServerOptions, calls: RequestListener): Omit<WebServer, "cutOff"> => ({
  server: createServer(options, calls),
  renew: () => {
    throw new TypeError("a service that speaks plain http has no certificate");
  },
});

function secure(
  options: ServerOptions,
  calls: RequestListener,
  identity: ServerIdentity,
): Omit<WebServer, "cutOff"> {
  const server = createTlsServer(
    { ...options, ...tlsOf(identity), handshakeTimeout: handshakeTimeoutMax },
    calls,
  );
  server.prependListener("request", ({ headers }: IncomingMessage, response: ServerResponse) => {
    // A browser keeps to it for every port of the host, and at others may be what speaks no TLS.
    if (headers.host !== undefined && !/:\d+$/.test(headers.host))
      response.setHeader("strict-transport-security", `max-age=${limits.tlsKeptToFor / 1000}`);
  });
  return { server, renew: (renewed) => server.setSecureContext(tlsOf(renewed)) };
}

const tlsOf = ({ certificate: cert, key }: ServerIdentity) =>
  ({ cert, key, minVersion: "TLSv1.2" }) as const;

/** Throws a sentence when the port cannot be used. */
export async function listen(
  server: Server | TlsServer,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const why = listenObstacle(errorCode(error) || String(error), { host, port });
    throw new Error(why, { cause: error });
  }
  // Sockets live by the machine's time.
  void dropSlowClients(server, patience, systemClock);
}

const patience: ClientPatience = {
  lookEvery: limits.serviceLookEvery,
  requestLooks: limits.serviceRequestTimeout / limits.serviceLookEvery,
  answerLooks: limits.serviceAnswerTimeout / limits.serviceLookEvery,
};

/** Lets the requests under way end. One whose client does not send on would hold the server, so there is a limit. */
export async function close(
  server: Server | TlsServer,
  cutOff: () => void,
  clock: Clock,
): Promise<void> {
  const closed = new AbortController();
  server.close(() => closed.abort());
  // A kept-alive connection without a request would hold the server open.
  server.closeIdleConnections();
  await clock.sleep(limits.serviceDrainTimeout, closed.signal);
  cutOff();
}
