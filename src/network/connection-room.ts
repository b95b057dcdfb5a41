/** What is known here of a server's connection. */
interface Connection {
  readonly destroyed: boolean;
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
 * Keeps room for newcomers on an HTTP server: where more connections are open than it may have, the one that has gone
 * longest without a whole request is dropped. So strangers who connect and say nothing keep no one out, however many
 * they are. A connection whose request is being answered is never dropped for another.
 */
export function keepRoom(server: HttpServer, connectionsMax: number): void {
  const open = new Set<Connection>();
  /** Those without a whole request; who has waited longest comes first. */
  const waiting = new Set<Connection>();
  const forget = (connection: Connection): void => {
    open.delete(connection);
    waiting.delete(connection);
  };
  server.on("connection", (connection) => {
    open.add(connection);
    waiting.add(connection);
    connection.once("close", () => forget(connection));
    if (open.size <= connectionsMax) return;
    const [longest = connection] = waiting;
    forget(longest);
    longest.destroy();
  });
  server.prependListener("request", (request, response) => {
    const { socket } = request;
    const answering = (): void => void waiting.delete(socket);
    if (hasBody(request)) request.once("end", answering);
    else answering();
    response.once("close", () => {
      if (!socket.destroyed && open.has(socket)) waiting.add(socket);
    });
  });
  server.on("upgrade", ({ socket }) => void waiting.delete(socket));
}

/** RFC 9112 §6: a request has a body where one of these announces it. */
const hasBody = ({ headers }: Request): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
