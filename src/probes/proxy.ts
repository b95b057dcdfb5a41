import type { Socket } from "node:net";
import type { Deadline } from "#deadline";
import { failure, type Failure } from "#failure";
import * as limits from "#limits";
import { basicAuth } from "#probes/basic-auth";
import { classify, errorCode, timedOut } from "#probes/classify";
import { handshake } from "#probes/handshake";
import type { Mark, Marker } from "#probes/marker";
import { isException, type ProxyException } from "#probes/no-proxy";
import type { Run } from "#probes/probe";
import { type Parsed, showHostPort } from "#target";

/** An HTTP proxy. Plain values, which are copied to the probe threads. */
export interface Proxy {
  readonly host: string;
  readonly port: number;
  /** Whether TLS is spoken with the proxy itself. */
  readonly secure: boolean;
  /** The value of Proxy-Authorization: a secret. */
  readonly authorization: string | null;
}

/** By which way targets are reached: null has no proxy. */
export interface Proxying {
  readonly proxy: Proxy | null;
  readonly exceptions: readonly ProxyException[];
}

interface Target {
  readonly host: string;
  readonly port: number;
}

/** The proxy that a target is reached through; null dials it directly. */
export const proxyFor = ({ host, port }: Target, { proxy, exceptions }: Proxying): Proxy | null =>
  proxy === null || isException(host, port, exceptions) ? null : proxy;

/** `http://host:port` or `https://host:port`, with the user-info that the proxy wants. No message quotes it. */
export function parseProxy(text: string): Parsed<Proxy> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return { ok: false, message: "is no http or https URL" };
  if (!/^\/?$/.test(url.pathname) || url.search !== "" || url.hash !== "" || url.port === "0")
    return { ok: false, message: "has more than a scheme, user-info, a host and a port" };
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port || (secure ? 443 : 80));
  return { ok: true, value: { host, port, secure, authorization: basicAuth(url) } };
}

export type Tunnel =
  | { readonly ok: true; readonly socket: Socket; readonly mark: Mark }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Asks a proxy, over a connection to it, for a tunnel to the target by CONNECT (RFC 9110 §9.3.6). Plain http goes
 * through a tunnel too: one way for every target, and what is measured after it is the target, not the proxy's own
 * forwarding, caching and headers. TLS with the proxy, the question and its answer are one phase, `proxy`, which the
 * caller has entered. Destroys the connection unless the tunnel is open.
 */
export async function openTunnel(
  raw: Socket,
  proxy: Proxy,
  target: Target,
  run: Run,
): Promise<Tunnel> {
  const { deadline, stopwatch, context } = run;
  const ways: Ways = {
    proxy: `the proxy ${showHostPort(proxy.host, proxy.port)}`,
    target: showHostPort(target.host, target.port),
  };
  const late = (): Tunnel => ({
    ok: false,
    failure: timedOut(deadline, "proxy", `${ways.target} (${ways.proxy})`),
  });
  const secured = await secure(raw, proxy, ways, run);
  if (!secured.ok) return deadline.ended === null ? secured : late();
  const { socket } = secured;
  const asked = connectRequest(ways.target, proxy.authorization, context.userAgent);
  const ended = await answerTo(asked, socket, deadline, context.marker);
  if (ended.how === "answered" && ended.status >= 200 && ended.status < 300) {
    // Whatever follows the head is the target's. A Content-Length here means nothing (RFC 9110 §9.3.6).
    if (ended.rest.length > 0) socket.unshift(ended.rest);
    return { ok: true, socket, mark: ended.mark };
  }
  stopwatch.stop(context.marker.told());
  socket.on("error", () => {});
  socket.destroy();
  raw.destroy();
  if (ended.how === "deadline") return late();
  return { ok: false, failure: refusalOf(ended, ways, proxy.authorization !== null) };
}

/** How the proxy and the target are called in a sentence. */
interface Ways {
  readonly proxy: string;
  readonly target: string;
}

type SecuredProxy =
  | { readonly ok: true; readonly socket: Socket }
  | { readonly ok: false; readonly failure: Failure };

async function secure(
  raw: Socket,
  { host, secure: wanted }: Proxy,
  { proxy }: Ways,
  run: Run,
): Promise<SecuredProxy> {
  if (!wanted) return { ok: true, socket: raw };
  const peer = { host, where: proxy, alpn: ["http/1.1"], phase: "proxy" } as const;
  const secured = await handshake(raw, peer, run);
  // The target's own TLS may go over this socket: its end has to be the end of the connection too.
  if (secured.ok) secured.socket.once("close", () => raw.destroy());
  return secured;
}

