import * as limits from "#limits/probes-limits";
import type { HeaderPairs } from "#network/http/headers";
import type { Request } from "#probes/resolve/redirect";
import type { DnsNotes, HttpNotes, Transcript } from "#probes/resolve/transcript";
import type { Bytes } from "#base/units";

/** One request and its answer, or one query and its answers, as they went over the wire: with all secrets in them. */
export type Exchange = HttpExchange | DnsExchange;

export interface HttpExchange {
  readonly kind: "http";
  readonly server: string;
  readonly version: "1.1" | "2";
  readonly request: Request;
  readonly sent: Beginning;
  readonly read: Beginning;
  /** Null when no complete head of a final response came. */
  readonly head: { readonly statusCode: number; readonly headers: HeaderPairs } | null;
  /** Without the framing, still encoded. */
  readonly body: Beginning;
  /** Whether the response did all it should. */
  readonly whole: boolean;
}

export interface DnsExchange {
  readonly kind: "dns";
  readonly server: string;
  readonly transport: "udp" | "tcp";
  readonly query: Uint8Array;
  readonly answers: readonly Uint8Array[];
}

/** The first bytes of a stream, and how many there were in all. */
export interface Beginning {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** Keeps what an attempt sends and receives, up to limits: the beginnings are the evidence. */
export class Recorder implements Transcript {
  #exchanges: (() => Exchange)[] = [];

  /** Forgets the attempts before. */
  restart(): void {
    this.#exchanges = [];
  }

  /** What was exchanged since the restart, in the order in which it began. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges.map((exchange) => exchange());
  }

  http(request: Request, server: string, version: "1.1" | "2"): HttpNotes | null {
    const record = new HttpRecord(request, server, version);
    this.#exchanges.push(() => record.exchange);
    return record;
  }

  dns(query: Uint8Array, server: string, transport: "udp" | "tcp"): DnsNotes | null {
    const answers: Uint8Array[] = [];
    this.#exchanges.push(() => ({ kind: "dns", server, transport, query, answers }));
    return {
      message: (bytes) => {
        if (answers.length < limits.transcriptMessagesMax) answers.push(Uint8Array.from(bytes));
      },
    };
  }
}

class HttpRecord implements HttpNotes {
  readonly #request: Request;
  readonly #server: string;
  readonly #version: "1.1" | "2";
  readonly #sent = new StreamRecorder(limits.transcriptRequestBytesMax);
  readonly #read = new StreamRecorder(limits.transcriptResponseBytesMax);
  readonly #body = new StreamRecorder(limits.explainedBodyBytesMax);
  #head: HttpExchange["head"] = null;
  #whole: boolean | null = null;

  constructor(request: Request, server: string, version: "1.1" | "2") {
    this.#request = request;
    this.#server = server;
    this.#version = version;
  }

  get exchange(): HttpExchange {
    return {
      kind: "http",
      server: this.#server,
      version: this.#version,
      request: this.#request,
      sent: this.#sent.beginning,
      read: this.#read.beginning,
      head: this.#head,
      body: this.#body.beginning,
      whole: this.#whole ?? false,
    };
  }

  sent(chunk: Uint8Array): void {
    this.#sent.add(chunk);
  }

  read(chunk: Uint8Array): void {
    this.#read.add(chunk);
  }

  head(statusCode: number, headers: HeaderPairs): void {
    this.#head = { statusCode, headers };
  }

  body(chunk: Uint8Array): void {
    this.#body.add(chunk);
  }

  ended(whole: boolean): void {
    // What happens to the connection afterwards is our own closing of it.
    this.#whole ??= whole;
  }
}

/** Keeps the first bytes of a stream and counts the rest. */
class StreamRecorder {
  readonly #chunks: Uint8Array[] = [];
  #room: number;
  #size = 0;

  constructor(max: Bytes) {
    this.#room = max;
  }

  add(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#room === 0) return;
    const piece = Uint8Array.from(chunk.subarray(0, this.#room));
    this.#chunks.push(piece);
    this.#room -= piece.length;
  }

  get beginning(): Beginning {
    return { bytes: Buffer.concat(this.#chunks), size: this.#size };
  }
}
