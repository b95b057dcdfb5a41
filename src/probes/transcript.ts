import type { Socket } from "node:net";
import type { HeaderPairs } from "#probes/http/headers";
import type { Request } from "#probes/http/redirect";

/**
 * Where an attempt leaves what it sends and receives, for a person who asks to see it. The agent's own keeps nothing:
 * it gives no notes to write in, and whoever has none spends nothing on them.
 */
export interface Transcript {
  /** A request is about to go out to `server`, over the version of HTTP that was settled on. */
  http(request: Request, server: string, version: "1.1" | "2"): HttpNotes | null;
  /** A query leaves for `server`. */
  dns(query: Uint8Array, server: string, transport: "udp" | "tcp"): DnsNotes | null;
}

/** What is noted of one HTTP request and its answer. Chunks may be overwritten once the call returns. */
export interface HttpNotes {
  /** Bytes written to the connection; HTTP/2 shows none. */
  sent(chunk: Uint8Array): void;
  /** Bytes read from the connection, before anything looked at them; HTTP/2 shows none. */
  read(chunk: Uint8Array): void;
  /** The head of the final response. */
  head(statusCode: number, headers: HeaderPairs): void;
  /** A piece of its body, without the framing. */
  body(chunk: Uint8Array): void;
  /** How it ended: `whole` when the response did all it should. */
  ended(whole: boolean): void;
}

/** What is noted of one DNS query: every message that came back, others' answers included. */
export interface DnsNotes {
  message(bytes: Uint8Array): void;
}

export const noTranscript: Transcript = { http: () => null, dns: () => null };

/** Calls back with each chunk that is read, before the reader has it. Only the property of this one socket is replaced. */
export function tapReads(socket: Socket, onRead: (chunk: Uint8Array) => void): void {
  const push = socket.push.bind(socket);
  socket.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
    if (chunk instanceof Uint8Array) onRead(chunk);
    return push(chunk, encoding);
  };
}

type Written = (error?: Error | null) => void;

/** Calls back with each chunk that is written. Only the property of this one socket is replaced. */
export function tapWrites(socket: Socket, onWrite: (chunk: Uint8Array) => void): void {
  const write = socket.write.bind(socket);
  socket.write = (
    chunk: Uint8Array | string,
    second?: BufferEncoding | Written,
    third?: Written,
  ): boolean => {
    const [encoding, done] = typeof second === "function" ? [undefined, second] : [second, third];
    onWrite(typeof chunk === "string" ? Buffer.from(chunk, encoding) : chunk);
    return write(chunk, encoding, done);
  };
}
