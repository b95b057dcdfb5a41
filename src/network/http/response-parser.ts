import * as limits from "#limits/probes-limits";
import { type BodySink, ChunkedBody } from "#network/http/chunked-body";
import {
  type Framing,
  readField,
  readFraming,
  readStatusLine,
  readValue,
  type ResponseHead,
} from "#network/http/response-head";
import type { Bytes } from "#base/units";

/** Whoever wants to know what a parser reads. */
interface ResponseListener {
  /** The first byte of a head came: of the final one, or of an interim one before it. */
  onHeadBegan(): void;
  onInterim(statusCode: number): void;
  /** The final head, and its transfer codings but for chunked, innermost first. */
  onHead(head: ResponseHead, transferCodings: readonly string[]): void;
  readonly onBody: BodySink;
  /** The response is whole. */
  onWhole(): void;
}

/** Why an answer is refused: `why` ends a sentence that begins "the answer is not valid HTTP". */
export type ParserFault =
  | { readonly code: "headers_too_large"; readonly max: Bytes }
  | { readonly code: "protocol_error"; readonly why: string };

type State = "status" | "fields" | "length" | "chunks" | "trailers" | "close" | "over";

/**
 * Reads one response over HTTP/1 (RFC 9112) as its bytes come: strict where a lax reader could be deceived, and with a
 * bound to all that it keeps. The pieces in which the bytes come make no difference to what it reads.
 */
export class ResponseParser {
  readonly #method: string;
  readonly #listener: ResponseListener;
  #state: State = "status";
  #fault: ParserFault | null = null;
  /** The beginning of a line whose end has not come. */
  #line = "";
  /** Of the head, or of the trailers, so far. */
  #headBytes = 0;
  #interim = 0;
  #status: Pick<ResponseHead, "version" | "statusCode"> = { version: "1.1", statusCode: 0 };
  #fields: (readonly [string, string])[] = [];
  #chunks = new ChunkedBody();
  /** What is missing of a body whose length is known. */
  #left = 0;

  constructor(method: string, listener: ResponseListener) {
    this.#method = method;
    this.#listener = listener;
  }

  /** Reads on. Bytes behind the response, or behind a fault, are passed over. */
  push(read: Uint8Array): ParserFault | null {
    // One view of them makes all texts: to make one costs more than to read a line.
    const bytes = Buffer.from(read.buffer, read.byteOffset, read.length);
    let at = 0;
    while (at < bytes.length && this.#fault === null && this.#state !== "over")
      at = this.#step(bytes, at);
    return this.#fault;
  }

  /** The peer sends no more: a body without another end is whole. */
  end(): void {
    if (this.#state === "close" && this.#fault === null) this.#finish();
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case "status":
      case "fields":
      case "trailers":
        return this.#readLine(bytes, at);
      case "length":
        return this.#readLength(bytes, at);
      case "chunks":
        return this.#readChunks(bytes, at);
      case "close":
        this.#listener.onBody(bytes, at, bytes.length);
        return bytes.length;
      case "over":
        return bytes.length;
    }
  }

  /** A line ends with LF, and the CR before it is no part of it (RFC 9112 §2.2). */
  #readLine(bytes: Buffer, at: number): number {
    if (this.#state === "status" && this.#headBytes === 0) this.#listener.onHeadBegan();
    const found = bytes.indexOf(newline, at);
    const end = found === -1 ? bytes.length : found + 1;
    // No more than fits is looked at, so that the pieces make no difference to what is refused first.
    const room = limits.responseHeadBytesMax - this.#headBytes;
    this.#headBytes += end - at;
    const begun = this.#line.length;
    this.#line += bytes.toString("latin1", at, Math.min(found === -1 ? end : found, at + room));
    if (this.#state === "status" && begun < httpBeginning.length && !isHttp(this.#line))
      this.#refuse(notHttp(this.#line));
    else if (end - at > room) this.#fault = tooLarge;
    else if (found !== -1) this.#endLine();
    return end;
  }

  #endLine(): void {
    const line = this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line;
    this.#line = "";
    switch (this.#state) {
      case "status":
        return this.#onStatusLine(line);
      case "fields":
        return line === "" ? this.#onHead() : this.#onField(line);
      case "trailers":
        return line === "" ? this.#finish() : this.#onField(line);
      case "length":
      case "chunks":
      case "close":
      case "over":
        return;
    }
  }

  #onStatusLine(line: string): void {
    const read = readStatusLine(line);
    if (!read.ok) return this.#refuse(read.why);
    this.#status = read.value;
    this.#state = "fields";
  }

