import type { SecretEcho } from "#check/secret-echo";
import { redaction, type Redaction } from "#cli/check/redaction";
import * as limits from "#limits/probes-limits";
import type { Header } from "#check/monitor";
import type { Beginning, DnsExchange, Exchange, HttpExchange } from "#probes/resolve/recorder";

/** An exchange as it may be shown to everyone: what went over the wire, without the secrets in it. */
export type ShownExchange = ShownHttp | ShownDns;

export interface ShownHttp {
  readonly kind: "http";
  readonly server: string;
  readonly version: "1.1" | "2";
  /** Null when nothing was sent. */
  readonly request: ShownHead | null;
  readonly requestBodyBytes: number;
  /** Interim responses and the final one. */
  readonly responses: readonly ShownHead[];
  readonly body: ShownBytes | null;
  /** What came where a response should have been, and is none, or not a whole one. */
  readonly unread: ShownBytes | null;
}

/** The first line of a request or a response, and its header lines. */
interface ShownHead {
  readonly line: string;
  readonly headers: readonly string[];
}

/** The first bytes of something, `shown` of `size` in all. */
export type ShownBytes =
  | { readonly as: "text"; readonly text: string; readonly shown: number; readonly size: number }
  | {
      readonly as: "hex";
      readonly bytes: Uint8Array;
      readonly shown: number;
      readonly size: number;
    };

export interface ShownDns {
  readonly kind: "dns";
  readonly server: string;
  readonly transport: "udp" | "tcp";
  readonly query: ShownBytes;
  readonly answers: readonly ShownBytes[];
}

/** Takes the secrets out of what an attempt exchanged. `configured` are the headers that the user gave, `located` the location's. */
export function shownExchanges(
  exchanges: readonly Exchange[],
  configured: readonly Header[],
  located: readonly SecretEcho[],
): readonly ShownExchange[] {
  const redact = redaction(exchanges, configured, located);
  return exchanges.map((exchange) =>
    exchange.kind === "dns" ? shownDns(exchange) : shownHttp(exchange, redact),
  );
}

const shownDns = ({ kind, server, transport, query, answers }: DnsExchange): ShownDns => ({
  kind,
  server,
  transport,
  query: message(query),
  answers: answers.map(message),
});

function message(whole: Uint8Array): ShownBytes {
  const bytes = whole.subarray(0, limits.explainedMessageBytesMax);
  return { as: "hex", bytes, shown: bytes.length, size: whole.length };
}

function shownHttp(exchange: HttpExchange, redact: Redaction): ShownHttp {
  const { kind, server, version, request, head, read } = exchange;
  const { responses, rest } = version === "2" ? overHttp2(head) : overHttp1(read, head !== null);
  const isRead = head !== null;
  // The parser takes the framing away; if it was at fault, or the body was not wanted, the bytes are as they came.
  const body = exchange.whole && exchange.body.size > 0 ? exchange.body : (rest ?? exchange.body);
  return {
    kind,
    server,
    version,
    request: shownHead(sentHead(exchange), (line) => redact.requestLine(line), redact),
    requestBodyBytes: request.body?.length ?? 0,
    responses: responses.flatMap((lines) => {
      const one = shownHead(lines, (line) => redact.text(line), redact);
      return one === null ? [] : [one];
    }),
    body: isRead ? shownBytes(body, redact) : null,
    unread: isRead || rest === null ? null : shownBytes(rest, redact),
  };
}

/** Only whole lines: the end of one that was cut off may have been a secret's beginning. */
function sentHead({ version, request, sent }: HttpExchange): readonly string[] {
  if (version !== "2") return headLines(wholeLines(latin1(sent.bytes)));
  const { method, url, headers, body } = request;
  return [
    `${method} ${url.pathname}${url.search} HTTP/2`,
    `:authority: ${url.host}`,
    ...headers.map(({ key, value }) => `${key.toLowerCase()}: ${value}`),
    ...(body === null ? [] : [`content-length: ${body.length}`]),
  ];
}

function wholeLines(text: string): string {
  const end = text.indexOf("\r\n\r\n");
  return text.slice(0, end === -1 ? text.lastIndexOf("\n") + 1 : end);
}

const shownHead = (
  [first, ...headers]: readonly string[],
  firstLine: (line: string) => string,
  redact: Redaction,
): ShownHead | null =>
  first === undefined
    ? null
    : { line: firstLine(first), headers: headers.map((line) => redact.headerLine(line)) };

interface Responses {
  readonly responses: readonly (readonly string[])[];
  /** What follows the heads, as it came; null if it cannot be seen. */
  readonly rest: Beginning | null;
}

const overHttp2 = (head: HttpExchange["head"]): Responses => ({
  responses:
    head === null
      ? []
      : [
          [
            `HTTP/2 ${head.statusCode}`,
            ...head.headers.map(([name, value]) => `${name}: ${value}`),
          ],
        ],
  rest: null,
});

/** The interim heads, and the final one where `isRead`, which is when the parser took it for a whole one. */
function overHttp1({ bytes, size }: Beginning, isRead: boolean): Responses {
  const text = latin1(bytes);
  const responses: (readonly string[])[] = [];
  let at = 0;
  for (;;) {
    const end = /\r?\n\r?\n/g;
    end.lastIndex = at;
    const found = end.exec(text);
    const isInterim = /^HTTP\/1\.[01] 1(?!01)\d\d\b/.test(text.slice(at, at + statusChars));
    if (found === null || (!isInterim && !isRead)) break;
    responses.push(headLines(text.slice(at, found.index)));
    at = end.lastIndex;
    if (!isInterim) break;
  }
  return { responses, rest: { bytes: bytes.subarray(at), size: size - at } };
}

const statusChars = "HTTP/1.1 100 ".length;

/** The lines of a head; one that begins with a space continues the one before (RFC 9112 §5.2). */
const headLines = (text: string): readonly string[] =>
  text
    .replaceAll(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)
    .filter((line) => line !== "");

/** Text where it reads as such, without the secrets in either case. */
function shownBytes({ bytes, size }: Beginning, redact: Redaction): ShownBytes | null {
  if (size === 0) return null;
  const beginning = bytes.subarray(0, limits.explainedBodyBytesMax);
  const clean = Buffer.from(redact.text(latin1(beginning)), "latin1");
  // A character may be cut in the middle at the end.
  const text = clean.toString("utf8").replace(/\ufffd$/, "");
  return isReadable(text)
    ? { as: "text", text, shown: beginning.length, size }
    : { as: "hex", bytes: clean, shown: beginning.length, size };
}

/** Whether hardly any character of it is a control character or no character at all. */
function isReadable(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- these are the characters looked for.
  const odd = text.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g)?.length ?? 0;
  return odd <= text.length * oddShareMax;
}

const oddShareMax = 0.1;

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
