import { isIP } from "node:net";
import {
  connect as connectTls,
  type DetailedPeerCertificate,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import type { Deadline } from "#deadline";
import { failure, type Failure } from "#check/failure";
import type { TlsFacts } from "#check/outcome";
import { tlsFacts } from "#probes/connection/certificate";
import { classify, timedOut } from "#probes/classify";
import { type Line, socketLine } from "#probes/connection/line";
import type { WireTimes } from "#probes/connection/wire-times";
import type { Mark } from "#probes/connection/marker";
import type { Run } from "#probes/probe";
import { refusal, verificationFault } from "#probes/connection/certificate-refusal";

/** With whom TLS is spoken, and the phase that it takes place in: a proxy's handshake belongs to the proxy. */
export interface SecuredPeer {
  readonly host: string;
  /** How a sentence names it. */
  readonly where: string;
  readonly alpn: readonly string[];
  readonly phase: "tls" | "proxy";
}

/** A connection that speaks TLS, or why there is none. */
export type HandshakeResult =
  | { readonly ok: true; readonly line: Line; readonly ready: Mark; readonly tls: TlsFacts }
  | { readonly ok: false; readonly failure: Failure; readonly tls: TlsFacts | null };

/**
 * TLS over a connection, without session reuse. Verification is judged here and not by the runtime, so that a
 * refused certificate can still be described; nothing is sent to a peer that was refused, but for our own certificate
 * where it asked for one: that is no secret, and what proves it is good for this handshake alone.
 */
export async function handshake(
  below: Line,
  peer: SecuredPeer,
  { deadline, context }: Run,
): Promise<HandshakeResult> {
  const { where, phase } = peer;
  // RFC 6066 §3: without the dot that ends an absolute name; certificates have none either.
  const host = peer.host.replace(/\.$/, "");
  const serverName = isIP(host) === 0 ? host : null;
  if (deadline.end.aborted) {
    below.destroy();
    return { ok: false, failure: timedOut(deadline, phase, where), tls: null };
  }
  const secureContext = secureContextOf(context, below);
  const { stream, times } = below.carrier();
  const begun = times.acted();
  const socket = connectTls({
    socket: stream,
    host,
    ...(serverName === null ? {} : { servername: serverName }),
    secureContext,
    ALPNProtocols: [...peer.alpn],
    rejectUnauthorized: false,
    // Whose certificate it is is asked below: for this check the runtime would read the whole chain into objects.
    checkServerIdentity: anyIdentity,
  });
  socket.getPeerCertificate = noCertificate;
  const ended = await handshakeEnd(socket, deadline, times, begun);
  const line = socketLine(socket, times, below);
  if (ended.how === "secured") {
    const leaf = socket.getPeerX509Certificate() ?? null;
    const tls = tlsFacts(socket, leaf, serverName);
    const fault = verificationFault(socket, leaf, host);
    if (fault === null) return { ok: true, line, ready: ended.mark, tls };
    const refused = { ...refusal(fault, leaf, where, context.clock), phase };
    if (phase === "tls" && context.overrides.acceptsAnyCertificate)
      return {
        ok: true,
        line,
        ready: ended.mark,
        tls: { ...tls, acceptedFault: refused.message },
      };
    line.destroy();
    return { ok: false, failure: refused, tls };
  }
  line.destroy();
  switch (ended.how) {
    case "deadline":
      return { ok: false, failure: timedOut(deadline, phase, where), tls: null };
    case "closed":
      return { ok: false, failure: closedInHandshake(peer), tls: null };
    case "error":
      return { ok: false, failure: handshakeFailure(ended.error, peer), tls: null };
  }
}

/** Throws where the files of the trust cannot be read. That is our fault, and the peer is not kept waiting for it. */
function secureContextOf({ trust }: Run["context"], below: Line): SecureContext {
  try {
    return trust.secureContext();
  } catch (error) {
    below.destroy();
    throw error;
  }
}

// Not within the handshake: the runtime keeps it, and it would keep all that the handshake knows.
const anyIdentity = (): undefined => undefined;
const noCertificate = (): PeerCertificate & DetailedPeerCertificate => Object.create(null);

type HandshakeEnd =
  | { readonly how: "secured"; readonly mark: Mark }
  | { readonly how: "closed" | "deadline" }
  | { readonly how: "error"; readonly error: Error };

function handshakeEnd(
  socket: TLSSocket,
  deadline: Deadline,
  times: WireTimes,
  begun: Mark,
): Promise<HandshakeEnd> {
  return new Promise((resolve) => {
    const end = (ended: HandshakeEnd): void => {
      deadline.end.removeEventListener("abort", onDeadline);
      socket.removeAllListeners("secureConnect");
      socket.removeAllListeners("error");
      socket.removeAllListeners("close");
      resolve(ended);
    };
    const onDeadline = (): void => end({ how: "deadline" });
    socket.once("secureConnect", () => {
      const done = times.acted();
      times.owe();
      const theirs = times.arrived();
      // Our last message of the handshake leaves when this turn ends: the request would hold it back.
      setImmediate(() => {
        const ours = times.leftSince(begun) ?? times.left(done);
        end({ how: "secured", mark: ours.at < theirs.at ? theirs : ours });
      });
    });
    socket.once("error", (error) => end({ how: "error", error }));
    socket.once("close", () => end({ how: "closed" }));
    deadline.end.addEventListener("abort", onDeadline, { once: true });
  });
}

const closedInHandshake = ({ where, phase }: SecuredPeer): Failure =>
  failure("tls_closed", phase, `the peer closed the connection in the TLS handshake (${where})`);

/** Node says ECONNRESET both for a reset and for an orderly close before the handshake was done. */
function handshakeFailure(error: Error, peer: SecuredPeer): Failure {
  return error.message.includes("before secure TLS connection")
    ? closedInHandshake(peer)
    : classify(error, peer.phase, peer.where);
}
