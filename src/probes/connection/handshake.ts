import { isIP } from "node:net";
import type { Deadline } from "#base/deadline";
import { failure, type Failure } from "#check/failure";
import type { TlsFacts } from "#check/outcome";
import { classify, timedOut } from "#probes/socket/classify";
import type { BareLine, Line, StartTls, TlsEnd } from "#probes/socket/line";
import { startRuntimeTls } from "#probes/socket/runtime-tls";
import type { Mark } from "#probes/socket/marker";
import type { ShownTls, TlsAttempt } from "#probes/socket/tls-attempt";
import type { Run } from "#probes/connection/probe";
import { refusal, verificationFault } from "#probes/connection/certificate-refusal";

/** The line's own TLS if it has one that keeps the terms, or else the runtime's. */
export const startBestTls: StartTls<Line> = (below, terms, onEnd) =>
  below.ownTls?.(terms, onEnd) ?? startRuntimeTls(below, terms, onEnd);

/** With whom TLS is spoken, and the phase that it takes place in: a proxy's handshake belongs to the proxy. */
interface SecuredPeer {
  readonly host: string;
  /** How a sentence names it. */
  readonly where: string;
  readonly alpn: readonly string[];
  readonly phase: "tls" | "proxy";
}

/** A connection that speaks TLS, or why there is none. */
type HandshakeResult<L extends Line> =
  | { readonly ok: true; readonly line: L; readonly ready: Mark; readonly tls: TlsFacts }
  | { readonly ok: false; readonly failure: Failure; readonly tls: TlsFacts | null };

/**
 * TLS over a connection, without session reuse. Verification is judged here and not by whatever speaks TLS, so that a
 * refused certificate can still be described; nothing is sent to a peer that was refused, but for our own certificate
 * where it asked for one: that is no secret, and what proves it is good for this handshake alone.
 */
export async function handshake<L extends Line>(
  below: BareLine,
  peer: SecuredPeer,
  { deadline, context }: Run,
  startTls: StartTls<L>,
): Promise<HandshakeResult<L>> {
  const { where, phase, alpn } = peer;
  // RFC 6066 §3: without the dot that ends an absolute name; certificates have none either.
  const host = peer.host.replace(/\.$/, "");
  const serverName = isIP(host) === 0 ? host : null;
  if (deadline.end.aborted) {
    below.destroy();
    return { ok: false, failure: timedOut(deadline, phase, where), tls: null };
  }
  const terms = { host, serverName, alpn, trust: context.trust };
  const ended = await handshakeEnd<L>((onEnd) => startTls(below, terms, onEnd), below, deadline);
  switch (ended.how) {
    case "secured":
      break;
    case "deadline":
      return { ok: false, failure: timedOut(deadline, phase, where), tls: null };
    case "closed":
      return { ok: false, failure: closedInHandshake(peer), tls: null };
    case "error":
      return { ok: false, failure: classify(ended.error, phase, where), tls: null };
  }
  const { line, ready, shown } = ended;
  const tls = tlsFacts(shown, serverName);
  const fault = verificationFault(shown.fault, shown.chain, host);
  if (fault === null) return { ok: true, line, ready, tls };
  const refused = { ...refusal(fault, shown.chain, where, context.clock), phase };
  if (phase === "tls" && context.overrides.acceptsAnyCertificate)
    return { ok: true, line, ready, tls: { ...tls, acceptedFault: refused.message } };
  line.destroy();
  return { ok: false, failure: refused, tls };
}

const tlsFacts = (shown: ShownTls, serverName: string | null): TlsFacts => ({
  protocol: shown.protocol,
  cipher: shown.cipher,
  alpn: shown.alpn,
  serverName,
  certificate: shown.chain?.facts ?? null,
  acceptedFault: null,
});

type HandshakeEnd<L extends Line> = TlsEnd<L> | { readonly how: "deadline" };

/** Throws where the files of the trust cannot be read. That is our fault, and the peer is not kept waiting for it. */
async function handshakeEnd<L extends Line>(
  start: (onEnd: (end: TlsEnd<L>) => void) => TlsAttempt,
  below: Line,
  deadline: Deadline,
): Promise<HandshakeEnd<L>> {
  const { promise, resolve } = Promise.withResolvers<HandshakeEnd<L>>();
  let attempt: TlsAttempt;
  try {
    attempt = start(resolve);
  } catch (error) {
    below.destroy();
    throw error;
  }
  const onDeadline = (): void => {
    attempt.abandon();
    resolve({ how: "deadline" });
  };
  deadline.end.addEventListener("abort", onDeadline, { once: true });
  const ended = await promise;
  deadline.end.removeEventListener("abort", onDeadline);
  return ended;
}

const closedInHandshake = ({ where, phase }: SecuredPeer): Failure =>
  failure("tls_closed", phase, `the peer closed the connection in the TLS handshake (${where})`);