  #onField(line: string): void {
    if (line.startsWith(" ") || line.startsWith("\t")) return this.#unfold(line);
    const read = readField(line);
    if (read.ok) this.#fields.push(read.value);
    else this.#refuse(read.why);
  }

  /** RFC 9112 §5.2: a line that begins with a space is more of the one before, whose end counts as one space. */
  #unfold(line: string): void {
    const last = this.#fields.pop();
    if (last === undefined) return this.#refuse("its first header line begins with a space");
    const more = readValue(line);
    if (!more.ok) return this.#refuse(more.why);
    const [name, value] = last;
    const gap = value === "" || more.value === "" ? "" : " ";
    this.#fields.push([name, value + gap + more.value]);
  }

  #onHead(): void {
    const head = { ...this.#status, headers: this.#fields };
    this.#fields = [];
    this.#headBytes = 0;
    if (head.statusCode < 200) return this.#onInterim(head.statusCode);
    const read = readFraming(head, this.#method);
    if (!read.ok) return this.#refuse(read.why);
    this.#listener.onHead(head, read.value.codings);
    this.#beginBody(read.value.framing);
  }

  /** The wait lasts until the final response; a 101 is for whoever asked for it (RFC 9110 §15.2.2). */
  #onInterim(statusCode: number): void {
    if (statusCode === 101) return this.#refuse("it changes to a protocol that was not asked for");
    this.#state = "status";
    this.#listener.onInterim(statusCode);
    this.#interim += 1;
    if (this.#interim > limits.interimResponsesMax)
      this.#refuse(`more than ${limits.interimResponsesMax} interim responses`);
  }

  #beginBody(framing: Framing): void {
    switch (framing.by) {
      case "head":
        return this.#finish();
      case "length":
        this.#left = framing.length;
        this.#state = "length";
        return framing.length === 0 ? this.#finish() : undefined;
      case "chunks":
      case "close":
        this.#state = framing.by;
    }
  }

  #readLength(bytes: Uint8Array, at: number): number {
    const to = Math.min(bytes.length, at + this.#left);
    this.#left -= to - at;
    this.#listener.onBody(bytes, at, to);
    if (this.#left === 0) this.#finish();
    return to;
  }

  #readChunks(bytes: Uint8Array, from: number): number {
    const at = this.#chunks.push(bytes, from, this.#listener.onBody);
    const { fault, isOver } = this.#chunks;
    if (fault !== null) this.#refuse(fault);
    else if (isOver) this.#state = "trailers";
    return at;
  }

  #finish(): void {
    this.#state = "over";
    this.#listener.onWhole();
  }

  #refuse(why: string): void {
    this.#fault = { code: "protocol_error", why };
  }
}

const tooLarge: ParserFault = { code: "headers_too_large", max: limits.responseHeadBytesMax };

const newline = 0x0a;

const httpBeginning = "HTTP/1.";

/** Whether a first line, of which this much came, can be that of a response: only before a request may one be empty (RFC 9112 §2.2). */
const isHttp = (line: string): boolean => line.startsWith(httpBeginning.slice(0, line.length));

/** A peer that speaks TLS where plain HTTP was asked answers with an alert (RFC 8446 §5.1). */
function notHttp(line: string): string {
  if (line.startsWith("\x15")) return "it is an alert of TLS, which the peer speaks on this port";
  return line.startsWith("HTTP/")
    ? "it has a version of HTTP that was not asked for"
    : "it does not begin with HTTP/1";
}