function connectRequest(target: string, authorization: string | null, userAgent: string): string {
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`, `User-Agent: ${userAgent}`];
  if (authorization !== null) lines.push(`Proxy-Authorization: ${authorization}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

type AnswerEnd =
  | {
      readonly how: "answered";
      readonly status: number;
      readonly head: string;
      readonly rest: Uint8Array;
      readonly mark: Mark;
    }
  | { readonly how: "closed"; readonly begun: boolean }
  | { readonly how: "error"; readonly error: Error; readonly begun: boolean }
  | { readonly how: "no HTTP"; readonly speaksTls: boolean }
  | { readonly how: "too long" }
  | { readonly how: "deadline" };

/** Sends the question and reads until the head of its answer is whole; listens to nothing afterwards. */
function answerTo(
  asked: string,
  socket: Socket,
  { signal }: Deadline,
  marker: Marker,
): Promise<AnswerEnd> {
  return new Promise((resolve) => {
    let seen: Uint8Array = new Uint8Array();
    const listeners = {
      readable: (): void => {
        const mark = marker.told();
        for (let chunk: unknown = socket.read(); chunk !== null; chunk = socket.read())
          if (chunk instanceof Uint8Array) seen = Buffer.concat([seen, chunk]);
        const ended = answerIn(seen, mark);
        if (ended !== null) end(ended);
      },
      end: (): void => end({ how: "closed", begun: seen.length > 0 }),
      close: (): void => end({ how: "closed", begun: seen.length > 0 }),
      error: (error: Error): void => end({ how: "error", error, begun: seen.length > 0 }),
    };
    const onDeadline = (): void => end({ how: "deadline" });
    const end = (ended: AnswerEnd): void => {
      signal.removeEventListener("abort", onDeadline);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      resolve(ended);
    };
    if (signal.aborted) return onDeadline();
    signal.addEventListener("abort", onDeadline, { once: true });
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    socket.write(asked);
  });
}

/** The final answer in what has come so far; null when more has to come. Interim answers before it say nothing. */
function answerIn(seen: Uint8Array, mark: Mark): AnswerEnd | null {
  const text = Buffer.from(seen).toString("latin1");
  let at = 0;
  for (;;) {
    const begun = text.slice(at, at + protocol.length);
    if (!protocol.startsWith(begun))
      return { how: "no HTTP", speaksTls: text.startsWith(tlsAlert) };
    const [head] = /^[\s\S]*?\r?\n\r?\n/.exec(text.slice(at)) ?? [];
    const length = head === undefined ? text.length : at + head.length;
    if (length > limits.proxyHeadBytesMax) return { how: "too long" };
    if (head === undefined) return null;
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: [^\r\n]*)?\r?\n/.exec(head)?.[1] ?? 0);
    if (status < 100) return { how: "no HTTP", speaksTls: false };
    at += head.length;
    if (status >= 200 || status === 101)
      return { how: "answered", status, head, rest: seen.subarray(at), mark };
  }
}

const protocol = "HTTP/1.";
/** The beginning of a record of TLS (RFC 8446 §5.1) that carries an alert. */
const tlsAlert = "\x15\x03";

/** Whatever a proxy does but open the tunnel, it has refused it. */
function refusalOf(
  ended: Exclude<AnswerEnd, { how: "deadline" }>,
  { proxy, target }: Ways,
  authorized: boolean,
): Failure {
  const refused = (sentence: string): Failure => failure("proxy_refused", "proxy", sentence);
  switch (ended.how) {
    case "answered": {
      const why = [401, 407].includes(ended.status)
        ? credentialsWanted(ended.head, authorized)
        : "";
      return refused(`${proxy} answered CONNECT ${target} with status ${ended.status}${why}`);
    }
    case "closed":
      return refused(`${proxy} closed the connection ${when(ended.begun)} CONNECT ${target}`);
    case "error":
      return ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(errorCode(ended.error))
        ? refused(`${proxy} reset the connection ${when(ended.begun)} CONNECT ${target}`)
        : classify(ended.error, "proxy", proxy);
    case "no HTTP": {
      const why = ended.speaksTls ? ": it is an alert of TLS, which it speaks on this port" : "";
      return refused(`the answer of ${proxy} to CONNECT ${target} is no HTTP${why}`);
    }
    case "too long": {
      const size = `${limits.proxyHeadBytesMax / 1024} KiB`;
      return refused(`the head of the answer of ${proxy} to CONNECT ${target} is over ${size}`);
    }
  }
}

const when = (begun: boolean): string =>
  begun ? "in the middle of its answer to" : "without answering";

/**
 * What a 407 says (RFC 9110 §15.5.8), and by which schemes the proxy would know us. Some say 401, and can mean only
 * themselves: the target has not been reached.
 */
function credentialsWanted(head: string, authorized: boolean): string {
  const named = head.matchAll(/^(?:proxy|www)-authenticate:[ \t]*([\w!#$%&'*+.^`|~-]{1,32})/gim);
  const schemes = [...new Set([...named].map(([, scheme]) => scheme))].slice(0, 4);
  const by = schemes.length === 0 ? "" : ` (${schemes.join(", ")})`;
  return authorized
    ? `: it does not accept the credentials${by} of the proxy's URL`
    : `: it wants credentials${by}, and the proxy's URL has none`;
}
