import type { HeaderPairs } from "#network/http/headers";
import type { Request } from "#probes/resolve/redirect";

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
