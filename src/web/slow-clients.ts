import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Clock } from "#base/clock";
import { peerOf } from "#network/connection-room";
import { type Millis, millis } from "#base/units";

/** How many looks a client may take over each part. */
export interface ClientPatience {
  readonly lookEvery: Millis;
  /** Until a head has come, the first or the next one on its connection, and then until the rest of its request has. */
  readonly requestLooks: number;
  readonly answerLooks: number;
}

/** The timeouts of Node.js count time for which this process was stopped, so a server whose clients are looked after has none. */
export const noTimeouts = { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 } as const;

/** A TLS server cannot do without this one: it has the longest that a timer can. */
export const handshakeTimeoutMax: Millis = millis(2 ** 31 - 1);

type Part = "head" | "body" | "answer";

interface Client {
  readonly connection: Socket;
  part: Part;
  /** The last one whose head has come. */
  request: IncomingMessage | null;
  looksLeft: number;
}

/**
 * Drops each client of a listening server that takes longer than it may, until the server closes. Time counts in looks,
 * and between two looks all that came is read. So while this process is stopped or starved, no client grows older, and
 * what it sent meanwhile is answered; the timeouts of Node.js would answer that with an empty 408, or cut it off.
 */
export async function dropSlowClients(
  server: Server | TlsServer,
  patience: ClientPatience,
  clock: Clock,
): Promise<void> {
  const clients = new Clients(patience);
  server.on("connection", (connection: Socket) => clients.came(connection));
  server.prependListener("request", (request, response) => clients.asked(request, response));
  server.on("upgrade", ({ socket }: IncomingMessage) => clients.forget(peerOf(socket)));
  const over = new AbortController();
  server.once("close", () => over.abort());
  while (!over.signal.aborted) {
    await clock.sleep(patience.lookEvery, over.signal);
    clients.look();
  }
}

/** Those of one server, by their addresses. */
class Clients {
  readonly #clients = new Map<string, Client>();
  readonly #looksOf: Readonly<Record<Part, number>>;
  readonly #keepAlive: string;

  constructor({ lookEvery, requestLooks, answerLooks }: ClientPatience) {
    this.#looksOf = { head: requestLooks, body: requestLooks, answer: answerLooks };
    this.#keepAlive = `timeout=${Math.floor((requestLooks * lookEvery) / 1_000)}`;
  }

  came(connection: Socket): void {
    const peer = peerOf(connection);
    const looksLeft = this.#looksOf.head;
    const client: Client = { connection, part: "head", request: null, looksLeft };
    this.#clients.set(peer, client);
    connection.once("close", () => {
      if (this.#clients.get(peer) === client) this.forget(peer);
    });
  }

  asked(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader("keep-alive", this.#keepAlive);
    const client = this.#clients.get(peerOf(request.socket));
    if (client === undefined) return;
    client.request = request;
    this.#begin(client, "body");
    response.once("close", () => {
      // The next request may be here already.
      if (client.request === request) this.#begin(client, "head");
    });
  }

  /** What speaks no HTTP any more. */
  forget(peer: string): void {
    this.#clients.delete(peer);
  }

  /** Drops those whose looks are used up. */
  look(): void {
    for (const client of this.#clients.values()) {
      if (client.part === "body" && client.request?.complete === true)
        this.#begin(client, "answer");
      if (client.looksLeft === 0) client.connection.destroy();
      else client.looksLeft -= 1;
    }
  }

  #begin(client: Client, part: Part): void {
    client.part = part;
    client.looksLeft = this.#looksOf[part];
  }
}
