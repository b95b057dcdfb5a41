import type { Socket } from "node:net";
import type { Deadline } from "#base/deadline";
import { failure, type Failure } from "#check/failure";
import { classify, timedOut } from "#probes/socket/classify";
import { errorCode } from "#network/system-errors";
import { handshake } from "#probes/connection/handshake";
import { type BareLine, socketLine } from "#probes/socket/line";
import { startRuntimeTls } from "#probes/socket/runtime-tls";
import { eventTimes } from "#probes/socket/wire-times";
import type { Mark, Marker } from "#probes/socket/marker";
import type { Run } from "#probes/connection/probe";
import type { Proxy } from "#network/proxy";
import {
  connectRequest,
  opensTunnel,
  refusalSentence,
  tunnelAnswerIn,
  type TunnelEnds,
  tunnelEnds,
  type TunnelRefusal,
} from "#network/connect-request";

type Tunnel =
  | { readonly ok: true; readonly line: BareLine; readonly mark: Mark }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Asks a proxy, over a connection to it, for a tunnel to the target by CONNECT. Plain http goes through a tunnel too:
 * one way for every target, and what is measured after it is the target, not the proxy's own forwarding, caching and
 * headers. TLS with the proxy, the question and its answer are one phase, `proxy`, which the caller has entered.
 * Destroys the connection unless the tunnel is open.
 */
export async function openTunnel(
  below: BareLine,
  proxy: Proxy,
  target: { readonly host: string; readonly port: number },
  run: Run,
): Promise<Tunnel> {
  const { deadline, stopwatch, context } = run;
  const ends = tunnelEnds(proxy, target);
  const late = (): Tunnel => ({
    ok: false,
    failure: timedOut(deadline, "proxy", `${ends.target} (${ends.proxy})`),
  });
  const secured = await secure(below, proxy, ends, run);
  if (!secured.ok) return deadline.ended === null ? secured : late();
  const socket = secured.line.socket();
  const asked = connectRequest(ends, proxy, context.userAgent);
  const answer = await answerTo(asked, socket, deadline, context.marker);
  if (answer.how === "ended" && opensTunnel(answer.ended)) {
    if (answer.ended.rest.length > 0) socket.unshift(answer.ended.rest);
    return {
      ok: true,
      line: socketLine(socket, eventTimes(context.marker), below),
      mark: answer.mark,
    };
  }
  stopwatch.stop(context.marker.observed());
  secured.line.destroy();
  switch (answer.how) {
    case "deadline":
      return late();
    case "error":
      return { ok: false, failure: classify(answer.error, "proxy", ends.proxy) };
    case "ended": {
      const sentence = refusalSentence(answer.ended, ends, proxy);
      return { ok: false, failure: failure("proxy_refused", "proxy", sentence) };
    }
  }
}

type SecuredProxy =
  | { readonly ok: true; readonly line: BareLine }
  | { readonly ok: false; readonly failure: Failure };

async function secure(
  below: BareLine,
  { host, secure: wanted }: Proxy,
  { proxy }: TunnelEnds,
  run: Run,
): Promise<SecuredProxy> {
  if (!wanted) return { ok: true, line: below };
  const peer = { host, where: proxy, alpn: ["http/1.1"], phase: "proxy" } as const;
  const secured = await handshake(below, peer, run, startRuntimeTls);
  // The target's own TLS may go over this socket: its end has to be the end of the connection too.
  if (secured.ok) secured.line.socket().once("close", () => below.destroy());
  return secured;
}

type ProxyReply =
  | { readonly how: "ended"; readonly ended: TunnelRefusal; readonly mark: Mark }
  | { readonly how: "error"; readonly error: Error }
  | { readonly how: "deadline" };

const isReset = (error: Error): boolean =>
  ["ECONNRESET", "EPIPE", "ECONNABORTED"].includes(errorCode(error));

function* unreadIn(socket: Socket): Generator<Uint8Array> {
  for (let chunk: unknown = socket.read(); chunk !== null; chunk = socket.read())
    if (chunk instanceof Uint8Array) yield chunk;
}

/** Sends the question and reads until the head of its answer is whole; listens to nothing afterwards. */
function answerTo(
  asked: string,
  socket: Socket,
  { signal }: Deadline,
  marker: Marker,
): Promise<ProxyReply> {
  return new Promise((resolve) => {
    let seen: Uint8Array = new Uint8Array();
    const ended = (how: "closed" | "reset"): ProxyReply => ({
      how: "ended",
      ended: { how, begun: seen.length > 0 },
      mark: marker.observed(),
    });
    const listeners = {
      readable: (): void => {
        const mark = marker.observed();
        seen = Buffer.concat([seen, ...unreadIn(socket)]);
        const answer = tunnelAnswerIn(seen);
        if (answer !== null) end({ how: "ended", ended: answer, mark });
      },
      end: (): void => end(ended("closed")),
      close: (): void => end(ended("closed")),
      error: (error: Error): void => end(isReset(error) ? ended("reset") : { how: "error", error }),
    };
    const onDeadline = (): void => end({ how: "deadline" });
    const end = (answer: ProxyReply): void => {
      signal.removeEventListener("abort", onDeadline);
      for (const [event, listener] of Object.entries(listeners)) socket.off(event, listener);
      resolve(answer);
    };
    if (signal.aborted) return onDeadline();
    signal.addEventListener("abort", onDeadline, { once: true });
    for (const [event, listener] of Object.entries(listeners)) socket.on(event, listener);
    socket.write(asked);
  });
}
