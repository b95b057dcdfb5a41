/** What is known here of a server's connection. */
interface Connection {
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
}

interface Request {
  readonly socket: Connection;
  readonly headers: Readonly<Partial<Record<string, string | string[]>>>;
  once(event: "end", listener: () => void): unknown;
}

interface HttpServer {
  on(event: "connection", listener: (connection: Connection) => void): unknown;
  on(event: "upgrade", listener: (request: Request) => void): unknown;
  prependListener(
    event: "request",
    listener: (
      request: Request,
      response: { once(event: "close", listener: () => void): unknown },
    ) => void,
  ): unknown;
}

/**
 * Keeps room for newcomers on an HTTP server, with TLS or without: where more connections are open than it may have, the
 * one that has gone longest without a whole request is dropped. So strangers who connect and say nothing keep no one
 * out, however many they are. A connection whose request is being answered is never dropped for another. Returns what
 * drops all of them, those in a handshake too, of which the server itself knows nothing.
 */
export function keepRoom(server: HttpServer, connectionsMax: number): () => void {
  const open = new Map<string, Connection>();
  /** Those without a whole request; who has waited longest comes first. */
  const waiting = new Set<string>();
  const drop = (peer: string): void => {
    const connection = open.get(peer);
    open.delete(peer);
    waiting.delete(peer);
    connection?.destroy();
  };
  server.on("connection", (connection) => {
    const peer = peerOf(connection);
    open.set(peer, connection);
    waiting.add(peer);
    connection.once("close", () => {
      if (open.get(peer) === connection) drop(peer);
    });
    if (open.size <= connectionsMax) return;
    const [longest = peer] = waiting;
    drop(longest);
  });
  server.prependListener("request", (request, response) => {
    const peer = peerOf(request.socket);
    const answering = (): void => void waiting.delete(peer);
    if (hasBody(request)) request.once("end", answering);
    else answering();
    response.once("close", () => {
      if (open.has(peer)) waiting.add(peer);
    });
  });
  server.on("upgrade", ({ socket }) => void waiting.delete(peerOf(socket)));
  return () => {
    for (const peer of open.keys()) drop(peer);
  };
}

/** The same for a connection and for the TLS on it, which are two objects: no two open connections come from one port. */
export const peerOf = ({ remoteAddress, remotePort }: Connection): string =>
  `${remoteAddress} ${remotePort}`;

/** RFC 9112 §6: a request has a body where one of these announces it. */
const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
