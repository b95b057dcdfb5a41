import * as limits from "#limits/probes-limits";
import type { Proxy } from "#network/proxy";
import { showHostPort } from "#network/host-port";

/** How a proxy and what is wanted through it are called in a sentence. */
export interface TunnelEnds {
  readonly proxy: string;
  readonly target: string;
}

interface HostPort {
  readonly host: string;
  readonly port: number;
}

export const tunnelEnds = (proxy: HostPort, target: HostPort): TunnelEnds => ({
  proxy: `the proxy ${showHostPort(proxy.host, proxy.port)}`,
  target: showHostPort(target.host, target.port),
});

/** The question for a tunnel, CONNECT (RFC 9110 §9.3.6). It holds the proxy's credentials. */
export function connectRequest(
  { target }: TunnelEnds,
  { authorization }: Proxy,
  userAgent: string,
): string {
  const lines = [`CONNECT ${target} HTTP/1.1`, `Host: ${target}`, `User-Agent: ${userAgent}`];
  if (authorization !== null) lines.push(`Proxy-Authorization: ${authorization}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

/** What a proxy said. `rest` is what came after the head; in an open tunnel it is the target's. */
type TunnelAnswer =
  | {
      readonly how: "answered";
      readonly status: number;
      readonly head: string;
      readonly rest: Uint8Array;
    }
  | { readonly how: "no HTTP"; readonly speaksTls: boolean }
  | { readonly how: "too long" };

/** Why there is no tunnel: what the proxy said, or how it ended the connection, in the middle of an answer or before. */
export type TunnelRefusal =
  | TunnelAnswer
  | { readonly how: "closed" | "reset"; readonly begun: boolean };

/** A Content-Length here means nothing (RFC 9110 §9.3.6). */
export const opensTunnel = (
  answer: TunnelRefusal,
): answer is Extract<TunnelAnswer, { how: "answered" }> =>
  answer.how === "answered" && answer.status >= 200 && answer.status < 300;

/** The final answer in what has come so far; null when more has to come. Interim answers before it say nothing. */
export function tunnelAnswerIn(seen: Uint8Array): TunnelAnswer | null {
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
      return { how: "answered", status, head, rest: seen.subarray(at) };
  }
}

const protocol = "HTTP/1.";
/** The beginning of a record of TLS (RFC 8446 §5.1) that carries an alert. */
const tlsAlert = "\x15\x03";

/** Whatever a proxy does but open the tunnel, it has refused it. */
export function refusalSentence(
  refusal: TunnelRefusal,
  { proxy, target }: TunnelEnds,
  { authorization }: Proxy,
): string {
  switch (refusal.how) {
    case "answered": {
      const why = [401, 407].includes(refusal.status)
        ? credentialsWanted(refusal.head, authorization !== null)
        : "";
      return `${proxy} answered CONNECT ${target} with status ${refusal.status}${why}`;
    }
    case "closed":
      return `${proxy} closed the connection ${when(refusal.begun)} CONNECT ${target}`;
    case "reset":
      return `${proxy} reset the connection ${when(refusal.begun)} CONNECT ${target}`;
    case "no HTTP": {
      const why = refusal.speaksTls ? ": it is an alert of TLS, which it speaks on this port" : "";
      return `the answer of ${proxy} to CONNECT ${target} is not HTTP${why}`;
    }
    case "too long": {
      const size = `${limits.proxyHeadBytesMax / 1024} KiB`;
      return `the head of the answer of ${proxy} to CONNECT ${target} is over ${size}`;
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
